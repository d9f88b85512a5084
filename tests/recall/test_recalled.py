"""The answer of a recall."""

from __future__ import annotations

from memoranda.recall.recalled import Recalled
from memoranda.records.budget import Budget
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.recalled import Hit


def test_reads_as_a_sequence_of_its_hits() -> None:
    hits = tuple(Hit(MemoryEntry(Category.FACT, text), 0.5, {"words": 0.5}, "has it") for text in "ab")
    found = Recalled("q", hits)
    assert list(found) == list(hits)
    assert (len(found), found[0], found[-1]) == (2, hits[0], hits[1])
    assert not Recalled("q")


def test_gives_the_block_of_its_hits_best_first() -> None:
    hits = tuple(Hit(MemoryEntry(Category.FACT, text), 0.5, {}, "") for text in ("one fact", "another thing"))
    found = Recalled("q", hits)
    assert found.block().split("\n")[2:] == ["- (fact) one fact", "- (fact) another thing"]
    assert found.block(Budget(entries=1), heading="# Memory").split("\n")[::2] == ["# Memory", "- (fact) one fact"]
    block = found.rendered(40, count_tokens=len)
    assert (block.text, block.shown, len(block.dropped)) == ("", (), 2)
    assert Recalled("q").block() == ""
