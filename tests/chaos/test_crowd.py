"""Many processes and threads write and recall on one file (design D5, case L01)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.chaos.crowd import Figures, crowd


@pytest.mark.parametrize(
    ("processes", "threads", "seconds"), [(2, 2, 2.0), pytest.param(8, 4, 60.0, marks=pytest.mark.slow)]
)
def test_no_error_and_no_lost_update(tmp_path: Path, processes: int, threads: int, seconds: float) -> None:
    figures = crowd(tmp_path / "memory.db", processes, threads, seconds)
    assert figures.ok, figures
    assert min(figures.done[what] for what in ("keep", "recall", "count")) > 0, figures
    assert max(_waits(figures)) < 10.0, figures


def _waits(figures: Figures) -> list[float]:
    """The longest wait of each kind of call that is one transaction; tidying a scope is many."""
    return [seconds for what, seconds in figures.worst_wait.items() if what != "tidy"]


@pytest.mark.slow
def test_many_writers(tmp_path: Path, case: Callable[[str], dict[str, Any]]) -> None:
    """Case L01."""
    given = case("L01")["input"]
    figures = crowd(tmp_path / "memory.db", given["processes"], given["threads_each"], 600.0, given["ops_each"])
    assert figures.ok, figures
    assert figures.done["own"] == 2240
    assert max(_waits(figures)) < 10.0, figures
    assert figures.worst_opening < 1.0, figures
