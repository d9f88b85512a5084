"""Many processes with many threads on one file, and what came of it.

`python -m tests.chaos.crowd --processes 8 --threads 4 --seconds 60 --json` prints the figures.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import apsw

from memoranda.bridge.drive import Stepper
from memoranda.protocols.store import EntryFilter
from memoranda.records.entry import MemoryEntry
from memoranda.stores.sqlite.store import SqliteStore
from tests.chaos.visitor import COUNTERS, COUNTING, SHARED

PATIENCE = 120.0
"""Seconds that a process may take beyond its time."""
ROOT = Path(__file__).resolve().parents[2]
run = Stepper().run


@dataclass
class Figures:
    """What the crowd did. `errors` and `wrong` must be empty."""

    processes: int
    threads: int
    seconds: float = 0.0
    done: dict[str, int] = field(default_factory=dict)
    per_second: dict[str, float] = field(default_factory=dict)
    worst_wait: dict[str, float] = field(default_factory=dict)
    worst_opening: float = 0.0
    errors: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there was no error and nothing was lost."""
        return not (self.errors or self.wrong)


def crowd(path: Path, processes: int, threads: int, seconds: float, operations: int = 0) -> Figures:
    """Lets the processes loose on one file, tidies and opens it meanwhile, and counts what is there afterwards."""
    figures = Figures(processes, threads)
    command = [sys.executable, "-m", "tests.chaos.visitor", str(path)]
    numbers = (str(threads), str(seconds), str(operations))
    began = time.perf_counter()
    children = [
        subprocess.Popen([*command, f"p{number}", *numbers], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8")
        for number in range(processes)
    ]
    while any(child.poll() is None for child in children):
        figures.worst_opening = max(figures.worst_opening, open_and_tidy(path))
    found: list[dict[str, Any]] = []
    for child in children:
        out, _ = child.communicate(timeout=PATIENCE)
        if child.returncode == 0:
            found.append(json.loads(out))
        else:
            figures.errors.append(f"a process ended with {child.returncode}")
    figures.seconds = round(time.perf_counter() - began, 1)
    sum_up(figures, found)
    compare(path, figures, found)
    return figures


def open_and_tidy(path: Path) -> float:
    """Opens the file beside those who write, consolidates once, and returns how long opening took."""
    began = time.perf_counter()
    with closing(SqliteStore(path)) as store:
        store.open()
        opening = time.perf_counter() - began
        run(store.consolidate(SHARED))
    return opening


def sum_up(figures: Figures, found: list[dict[str, Any]]) -> None:
    """Adds up what the processes reported."""
    done: Counter[str] = Counter()
    for report in found:
        done.update(report["done"])
        figures.errors += report["errors"]
        figures.worst_opening = max(figures.worst_opening, report["opening"])
        for worst in report["worst"]:
            for what, wait in worst.items():
                figures.worst_wait[what] = round(max(figures.worst_wait.get(what, 0.0), wait), 3)
    figures.worst_opening = round(figures.worst_opening, 3)
    figures.done = dict(done)
    figures.per_second = {what: round(count / figures.seconds, 1) for what, count in done.items()}


def compare(path: Path, figures: Figures, found: list[dict[str, Any]]) -> None:
    """Compares what is in the file with what was acknowledged."""

    def expect(what: str, there: object, wanted: object) -> None:
        if there != wanted:
            figures.wrong.append(f"{what}: {there} in the file, {wanted} acknowledged")

    every = EntryFilter(now=MemoryEntry.default().created_at, superseded=True)
    with closing(SqliteStore(path)) as store:
        for report in found:
            for own, count in report["own"].items():
                expect(own, run(store.count(own)), count)
        expect("shared", run(store.count(SHARED)), figures.done.get("shared", 0))
        counted = run(store.page(COUNTING, every, len(COUNTERS) + 1))
        expect("counters", sum(int(entry.memory) for entry in counted), figures.done.get("count", 0))
    connection = apsw.Connection(str(path))
    try:
        texts = connection.execute(
            "SELECT count(*), count(DISTINCT memory) FROM entries JOIN scopes ON number = scope "
            "WHERE path GLOB 'crowd/p*'"
        ).fetchall()[0]
        expect("texts, and different ones", texts, (figures.done.get("own", 0), figures.done.get("own", 0)))
        expect("integrity", connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
    finally:
        connection.close()


def main() -> int:
    """Runs the crowd that the command line asks for and prints the figures."""
    parser = argparse.ArgumentParser(description="many processes with many threads on one file")
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = crowd(Path(folder) / "memory.db", asked.processes, asked.threads, asked.seconds)
    shown = {"ok": figures.ok, **asdict(figures)}
    lines = [json.dumps(shown)] if asked.json else [f"{name}: {value}" for name, value in shown.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if figures.ok else 1


if __name__ == "__main__":
    sys.exit(main())
