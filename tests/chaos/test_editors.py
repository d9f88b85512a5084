"""Several processes edit one core block and one working graph, and nothing is lost (design D3)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memoranda import Memory
from tests.chaos.editor import LABEL, session_of

PATIENCE = 300.0
"""Seconds that all processes may take."""
ROOT = Path(__file__).resolve().parents[2]


def edit(path: Path, names: str, blocks: int, nodes: int) -> None:
    """Lets one process for each name edit, all at one time."""
    command = [sys.executable, "-m", "tests.chaos.editor", str(path)]
    children = [
        subprocess.Popen(
            [*command, name, str(blocks), str(nodes)],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        )
        for name in names
    ]
    try:
        for child in children:
            assert child.stdout is not None
            child.stdout.readline()
        ends = []
        for child in children:
            assert child.stdin is not None
            child.stdin.write("go\n")
            child.stdin.flush()
        for child in children:
            _, errors = child.communicate(timeout=PATIENCE)
            ends.append((child.returncode, errors))
        assert ends == [(0, "")] * len(names)
    finally:
        for child in children:
            child.kill()


@pytest.mark.parametrize(("blocks", "nodes"), [(60, 20), pytest.param(1000, 200, marks=pytest.mark.slow)])
def test_two_processes_lose_nothing(tmp_path: Path, blocks: int, nodes: int) -> None:
    edit(tmp_path / "memory.db", "ab", blocks, nodes)
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        session = session_of(memory)
        block = session.core.get_block(LABEL)
        assert block is not None
        words = block.value.split()
        for name in "ab":
            assert [word for word in words if word.startswith(name)] == [f"{name}-{n}" for n in range(blocks)]
        assert len(words) == 2 * blocks
        revisions = session.core.revisions(LABEL)
        newest = 2 * blocks - 1
        assert [one.number for one in revisions] == [1, *range(max(2, newest - 98), newest + 1)]
        assert revisions[-1].block.value == " ".join(words[:-1]) + " "
        assert {node.id for node in session.graph.nodes()} == {f"{name}-{n}" for name in "ab" for n in range(nodes)}
