"""One store object in other threads, event loops and forked children (cases L02, L03)."""

from __future__ import annotations

import os
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import anyio
import anyio.to_thread
import pytest

from memoranda.errors import StoreClosed
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.child import PATIENCE, lines_of
from tests.stores.sqlite.files import SCOPE, is_sound, reopened, run, texts

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")

FORK = """
import multiprocessing
context = multiprocessing.get_context("fork")

def child(store, name, out):
    for number in range(5):
        run(store.store("u1", MemoryEntry("fact", f"{name} {number}")))
    out.put(run(store.count("u1")))

def forked(store, names):
    out = context.Queue()
    children = [context.Process(target=child, args=(store, name, out)) for name in names]
    for process in children:
        process.start()
    return children, [out.get(timeout=60) for _ in children]
"""


def test_one_store_serves_many_threads(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "memory.db")
    makers = [Thread(target=lambda n=n: run(store.store(SCOPE, fact(f"note {n}")))) for n in range(12)]
    for thread in makers:
        thread.start()
    for thread in makers:
        thread.join(PATIENCE)
    closer = Thread(target=store.close)
    closer.start()
    closer.join(PATIENCE)
    with pytest.raises(StoreClosed):
        run(store.count(SCOPE))
    assert sorted(reopened(tmp_path / "memory.db")) == sorted(f"note {number}" for number in range(12))


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_one_store_serves_one_event_loop_after_another(tmp_path: Path, backend: str) -> None:
    if backend == "trio":
        pytest.importorskip("trio", reason="trio is not installed; asyncio is tested")
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        for number in range(3):
            anyio.run(store.store, SCOPE, fact(f"note {number}"), backend=backend)
            assert len(anyio.run(store.retrieve, SCOPE, "note", 5, backend=backend)) == number + 1
        run(store.store(SCOPE, fact("note without a loop")))
        assert run(store.count(SCOPE)) == 4


def test_several_event_loops_use_one_store_at_once(tmp_path: Path) -> None:
    async def work(name: int) -> None:
        for number in range(10):
            await store.store(SCOPE, fact(f"note {name} {number}"))
            await store.retrieve(SCOPE, "note", 3)

    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        loops = [Thread(target=anyio.run, args=(work, name)) for name in range(3)]
        for thread in loops:
            thread.start()
        for thread in loops:
            thread.join(PATIENCE)
        assert run(store.count(SCOPE)) == 30


def test_reads_do_not_wait_for_a_write(tmp_path: Path) -> None:
    """A write is held open within its decision, and readers answer meanwhile with the state before it."""
    within, go_on = Event(), Event()

    def slow(snapshot: Snapshot) -> Plan[None]:
        within.set()
        assert go_on.wait(PATIENCE)
        return Plan(result=None, puts=(fact("slow note"),))

    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        run(store.store(SCOPE, fact("note before")))
        writer = Thread(target=lambda: run(store.write(SCOPE, slow)))
        writer.start()
        assert within.wait(PATIENCE)
        assert [entry.memory for entry in run(store.retrieve(SCOPE, "note", 5))] == ["note before"]
        assert (run(store.count(SCOPE)), texts(store)) == (1, ["note before"])
        go_on.set()
        writer.join(PATIENCE)
        assert texts(store) == ["note before", "slow note"]


def test_an_event_loop_turns_while_a_write_waits(tmp_path: Path) -> None:
    within, go_on = Event(), Event()

    def slow(snapshot: Snapshot) -> Plan[None]:
        within.set()
        assert go_on.wait(PATIENCE)
        return Plan(result=None, puts=(fact("slow note"),))

    async def work(store: SqliteStore) -> int:
        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(store.write, SCOPE, slow)
                await anyio.to_thread.run_sync(within.wait)
                tasks.start_soon(store.store, SCOPE, fact("waiting note"))
                seen = await store.count(SCOPE)
                go_on.set()
        return seen

    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        assert anyio.run(work, store) == 0
        assert texts(store) == ["slow note", "waiting note"]


