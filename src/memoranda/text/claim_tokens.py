"""Cuts a text into the tokens of a claim: times, numbers, names, words, runs of Chinese, signs and breaks.

Contractions are spelled out (don't, l'eau), and of phrases that say the same, one stands for all. Of the marks only
those are dropped that say nothing; every other character is a token, so that nothing gets lost between two texts.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from memoranda.text import function_words as function
from memoranda.text import han_words as han
from memoranda.text import quantities
from memoranda.text.word_lists import word_set

_Kind = Literal["word", "raw", "number", "time", "han", "symbol", "break"]


class Token(NamedTuple):
    """A token.

    Attributes:
        text: as it is written; of a time its key.
        kind: what it is.
        initial: whether a capital letter is due to its place and tells no name.
    """

    text: str
    kind: _Kind
    initial: bool = False


_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("’‘`´", "'"),
        **dict.fromkeys("“”„«»「」", '"'),
        **dict.fromkeys("−‐‑–", "-"),
        **dict.fromkeys("\u00ad\u200d\ufeff"),
        "—": " - ",
        "。": ".",
        "、": ",",
        "\u200b": " ",
        "…": " ",
    }
)
_HAN: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_LETTER: Final = rf"[^\W{_HAN}]"
QUOTED: Final = re.compile(r'"([^"\n]{1,200})"' + r"|(?<!\w)'([^'\n]{1,200})'(?!\w)")
_TOKEN: Final = re.compile(
    rf"(?P<raw>\w++://[^\s\"'<>()]++|[\w.+-]++@[\w.-]*\w|(?<![\w])[~.]{{0,2}}(?:[/\\][\w.@~-]*\w)+/?"
    rf"|\w[\w.-]*+(?:[/\\][\w.@~-]*\w)+|(?<!\w)\.\w[\w.-]*\w|(?<!\w)[@#]\w[\w-]*|(?<!\w)--?[a-zA-Z][\w-]*)"
    rf"|(?P<number>(?<![\w.)])[-+]?\d+(?:[.,:]\d+)*(?![\w]|-\w)"
    rf"|(?<![\w.)])[-+]?\d+(?:[.,]\d+)*(?=[{_HAN}]|[a-zA-Z°]{{1,3}}(?![\w-])))"
    rf"|(?P<word>{_LETTER}(?:{_LETTER}|[.'-](?={_LETTER}))*(?:\+\+|\#(?!\w))?)|(?P<han>[{_HAN}]+)"
    r"|(?P<break>[.;!,:\n]+)|(?P<dropped>[\s\"'()\[\]{}_·《》]+|-(?!\d)|\*+(?=\w)|(?<=\w)\*+(?!\.))"
    r"|(?P<symbol><[-=]|[-=]>|[<>!=]=|.)",
    re.DOTALL,
)
_KINDS: Final[dict[str, _Kind]] = {"word": "word", "raw": "raw", "number": "number", "han": "han", "symbol": "symbol"}
_SENTENCE_ENDS: Final = frozenset(".;!\n")
_TIMELY: Final = re.compile("[0-9]|noon|midnight|星期|礼拜|周", re.IGNORECASE)
IDENTIFIER: Final = re.compile(r"[\d_]|\w\.\w")
CASED: Final = re.compile(r"(?=.*\d)(?=.*[a-z]).*[a-z\d][A-Z]")
_ELISION: Final = re.compile(r"^(?:[ldnjcsmt]|qu)'(?=\w)")
_PRONOUNS: Final = word_set("it that he she there what who where here how this everything")
_ENDINGS: Final = {"s": "'s", "re": "is", "m": "is", "ll": "will", "ve": "have", "d": "would"}
_NEGATED: Final = {"ca": "can", "wo": "will", "sha": "shall"}
_BARE_NEGATED: Final = word_set(
    "dont doesnt didnt isnt wasnt arent cant wont shouldnt couldnt wouldnt hasnt havent mustnt cannot"
)


def plain(text: str) -> str:
    """Returns a text in compatibility form (NFKC), with plain quotation marks, hyphens and blanks; case stays."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_MARKS)).translate(_MARKS)
        text = quantities.with_digits(han.simplified(text))
    return "\n".join(filter(None, (" ".join(line.split()) for line in text.splitlines())))


def _tokens(text: str) -> Iterator[Token]:
    end, initial = 0, True
    for found in quantities.TIME.finditer(text) if _TIMELY.search(text) else ():
        key = quantities.time_key(found)
        if key is not None:
            yield from _plain_tokens(text, end, found.start(), initial)
            initial = False
            yield Token(key, "time")
            end = found.end()
    yield from _plain_tokens(text, end, len(text), initial)


def _plain_tokens(text: str, start: int, end: int, initial: bool) -> Iterator[Token]:
    for found in _TOKEN.finditer(text, start, end):
        kind, token = found.lastgroup, found.group()
        if kind == "dropped":
            initial = initial or '"' in token or "(" in token
        elif kind == "break":
            ends = not _SENTENCE_ENDS.isdisjoint(token)
            initial = initial or ends or token[0] == ":"
            yield Token("." if ends else token[0], "break")
        else:
            parts = token.split("-") if kind == "word" and "-" in token and not IDENTIFIER.search(token) else (token,)
            for part in parts:
                yield Token(part, _KINDS[kind or ""], initial)
                initial = False


def tokens_of(text: str, language: str) -> list[Token]:
    """Returns the tokens of a text as `plain` gives it, contractions and phrases in one form."""
    spelled: list[Token] = []
    for token in _tokens(text):
        if token.kind == "word" and ("'" in token.text or token.text.casefold() in _BARE_NEGATED):
            spelled.extend(Token(part, "word", token.initial) for part in _spelled_out(token.text, language))
        else:
            spelled.append(token)
    phrases = function.SYNONYMS.get(language, {})
    if phrases.keys().isdisjoint([token.text.casefold() for token in spelled]):
        return spelled
    found: list[Token] = []
    place = 0
    while place < len(spelled):
        token = spelled[place]
        for rest, meaning in phrases.get(token.text.casefold(), ()):
            following = tuple(each.text.casefold() for each in spelled[place + 1 : place + 1 + len(rest)])
            if following == rest:
                found.extend(Token(word, "word", True) for word in meaning)
                place += len(rest)
                break
        else:
            found.append(token)
        place += 1
    return found


def _spelled_out(token: str, language: str) -> list[str]:
    lower = token.casefold()
    if lower in _BARE_NEGATED or lower.endswith("n't"):
        base = lower.removesuffix("n't").removesuffix("nt").removesuffix("not")
        return [_NEGATED.get(base, base), "not"]
    if language == "fr" and _ELISION.match(lower):
        elided, _, rest = token.partition("'")
        return [elided, rest]
    base, _, ending = token.rpartition("'")
    meaning = "is" if ending == "s" and base.casefold() in _PRONOUNS else _ENDINGS.get(ending.casefold())
    return [base, meaning] if meaning else [token]
