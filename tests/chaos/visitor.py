"""One process of the crowd: `python -m tests.chaos.visitor FILE NAME THREADS SECONDS OPERATIONS`.

Each thread stores, recalls and counts up shared entries until its time is over, or with OPERATIONS above 0 stores and
recalls that often (case L01). At the end the process prints one JSON object: how often it did what, its longest
waits, and every error.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections import Counter
from dataclasses import replace
from threading import Thread

from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope
from memoranda.stores.sqlite.store import SqliteStore

COUNTERS = [f"00000000-0000-4000-8000-00000000000{number}" for number in range(4)]
SHARED = Scope("crowd/shared")
COUNTING = Scope("crowd/counting")


class Visitor:
    """One thread's work and what came of it."""

    def __init__(self, store: SqliteStore, name: str, until: float, operations: int) -> None:
        self.store = store
        self.name = name
        self.own = Scope(f"crowd/{name}")
        self.until = until
        self.operations = operations
        self.done: Counter[str] = Counter()
        self.worst: dict[str, float] = {}
        self.errors: list[str] = []
        self.chance = random.Random(name)

    def work(self) -> None:
        """Does what chance says until the time or the operations are over."""
        number = 0
        while time.perf_counter() < self.until and number < (self.operations or sys.maxsize):
            number += 1
            self.attempt(number)

    def pick(self, number: int) -> str:
        """Picks what to do: at random, or seven times of ten `keep` and else `recall` when operations are counted."""
        if self.operations:
            return "keep" if number % 10 < 7 else "recall"
        return self.chance.choices(["keep", "recall", "count", "tidy"], [50, 30, 18, 2])[0]

    def attempt(self, number: int) -> None:
        """Does one thing, and notes how long it took or why it failed."""
        what = self.pick(number)
        began = time.perf_counter()
        try:
            Stepper().run(getattr(self, what)(number))
        except Exception as error:  # noqa: BLE001  whatever a caller would see is the finding
            self.errors.append(f"{what}: {type(error).__name__}: {error}")
            return
        self.done[what] += 1
        self.worst[what] = max(self.worst.get(what, 0.0), time.perf_counter() - began)

    async def keep(self, number: int) -> None:
        """Stores an entry in this thread's own scope, and every fourth time one in the scope of all."""
        text = f"note {number} of {self.name} about cluster"
        await self.store.store(self.own, MemoryEntry(Category.FACT, text))
        self.done["own"] += 1
        if number % 4 == 0:
            await self.store.store(SHARED, MemoryEntry(Category.FACT, text))
            self.done["shared"] += 1

    async def recall(self, number: int) -> None:
        """Recalls from the scope of all, and from its own, where the newest must be seen."""
        await self.store.retrieve(SHARED, "cluster", 5)
        found = await self.store.retrieve(self.own, "", 1)
        if len(found) != min(1, self.done["own"]) or await self.store.count(self.own) != self.done["own"]:
            raise AssertionError(f"{self.name} stored {self.done['own']} entries and does not see them all")

    async def count(self, number: int) -> None:
        """Counts up one of the shared counters."""
        id = self.chance.choice(COUNTERS)

        def increment(snapshot: Snapshot) -> Plan[None]:
            before = snapshot.entry(id) or MemoryEntry(Category.FACT, "0", id=id)
            return Plan(result=None, puts=(replace(before, memory=str(int(before.memory) + 1)),))

        await self.store.write(COUNTING, increment)

    async def tidy(self, number: int) -> None:
        """Consolidates the shared scope."""
        await self.store.consolidate(SHARED)


def main(path: str, name: str, threads: str, seconds: str, operations: str) -> None:
    """Lets the threads loose and prints what came of it."""
    began = time.perf_counter()
    store = SqliteStore(path)
    store.open()
    opening = time.perf_counter() - began
    until = time.perf_counter() + float(seconds)
    visitors = [Visitor(store, f"{name}-{number}", until, int(operations)) for number in range(int(threads))]
    running = [Thread(target=visitor.work) for visitor in visitors]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()
    store.close()
    found = {
        "opening": opening,
        "done": dict(sum((visitor.done for visitor in visitors), Counter())),
        "own": {visitor.own.path: visitor.done["own"] for visitor in visitors},
        "worst": [visitor.worst for visitor in visitors],
        "errors": [error for visitor in visitors for error in visitor.errors],
    }
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
