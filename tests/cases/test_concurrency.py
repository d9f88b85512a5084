"""Cases from the field: threads, event loops, forks, rollbacks, and scoring while others write."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Barrier, Event, Thread

import apsw
import pytest

from memoranda import AsyncMemory, Memory, MemoryEntry, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.scope import Scope

LONG = 20.0


def _in_threads(*works: Callable[[], object]) -> None:
    threads = [Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert not any(thread.is_alive() for thread in threads)


@pytest.mark.parametrize("place", ["file", "memory"])
def test_case_L02_made_in_one_thread_and_used_in_others(place: str, tmp_path: Path) -> None:  # noqa: N802
    made: list[Memory] = []
    target = tmp_path / "m.db" if place == "file" else ":memory:"
    _in_threads(lambda: made.append(Memory(target)))
    scope = made[0].scope("u1")
    _in_threads(*(lambda n=n: scope.remember(f"text {n}") for n in range(8)))
    assert scope.count() == 8
    _in_threads(made[0].close)


def test_case_L02_two_event_loops_one_after_the_other(tmp_path: Path) -> None:  # noqa: N802
    memory = AsyncMemory(tmp_path / "m.db")

    async def work(text: str) -> int:
        await memory.scope("u1").remember(text)
        return await memory.scope("u1").count()

    assert [asyncio.run(work("one")), asyncio.run(work("two"))] == [1, 2]
    asyncio.run(memory.close())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_case_L02_parent_and_child_of_a_fork_both_write(tmp_path: Path) -> None:  # noqa: N802
    """The child opens connections of its own; the file is sound and has both rows."""
    memory = Memory(tmp_path / "m.db")
    scope = memory.scope("u1")
    scope.remember("alpha")
    assert len(scope.recall("alpha")) == 1
    child = os.fork()
    if child == 0:
        try:
            scope.remember("beta")
            os._exit(0 if len(scope.recall("beta alpha")) == 2 else 1)
        finally:
            os._exit(2)
    scope.remember("gamma")
    assert os.waitpid(child, 0)[1] == 0
    assert {entry.memory for entry in scope.list()} == {"alpha", "beta", "gamma"}
    memory.close()
    connection = apsw.Connection(str(tmp_path / "m.db"))
    assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    connection.close()


@pytest.mark.parametrize("place", ["file", "memory"])
def test_case_L03_one_tasks_failure_leaves_the_others_row(place: str, tmp_path: Path) -> None:  # noqa: N802
    """While A is inside its transaction, B comes, fails and is undone alone."""
    store = SqliteStore(tmp_path / "m.db" if place == "file" else ":memory:")
    scope = Scope("u1")
    inside, failed = Event(), Event()
    errors: list[Exception] = []

    def slow(snapshot: Snapshot) -> Plan[None]:
        inside.set()
        failed.wait(0.2)  # B cannot come between; it waits for its turn
        return Plan(result=None, puts=(MemoryEntry("fact", "A"),))  # type: ignore[arg-type]  # a name of a category

    def failing(snapshot: Snapshot) -> Plan[None]:
        raise KeyError("B fails")

    def b() -> None:
        assert inside.wait(LONG)
        try:
            Stepper().run(store.write(scope, failing))
        except KeyError as error:
            errors.append(error)
            failed.set()

    _in_threads(lambda: Stepper().run(store.write(scope, slow)), b)
    assert len(errors) == 1
    assert Stepper().run(store.count(scope)) == 1
    store.close()


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    """Lets threads take turns as often as can be, so that a race shows."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("hasty_threads")
def test_case_L04_recall_beside_writers_sees_a_consistent_state() -> None:  # noqa: N802
    """S0.39: under one key there is always exactly one answer, however often it is replaced meanwhile."""
    with Memory(":memory:", embedder=None) as memory:
        scope = memory.scope("u1")
        scope.remember("port 0", key="port")
        start, rounds = Barrier(3), 300
        wrong: list[object] = []

        def write() -> None:
            start.wait(LONG)
            for number in range(rounds):
                scope.remember(f"port {number}", key="port")

        def read() -> None:
            start.wait(LONG)
            for _ in range(rounds):
                try:
                    found = scope.recall("port")
                except Exception as error:  # noqa: BLE001  reported by the assertion below
                    wrong.append(error)
                    return
                if len(found) != 1:
                    wrong.append([hit.entry.memory for hit in found])

        _in_threads(write, read, read)
        assert wrong == []