def test_tasks_that_share_a_database_in_memory_keep_their_rows() -> None:
    """One task's refusal does not take another's row along (case L03)."""

    def refuse(snapshot: Snapshot) -> Plan[None]:
        raise LookupError

    async def fail(store: SqliteStore) -> None:
        with pytest.raises(LookupError):
            await store.write(SCOPE, refuse)

    async def work(store: SqliteStore) -> None:
        async with anyio.create_task_group() as tasks:
            for number in range(30):
                tasks.start_soon(store.store, SCOPE, fact(f"note {number}"))
                tasks.start_soon(fail, store)

    with closing(SqliteStore(":memory:")) as store:
        anyio.run(work, store)
        assert sorted(texts(store)) == sorted(f"note {number}" for number in range(30))


def test_two_databases_in_memory_are_two() -> None:
    with closing(SqliteStore(":memory:")) as one, closing(SqliteStore(":memory:")) as other:
        run(one.store(SCOPE, fact("note")))
        assert run(other.count(SCOPE)) == 0


@needs_fork
def test_parent_and_forked_children_write_on(tmp_path: Path) -> None:
    code = (
        FORK
        + """
store = SqliteStore(sys.argv[1])
run(store.store("u1", MemoryEntry("fact", "before")))
run(store.retrieve("u1", "before", 5))
children, counts = forked(store, ["one", "two"])
run(store.store("u1", MemoryEntry("fact", "parent")))
for process in children:
    process.join(60)
print([process.exitcode for process in children], max(counts), run(store.count("u1")))
store.close()
"""
    )
    path = tmp_path / "memory.db"
    assert lines_of(code, path) == ["[0, 0] 11 12"]
    children = [f"{name} {number}" for name in ("one", "two") for number in range(5)]
    assert sorted(reopened(path)) == sorted(["before", "parent", *children])
    assert is_sound(path)


@needs_fork
def test_a_store_made_before_forking_is_opened_by_each_child(tmp_path: Path) -> None:
    """As a server does that loads the application once and then forks its workers."""
    code = (
        FORK
        + """
store = SqliteStore(sys.argv[1])
children, counts = forked(store, ["one", "two", "three"])
for process in children:
    process.join(60)
print(run(store.count("u1")))
"""
    )
    assert lines_of(code, tmp_path / "memory.db") == ["15"]


@needs_fork
def test_a_fork_waits_for_what_other_threads_are_writing(tmp_path: Path) -> None:
    code = """
import threading, warnings
warnings.simplefilter("ignore", DeprecationWarning)
store = SqliteStore(sys.argv[1])
stop = threading.Event()
acknowledged = []

def write(name):
    number = 0
    while not stop.is_set():
        run(store.store("u1", MemoryEntry("fact", f"{name} {number}")))
        run(store.retrieve("u1", name, 3))
        acknowledged.append(f"{name} {number}")
        number += 1

threads = [threading.Thread(target=write, args=(f"thread{n}",)) for n in range(3)]
for thread in threads:
    thread.start()
codes = []
for number in range(10):
    child = os.fork()
    if child == 0:
        run(store.store("u1", MemoryEntry("fact", f"child {number}")))
        os._exit(0 if run(store.count("u1")) > 0 else 1)
    codes.append(os.waitpid(child, 0)[1])
    acknowledged.append(f"child {number}")
stop.set()
for thread in threads:
    thread.join(60)
found = sorted(entry.memory for entry in run(store.page(
    Scope("u1"), EntryFilter(now=MemoryEntry("fact", "x").created_at), 10**6)))
print(set(codes), found == sorted(acknowledged))
store.close()
"""
    path = tmp_path / "memory.db"
    assert lines_of(code, path) == ["{0} True"]
    assert is_sound(path)


@needs_fork
def test_a_database_in_memory_does_not_cross_a_fork() -> None:
    code = """
store = SqliteStore(":memory:")
run(store.store("u1", MemoryEntry("fact", "parent")))
child = os.fork()
if child == 0:
    attempt(lambda: store.count("u1"))
    store.close()
    os._exit(0)
os.waitpid(child, 0)
attempt(lambda: store.count("u1"))
"""
    child, parent = lines_of(code)
    assert child.startswith("StoreClosed")
    assert "fork" in child
    assert parent == "1"
