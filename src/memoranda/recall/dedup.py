"""Telling restatements from differences, so that one fact is paid for once (S1.3, S1.10, C6)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from memoranda.records.entry import MemoryEntry
from memoranda.text import contradiction
from memoranda.text.folding import fold
from memoranda.text.similarity import containment
from memoranda.text.stemming import stemmer

LEAST_CONTAINMENT: Final = 0.80
"""From this share of the smaller word set on, two texts are taken to say the same (S1.10)."""

LEAST_COVERED: Final = 2 / 3
"""A later text of which a smaller share of words stands in the earlier one says more, and is no restatement of it.

Containment alone would let a short "Really?" hide every text with the word "really".
"""

Difference = Callable[[MemoryEntry, MemoryEntry], str | None]
"""Tells why of two entries that read alike the second must be shown too, or None where the first is enough."""
WordSet = Callable[[str], frozenset[str]]

_ARTICLES: Final = frozenset(("a", "an", "the"))
# Folding leaves the marks of scripts whose words need them, and these are no letters to the engine.
_WORD: Final = re.compile("(?:[^\\W_]|[\u0900-\u0eff\u1000-\u109f\u1780-\u17ff\u1a00-\u1aad])+")


def words(text: str) -> frozenset[str]:
    """Returns the distinct words of a text, folded: without case and without accents."""
    return frozenset(_sequence(text))


def differs(a: MemoryEntry, b: MemoryEntry) -> str | None:
    """Returns why the second of two entries that read alike says something else or more, or None (C6, design D9).

    Compared are numbers, days and negations (`text.contradiction.differs`), the days on which they happened, and
    values: where the one has the words of the other but for some in the same places, such as "the target is cluster
    blue" and "the target is cluster green", something else is said. Inflections and articles do not matter. And the
    second says more where fewer than `LEAST_COVERED` of its words stand in the first.
    """
    if a.occurred_at and b.occurred_at and a.occurred_at.date() != b.occurred_at.date():
        return f"happened on {a.occurred_at.date()} and on {b.occurred_at.date()}"
    return _adds(a.memory, b.memory) or contradiction.differs(a.memory, b.memory) or _values_differ(a.memory, b.memory)


class Kept:
    """The entries that are kept so far, against which the next one is compared.

    Args:
        difference: the guard: a pair that it tells apart is never taken for one; None for none.
        word_set: what a text is compared by.
    """

    def __init__(self, difference: Difference | None = differs, word_set: WordSet = words) -> None:
        self._difference = difference
        self._word_set = word_set
        self._kept: list[tuple[MemoryEntry, frozenset[str]]] = []

    def add(self, entry: MemoryEntry) -> None:
        """Keeps an entry."""
        self._kept.append((entry, self._word_set(entry.memory)))

    def repeated_by(self, entry: MemoryEntry) -> MemoryEntry | None:
        """Returns the first entry kept that says what this one says, or None.

        An entry without words repeats nothing: 0 of 0 words in common is no likeness.
        """
        own = self._word_set(entry.memory)
        for kept, its in self._kept:
            alike = containment(own, its) >= LEAST_CONTAINMENT
            if alike and (self._difference is None or self._difference(kept, entry) is None):
                return kept
        return None


def distinct(
    entries: Sequence[MemoryEntry], difference: Difference | None = differs, word_set: WordSet = words
) -> list[MemoryEntry]:
    """Returns the entries without those that restate an earlier one, in their order; the first wins (S1.10)."""
    kept = Kept(difference, word_set)
    found: list[MemoryEntry] = []
    for entry in entries:
        if kept.repeated_by(entry) is None:
            kept.add(entry)
            found.append(entry)
    return found


def _sequence(text: str) -> list[str]:
    return _WORD.findall(fold(text).casefold())


def _adds(a: str, b: str) -> str | None:
    known, said = words(a), words(b)
    new = len(said - known)
    return f"{new} of {len(said)} words are new" if new > (1 - LEAST_COVERED) * len(said) else None


def _values_differ(a: str, b: str) -> str | None:
    mine, yours = _sequence(a), _sequence(b)
    if len(mine) != len(yours):
        return None
    stem = stemmer("english")
    for one, other in zip(mine, yours, strict=True):
        if stem(one) != stem(other) and not {one, other} <= _ARTICLES:
            return f"values differ: {one} against {other}"
    return None
