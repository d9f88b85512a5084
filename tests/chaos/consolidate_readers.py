"""Consolidates a large scope while others recall from it, and compares how long they wait with and without.

`python -m tests.chaos.consolidate_readers --entries 100000 --readers 4 --json` prints the figures. Readers are
processes of their own, or with `--threads` threads of the process that consolidates. Each asks, rests, and asks again.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from memoranda import Memory, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Decide, Plan
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope

ROOT = Path(__file__).resolve().parents[2]
SCOPE = "acme/alice"
PATIENCE = 120.0
"""Seconds that a reader may take to open the file and to build its index."""
WORDS = [
    "cluster",
    "deploy",
    "ticket",
    "invoice",
    "harbour",
    "meeting",
    "garden",
    "window",
    "report",
    "budget",
    "planner",
    "bicycle",
    "kitchen",
    "library",
    "museum",
    "station",
    "printer",
    "contract",
    "holiday",
    "protocol",
    "sensor",
    "battery",
    "archive",
    "concert",
    "lecture",
    "recipe",
    "passport",
    "umbrella",
]
PLACES = [
    "Berlin",
    "Madrid",
    "Oslo",
    "Lima",
    "Cairo",
    "Quito",
    "Delhi",
    "Osaka",
    "Accra",
    "Turin",
    "Perth",
    "Dakar",
    "Riga",
    "Bern",
    "Hanoi",
    "Tunis",
]
T = TypeVar("T")
run = Stepper().run


@dataclass
class Waits:
    """How long recalls took, in milliseconds."""

    count: int = 0
    p50: float = 0.0
    p99: float = 0.0
    most: float = 0.0

    @classmethod
    def of(cls, seconds: list[float]) -> Waits:
        """Returns the figures of some recalls."""
        ranked = sorted(1000 * each for each in seconds) or [0.0]
        at = [ranked[min(len(ranked) - 1, int(share * len(ranked)))] for share in (0.5, 0.99)]
        return cls(len(seconds), round(at[0], 1), round(at[1], 1), round(ranked[-1], 1))


@dataclass
class Figures:
    """What was measured. `errors` must be empty."""

    entries: int
    readers: int
    kind: str
    seconds: float = 0.0
    batches: int = 0
    longest_write_ms: float = 0.0
    alone: Waits = field(default_factory=Waits)
    beside: Waits = field(default_factory=Waits)
    after_writes: Waits = field(default_factory=Waits)  # those of `beside` that began within 0.1 s after a write
    stats: dict[str, object] = field(default_factory=dict)
    again: dict[str, object] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


def fill(path: Path, count: int, seed: int = 1) -> None:
    """Makes a scope of `count` entries: a tenth restates another one, a twentieth has expired, a few are validated."""
    chance, now = random.Random(seed), datetime.now(UTC)
    texts: list[str] = []
    entries: list[MemoryEntry] = []
    for number in range(count):
        at = now - timedelta(minutes=count - number)
        if texts and number % 10 == 9:
            entries.append(MemoryEntry(Category.FACT, restated(chance.choice(texts), chance), created_at=at))
            continue
        first, second, third = chance.sample(WORDS, 3)
        place = chance.choice(PLACES)
        text = f"The {first} {number:x} in {place} needs a {second} before the {third} of case {chance.randrange(9**6)}"
        ended = now - timedelta(minutes=1) if number % 20 == 3 else None
        entries.append(
            MemoryEntry(Category.FACT, text, created_at=at, expires_at=ended, validated=number % 50 == 7, tags=(place,))
        )
        if ended is None:
            texts.append(text)
    store = SqliteStore(path, settings=Settings(durability="relaxed"))
    for start in range(0, count, 5000):
        batch = tuple(entries[start : start + 5000])
        run(store.write(Scope(SCOPE), lambda _, batch=batch: Plan(result=None, puts=batch)))  # type: ignore[misc]
    store.close()


def restated(text: str, chance: random.Random) -> str:
    """Returns the same in a slightly other wording."""
    return chance.choice((text, text + ".", text.replace("The ", "the ", 1), text.replace(" a ", " one "), text + "!"))


def question(chance: random.Random) -> str:
    """Returns something to ask."""
    return f"which {chance.choice(WORDS)} in {chance.choice(PLACES)} needs a {chance.choice(WORDS)}?"


def ask(memory: Memory, seed: int, rest: float, stop: Callable[[], bool]) -> list[tuple[float, float]]:
    """Recalls until it is told to stop; returns when each recall began, and how long it took."""
    chance, pause, waits = random.Random(seed), threading.Event(), []
    while not stop():
        began = time.time()
        memory.scope(SCOPE).recall(question(chance))
        waits.append((began, time.time() - began))
        pause.wait(rest)
    return waits


class Crowd:
    """Readers at work. `done` stops them and returns what they measured."""

    def __init__(self, path: Path, memory: Memory | None, readers: int, rest: float) -> None:
        self._told = threading.Event()
        self._found: list[tuple[float, float]] = []
        self._children: list[subprocess.Popen[str]] = []
        self._threads: list[threading.Thread] = []
        if memory is None:
            command = [
                sys.executable,
                "-m",
                "tests.chaos.consolidate_readers",
                "--reader",
                str(path),
                "--rest",
                str(rest),
            ]
            self._children = [self._child([*command, "--seed", str(seed)]) for seed in range(readers)]
            for child in self._children:
                assert child.stdout is not None
                child.stdout.readline()  # its index stands
            return
        memory.scope(SCOPE).recall("warm")
        self._threads = [threading.Thread(target=self._work, args=(memory, seed, rest)) for seed in range(readers)]
        for thread in self._threads:
            thread.start()

    def done(self) -> list[tuple[float, float]]:
        """Stops the readers; returns when each recall began and how long it took."""
        self._told.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        for child in self._children:
            out, _ = child.communicate("stop\n", timeout=PATIENCE)
            self._found += [(began, took) for began, took in json.loads(out)]
        return self._found

    def _work(self, memory: Memory, seed: int, rest: float) -> None:
        self._found += ask(memory, seed, rest, self._told.is_set)

    @staticmethod
    def _child(command: list[str]) -> subprocess.Popen[str]:
        return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def wait_for_a_line(told: threading.Event) -> None:
    """Sets an event when a line comes in."""
    sys.stdin.readline()
    told.set()


def read(path: Path, seed: int, rest: float) -> None:
    """Is one reader process: recalls until a line comes in, then prints its figures."""
    told = threading.Event()
    with Memory(path, embedder=None) as memory:
        memory.scope(SCOPE).recall("warm")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        threading.Thread(target=wait_for_a_line, args=(told,), daemon=True).start()
        waits = ask(memory, seed, rest, told.is_set)
    sys.stdout.write(json.dumps(waits))


@contextmanager
def timed_writes(figures: Figures, ends: list[float]) -> Iterator[None]:
    """Notes how long the longest write of this process took, waiting for the disk included."""
    plain = SqliteStore.write

    async def timed(self: SqliteStore, scope: Scope, decide: Decide[T]) -> T:
        began = time.perf_counter()
        done = await plain(self, scope, decide)
        figures.longest_write_ms = max(figures.longest_write_ms, round(1000 * (time.perf_counter() - began), 1))
        figures.batches += 1
        ends.append(time.time())
        return done

    SqliteStore.write = timed  # type: ignore[method-assign]
    try:
        yield
    finally:
        SqliteStore.write = plain  # type: ignore[method-assign]


def follows(began: float, writes: list[float]) -> bool:
    """Whether something began within 0.1 seconds after one of some moments."""
    place = bisect_right(writes, began)
    return place > 0 and began - writes[place - 1] < 0.1


def measure(
    path: Path, *, entries: int, readers: int, alone: float, threads: bool = False, rest: float = 0.02
) -> Figures:
    """Fills a scope, lets readers ask alone for some seconds before and after, and consolidates beside them between.

    A second consolidation, without readers, has nothing left to do.
    """
    figures = Figures(entries, readers, "threads" if threads else "processes")
    fill(path, entries)
    with Memory(path, embedder=None) as memory:
        crowd = Crowd(path, memory if threads else None, readers, rest)
        start = time.time()
        threading.Event().wait(alone)
        begun, writes = time.time(), list[float]()
        try:
            with timed_writes(figures, writes):
                figures.stats = asdict(memory.scope(SCOPE).consolidate())
            ended = time.time()
            threading.Event().wait(alone)  # before and after, since a machine is not equally busy all the time
        finally:
            waits = crowd.done()
        figures.seconds = round(ended - begun, 1)
        figures.again = asdict(memory.scope(SCOPE).consolidate())
    figures.alone = Waits.of(
        [took for began, took in waits if start <= began and (began + took < begun or began > ended)]
    )
    beside = [(began, took) for began, took in waits if began + took >= begun and began < ended]
    figures.beside = Waits.of([took for _, took in beside])
    figures.after_writes = Waits.of([took for began, took in beside if follows(began, writes)])
    return figures


def main() -> int:
    """Measures what the command line asks for and prints the figures."""
    parser = argparse.ArgumentParser(description="consolidate a large scope while others recall from it")
    parser.add_argument("--entries", type=int, default=100_000)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument(
        "--alone", type=float, default=15.0, help="seconds in which readers ask alone, before and after"
    )
    parser.add_argument("--rest", type=float, default=0.02, help="seconds between two recalls of a reader")
    parser.add_argument("--threads", action="store_true", help="readers are threads of the process that consolidates")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--reader", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.reader:
        read(Path(asked.reader), asked.seed, asked.rest)
        return 0
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(
            Path(folder) / "memory.db",
            entries=asked.entries,
            readers=asked.readers,
            alone=asked.alone,
            threads=asked.threads,
            rest=asked.rest,
        )
    shown = asdict(figures)
    lines = [json.dumps(shown)] if asked.json else [f"{name}: {value}" for name, value in shown.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
