"""The answer of a recall."""

from __future__ import annotations

from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.recalled import Hit, Recalled


def test_reads_as_a_sequence_of_its_hits() -> None:
    hits = tuple(Hit(MemoryEntry(Category.FACT, text), 0.5, {"words": 0.5}, "has it") for text in "ab")
    found = Recalled("q", hits)
    assert list(found) == list(hits)
    assert (len(found), found[0], found[-1]) == (2, hits[0], hits[1])
    assert not Recalled("q")
