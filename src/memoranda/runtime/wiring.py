"""From a target such as `agent.db` to a store."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from memoranda.errors import StoreUnavailable
from memoranda.protocols.store import MemoryStore
from memoranda.records.settings import Settings

STORES = "memoranda.stores"
"""Entry-point group of third-party stores: the name is a URL scheme, the object is called with URL and settings."""

OpenStore = Callable[[str, Settings], MemoryStore]


def open_store(target: str | os.PathLike[str], settings: Settings) -> MemoryStore:
    """Returns the store that a target names; it is opened later, at its first call or by its `open`.

    `:memory:` and a path are SQLite, taken literally; `sqlite:///path` too. Any other `scheme://...` is looked up
    among the installed packages.

    Raises:
        StoreUnavailable: no installed package serves the scheme.
    """
    from memoranda.stores.sqlite.store import SqliteStore

    text = os.fspath(target)
    scheme, separator, rest = text.partition("://")
    if not separator:
        return SqliteStore(text, settings=settings)
    if scheme == "sqlite":
        return SqliteStore(rest.removeprefix("/") or ":memory:", settings=settings)
    from importlib.metadata import entry_points

    found = {point.name: point for point in entry_points(group=STORES)}
    if scheme not in found:
        known = ", ".join(["a path", ":memory:", "sqlite:///path", *(f"{name}://" for name in sorted(found))])
        raise StoreUnavailable(f"no installed package keeps memories in {scheme!r}; what can be opened: {known}")
    try:
        opener: OpenStore = found[scheme].load()
    except (ImportError, AttributeError) as error:
        raise StoreUnavailable(
            f"the package that keeps {scheme}:// cannot be loaded ({error}); install it anew"
        ) from error
    return opener(text, settings)


def default_path() -> Path:
    """Returns the user's own memory file, in the folder for such data of this system; the folder is made."""
    from platformdirs import user_data_path

    try:
        return user_data_path("memoranda", appauthor=False, ensure_exists=True) / "memory.db"
    except OSError as error:
        raise StoreUnavailable(
            f"the folder of the user's own file cannot be made ({error}); give `Memory` a path"
        ) from error
