"""Kills writers at random moments and looks for what they were promised.

`python -m tests.chaos.kill --rounds 200 --json` prints the figures. A round is one process that is killed with SIGKILL
after a random number of acknowledgements and a random moment more, and one look at the file. Only what the killed
process was told is counted: each such entry must be there exactly once.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path

import apsw

from memoranda.runtime.sync import Memory

PATIENCE = 60.0
"""Seconds that one round may take."""
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Figures:
    """What the rounds found. `lost`, `doubled` and `unsound` must be empty."""

    rounds: int = 0
    acknowledged: int = 0
    stored: int = 0
    most_of_a_round: int = 0
    seconds: float = 0.0
    lost: list[str] = field(default_factory=list)
    doubled: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether nothing was lost, doubled or unsound."""
        return not (self.lost or self.doubled or self.unsound)


def killed_writer(path: Path, scope: str, chance: random.Random) -> list[str]:
    """Starts a writer, kills it at a random moment, and returns the ids that it acknowledged."""
    command = [sys.executable, "-m", "tests.chaos.writer", str(path), scope, str(chance.randrange(1_000_000))]
    acknowledged: list[str] = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8") as child:
        assert child.stdout is not None
        for _ in range(chance.choice([1, 1, 2, 5, 20, 60])):
            acknowledged += child.stdout.readline().split()
        moment = time.perf_counter() + chance.random() * 0.02
        while time.perf_counter() < moment:
            pass
        child.kill()
        rest, _ = child.communicate(timeout=PATIENCE)
        # A line without its end was cut by the kill; it promised nothing.
        for line in rest.splitlines(keepends=True):
            if line.endswith("\n"):
                acknowledged += line.split()
    return acknowledged


def look(path: Path, scope: str, promised: list[str], figures: Figures) -> None:
    """Opens the file again and compares it with what was promised in all rounds so far."""
    with Memory(path) as memory:
        place = memory.scope(scope)
        live = place.count()
        if live > 0 and not place.recall("", limit=1):
            figures.unsound.append(f"{scope}: {live} live entries and an empty recall")
        missing = [id for id in promised if place.get(id) is None]
    figures.lost += missing
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        found = Counter(str(row[0]) for row in connection.execute("SELECT lower(hex(id)) FROM entries"))
        sound = [str(row[0]) for row in connection.execute("PRAGMA integrity_check")]
    finally:
        connection.close()
    figures.stored = sum(found.values())
    figures.doubled += [id for id in promised if found[id.replace("-", "")] != 1 and id not in missing]
    if sound != ["ok"]:
        figures.unsound += sound


def kill_rounds(path: Path, rounds: int, seed: int) -> Figures:
    """Runs the rounds on one file, each in a scope of its own, and looks at all of them again at the end."""
    chance = random.Random(seed)
    figures = Figures()
    promised: dict[str, list[str]] = {}
    began = time.perf_counter()
    for number in range(rounds):
        scope = f"round/{number}"
        ids = killed_writer(path, scope, chance)
        promised[scope] = ids
        look(path, scope, ids, figures)
        figures.rounds += 1
        figures.acknowledged += len(ids)
        figures.most_of_a_round = max(figures.most_of_a_round, len(ids))
    with Memory(path) as memory:
        for scope, ids in promised.items():
            figures.lost += [id for id in ids if memory.scope(scope).get(id) is None]
    figures.seconds = round(time.perf_counter() - began, 1)
    return figures


def main() -> int:
    """Runs the rounds that the command line asks for and prints the figures."""
    parser = argparse.ArgumentParser(description="kill writers at random moments and look for what they were promised")
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = kill_rounds(Path(folder) / "memory.db", asked.rounds, asked.seed)
    shown = {"ok": figures.ok, **asdict(figures)}
    lines = [json.dumps(shown)] if asked.json else [f"{name}: {value}" for name, value in shown.items()]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0 if figures.ok else 1


if __name__ == "__main__":
    sys.exit(main())
