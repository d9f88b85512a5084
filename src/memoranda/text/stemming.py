"""Stems of words, so that ``painted`` is found by ``paint``: the Snowball stemmers, chosen by script and by setting.

The stemmer sees folded words, without accents: a stem must not depend on whether somebody typed them. Which stem a
word has matters little; that its inflected forms share one is all that is used.
"""

from collections.abc import Callable
from functools import cache
from typing import Final

import Stemmer  # type: ignore[import-not-found]  # a compiled module without type stubs

LANGUAGES: Final = frozenset(Stemmer.algorithms()) - {"porter", "dutch_porter"}
"""The languages that can be set: those of Snowball, named in English and in lower case."""

_LONGEST_STEMMED: Final = 64
# First and last letter of each script that has a language of its own here; Latin stands for the rest of them.
_SCRIPTS: Final = (
    ("a", "\u024f", "latin"),
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "cyrillic"),
    ("\u0531", "\u0587", "armenian"),
    ("\u05d0", "\u05f4", "hebrew"),
    ("\u0620", "\u06d3", "arabic"),
    ("\u0900", "\u097f", "devanagari"),
    ("\u0b80", "\u0bff", "tamil"),
    ("\u1e00", "\u1eff", "latin"),
    ("\u1f00", "\u1fff", "greek"),
)
_BY_SCRIPT: Final = {
    "latin": "english", "greek": "greek", "cyrillic": "russian", "armenian": "armenian", "arabic": "arabic",
    "devanagari": "hindi", "tamil": "tamil",
}  # fmt: skip
# The script of each language that is not written in Latin letters.
_WRITTEN_IN: Final = {
    "greek": "greek", "russian": "cyrillic", "serbian": "cyrillic", "armenian": "armenian", "arabic": "arabic",
    "persian": "arabic", "hindi": "devanagari", "nepali": "devanagari", "tamil": "tamil", "yiddish": "hebrew",
}  # fmt: skip

Stem = Callable[[str], str]


@cache
def stemmer(language: str) -> Stem:
    """Returns the function that gives the stem of a folded word in lower case; ``none`` leaves every word as it is.

    Words in the script of ``language`` are read as that language; words in another script as the language that
    most often writes it (Cyrillic: Russian, Arabic: Arabic, Devanagari: Hindi, Latin: English). Words with digits
    and words of more than 64 characters are names or data: they stay whole.

    Raises:
        ValueError: if Snowball has no such language.
    """
    if language == "none":
        return _unchanged
    if language not in LANGUAGES:
        raise ValueError(f"no stemmer for language {language!r}: use none or one of {', '.join(sorted(LANGUAGES))}")
    languages = _BY_SCRIPT | {_WRITTEN_IN.get(language, "latin"): language}
    # Our callers keep what they have seen, so PyStemmer's own cache is off: it may not be shared between threads.
    stems: dict[str, Stem] = {script: Stemmer.Stemmer(name, 0).stemWord for script, name in languages.items()}

    def stem(word: str) -> str:
        if len(word) > _LONGEST_STEMMED or (not word.isalpha() and any(map(str.isdecimal, word))):
            return word
        known = stems.get(_script(word[-1]))
        return (known(word) or word) if known else word

    return stem


def _script(letter: str) -> str:
    return next((script for first, last, script in _SCRIPTS if first <= letter <= last), "")


def _unchanged(word: str) -> str:
    return word
