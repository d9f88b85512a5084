"""A scope is consolidated while others recall from it, and its process may be killed (design D5, D9)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memoranda import Memory
from tests.chaos.consolidate_readers import ROOT, SCOPE, fill, measure

MOST_LONGER = 50.0
"""Milliseconds that a reader may wait longer beside a consolidation than alone."""


@pytest.mark.parametrize("threads", [False, True])
def test_readers_go_on_and_a_second_time_nothing_is_left(tmp_path: Path, threads: bool) -> None:
    figures = measure(tmp_path / "memory.db", entries=2000, readers=2, alone=0.2, threads=threads, rest=0.001)
    assert min(figures.alone.count, figures.beside.count) > 0, figures
    assert (figures.stats["entries_before"], figures.stats["expired"]) == (2000, 100)
    assert int(str(figures.stats["merged"])) > 100
    assert figures.again["entries_before"] == figures.again["entries_after"] == figures.stats["entries_after"]


@pytest.mark.slow
def test_no_reader_of_a_large_scope_waits_long(tmp_path: Path) -> None:
    figures = measure(tmp_path / "memory.db", entries=100_000, readers=4, alone=15.0)
    assert figures.beside.p99 - figures.alone.p99 < MOST_LONGER, figures
    assert (figures.again["merged"], figures.again["pruned"]) == (0, 0)


@pytest.mark.parametrize("rounds", [2, pytest.param(30, marks=pytest.mark.slow)])
def test_a_killed_consolidation_goes_on_where_it_stopped(tmp_path: Path, rounds: int) -> None:
    """Each batch is whole: however often it is killed, every sighting of what is live is counted once."""
    path = tmp_path / "memory.db"
    fill(path, 3000)
    code = (
        "import sys; from memoranda import Memory\n"
        "memory = Memory(sys.argv[1], embedder=None)\n"
        f"memory.scope({SCOPE!r}).consolidate(on_progress=lambda _: print(flush=True))"
    )
    for _ in range(rounds):
        with subprocess.Popen([sys.executable, "-c", code, str(path)], cwd=ROOT, stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            child.kill()
        with Memory(path, embedder=None) as memory:
            assert sum(entry.seen_count for entry in memory.scope(SCOPE).list(limit=3000)) == 2850
    with Memory(path, embedder=None) as memory:
        scope = memory.scope(SCOPE)
        assert scope.consolidate().entries_after < 2850 - 200
        assert sum(entry.seen_count for entry in scope.list(limit=3000)) == 2850
        assert scope.consolidate().merged == 0
