"""The doors of the package and of its rooms that stand alone."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import memoranda
import memoranda.compaction
import memoranda.graph
from memoranda.compaction.budget import RequestBudget

DOORS = (memoranda, memoranda.compaction, memoranda.graph)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_name_is_there_and_no_other(door: ModuleType) -> None:
    assert sorted(door.__all__) == dir(door)
    for name in door.__all__:
        assert getattr(door, name) is not None
    with pytest.raises(AttributeError, match=f"'{door.__name__}' has no attribute 'Nothing'"):
        _ = door.Nothing


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_opening_it_loads_nothing(door: ModuleType) -> None:
    seen = f"import sys, {door.__name__}; print(sorted(name for name in sys.modules if name.startswith('memoranda')))"
    printed = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == str(sorted({"memoranda", "memoranda.doors", door.__name__}))


def test_a_name_may_be_another_one_in_its_module() -> None:
    assert memoranda.compaction.Budget is RequestBudget
