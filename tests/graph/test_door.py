"""The room's door."""

from __future__ import annotations

import subprocess
import sys

import pytest

import memoranda.graph as door


def test_every_name_is_there_and_no_other() -> None:
    assert sorted(door.__all__) == dir(door)
    for name in door.__all__:
        assert getattr(door, name).__name__ == name
    with pytest.raises(AttributeError, match="Nothing"):
        _ = door.Nothing


def test_opening_it_loads_nothing() -> None:
    seen = "import sys, memoranda.graph; print([name for name in sys.modules if name.startswith('memoranda.')])"
    printed = subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == "['memoranda.graph']"
