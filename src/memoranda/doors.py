"""Doors of packages: each public name is loaded when it is first used, so importing a package costs next to nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def door(
    package: str, names: Sequence[str], homes: Mapping[str, Sequence[str]], renamed: Mapping[str, str] | None = None
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """Returns the functions `__getattr__` and `__dir__` of a package (PEP 562).

    Args:
        package: its name.
        names: its public names, `__all__`.
        homes: for each module, by its name below `memoranda`, the names that it has.
        renamed: for a name that is called otherwise in its module, what it is called there.
    """
    home_of = {name: home for home, there in homes.items() for name in there}
    called = renamed or {}

    def load(name: str) -> object:
        there = called.get(name, name)
        if there not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"memoranda.{home_of[there]}"), there)
        setattr(sys.modules[package], name, value)  # so it is asked for once
        return value

    return load, lambda: sorted(names)
