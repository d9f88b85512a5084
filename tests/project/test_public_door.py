"""`import memoranda`: what it offers, that it touches nothing, and what it costs."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import memoranda

SOURCE = Path(__file__).resolve().parents[2] / "src" / "memoranda" / "__init__.py"
REPEATS = 9
ROUNDS = 4
COST_LIMIT = 1.5

WATCH = """
import asyncio, json, sys
import anyio, apsw
seen = []
def watch(event, arguments):
    if event == "open":
        name, mode = str(arguments[0]), arguments[1]
        read_only_module = name.endswith((".py", ".pyc", ".so", ".pyd")) and (mode is None or mode in ("r", "rb"))
        if not read_only_module:
            seen.append([event, name, str(mode)])
    elif event.partition(".")[0] in ("os", "socket", "sqlite3", "subprocess") and event != "os.listdir":
        seen.append([event, *map(str, arguments)])
sys.addaudithook(watch)
import memoranda
print(json.dumps(seen))
"""

TIME = """
import time
start = time.process_time()
import {names}
print(time.process_time() - start)
"""


def run(code: str, *flags: str) -> str:
    done = subprocess.run([sys.executable, *flags, "-c", code], capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def test_all_is_written_out_and_every_name_is_there() -> None:
    assignments = [
        node for node in ast.parse(SOURCE.read_text("utf-8")).body if isinstance(node, ast.Assign | ast.AnnAssign)
    ]
    targets = [
        ast.unparse(t)
        for node in assignments
        for t in (node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    assert "__all__" in targets
    names = memoranda.__all__
    assert len(set(names)) == len(names)
    assert set(names) <= set(dir(memoranda))
    for name in names:
        assert getattr(memoranda, name) is not None


def test_every_public_class_and_function_is_documented() -> None:
    undocumented = [
        n for n in memoranda.__all__ if callable(getattr(memoranda, n)) and not getattr(memoranda, n).__doc__
    ]
    assert undocumented == []


def test_import_opens_nothing_but_modules() -> None:
    # -B: Python itself would otherwise write its compiled files.
    assert json.loads(run(WATCH, "-B")) == []


def test_import_costs_at_most_half_more_than_its_foundations() -> None:
    # CPU time and the least of alternating repeats, since another process on the machine can only add to either.
    def cost(names: str) -> float:
        return float(run(TIME.format(names=names)))

    ours, theirs = [cost("memoranda")], [cost("asyncio, anyio, apsw")]  # these may compile; the later ones do not
    for _ in range(ROUNDS):
        for _ in range(REPEATS):
            theirs.append(cost("asyncio, anyio, apsw"))
            ours.append(cost("memoranda"))
        if min(ours) <= COST_LIMIT * min(theirs):
            break
    assert min(ours) <= COST_LIMIT * min(theirs), f"{min(ours):.4f} s against {min(theirs):.4f} s"
