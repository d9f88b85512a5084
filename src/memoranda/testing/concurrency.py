"""Many tasks and threads on one store (S0.2, S0.39): nothing is lost, nothing waits for ever."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Thread

import anyio
import anyio.to_thread

from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.scope import Scope
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import Ground, MakeStore, fact, ground

GROUP = Group("concurrency")

PATIENCE = 60.0
"""Seconds after which a check that should take far less than one is called stuck."""
COUNTER = "00000000-0000-4000-8000-00000000c0de"


def increment(snapshot: Snapshot) -> Plan[int]:
    """Adds one to the counter entry of a scope; its text is the number."""
    before = snapshot.entry(COUNTER) or fact("0", id=COUNTER)
    after = int(before.memory) + 1
    return Plan(result=after, puts=(replace(before, memory=str(after)),))


@GROUP.check
async def check_tasks_store_and_retrieve_together(make: MakeStore) -> None:
    """Eight tasks write and read one scope; every entry is there once, and every answer keeps to its limit."""
    async with ground(make) as here:
        scope = here.scope()

        async def work(task: int) -> None:
            for number in range(8):
                await here.store.store(scope, fact(f"cluster {task}-{number}"))
                found = await here.store.retrieve(scope, "cluster", 5)
                holds(0 < len(found) <= 5, f"retrieve gave {len(found)} entries for a limit of 5")

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for task in range(8):
                    tasks.start_soon(work, task)
        same(await here.store.count(scope), 64, "entries after eight tasks stored eight each")
        texts = {entry.memory for entry in await here.store.retrieve(scope, "cluster", 100)}
        same(texts, {f"cluster {task}-{number}" for task in range(8) for number in range(8)}, "texts")


@GROUP.check
async def check_retrieve_does_not_block_writers(make: MakeStore) -> None:
    """200 entries; one task adds 50 while another retrieves; both end, 250 are there (S0.39)."""
    async with ground(make) as here:
        scope = here.scope()
        for number in range(200):
            await here.store.store(scope, fact(f"cluster {number}"))
        sizes: list[int] = []

        async def read() -> None:
            sizes.extend([len(await here.store.retrieve(scope, "cluster", 5)) for _ in range(10)])

        async def write() -> None:
            for number in range(50):
                await here.store.store(scope, fact(f"more {number}"))

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(read)
                tasks.start_soon(write)
        same(sizes, [5] * 10, "sizes of the answers")
        same(await here.store.count(scope), 250, "entries afterwards")


@GROUP.check
async def check_tasks_lose_no_update(make: MakeStore) -> None:
    """Each decision sees the one before it: eight tasks count up one entry."""
    async with ground(make) as here:
        writer, scope = here.writer, here.scope()
        answers: list[int] = []

        async def work() -> None:
            answers.extend([await writer.write(scope, increment) for _ in range(8)])

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for _ in range(8):
                    tasks.start_soon(work)
        same(sorted(answers), list(range(1, 65)), "numbers that the increments answered")
        same(await here.page(scope), ["64"], "the counter")


@GROUP.check
async def check_threads_store_and_retrieve_together(make: MakeStore) -> None:
    """The same from plain threads, without an event loop (case L02)."""
    async with ground(make) as here:
        here.require_threads()
        scope = here.scope()

        def work(thread: int) -> None:
            for number in range(8):
                Stepper().run(here.store.store(scope, fact(f"cluster {thread}-{number}")))
                found = Stepper().run(here.store.retrieve(scope, "cluster", 5))
                holds(0 < len(found) <= 5, f"retrieve gave {len(found)} entries for a limit of 5")

        await in_threads([partial(work, thread) for thread in range(6)])
        same(await here.store.count(scope), 48, "entries after six threads stored eight each")


@GROUP.check
async def check_threads_lose_no_update(make: MakeStore) -> None:
    """Threads and tasks count up one entry together."""
    async with ground(make) as here:
        here.require_threads()
        writer, scope = here.writer, here.scope()

        def work() -> None:
            for _ in range(10):
                Stepper().run(writer.write(scope, increment))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_count_up, here, scope)
            await in_threads([work] * 4)
        same(await here.page(scope), ["50"], "the counter after 40 increments from threads and 10 from a task")


@GROUP.check
async def check_one_failing_write_harms_no_other(make: MakeStore) -> None:
    """Writes that fail and writes that succeed at the same moment keep to themselves (case L03)."""
    async with ground(make) as here:
        writer, scope = here.writer, here.scope()
        refused: list[int] = []

        def refuse(snapshot: Snapshot) -> Plan[None]:
            raise LookupError(snapshot.live(fact("x").created_at))

        async def fail() -> None:
            for _ in range(8):
                try:
                    await writer.write(scope, refuse)
                except LookupError:
                    refused.append(1)

        with anyio.fail_after(PATIENCE):
            async with anyio.create_task_group() as tasks:
                for _ in range(4):
                    tasks.start_soon(_count_up, here, scope)
                    tasks.start_soon(fail)
        same((len(refused), await here.page(scope)), (32, ["40"]), "refused writes, and the counter")


async def _count_up(here: Ground, scope: Scope) -> None:
    for _ in range(10):
        await here.writer.write(scope, increment)


async def in_threads(works: list[Callable[[], None]]) -> None:
    """Runs each in a thread of its own and raises the first error of any."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # noqa: BLE001  raised again below, in the thread that waits
            errors.append(error)

    threads = [Thread(target=guarded, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        await anyio.to_thread.run_sync(thread.join, PATIENCE)
    if errors:
        raise errors[0]
    holds(not any(thread.is_alive() for thread in threads), f"a thread did not end within {PATIENCE:.0f} s")
