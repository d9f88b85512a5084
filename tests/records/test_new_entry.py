"""What a host gives to be remembered."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memoranda.errors import InvalidEntry
from memoranda.records.entry import Category
from memoranda.records.new_entry import NewEntry

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_item_is_a_text_a_mapping_or_a_new_entry() -> None:
    item = NewEntry("x", tags=("a",))
    assert NewEntry.of(item) is item
    assert NewEntry.of("x") == NewEntry("x")
    assert NewEntry.of({"text": "x", "tags": ("a",)}) == item


@pytest.mark.parametrize("wrong", [{}, {"memory": "x"}, {"text": "x", "colour": "red"}, 5, None, b"x", ["x"]])
def test_what_is_no_item_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidEntry, match="an item to remember"):
        NewEntry.of(wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_equal_requests_have_equal_fingerprints() -> None:
    """A retry may spell the same request otherwise, and under another idempotency key."""
    request = NewEntry("x", tags=("a", "b"), occurred_at=NOON, metadata={"a": 1, "b": 2}, idempotency_key="k")
    again = NewEntry(
        "x",
        category=Category.FACT,
        tags=["a", "b"],
        occurred_at=NOON.astimezone(timezone(timedelta(hours=2))),
        metadata={"b": 2, "a": 1},
        idempotency_key="other",
    )
    assert again.fingerprint() == request.fingerprint()


@pytest.mark.parametrize(
    "other",
    [
        NewEntry("y"),
        NewEntry("x", category="preference"),
        NewEntry("x", tags=["a"]),
        NewEntry("x", key="k"),
        NewEntry("x", source="s"),
        NewEntry("x", validated=True),
        NewEntry("x", confidence=0.9),
        NewEntry("x", metadata={"a": 1}),
        NewEntry("x", occurred_at=NOON),
        NewEntry("x", expires_at=NOON),
    ],
    ids=lambda item: item.fingerprint()[:6],
)
def test_requests_that_differ_have_other_fingerprints(other: NewEntry) -> None:
    assert other.fingerprint() != NewEntry("x").fingerprint()
