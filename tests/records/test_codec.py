"""Entries and revisions as JSON objects."""

from __future__ import annotations

import json
from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings

from memoranda.errors import InvalidEntry
from memoranda.records.codec import entry_from_json, entry_to_json, revision_from_json, revision_to_json
from memoranda.records.entry import Category, JsonValue, MemoryEntry
from memoranda.records.revision import Change, Revision
from tests.records.strategies import entries, revisions

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ID = "00000000-0000-4000-8000-000000000001"
PLAIN: dict[str, JsonValue] = {"id": ID, "category": "fact", "memory": "x", "created_at": "2026-03-01T12:00:00Z"}


@given(entries)
@settings(max_examples=150)
def test_every_entry_comes_back_equal(entry: MemoryEntry) -> None:
    written = json.dumps(entry_to_json(entry), ensure_ascii=False, allow_nan=False)
    again = entry_from_json(json.loads(written))
    assert again == entry
    assert json.dumps(entry_to_json(again), ensure_ascii=False) == written


@given(revisions)
@settings(max_examples=50)
def test_every_revision_comes_back_equal(revision: Revision) -> None:
    written = json.dumps(revision_to_json(revision), ensure_ascii=False, allow_nan=False)
    assert revision_from_json(json.loads(written)) == revision


def test_defaults_are_left_out() -> None:
    assert entry_to_json(MemoryEntry(Category.FACT, "x", id=ID, created_at=NOON)) == PLAIN


def test_names_of_the_json_object_are_those_of_the_record() -> None:
    """S0.42: an old record that lacks a field loads with its default."""
    assert entry_from_json(PLAIN) == MemoryEntry(Category.FACT, "x", id=ID, created_at=NOON)
    assert set(PLAIN) < {part.name for part in fields(MemoryEntry)}


@pytest.mark.parametrize(
    "change",
    [
        {"memory": 5},
        {"memory": ""},
        {"id": "x"},
        {"category": "rumour"},
        {"created_at": "yesterday"},
        {"created_at": "2026-03-01T12:00:00"},
        {"created_at": 1_700_000_000},
        {"tags": "infra"},
        {"tags": [5]},
        {"confidence": "high"},
        {"confidence": True},
        {"confidence": 2},
        {"validated": "yes"},
        {"position": 1.5},
        {"metadata": []},
        {"superseded_by": "nobody"},
        {"colour": "red"},
    ],
    ids=str,
)
def test_what_is_no_entry_is_refused_by_name(change: dict[str, JsonValue]) -> None:
    """Case K01: valid JSON of the wrong shape."""
    with pytest.raises(InvalidEntry, match=f"{next(iter(change))}"):
        entry_from_json({**PLAIN, **change})


@pytest.mark.parametrize("name", sorted(PLAIN))
def test_missing_field_is_named(name: str) -> None:
    with pytest.raises(InvalidEntry, match=f"'{name}' is missing"):
        entry_from_json({other: value for other, value in PLAIN.items() if other != name})


@pytest.mark.parametrize(
    "change",
    [
        {"number": "1"},
        {"number": True},
        {"number": 0},
        {"number": -3},
        {"change": "erase"},
        {"because": None},
        {"because": "\ud800"},
        {"at": None},
        {"entry": []},
        {"entry": {}},
    ],
    ids=ascii,
)
def test_what_is_no_revision_is_refused(change: dict[str, JsonValue]) -> None:
    entry = MemoryEntry(Category.FACT, "x", id=ID, created_at=NOON)
    good = revision_to_json(Revision(number=1, change=Change.UPDATE, at=NOON, entry=entry, because="why"))
    with pytest.raises(InvalidEntry):
        revision_from_json({**good, **change})
