"""Where the terms of a run of slots stand. A segment never changes; two neighbours can be merged into one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memoranda.recall.columns import Slots

MOST_COUNTED = 65_535
"""Most occurrences of a term in one entry that are told apart; BM25 has long been saturated by then."""


@dataclass(frozen=True, slots=True)
class Segment:
    """The postings of a run of slots.

    Attributes:
        size: how many slots the run has.
        terms: the number of each term.
        starts: where the postings of each term begin; one more than there are terms.
        slots: the slots that have the term, rising, term after term.
        counts: how often, beside each slot.
    """

    size: int
    terms: Mapping[str, int]
    starts: NDArray[np.uint32]
    slots: NDArray[np.uint32]
    counts: NDArray[np.uint16]

    @classmethod
    def build(cls, first: int, entries: Sequence[Mapping[str, int]]) -> Segment:
        """Returns the segment of entries whose slots follow one another from `first`, given as terms and counts."""
        found: dict[str, list[tuple[int, int]]] = {}
        for slot, counted in enumerate(entries, first):
            for term, count in counted.items():
                found.setdefault(term, []).append((slot, min(count, MOST_COUNTED)))
        pairs = np.array([pair for of_term in found.values() for pair in of_term], dtype=np.int64).reshape(-1, 2)
        return cls(
            len(entries),
            {term: number for number, term in enumerate(found)},
            _starts(len(of_term) for of_term in found.values()),
            pairs[:, 0].astype(np.uint32),
            pairs[:, 1].astype(np.uint16),
        )

    def postings(self, term: str) -> tuple[NDArray[np.uint32], NDArray[np.uint16]] | None:
        """Returns the slots that have the term and how often; None when none has it."""
        number = self.terms.get(term)
        if number is None:
            return None
        span = slice(int(self.starts[number]), int(self.starts[number + 1]))
        return self.slots[span], self.counts[span]

    def merged(self, later: Segment) -> Segment:
        """Returns this segment and the one that follows it as one."""
        names = list(dict.fromkeys((*self.terms, *later.terms)))
        parts = [[part for part in (self.postings(name), later.postings(name)) if part is not None] for name in names]
        flat = [piece for pieces in parts for piece in pieces]
        return Segment(
            self.size + later.size,
            {name: number for number, name in enumerate(names)},
            _starts(sum(len(slots) for slots, _ in pieces) for pieces in parts),
            np.concatenate([slots for slots, _ in flat]) if flat else self.slots,
            np.concatenate([counts for _, counts in flat]) if flat else self.counts,
        )


def grown(segments: tuple[Segment, ...], added: Segment) -> tuple[Segment, ...]:
    """Returns the segments with one more, merged so that each is at least twice as large as the one after it.

    So a scope of n entries has about log2(n) segments, and an entry is merged about log2(n) times in its life.
    """
    found = [*segments, added]
    while len(found) > 1 and found[-2].size <= 2 * found[-1].size:
        later = found.pop()
        found[-1] = found[-1].merged(later)
    return tuple(found)


def postings(segments: Sequence[Segment], term: str) -> tuple[Slots, NDArray[np.float32]]:
    """Returns the slots of all segments that have the term, rising, and how often."""
    parts = [part for segment in segments if (part := segment.postings(term)) is not None]
    if not parts:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.float32)
    slots = np.concatenate([slots for slots, _ in parts]).astype(np.intp)
    return slots, np.concatenate([counts for _, counts in parts]).astype(np.float32)


def _starts(sizes: Iterable[int]) -> NDArray[np.uint32]:
    return np.concatenate(([0], np.cumsum(np.fromiter(sizes, dtype=np.int64)))).astype(np.uint32)
