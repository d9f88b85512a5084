"""Optional packages: imported when first used, and missed in words that say how to get them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from memoranda.errors import EmbedderUnavailable


def require(name: str, extra: str) -> Any:
    """Imports an optional module and returns it.

    Raises:
        EmbedderUnavailable: it is not installed; the message names the extra that brings it.
    """
    try:
        module: ModuleType = import_module(name)
    except ImportError as error:
        raise EmbedderUnavailable(f"{name} cannot be imported ({error}): {advice(extra)}") from error
    return module


def absent(names: tuple[str, ...]) -> list[str]:
    """Returns those of the modules that are not installed, without importing any."""
    return [name for name in names if find_spec(name) is None]


def advice(extra: str) -> str:
    """Says how to get what an extra brings."""
    return f"run `pip install 'memoranda[{extra}]'`"
