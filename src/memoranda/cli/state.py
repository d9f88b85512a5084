"""What the options that every command shares say, and the memory that they lead to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from memoranda.runtime.sync import Memory, Scope
    from memoranda.service.settings import Configuration


@dataclass(slots=True)
class State:
    """The shared options of one call of the command line.

    Attributes:
        json: whether the answer is one JSON document.
        config: the configuration file that was named; None when none was.
        flags: store, scope and settings as flags gave them, by name.
    """

    json: bool = False
    config: str | None = None
    flags: dict[str, str] = field(default_factory=dict)

    def configuration(self) -> Configuration:
        """Returns store, scope and settings from flags, environment, file and defaults.

        Raises:
            click.UsageError: one of them holds a name or a value that cannot be used.
        """
        from memoranda.errors import InvalidInput
        from memoranda.service.settings import configure

        try:
            return configure(flags=self.flags, environ=os.environ, file=self.file())
        except InvalidInput as error:
            raise click.UsageError(str(error)) from error

    def file(self) -> Path | None:
        """Returns the configuration file that is read; None for none."""
        from memoranda.service.settings import find_file

        return find_file(self.config or os.environ.get("MEMORANDA_CONFIG") or None, Path.cwd())

    @contextmanager
    def memory(self) -> Iterator[Memory]:
        """Opens the store, and closes it in the end."""
        with self._opened() as (memory, _):
            yield memory

    @contextmanager
    def scope(self) -> Iterator[Scope]:
        """Opens the store, gives the chosen scope of it, and closes the store in the end."""
        with self._opened() as (memory, path):
            yield memory.scope(path)

    @contextmanager
    def _opened(self) -> Iterator[tuple[Memory, str]]:
        from memoranda.records.scope import Scope as ScopePath
        from memoranda.runtime.memory import OWN_FILE
        from memoranda.runtime.sync import Memory

        chosen = self.configuration()
        # A path that cannot be a scope is told before a file is made for it.
        path = ScopePath.of(chosen.scope).path
        target = OWN_FILE if chosen.store is None else chosen.store
        with Memory(target, settings=chosen.settings) as memory:
            yield memory, path
