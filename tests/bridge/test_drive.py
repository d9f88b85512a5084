"""Running coroutines for callers that do not await, and keeping the event loop free for those that do."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event, Thread

import anyio
import anyio.lowlevel
import pytest

from memoranda import AsyncMemory, InMemoryStore, InsideEventLoop, Memory, MemoryEntry, SqliteStore
from memoranda.bridge.drive import Portal, Stepper
from memoranda.bridge.offload import in_event_loop, offload
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.protocols.store import DurableStore
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats
from tests.runtime.test_wiring import FourVerbs

SCOPE = Scope("a")
LONG = 20.0
"""Seconds after which a test that waits for an event gives up."""


class Suspending(FourVerbs):
    """A store whose verbs give way to others, as one behind a network does."""

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        await anyio.lowlevel.checkpoint()
        await super().store(scope, entry)

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        await anyio.lowlevel.checkpoint()
        return await super().retrieve(scope, query, limit)

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        await anyio.lowlevel.checkpoint()
        return await super().consolidate(scope)


async def _answer() -> int:
    return 42


async def _fail() -> None:
    raise KeyError("x")


class _Pause:
    def __await__(self) -> Generator[None, None, None]:
        yield


async def _suspend() -> None:
    await _Pause()


def test_stepper_runs_in_the_callers_thread() -> None:
    assert Stepper().run(_answer()) == 42
    with pytest.raises(KeyError):
        Stepper().run(_fail())
    with pytest.raises(RuntimeError, match="remove the mark"):
        Stepper().run(_suspend())


def test_a_portal_that_nobody_has_any_more_ends_its_thread() -> None:
    """One that was closed before has nothing left to end."""
    before = set(threading.enumerate())
    portal, closed = Portal(), Portal()
    assert (portal.run(_answer()), closed.run(_answer())) == (42, 42)
    closed.close()
    (thread,) = set(threading.enumerate()) - before
    del portal, closed
    thread.join(LONG)
    assert not thread.is_alive()


@pytest.mark.parametrize("driver", [Stepper(), Portal()], ids=["stepper", "portal"])
def test_no_driver_blocks_a_running_loop(driver: Stepper | Portal) -> None:
    async def work() -> None:
        with pytest.raises(InsideEventLoop):
            driver.run(_answer())

    anyio.run(work)
    assert not in_event_loop()


def test_a_store_that_suspends_gets_a_loop_of_its_own() -> None:
    """Design D1."""
    with Memory(store=Suspending()) as memory:
        scope = memory.scope("a")
        scope.remember("port")
        assert len(scope.recall("port")) == 1
        found: list[int] = []
        threads = [Thread(target=lambda: found.append(len(scope.recall("port")))) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [1] * 8


def test_portal_hands_errors_on_and_starts_again() -> None:
    portal = Portal()
    with pytest.raises(KeyError):
        portal.run(_fail())
    portal.close()
    assert portal.run(_answer()) == 42
    portal.close()
    portal.close()


@pytest.mark.parametrize(
    "end", ["pass", "memory.close(); memory.scope('a').count()"], ids=["unclosed", "used after close"]
)
def test_a_forgotten_memory_does_not_keep_the_process_alive(end: str) -> None:
    code = (
        "from memoranda import Memory\n"
        "from tests.bridge.test_drive import Suspending\n"
        "memory = Memory(store=Suspending())\n"
        f"memory.scope('a').remember('x')\n{end}\nprint('done')"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, timeout=LONG, check=False
    )
    assert (done.returncode, done.stdout) == (0, "done\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_portal_starts_its_own_thread_after_a_fork() -> None:
    """Design D1, case L02: the child has no thread of the parent's, and must not wait for one."""
    code = (
        "import os, signal\n"
        "from memoranda import Memory\n"
        "from tests.bridge.test_drive import Suspending\n"
        "memory = Memory(store=Suspending())\n"
        "scope = memory.scope('a')\n"
        "scope.remember('x')\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    signal.alarm(10)\n"
        "    os._exit(scope.count() - 1)\n"
        "print(os.waitpid(child, 0)[1], scope.count())\n"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=LONG,
        check=False,
    )
    assert done.stdout == "0 1\n", done.stderr


