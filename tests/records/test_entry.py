"""The record of one remembered thing (S0.22 to S0.27)."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, replace
from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest
from hypothesis import given

from memoranda.errors import InvalidEntry
from memoranda.records.entry import DEFAULT_CONFIDENCE, Category, MemoryEntry, Origin
from tests.records.strategies import entries

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
TIMES = (
    "created_at",
    "occurred_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "last_accessed",
    "last_decayed",
    "last_seen",
)


def test_fields_of_the_seed_are_there() -> None:
    """S0.22, S0.42: the seed's eight fields, and the two that came later and may be missing."""
    names = {part.name for part in fields(MemoryEntry)}
    assert {"id", "category", "memory", "tags", "created_at", "relevance", "access_count", "validated"} <= names
    entry = MemoryEntry(Category.FACT, "x")
    assert (entry.last_accessed, entry.last_decayed) == (None, None)


def test_new_entry_has_the_defaults_of_the_seed() -> None:
    """S0.24."""
    before = datetime.now(UTC)
    entry = MemoryEntry(Category.FACT, "deploys go to blue")
    assert (entry.relevance, entry.access_count, entry.validated, entry.tags) == (1.0, 0, False, ())
    assert before <= entry.created_at <= datetime.now(UTC)
    assert (entry.confidence, entry.origin, entry.seen_count) == (DEFAULT_CONFIDENCE, Origin.USER, 1)


def test_ids_are_random_version_4_and_never_reused() -> None:
    """S0.23: two entries of equal text are distinct."""
    made = [MemoryEntry(Category.FACT, "same") for _ in range(100)]
    assert len({entry.id for entry in made}) == 100
    assert {UUID(entry.id).version for entry in made} == {4}
    assert made[0] != made[1]


def test_default_is_empty_scratch_and_differs_from_new() -> None:
    """S0.25."""
    entry = MemoryEntry.default()
    assert (entry.category, entry.relevance, entry.memory) == (Category.WORKING, 0.5, "")
    assert entry.id != MemoryEntry.default().id


def test_builders_return_changed_copies() -> None:
    """S0.26: `with_tag` appends and may be chained, `as_validated` sets the flag; the rest stays."""
    entry = MemoryEntry(Category.FACT, "x")
    built = entry.with_tag("a").with_tag("b").with_tag("a").as_validated()
    assert (built.tags, built.validated) == (("a", "b"), True)
    assert (entry.tags, entry.validated) == ((), False)
    assert replace(built, tags=(), validated=False) == entry


def test_categories_are_written_in_snake_case() -> None:
    """S0.27, C11: the seed's six and those that the other seeds add."""
    seed = {"trajectory", "insight", "error_pattern", "strategy", "fact", "working"}
    more = {"preference", "instruction", "learning", "episode"}
    assert {category.value for category in Category} == seed | more
    assert MemoryEntry(Category("error_pattern"), "x").category is Category.ERROR_PATTERN


def test_trust_falls_from_host_to_web() -> None:
    assert [origin.value for origin in sorted(Origin, key=lambda origin: -origin.trust)] == [
        "host",
        "user",
        "import",
        "model",
        "tool",
        "web",
    ]
    assert [Origin.HOST.trust, Origin.WEB.trust] == [5, 0]


@pytest.mark.parametrize("name", TIMES)
def test_naive_time_is_refused_by_name(name: str) -> None:
    """Case H01: a time without a zone could mean several moments."""
    with pytest.raises(InvalidEntry, match=f"`{name}` has no time zone"):
        replace(MemoryEntry(Category.FACT, "x"), **{name: datetime(2026, 3, 1)})  # type: ignore[arg-type]  # noqa: DTZ001


@pytest.mark.parametrize("wrong", ["2026-03-01", 1_700_000_000, NOON.date()])
def test_what_is_no_datetime_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidEntry, match="`occurred_at` must be a datetime"):
        MemoryEntry(Category.FACT, "x", occurred_at=wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_times_are_kept_in_utc() -> None:
    east = NOON.astimezone(timezone(timedelta(hours=2)))
    entry = MemoryEntry(Category.FACT, "x", created_at=east, occurred_at=east)
    assert entry.created_at.tzinfo is UTC
    assert entry.created_at == NOON
    assert entry.occurred_at is not None
    assert entry.occurred_at.utcoffset() == timedelta(0)


def test_validity_begins_when_it_occurred_else_when_it_was_recorded() -> None:
    earlier = NOON - timedelta(days=3)
    assert MemoryEntry(Category.FACT, "x", created_at=NOON).valid_from == NOON
    assert MemoryEntry(Category.FACT, "x", created_at=NOON, occurred_at=earlier).valid_from == earlier
    assert MemoryEntry(Category.FACT, "x", created_at=NOON, occurred_at=earlier).last_seen == NOON


def test_live_until_superseded_or_expired() -> None:
    entry = MemoryEntry(Category.FACT, "x", created_at=NOON, expires_at=NOON + timedelta(hours=1))
    assert entry.is_live(NOON + timedelta(minutes=59))
    assert not entry.is_live(NOON + timedelta(hours=1))
    assert not replace(entry, superseded_by=entry.id).is_live(NOON)
    assert replace(entry, superseded_by=entry.id).is_retracted
    assert not replace(entry, superseded_by=MemoryEntry.default().id).is_retracted


def test_held_from_its_begin_up_to_but_not_at_its_end() -> None:
    entry = MemoryEntry(Category.FACT, "x", created_at=NOON, valid_to=NOON + timedelta(hours=1))
    assert [entry.held_at(NOON + timedelta(minutes=minutes)) for minutes in (-1, 0, 59, 60)] == [
        False,
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(("name", "wrong"), [("category", "rumour"), ("category", None), ("origin", "devil")])
def test_unknown_category_and_origin_name_those_that_there_are(name: str, wrong: object) -> None:
    with pytest.raises(InvalidEntry, match=rf"`{name}` is .*must be one of"):
        replace(MemoryEntry(Category.FACT, "x"), **{name: wrong})  # type: ignore[arg-type]  # what a caller may get wrong


@pytest.mark.parametrize("wrong", ["infra", None, 5, [["infra"]]])
def test_what_are_no_tags_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidEntry, match="`tags`"):
        MemoryEntry(Category.FACT, "x", tags=wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_frozen_and_hashable() -> None:
    entry = MemoryEntry(Category.FACT, "x", metadata={"a": 1})
    with pytest.raises(FrozenInstanceError):
        entry.memory = "y"  # type: ignore[misc]  # that is what the test is about
    assert not hasattr(entry, "__dict__")
    assert len({entry, replace(entry)}) == 1


@given(entries)
def test_equal_entries_have_equal_hashes(entry: MemoryEntry) -> None:
    twin = replace(entry, tags=list(entry.tags), metadata=dict(entry.metadata))  # type: ignore[arg-type]  # made a tuple
    assert twin == entry
    assert hash(twin) == hash(entry)
    assert replace(entry, memory=entry.memory + "!") != entry
