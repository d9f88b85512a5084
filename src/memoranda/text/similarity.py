"""How much two texts share, by their words and by pieces of three characters."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

_HAN: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD: Final = re.compile(rf"[{_HAN}]|[^\W_{_HAN}]+")
FOLD_SIMILARITY: Final = 0.50
"""From this trigram similarity on, two texts are near enough for the guard to say whether they are one claim.

The seed's 0.65 (S1.22) stood without a guard; with one it leaves a fifth of the restatements apart. Measured in
docs/decisions/0006-folding.md.
"""

_CACHED_TEXTS: Final = 1_024
_LONGEST_CACHED: Final = 4_096


def trigram_similarity(a: str, b: str) -> float:
    """Returns the shared trigrams of two texts divided by all of theirs, 0.0 to 1.0, as pg_trgm counts them (S1.22).

    A word is a run of letters and digits in lower case, with two blanks before it and one behind. Equal texts give
    1.0, also those without a word. Unlike there, every character of Chinese and Japanese is a word: their sentences
    have no blanks, and two orders of one sentence would share hardly a trigram.
    """
    return 1.0 if a == b else jaccard(trigrams(a), trigrams(b))


def trigrams(text: str) -> frozenset[str]:
    """Returns the trigrams of a text: "a cat" has "  a", " a ", "  c", " ca", "cat" and "at "."""
    return _cached_trigrams(text) if len(text) <= _LONGEST_CACHED else _trigrams(text)


def _trigrams(text: str) -> frozenset[str]:
    padded = [f"  {word} " for word in _WORD.findall(text.lower())]
    return frozenset(word[start : start + 3] for word in padded for start in range(len(word) - 2))


_cached_trigrams: Final = lru_cache(maxsize=_CACHED_TEXTS)(_trigrams)


def containment(a_words: Iterable[str], b_words: Iterable[str]) -> float:
    """Returns the share of the smaller set that the other holds, 0.0 to 1.0; 0.0 where one is empty (S1.10)."""
    a, b = frozenset(a_words), frozenset(b_words)
    smaller = min(len(a), len(b))
    return len(a & b) / smaller if smaller else 0.0


def jaccard(a_terms: Iterable[str], b_terms: Iterable[str]) -> float:
    """Returns the shared terms divided by all terms, as sets: 0.0 to 1.0. Two empty sets share nothing: 0.0."""
    a, b = frozenset(a_terms), frozenset(b_terms)
    union = len(a | b)
    return len(a & b) / union if union else 0.0


def seed_tokens(text: str) -> list[str]:
    """Returns the tokens that the merge of S0.46 compares.

    Lower case, split on whitespace, each trimmed of characters that are neither letter nor digit at both ends;
    what is then empty is dropped. Order and repeats stay.
    """
    return [token for token in map(_trimmed, text.lower().split()) if token]


def _trimmed(token: str) -> str:
    start, end = 0, len(token)
    while start < end and not token[start].isalnum():
        start += 1
    while end > start and not token[end - 1].isalnum():
        end -= 1
    return token[start:end]
