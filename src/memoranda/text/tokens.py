"""Estimating how many tokens a text has where no tokenizer is at hand.

A text is cut into the pieces that the encodings of OpenAI cut it into before they merge bytes: a word with the mark
or space before it, three digits, a run of marks, of blanks, of line ends. Each piece then counts as many tokens as
pieces of its kind and length have on average. The averages were taken of English pages, licences and docstrings, Python
and JavaScript source, JSON, and the message catalogues of Django in 34 languages; docs/decisions/0007-tokens.md has
the error on texts that were not among them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_LATIN: Final = "A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_SCRIPTS: Final = {
    "greek": "\u0370-\u03ff\u1f00-\u1fff",
    "cyrillic": "\u0400-\u052f",
    "hebrew": "\u0590-\u05ff",
    "arabic": "\u0600-\u06ff\u0750-\u077f\ufb50-\ufdff\ufe70-\ufefc",
    "devanagari": "\u0900-\u097f",
    "indic": "\u0980-\u0dff",
    "thai": "\u0e00-\u0eff",
    "hangul": "\u1100-\u11ff\u3130-\u318f\uac00-\ud7af",
    "kana": "\u3041-\u30ff",
    "han": "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff",
}
_MARKS: Final = r"!-/:-@\[-`{-~"

_PIECE: Final = re.compile(
    "|".join(
        [
            rf"(?:[^\w\r\n]|_)?[{_LATIN}]+",
            r"[0-9]{1,3}",
            r"\s*[\r\n]+",
            r"\s+(?!\S)",
            rf" ?[{_MARKS}]+[\r\n]*",
            *(rf" ?[{ranges}]+" for ranges in _SCRIPTS.values()),
            rf" ?[^\s\x00-\x7f{_LATIN}{''.join(_SCRIPTS.values())}]+",
            r"(?s:.)",
        ]
    )
)
_HUMP: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""In a name such as `readFile` each hump counts as a word: the encodings have few tokens that reach over two."""

Averages = tuple[float, ...]
"""Tokens of a word of 1, 2, 3, ... letters: the mean of cl100k_base and o200k_base, which hardly differ."""

_AFTER_SPACE: Final[Averages] = (1, 1, 1, 1.01, 1.01, 1.02, 1.05, 1.08, 1.12, 1.14, 1.21, 1.28, 1.32, 1.4, 1.75, 2.4)
_ALONE: Final[Averages] = (1, 1, 1.02, 1.03, 1.06, 1.08, 1.2, 1.28, 1.5, 1.6, 1.65, 2.05, 2.35, 2.4, 2.7, 3.2)
_AFTER_MARK: Final[Averages] = (1.02, 1.1, 1.13, 1.08, 1.14, 1.2, 1.35, 1.45, 1.75, 1.75, 2, 2.4, 2.6, 2.9, 3.4, 3.7)
_CAPITALS: Final[Averages] = (1, 1.05, 1.17, 1.32, 1.4, 1.5, 1.7, 2.1, 2.4, 2.6, 2.8, 3, 3.2, 3.5, 3.9, 4.2)
_LONGER: Final = 0.35
"""Tokens of each letter beyond the sixteenth."""

_ACCENTS_IGNORED: Final = 2
_FOREIGN_BY_ACCENTS: Final = 3.5
_MOST_FOREIGN: Final = 1.5
"""How far words of plain letters cost more than English ones, by the share of words with an accent, from the third
such word on: Spanish and German have one in ten and cost little more; Czech and Turkish one in three and cost most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What an encoding makes of writing other than English, as linear fits.

    Attributes:
        scripts: for each script the tokens of a word and of each of its letters; `han` and others have no spaces, so
            there a word is a run.
        accented: the same for a word in Latin letters with an accent in it.
        foreign: tokens of a word of 1, 2, 3, ... plain letters in a language that has accents.
        letter: tokens of a letter of any other script.
        picture: tokens of a character beyond U+FFFF, such as an emoji.
    """

    scripts: Mapping[str, tuple[float, float]]
    accented: tuple[float, float]
    foreign: Averages
    letter: float
    picture: float


