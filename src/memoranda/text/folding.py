"""Folding of text to the form in which words are compared.

Folding keeps upper and lower case, because names such as ``camelCase`` are split at their capitals first;
the caller folds case afterwards, term by term.
"""

import re
import unicodedata
from typing import Final

# Marks that a reader leaves out when searching: accents of Latin, Greek and Cyrillic, points of Hebrew, harakat
# of Arabic and Syriac, variation selectors. Marks of other scripts (Devanagari, Thai, ...) carry the word: kept.
_DROPPED_MARKS: Final = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08e1\u08e3-\u08ff"
    "\u0711\u0730-\u074a\u180b-\u180d\u180f\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef]"
)
_ZERO_WIDTH_SPACE: Final = "\u200b"  # separates words in Thai and Khmer, so it becomes a space
# Letters without a decomposition that are commonly typed with plain ones, and the variants of hyphen and
# apostrophe. The Russian short i is a letter of its own: it stays, and with it the endings a stemmer needs.
_SPECIAL: Final = {
    "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ð": "d", "Ð": "D",
    "ı": "i", "æ": "ae", "Æ": "Ae", "œ": "oe", "Œ": "Oe", "þ": "th", "Þ": "Th", "й": "й", "Й": "Й",
    "\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2010": "-", "\u2212": "-", _ZERO_WIDTH_SPACE: " ",
}  # fmt: skip
_CACHED_CHARACTERS: Final = 20_000


class _FoldTable(dict[int, str]):
    """A translation table that fills itself, up to ``_CACHED_CHARACTERS`` characters."""

    def __missing__(self, code: int) -> str:
        folded = _fold_character(chr(code))
        if len(self) < _CACHED_CHARACTERS:
            self[code] = folded
        return folded


def _fold_character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    category = unicodedata.category(character)
    if category == "Cf":  # joiners, soft hyphens, direction marks: invisible, and inside of words
        return ""
    if category[0] in "PZ":  # punctuation of every script separates words, so plain text of Europe ends up as ASCII
        return " "
    if category == "Nd":
        return str(unicodedata.decimal(character))
    kept = _DROPPED_MARKS.sub("", unicodedata.normalize("NFD", character))
    return unicodedata.normalize("NFC", kept)


_TABLE: Final = _FoldTable({code: chr(code) for code in range(0x80)})


def fold(text: str) -> str:
    """Returns the text in compatibility form (NFKC), without accents, vowel points and invisible characters.

    Case stays. Decimal digits of every script become 0 to 9; punctuation beyond ASCII becomes a space, hyphens and
    apostrophes their ASCII forms. ASCII text comes back as it is. Never raises.
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text).translate(_TABLE)
