"""Which entries go when a scope is full (design D9, D17, case M08)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.capacity import EVICTED_BY_A_WRITE, evict, make_room, value
from memoranda.curation.draft import Draft
from memoranda.errors import CapacityReached
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.stores.in_memory.rows import ScopeRows
from memoranda.stores.sqlite.store import SqliteStore
from tests.curation.ground import Ground

NOW = datetime(2026, 3, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def old(days: float, text: str = "x", **fields: object) -> MemoryEntry:
    return MemoryEntry(Category.FACT, text, created_at=NOW - days * DAY, **fields)  # type: ignore[arg-type]


def evicted(entries: Sequence[MemoryEntry], count: int, protected: Sequence[MemoryEntry] = ()) -> list[str]:
    """The texts that go, from a scope in memory."""
    rows = ScopeRows()
    rows.apply(Plan(result=None, puts=tuple(entries)))
    draft = Draft(rows, now=NOW)
    kept = frozenset(entry.id for entry in protected)
    gone = evict(draft, rows.least_valuable(), count, max_entries=1, protected=kept)
    assert {entry.id for entry in gone} <= {note.id for note in draft.plan(None).tombstones}
    return [entry.memory for entry in gone]


def test_value_weighs_age_against_relevance_confidence_and_sightings() -> None:
    full = value(old(180, relevance=1.0, confidence=1.0))
    assert full == value(old(0, relevance=0.0))
    assert value(old(30, seen_count=2, relevance=0.0)) == value(old(0, relevance=0.0))
    assert value(old(0, seen_count=10**6)) == value(old(0, seen_count=13))
    assert value(old(9, last_accessed=NOW)) == value(old(0))
    assert value(old(0, relevance=float("nan"))) == value(old(0, relevance=7.0)) == value(old(0, relevance=0.0))


@given(
    st.lists(st.tuples(*[st.floats(0, 1)] * 2, st.integers(1, 30), st.integers(0, 9), st.integers(0, 9)), max_size=20)
)
def test_a_file_gives_the_order_of_the_function(drawn: list[tuple[float, float, int, int, int]]) -> None:
    entries = [
        old(age, relevance=a, confidence=b, seen_count=seen, last_accessed=NOW - found * DAY if found else None)
        for a, b, seen, age, found in drawn
    ]
    ground = Ground()
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, puts=tuple(entries))))

    def look(snapshot: Snapshot) -> Plan[list[MemoryEntry]]:
        return Plan(result=list(snapshot.least_valuable()))

    assert ground.run(ground.store.write(ground.scope, look)) == sorted(entries, key=value)


def test_the_least_valuable_go_first() -> None:
    entries = [old(5, "five"), old(9, "nine"), old(1, "one"), old(300, "said often", seen_count=13)]
    assert evicted(entries, 2) == ["nine", "five"]


def test_validated_superseded_and_protected_entries_stay() -> None:
    """C34, case M08."""
    new = old(0, "new", relevance=0.0)
    entries = [new, old(9, "confirmed", validated=True), old(8, "gone", superseded_by=new.id), old(7, "old")]
    assert evicted(entries, 4, protected=[new]) == ["old"]


def test_contested_entries_go_together_at_the_turn_of_the_better_one() -> None:
    first, second = old(9, "8080"), old(1, "9090")
    pair = [replace(first, contested_with=(second.id,)), replace(second, contested_with=(first.id,))]
    assert evicted([*pair, old(5, "other")], 1) == ["other"]
    assert evicted([*pair, old(5, "other")], 2) == ["other", "9090", "8080"]
    confirmed = [pair[0], replace(pair[1], validated=True)]
    assert evicted([*confirmed, old(5, "other")], 1) == ["8080"]


def test_history_goes_with_the_entry_that_it_led_to() -> None:
    ground = Ground()
    first = ground.put("port 8080", key="port")
    second = ground.put("port 9090", key="port")
    ground.put("kept")

    def decide(snapshot: Snapshot) -> Plan[list[MemoryEntry]]:
        draft = Draft(snapshot, now=ground.clock.now())
        return draft.plan(evict(draft, snapshot.least_valuable(), 1, max_entries=1))

    assert [entry.id for entry in ground.run(ground.store.write(ground.scope, decide))] == [second.id]
    assert [entry.memory for entry in ground.all()] == ["kept"]
    assert ground.revisions(first.id) == []
    assert isinstance(ground.store, SqliteStore)
    note = ground.run(ground.store.tombstone(ground.scope, first.id))
    assert note is not None
    assert note.because == f"it was what {second.id} had replaced, which was evicted to keep `max_entries` = 1"


def test_a_write_evicts_what_it_adds_and_a_bounded_number_more() -> None:
    rows = ScopeRows()
    rows.apply(Plan(result=None, puts=tuple(old(age, "x") for age in range(200))))
    draft = Draft(rows, now=NOW)
    draft.add(fresh := old(0, "new"))
    receipt = WriteReceipt(outcome=Outcome.ADDED, entry=fresh, because="new")
    told = make_room(draft, rows, [receipt], max_entries=10)[-1].because
    assert len(draft.removed) == 1 + EVICTED_BY_A_WRITE
    assert told.startswith("new; evicted to keep `max_entries` = 10: ")
    assert told.endswith("and 60 more")


def test_a_full_scope_of_validated_entries_refuses_more() -> None:
    rows = ScopeRows()
    rows.apply(Plan(result=None, puts=(confirmed := old(1, "a", validated=True), old(2, "b", validated=True))))
    draft = Draft(rows, now=NOW)
    draft.add(replace(confirmed, seen_count=2))
    assert make_room(draft, rows, [], max_entries=1) == []  # it adds nothing, so it is not refused
    draft.add(old(0, "new"))
    with pytest.raises(CapacityReached, match=r"Settings\.max_entries") as caught:
        make_room(draft, rows, [], max_entries=2)
    assert caught.value.bound == 2
