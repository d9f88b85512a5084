"""Where the terms of a run of slots stand. A segment never changes; two neighbours can be merged into one."""

from __future__ import annotations

from array import array
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
    def build(cls, first: int, entries: Iterable[Mapping[str, int]]) -> Segment:
        """Returns the segment of entries whose slots follow one another from `first`, given as terms and counts.

        The entries may come one by one: what was read is kept only as numbers.
        """
        terms: dict[str, int] = {}
        numbers, found, sizes = array("L"), array("L"), array("L")
        for counted in entries:
            numbers.extend([terms.setdefault(term, len(terms)) for term in counted])
            found.extend(counted.values())
            sizes.append(len(counted))
        of_term = np.asarray(numbers, dtype=np.int64)
        order = np.argsort(of_term, kind="stable")
        slots = np.repeat(np.arange(first, first + len(sizes)), np.asarray(sizes, dtype=np.int64))
        counts = np.minimum(np.asarray(found, dtype=np.int64), MOST_COUNTED)
        return cls(
            len(sizes),
            terms,
            _starts(np.bincount(of_term, minlength=len(terms))),
            slots[order].astype(np.uint32),
            counts[order].astype(np.uint16),
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
        terms = dict(self.terms)
        renumbered = np.array([terms.setdefault(term, len(terms)) for term in later.terms], dtype=np.int64)
        of_term = np.concatenate((self._of_term(), renumbered[later._of_term()] if len(renumbered) else renumbered))
        order = np.argsort(of_term, kind="stable")  # within a term the earlier slots stay first
        return Segment(
            self.size + later.size,
            terms,
            _starts(np.bincount(of_term, minlength=len(terms))),
            np.concatenate((self.slots, later.slots))[order],
            np.concatenate((self.counts, later.counts))[order],
        )

    def _of_term(self) -> NDArray[np.int64]:
        """The number of the term of each posting."""
        starts = self.starts.astype(np.int64)
        return np.repeat(np.arange(len(self.terms)), starts[1:] - starts[:-1])


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


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.uint32]:
    return np.concatenate(([0], np.cumsum(sizes))).astype(np.uint32)
