"""No acknowledged entry is lost when the process that wrote it is killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chaos.kill import Figures, kill_rounds, look


@pytest.mark.parametrize("rounds", [5, pytest.param(200, marks=pytest.mark.slow)])
def test_no_acknowledged_entry_is_lost(tmp_path: Path, rounds: int) -> None:
    figures = kill_rounds(tmp_path / "memory.db", rounds, seed=rounds)
    assert figures.ok, figures
    assert figures.rounds == rounds
    assert figures.acknowledged >= rounds


def test_a_lost_entry_would_be_noticed(tmp_path: Path) -> None:
    kill_rounds(tmp_path / "memory.db", 1, seed=1)
    figures = Figures()
    look(tmp_path / "memory.db", "round/0", ["00000000-0000-4000-8000-00000000dead"], figures)
    assert figures.lost == ["00000000-0000-4000-8000-00000000dead"]
    assert not figures.ok
