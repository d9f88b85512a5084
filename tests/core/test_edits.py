"""What a block becomes by each edit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.core import edits
from memoranda.errors import BlockNotFound, InvalidBlock
from memoranda.records.block import CoreMemoryBlock
from memoranda.records.entry import Origin

BLOCK = CoreMemoryBlock("a", "one two", limit=9, description="d", read_only=True, writable_by=Origin.MODEL)


def test_parts_overwrite_value_and_limit_and_leave_the_rest() -> None:
    """S2.2."""
    assert edits.Parts(value="x").put("a", Origin.HOST)(None) == CoreMemoryBlock("a", "x")
    put = edits.Parts(value="x").put("a", Origin.HOST)(BLOCK)
    assert put == CoreMemoryBlock("a", "x", description="d", read_only=True, writable_by=Origin.MODEL)
    given = edits.Parts(value="x", limit=3, description="", read_only=False, writable_by="user")
    assert given.put("a", Origin.HOST)(BLOCK) == CoreMemoryBlock("a", "x", limit=3, writable_by=Origin.USER)


def test_parts_from_others_leave_the_limit() -> None:
    put = edits.Parts(value="x").put("a", Origin.MODEL)(BLOCK)
    assert put is not None
    assert put.limit == 9


def test_a_whole_block_takes_the_place_of_the_one_that_is_there() -> None:
    assert edits.put(CoreMemoryBlock("a", "x"))(BLOCK) == CoreMemoryBlock("a", "x")


def test_append() -> None:
    """S2.4, S2.5, S2.7."""
    made = edits.append("a", " three")
    assert made(None) == CoreMemoryBlock("a", " three")
    grown = made(BLOCK)
    assert grown is not None
    assert (grown.value, grown.limit) == ("one two three", 9)
    assert edits.append("a", "")(BLOCK) == BLOCK


@pytest.mark.parametrize(
    ("value", "old", "times"),
    [("one two", "three", 0), ("", "a", 0), ("a b a", "a", 2), ("aaa", "aa", 2), ("aaaa", "a", 4)],
)
def test_what_is_replaced_stands_there_exactly_once(value: str, old: str, times: int) -> None:
    with pytest.raises(InvalidBlock, match=f"`old` stands {times} times in the core block 'a'"):
        edits.replace_in("a", old, "x")(CoreMemoryBlock("a", value))


def test_replace() -> None:
    for old, new, value in (("two", "2", "one 2"), ("one ", "", "two"), ("one two", "", ""), ("two", "two", "one two")):
        block = edits.replace_in("a", old, new)(BLOCK)
        assert block is not None
        assert block.value == value
    with pytest.raises(BlockNotFound, match="no core block 'a'"):
        edits.replace_in("a", "x", "y")(None)
    with pytest.raises(InvalidBlock, match="`old` is empty"):
        edits.replace_in("a", "", "y")


@given(st.text("ab", max_size=12), st.text("ab", min_size=1, max_size=3), st.text("abc", max_size=3))
def test_replacing_changes_one_place_or_nothing(value: str, old: str, new: str) -> None:
    places = [place for place in range(len(value)) if value.startswith(old, place)]
    replacing = edits.replace_in("a", old, new)
    if len(places) != 1:
        with pytest.raises(InvalidBlock, match=f"stands {len(places)} times"):
            replacing(CoreMemoryBlock("a", value))
        return
    block = replacing(CoreMemoryBlock("a", value))
    assert block == CoreMemoryBlock("a", value[: places[0]] + new + value[places[0] + len(old) :])


@pytest.mark.parametrize("text", [None, 5, b"x", "\ud800"])
def test_what_is_no_text(text: str) -> None:
    why = r"must be text|lone surrogate"
    with pytest.raises(InvalidBlock, match=why):
        edits.append("a", text)
    for old, new in ((text, "x"), ("x", text)):
        with pytest.raises(InvalidBlock, match=why):
            edits.replace_in("a", old, new)


def test_remove() -> None:
    assert edits.remove(BLOCK) is None  # type: ignore[func-returns-value]