@asynccontextmanager
async def _blocked(memory: AsyncMemory) -> AsyncIterator[tuple[asyncio.Task[int], Event]]:
    """Holds a write up inside its transaction until the event is set."""
    begun, go_on = Event(), Event()

    def decide(snapshot: Snapshot) -> Plan[int]:
        begun.set()
        assert go_on.wait(LONG)
        return Plan(result=7, puts=(MemoryEntry("fact", "slow"),))  # type: ignore[arg-type]  # a name of a category

    store = memory.store
    assert isinstance(store, SqliteStore | InMemoryStore)
    write = asyncio.create_task(store.write(SCOPE, decide))
    try:
        assert await anyio.to_thread.run_sync(begun.wait, LONG)
        yield write, go_on
    finally:
        go_on.set()


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["file", "memory", "in_memory"])
async def test_case_L05_a_slow_write_does_not_hold_the_loop_up(kind: str, tmp_path: Path) -> None:  # noqa: N802
    stores: dict[str, DurableStore] = {
        "file": SqliteStore(tmp_path / "m.db"),
        "memory": SqliteStore(":memory:"),
        "in_memory": InMemoryStore(),
    }
    store = stores[kind]
    async with AsyncMemory(store=store) as memory, _blocked(memory) as (write, go_on):
        turns = 0
        while turns < 100:  # the loop goes round while the write stands still
            await anyio.lowlevel.checkpoint()
            turns += 1
        assert not write.done()
        if kind == "file":
            assert await memory.scope("a").count() == 0  # and reads do not wait for the write
        go_on.set()
        assert await write == 7
        assert await memory.scope("a").count() == 1


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["file", "in_memory"])
async def test_case_L06_a_cancelled_write_is_there_whole(kind: str, tmp_path: Path) -> None:  # noqa: N802
    """The cancellation is passed on, and the next write works at once."""
    store = SqliteStore(tmp_path / "m.db") if kind == "file" else InMemoryStore()
    async with AsyncMemory(store=store) as memory:
        async with _blocked(memory) as (write, go_on):
            write.cancel()
            for _ in range(10):
                await anyio.lowlevel.checkpoint()
            go_on.set()
            with pytest.raises(asyncio.CancelledError):
                await write
        await memory.scope("a").remember("next")
        assert [entry.memory for entry in await memory.scope("a").list()] == ["next", "slow"]


@pytest.mark.anyio
async def test_case_L06_a_cancel_scope_waits_for_the_write(tmp_path: Path) -> None:  # noqa: N802
    async with AsyncMemory(tmp_path / "m.db") as memory:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await memory.scope("a").remember("x")
        assert scope.cancelled_caught
        assert await memory.scope("a").count() in (0, 1)
        await memory.scope("a").remember("y")
        assert "y" in [entry.memory for entry in await memory.scope("a").list()]


@pytest.mark.anyio
async def test_a_cancelled_task_waits_for_its_work_to_end() -> None:
    """Case L06: nothing is written behind the back of who has seen the cancellation."""
    begun, go_on, ended = Event(), Event(), Event()

    def work() -> None:
        begun.set()
        assert go_on.wait(LONG)
        ended.set()

    async def call() -> None:
        await offload(work)

    task = asyncio.create_task(call())
    assert await anyio.to_thread.run_sync(begun.wait, LONG)
    task.cancel()
    for _ in range(10):
        await anyio.lowlevel.checkpoint()
    waited = not task.done()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert waited
    assert ended.is_set()


@pytest.mark.anyio
async def test_offload_leaves_the_loops_thread() -> None:
    here = threading.get_ident()
    assert await offload(threading.get_ident) != here