CL100K: Final = Rates(
    scripts={
        "greek": (0.25, 1.02),
        "cyrillic": (0.64, 0.46),
        "hebrew": (0.5, 1.07),
        "arabic": (0.49, 0.75),
        "devanagari": (1.04, 1.02),
        "indic": (0.54, 1.63),
        "thai": (1.08, 0.9),
        "hangul": (0.74, 0.83),
        "kana": (0.13, 0.91),
        "han": (0.82, 1.16),
    },
    accented=(0.82, 0.33),
    foreign=(1, 1.02, 1.09, 1.31, 1.48, 1.83, 2.11, 2.37, 2.7, 2.91, 3.15, 3.23, 3.5, 3.78, 4.2, 4.6),
    letter=1.9,
    picture=2.6,
)
O200K: Final = Rates(
    scripts={
        "greek": (0.23, 0.38),
        "cyrillic": (0.57, 0.25),
        "hebrew": (0.15, 0.41),
        "arabic": (0.27, 0.29),
        "devanagari": (0.22, 0.37),
        "indic": (0.56, 0.34),
        "thai": (0.55, 0.37),
        "hangul": (0.56, 0.49),
        "kana": (0.2, 0.6),
        "han": (0.42, 0.83),
    },
    accented=(0.78, 0.23),
    foreign=(1, 1, 1.03, 1.16, 1.29, 1.52, 1.77, 1.89, 2.14, 2.37, 2.49, 2.63, 2.86, 3.06, 3.4, 3.8),
    letter=0.7,
    picture=1.6,
)
_LATIN_LETTER: Final = re.compile(f"[{_LATIN}]")
_SCRIPT_OF_CHARACTER: Final = {name: re.compile(f"[{ranges}]") for name, ranges in _SCRIPTS.items()}


def estimated_tokens(text: str, rates: Rates = CL100K) -> int:
    """Returns about how many tokens a text has; 0 for an empty text, else at least 1.

    Short plain English comes out exactly or within one. The default is the larger of the two: it is better to send less
    than a window holds than more. The time is linear in the length, whatever the text holds.

    Args:
        text: any text, lone surrogates included.
        rates: what the encoding makes of scripts other than Latin.
    """
    if not text:
        return 0
    lead = " " if text[0].isalpha() else ""  # a first word is as common as one after a space
    plain = foreign = rest = 0.0
    words = accented = 0
    for piece, times in Counter(_PIECE.findall(lead + text)).items():
        word = piece if piece[0].isalpha() else piece[1:]
        if not (word.isascii() and word.isalpha()):
            rest += times * _other_cost(piece, rates)
            accented += times * _is_accented(word)
            continue
        words += times
        plain += times * _word_cost(piece, word)
        foreign += times * _average(rates.foreign, len(word))
    share = max(0, accented - _ACCENTS_IGNORED) / max(1, words + accented)
    weight = min(_MOST_FOREIGN, _FOREIGN_BY_ACCENTS * share)
    return max(1, round(rest + plain + weight * max(0.0, foreign - plain)))


def _average(averages: Averages, letters: int) -> float:
    return averages[min(letters, len(averages)) - 1] + _LONGER * max(0, letters - len(averages))


def _word_cost(piece: str, word: str) -> float:
    """Returns the tokens of a word of plain letters, with the space or mark before it."""
    before = piece[0]
    if len(word) == 1 or word[1:].islower():
        start = _AFTER_SPACE if before == " " else _ALONE if len(piece) == len(word) else _AFTER_MARK
        return _average(start, len(word))
    humps = _HUMP.findall(word)
    glued = 0.3 if len(piece) > len(word) and before != " " else 0.0
    return glued + sum(_average(_CAPITALS if hump.isupper() else _ALONE, len(hump)) for hump in humps)


def _is_accented(word: str) -> bool:
    return word.isalpha() and "\u00aa" <= max(word) <= "\u1eff" and _LATIN_LETTER.match(word) is not None


def _other_cost(piece: str, rates: Rates) -> float:
    """Returns the tokens of a piece that is no word of plain letters."""
    if piece.isspace():
        return 1 + max(len(piece) // 128, (piece.count("\n") + piece.count("\r")) // 10)
    if piece.isascii():
        return _marks_cost(piece.strip())
    said = piece.lstrip(" ")
    if _is_accented(said) or _is_accented(said[1:]):
        word, letter = rates.accented
        return word + letter * len(said)
    for name, pattern in _SCRIPT_OF_CHARACTER.items():
        if pattern.match(said):
            word, letter = rates.scripts[name]
            return word + letter * len(said)
    return sum(_sign_cost(character, rates) for character in said)


def _marks_cost(marks: str) -> float:
    """Returns the tokens of digits or of a run of ASCII marks: `),` is one, `-----` is one, `}))])` is two."""
    if marks.isdigit() or len(marks) <= 2:
        return 1
    return 1 + len(marks) / 16 if len(set(marks)) == 1 else max(1, 0.5 * len(marks) - 0.5)


def _sign_cost(character: str, rates: Rates) -> float:
    if character > "\uffff":
        return rates.picture
    return rates.letter if character.isalpha() else 1
