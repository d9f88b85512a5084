"""Consolidating through a scope: batches, dry run, progress, cancellation, capacity (design D9, D17, case M08)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from memoranda import (
    AsyncMemory,
    CapacityReached,
    Category,
    EntryNotFound,
    InMemoryStore,
    InvalidInput,
    Memory,
    Settings,
    SqliteStore,
    Unsupported,
)
from memoranda.bridge.drive import Stepper
from memoranda.memory.consolidate import BATCH
from memoranda.protocols.plan import Plan
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.stats import ConsolidationStats
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock

PATH = ScopePath("acme/alice")
run = Stepper().run
Open = Callable[..., Scope]


@pytest.fixture
def opened(tmp_path: Path, clock: FrozenClock) -> Iterator[Open]:
    """Opens the scope of a file anew."""
    memories: list[Memory] = []
    ids = CountingIds()

    def scope(**bounds: Any) -> Scope:
        settings = Settings(**bounds)
        store = SqliteStore(tmp_path / "memory.db", clock=clock, settings=settings)
        memories.append(Memory(store=store, clock=clock, ids=ids, embedder=None, settings=settings))
        return memories[-1].scope(PATH)

    yield scope
    for memory in memories:
        memory.close()


def fill(path: Path, clock: FrozenClock, **counts: int) -> list[MemoryEntry]:
    """Puts entries as they are: `plain`, `doubled` ones, twice each, and `expired` ones."""
    now = clock.now()
    plain = [MemoryEntry(Category.FACT, f"Ticket {n} is open", created_at=now) for n in range(counts.get("plain", 0))]
    texts = [f"Room {n} has a lamp" for n in range(counts.get("doubled", 0))]
    doubled = [MemoryEntry(Category.FACT, text, created_at=now) for text in (*texts, *(f"{text}." for text in texts))]
    ended = [
        MemoryEntry(Category.FACT, f"Gone {n}", created_at=now, expires_at=now) for n in range(counts.get("expired", 0))
    ]
    entries = [*plain, *doubled, *ended]
    with closing(SqliteStore(path, clock=clock)) as store:
        run(store.write(PATH, lambda _: Plan(result=None, puts=tuple(entries))))
    return entries


def test_everything_at_once_in_batches_and_a_second_time_nothing(
    tmp_path: Path, clock: FrozenClock, opened: Open
) -> None:
    fill(tmp_path / "memory.db", clock, plain=70, doubled=60, expired=100)
    scope, told = opened(max_entries=50), list[ConsolidationStats]()
    foreseen = scope.consolidate(dry_run=True)
    assert scope.count() == 190
    stats = scope.consolidate(on_progress=told.append)
    assert stats == foreseen
    assert (stats.entries_before, stats.entries_after, stats.expired, stats.merged) == (290, 50, 100, 60)
    history = 60 - sum(1 for entry in scope.list(limit=1000, superseded=True) if entry.superseded_by)
    assert (stats.evicted, stats.pruned) == (80, 100 + 80 + history)
    assert told[-1] == stats
    assert len(told) == -(-100 // BATCH) + -(-60 // BATCH) + -(-80 // BATCH)
    assert scope.count() == 50
    version = run(SqliteStore(tmp_path / "memory.db").changes(PATH, 10**6)).version
    assert scope.consolidate() == ConsolidationStats(entries_before=50, entries_after=50)
    assert run(SqliteStore(tmp_path / "memory.db").changes(PATH, 10**6)).version == version


def test_a_dry_run_writes_nothing(tmp_path: Path, clock: FrozenClock, opened: Open) -> None:
    fill(tmp_path / "memory.db", clock, plain=3, doubled=3, expired=3)
    scope = opened(max_entries=4)
    before = scope.list(superseded=True)
    stats = scope.consolidate(dry_run=True)
    assert (stats.entries_after, stats.expired, stats.merged, stats.evicted) == (4, 3, 3, 2)
    assert scope.list(superseded=True) == before


def test_it_may_be_stopped_and_goes_on_when_called_again(tmp_path: Path, clock: FrozenClock) -> None:
    """Each batch is whole: nothing is lost and nothing doubled, wherever it was stopped."""
    fill(tmp_path / "memory.db", clock, plain=10, doubled=150, expired=60)

    async def work() -> None:
        async with AsyncMemory(
            store=SqliteStore(tmp_path / "memory.db", clock=clock), clock=clock, embedder=None
        ) as one:
            scope, reports = one.scope(PATH), 0
            running: list[asyncio.Task[ConsolidationStats]] = []

            def stop(_: ConsolidationStats) -> None:
                nonlocal reports
                reports += 1
                running[-1].cancel()

            stopped, last = 0, None
            while last is None:
                running.append(asyncio.create_task(scope.consolidate(on_progress=stop)))
                try:
                    last = await running[-1]
                except asyncio.CancelledError:
                    stopped += 1
                    entries = await scope.list(limit=1000)
                    assert sum(entry.seen_count for entry in entries) == 310
            assert stopped == reports > 2
            assert last == ConsolidationStats(entries_before=160, entries_after=160)

    asyncio.run(work())


def test_what_another_writer_changed_meanwhile_is_left_out(tmp_path: Path, clock: FrozenClock, opened: Open) -> None:
    entries = fill(tmp_path / "memory.db", clock, doubled=BATCH + 4)
    scope, changed = opened(), entries[BATCH + 2]

    def disturb(_: ConsolidationStats) -> None:
        if scope.get(changed.id) == changed:
            scope.update(changed.id, "Something else altogether")

    assert scope.consolidate(on_progress=disturb).merged == BATCH + 3
    assert "Something else altogether" in [entry.memory for entry in scope.list(limit=1000)]


def test_recall_follows_what_was_removed_and_merged(tmp_path: Path, clock: FrozenClock, opened: Open) -> None:
    fill(tmp_path / "memory.db", clock, plain=20, doubled=5)
    reader, writer = opened(), opened(max_entries=10)
    assert len(reader.recall("room lamp", limit=50)) == 10
    stats = writer.consolidate()
    found = {hit.entry.id for hit in reader.recall("ticket room lamp", limit=50)}
    assert found == {entry.id for entry in reader.list()}
    assert found.isdisjoint(stats.evicted_ids)


def test_case_M08_the_entry_just_written_is_never_the_one_evicted(  # noqa: N802
    clock: FrozenClock, case: Callable[[str], dict[str, Any]], opened: Open
) -> None:
    """And no validated one goes before one that is not; what was evicted is told, also where it is asked for later."""
    given = case("M08")["input"]
    scope = opened(max_entries=given["capacity"])
    steps = [step for step in given["steps"] if step["op"] == "store"]
    receipts = [scope.remember(step["text"], validated=step.get("validated", False)) for step in steps]
    new = receipts[-1].entry
    assert new is not None
    assert scope.get(new.id) == new
    assert scope.recall(given["steps"][-1]["query"])[0].entry == new
    assert [entry.memory for entry in scope.list()] == ["d new", "c", "a"]
    gone = receipts[1].entry
    assert gone is not None
    assert receipts[-1].because.endswith(f"evicted to keep `max_entries` = 3: {gone.id}")
    assert scope.get(gone.id) is None
    told = f"it was removed at {clock.now():%Y-%m-%d %H:%M} UTC: evicted to keep `max_entries` = 3"
    assert scope.why_not("b", gone.id) == told
    for ask in (scope.revisions, scope.retract, scope.restore, lambda id: scope.update(id, "x")):
        with pytest.raises(EntryNotFound, match="evicted to keep"):
            ask(gone.id)


def test_case_M08_through_the_seeds_verb(tmp_path: Path, case: Callable[[str], dict[str, Any]]) -> None:  # noqa: N802
    given = case("M08")["input"]
    steps = [step for step in given["steps"] if step["op"] == "store"]
    with closing(SqliteStore(tmp_path / "memory.db", settings=Settings(max_entries=given["capacity"]))) as store:
        for step in steps:
            entry = MemoryEntry(
                Category.FACT, step["text"], relevance=step["relevance"], validated=step.get("validated", False)
            )
            run(store.store("u1", entry))
            assert run(store.get(ScopePath("u1"), entry.id)) == entry
        assert {entry.memory for entry in run(store.retrieve("u1", "", 9))} == {"a", "c", "d new"}


def test_a_scope_full_of_validated_entries_refuses_and_stores_nothing(opened: Open) -> None:
    scope = opened(max_entries=2)
    for text in ("Ana likes tea", "Ben likes rice"):
        scope.remember(text, validated=True)
    with pytest.raises(CapacityReached, match=r"Settings\.max_entries"):
        scope.remember("Cleo likes soup")
    with pytest.raises(CapacityReached):
        opened(max_entries=4).remember_many(["Dan likes figs", "Eve likes kale", "Finn likes corn"])
    assert scope.count() == 2
    assert scope.consolidate().evicted == 0


def test_a_lowered_bound_is_reached_step_by_step(tmp_path: Path, clock: FrozenClock, opened: Open) -> None:
    fill(tmp_path / "memory.db", clock, plain=100)
    scope = opened(max_entries=10)
    scope.remember("The lift is out of order")
    assert scope.count() == 36
    assert scope.consolidate().entries_after == 10


@pytest.mark.parametrize("wrong", [0, -1, 1.5, True, "3"])
def test_a_bound_that_is_none_is_refused(wrong: object) -> None:
    with pytest.raises(InvalidInput, match="max_entries"):
        Settings(max_entries=wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_a_store_in_memory_tidies_in_its_own_way() -> None:
    """S0.37; but a bound is kept by what is remembered."""
    with Memory(store=InMemoryStore(), embedder=None, settings=Settings(max_entries=1)) as memory:
        scope = memory.scope(PATH)
        for text in ("Ana likes tea", "Ben likes rice"):
            scope.remember(text)
        assert [entry.memory for entry in scope.list()] == ["Ben likes rice"]
        assert scope.consolidate() == ConsolidationStats(entries_before=1, entries_after=1)
        with pytest.raises(Unsupported, match="InMemoryStore"):
            scope.consolidate(dry_run=True)
    with Memory(None) as nothing:
        assert nothing.scope(PATH).consolidate(dry_run=True) == ConsolidationStats()


def test_tombstones_are_bounded_and_readers_that_lag_read_anew(
    tmp_path: Path, clock: FrozenClock, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("memoranda.stores.sqlite.snapshot.MAX_TOMBSTONES", 60)
    fill(tmp_path / "memory.db", clock, plain=200)
    with closing(SqliteStore(tmp_path / "memory.db", clock=clock)) as store:
        known = run(store.changes(PATH, 0)).version
        stats = opened(max_entries=20).consolidate()
        assert stats.evicted == 180
        kept = [id for id in (*stats.evicted_ids,) if run(store.tombstone(PATH, id))]
        assert len(kept) < 60
        changes = run(store.changes(PATH, known))
        assert (changes.complete, len(changes.entries)) == (True, 20)
        recent = run(store.changes(PATH, changes.version - 1))
        assert (recent.complete, recent.entries, 0 < len(recent.removed) <= BATCH) == (False, [], True)
