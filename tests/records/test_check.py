"""The rules that everything stored durably obeys."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidEntry
from memoranda.records.check import (
    MAX_COUNT,
    MAX_METADATA,
    MAX_NAME,
    MAX_TAGS,
    MAX_TEXT,
    check_entry,
    check_limit,
    check_names,
    encode_metadata,
    is_id,
)
from memoranda.records.entry import Category, MemoryEntry
from tests.records.strategies import entries, ids

PLAIN = MemoryEntry(Category.FACT, "x", id="0000000a-0000-4000-8000-00000000000a")
CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE
DEEP: list[Any] = []
for _ in range(5_000):
    DEEP = [DEEP]


@given(entries)
def test_what_may_be_stored_passes(entry: MemoryEntry) -> None:
    check_entry(entry)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("memory", "é" * MAX_TEXT),
        ("tags", tuple(f"t{number}" for number in range(MAX_TAGS))),
        ("tags", ("t" * MAX_NAME,)),
        ("key", "k" * MAX_NAME),
        ("confidence", 0),
        ("relevance", 1),
        ("position", MAX_COUNT),
        ("metadata", {"": "x" * (MAX_METADATA - len('{"":""}'))}),
    ],
)
def test_limits_themselves_pass(name: str, value: object) -> None:
    check_entry(replace(PLAIN, **{name: value}))  # type: ignore[arg-type]  # each value is of its field's type


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("id", wrong) for wrong in ("", "1", PLAIN.id.upper(), PLAIN.id.replace("-", ""), f"{{{PLAIN.id}}}", None)),
        *(("memory", wrong) for wrong in ("", " \n\t", "x" * (MAX_TEXT + 1), "a\ud83d", None, 5, b"x")),
        *(("tags", wrong) for wrong in (("",), (" ",), ("t" * (MAX_NAME + 1),), (5,), ("\udc00",))),
        ("tags", tuple(f"t{number}" for number in range(MAX_TAGS + 1))),
        *((name, " ") for name in ("source", "speaker", "session", "key")),
        *((name, "n" * (MAX_NAME + 1)) for name in ("source", "speaker", "session", "key")),
        *((name, 7) for name in ("source", "speaker", "session", "key")),
        *((name, "\ud800") for name in ("source", "speaker", "session", "key")),
        *((n, w) for n in ("relevance", "confidence") for w in (-0.01, 1.01, math.nan, math.inf, True, "high", None)),
        *((n, w) for n in ("access_count", "seen_count", "position") for w in (-1, 1.5, True, "1", MAX_COUNT + 1)),
        *(("validated", wrong) for wrong in ("no", 2, None)),
        *(("superseded_by", wrong) for wrong in ("", "somebody", PLAIN.id.upper())),
        ("metadata", {"x": math.nan}),
        ("metadata", {"x": object()}),
        ("metadata", {"x": "\ud800"}),
        ("metadata", {"x": "y" * MAX_METADATA}),
    ],
)
def test_what_breaks_a_rule_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(InvalidEntry, match=f"`{name}`"):
        check_entry(replace(PLAIN, **{name: value}))  # type: ignore[arg-type]  # what a caller may get wrong


@pytest.mark.parametrize("wrong", [CYCLE, {"deep": DEEP}], ids=["cycle", "deep"])
def test_metadata_that_never_ends_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidEntry, match="`metadata`"):
        encode_metadata(wrong)


def test_metadata_is_canonical() -> None:
    assert encode_metadata({"b": [1, None], "a": {"é": True}}) == '{"a":{"é":true},"b":[1,null]}'


@given(ids)
def test_ids_have_one_form(id: str) -> None:
    """Case W08: an id that was copied in another spelling names no entry."""
    assert is_id(id)
    assert not any(is_id(other) for other in (id + " ", id[1:], id.replace("-", ""), f"urn:uuid:{id}", f"{{{id}}}"))
    assert is_id(id.upper()) == (id.upper() == id)


@given(st.integers())
def test_limits_are_clamped(limit: int) -> None:
    """Case Q10: 0 and negative ask for nothing, never for everything; a huge one is no overflow."""
    assert check_limit(limit) == max(0, min(limit, MAX_COUNT))


@pytest.mark.parametrize("wrong", [True, False, 2.5, "5", None, math.nan])
def test_what_is_no_whole_number_is_no_limit(wrong: object) -> None:
    """Case Q10."""
    with pytest.raises(InvalidEntry, match="`limit` must be a whole number"):
        check_limit(wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_names_of_a_filter() -> None:
    assert check_names(None, "tags") is None
    assert check_names(["a", "b"], "tags") == ("a", "b")
    for wrong in ("infra", [""], [5], ["\ud800"]):
        with pytest.raises(InvalidEntry, match="`tags`"):
            check_names(wrong, "tags")  # type: ignore[arg-type]  # what a caller may get wrong
