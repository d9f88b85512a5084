"""What recall answers: hits with their score parts, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memoranda.records.entry import MemoryEntry


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry that recall found.

    Attributes:
        entry: the entry.
        score: how well it answers, 0 to 1; what hits are ordered by. 0 for an empty query.
        parts: what the score is made of, by name: `words`, `tags`, `confidence`, `recency`, or `recent`.
        because: the same in words that a person understands.
    """

    entry: MemoryEntry
    score: float
    parts: Mapping[str, float]
    because: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that matched and was left out, and why."""

    entry: MemoryEntry
    reason: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer of one recall, best hit first. Iterating and indexing give its hits; `len` counts them.

    Attributes:
        query: the query as it was given.
        hits: the hits, best first.
        dropped: entries that matched and were left out, best first, at most `MAX_DROPPED`.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]


MAX_DROPPED = 50
"""How many left-out entries an answer names. The rest would be noise: a limit leaves out all the others."""
