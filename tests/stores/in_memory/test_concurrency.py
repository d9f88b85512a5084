"""Nobody waits for a reader, and nothing is seen half done (S0.2, S0.39, cases L02 and L04)."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime

import pytest

from memoranda.curation.decay import Decay
from memoranda.protocols.plan import Plan
from memoranda.records.entry import MemoryEntry
from memoranda.stores.in_memory.lock import ForkSafeLock
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.testing.fakes import FrozenClock
from tests.stores.in_memory.ground import NOW, SCOPE, entry, fill, step

PATIENCE = 30.0
"""Seconds after which something that should have happened never will."""


def test_s0_39_retrieve_and_concurrent_writers_both_complete() -> None:
    store = InMemoryStore()
    fill(store, *(entry(f"row {number}") for number in range(200)))
    start = threading.Barrier(2)

    def write() -> None:
        start.wait(PATIENCE)
        fill(store, *(entry(f"late {number}") for number in range(50)))

    def read() -> list[MemoryEntry]:
        start.wait(PATIENCE)
        return step(store.retrieve(SCOPE, "row", 5))

    with ThreadPoolExecutor(2) as pool:
        writing, reading = pool.submit(write), pool.submit(read)
        writing.result(PATIENCE)
        assert len(reading.result(PATIENCE)) <= 5
    assert step(store.count(SCOPE)) == 250


def test_l04_all_writers_finish_while_a_slow_scorer_still_scores() -> None:
    """The scorer waits until 100 stores are through: were the lock held meanwhile, neither would ever end."""
    scoring, written = threading.Event(), threading.Event()

    def slow(each: MemoryEntry, query: str) -> float:
        scoring.set()
        assert written.wait(PATIENCE), "the writers waited for the scorer"
        return 1.0

    store = InMemoryStore(scorer=slow, decay=Decay())
    fill(store, *(entry(f"row {number}") for number in range(20)))
    with ThreadPoolExecutor(5) as pool:
        reading = pool.submit(lambda: step(store.retrieve(SCOPE, "row", 1000)))
        assert scoring.wait(PATIENCE)
        for done in [pool.submit(fill, store, entry(f"late {number}")) for number in range(100)]:
            done.result(PATIENCE)
        assert step(store.count(SCOPE)) == 120
        written.set()
        found = reading.result(PATIENCE)
    assert [each.memory for each in found] == [f"row {number}" for number in range(20)], "a consistent snapshot"


def test_s0_43_an_entry_that_goes_while_it_is_scored_is_not_stamped() -> None:
    store: InMemoryStore

    def overtaken(each: MemoryEntry, query: str) -> float:
        step(store.write(SCOPE, lambda snapshot: Plan(result=None, removals=(each.id,))))
        return 1.0

    store = InMemoryStore(scorer=overtaken, decay=Decay())
    fill(store, entry("blue"))
    assert len(step(store.retrieve(SCOPE, "blue", 1))) == 1
    assert step(store.consolidate(SCOPE)).entries_before == 0


class _MeddlingClock(FrozenClock):
    """A clock whose every look, up to a number of times, makes something happen first."""

    def __init__(self, times: int) -> None:
        super().__init__(NOW)
        self.happens: Callable[[], None] = lambda: None
        self._times = times
        self.looks = 0

    def now(self) -> datetime:
        self.looks += 1
        if self.looks <= self._times:
            self.happens()
        return super().now()


@pytest.mark.parametrize("overtaken", [0, 1, 3])
def test_a_writer_that_overtakes_a_consolidation_loses_nothing(overtaken: int) -> None:
    clock = _MeddlingClock(overtaken)
    store = InMemoryStore(clock=clock)
    low, late = entry("low", relevance=0.0), iter(range(10))
    fill(store, low)

    def meddle() -> None:
        fill(store, entry(f"late {next(late)}"), replace(low, memory="changed"))

    clock.happens = meddle
    stats = step(store.consolidate(SCOPE))
    assert clock.looks == overtaken + 1
    assert (stats.pruned, stats.entries_after) == (1, overtaken)
    assert step(store.count(SCOPE)) == overtaken


def test_an_access_during_a_consolidation_counts_for_the_next_one() -> None:
    clock = _MeddlingClock(2)
    store = InMemoryStore(clock=clock, decay=Decay())
    kept = entry("blue")
    fill(store, kept)
    step(store.retrieve(SCOPE, "blue", 1))
    inner = iter([True])

    def find_later() -> None:
        if next(inner, False):
            clock.set(NOW.replace(hour=5))
            step(store.retrieve(SCOPE, "blue", 1))

    clock.happens = find_later
    step(store.consolidate(SCOPE))
    step(store.consolidate(SCOPE))
    found = step(store.get(SCOPE, kept.id))
    assert found is not None
    assert (found.access_count, found.last_accessed) == (2, NOW.replace(hour=5))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_l02_a_fork_waits_for_writers_and_gives_the_child_its_own_copy() -> None:
    store = InMemoryStore()
    fill(store, entry("before"))
    inside, forking = threading.Event(), threading.Event()

    def decide(snapshot: object) -> Plan[None]:
        inside.set()
        # Hooks run before a fork in reverse order: the event is set, then the fork waits for this write.
        assert forking.wait(PATIENCE)
        return Plan(result=None, puts=(entry("meanwhile"),))

    os.register_at_fork(before=forking.set)
    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(lambda: step(store.write(SCOPE, decide)))
        assert inside.wait(PATIENCE)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                fill(store, entry("child"))
                code = 0 if step(store.count(SCOPE)) == 3 else 2
            finally:
                os._exit(code)
        writing.result(PATIENCE)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert step(store.count(SCOPE)) == 2


def test_a_lock_can_be_taken_again_after_renewal() -> None:
    lock = ForkSafeLock()
    lock.__enter__()
    lock.renew()
    with lock:
        pass
