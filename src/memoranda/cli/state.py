"""What the options that every command shares say, and the memory that they lead to."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

if TYPE_CHECKING:
    from memoranda.protocols.embedder import EmbedderIdentity
    from memoranda.runtime.sync import Memory, Scope
    from memoranda.service.settings import Configuration


EMBEDDERS = ("default", "none")
"""What `--embedder` and MEMORANDA_EMBEDDER may say."""
_EMBEDDER = "MEMORANDA_EMBEDDER"


@dataclass(frozen=True, slots=True)
class Embedding:
    """What recall works with.

    Attributes:
        chosen: one of `EMBEDDERS`.
        source: where that comes from: `default`, the flag, or the environment variable.
        used: the identity of the embedder that makes vectors; None for words only.
        because: why, in words for people.
    """

    chosen: str
    source: str
    used: EmbedderIdentity | None
    because: str


@dataclass(slots=True)
class State:
    """The shared options of one call of the command line.

    Attributes:
        json: whether the answer is one JSON document.
        quiet: whether remarks and progress are left out.
        embedder: what `--embedder` says; None when it was not given.
        config: the configuration file that was named; None when none was.
        flags: store, scope and settings as flags gave them, by name.
    """

    json: bool = False
    quiet: bool = False
    embedder: str | None = None
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

    def embedding(self) -> Embedding:
        """Returns which embedder is used, and why.

        Raises:
            click.UsageError: the environment names one that cannot be chosen.
        """
        chosen, source = self._chosen_embedder()
        if chosen == "none":
            return Embedding(chosen, source, None, f"recall works with words only: {source} says so")
        from memoranda.models import weights
        from memoranda.models.default import default_embedder

        found = default_embedder()
        if found.embedder is None:
            return Embedding(chosen, source, None, str(found.reason))
        place = weights.folder_of(found.embedder.card)
        because = f"recall works with meaning and words: {found.embedder.card.name} is in {place}"
        return Embedding(chosen, source, found.embedder.identity, because)

    def _chosen_embedder(self) -> tuple[str, str]:
        given = os.environ.get(_EMBEDDER, "").strip()
        if self.embedder is not None:
            return self.embedder, "--embedder"
        if given not in ("", *EMBEDDERS):
            raise click.UsageError(f"{_EMBEDDER} is {given!r}; it must be {' or '.join(EMBEDDERS)}")
        return (given, _EMBEDDER) if given else (EMBEDDERS[0], "default")

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
    def scope_by_meaning(self) -> Iterator[Scope]:
        """Gives the chosen scope to a command that makes or compares vectors.

        When that is done, a remark says how to get the default embedder where it was meant to work and is not here.
        """
        with self.scope() as scope:
            yield scope
        self.say_words_only()

    def say_words_only(self) -> None:
        """Says once, to people, that words alone were worked with where the default embedder is not here."""
        if self.json or self.quiet:
            return
        from memoranda.text.clean import printable

        found = self.embedding()
        if found.chosen == EMBEDDERS[0] and found.used is None:
            click.echo(printable(found.because, keep_newlines=False), err=True)

    @contextmanager
    def _opened(self) -> Iterator[tuple[Memory, str]]:
        from memoranda.records.scope import Scope as ScopePath
        from memoranda.runtime.memory import OWN_FILE
        from memoranda.runtime.sync import Memory

        chosen = self.configuration()
        # A path that cannot be a scope is told before a file is made for it.
        path = ScopePath.of(chosen.scope).path
        target = OWN_FILE if chosen.store is None else chosen.store
        embedder: Literal["default"] | None = None if self._chosen_embedder()[0] == "none" else "default"
        with Memory(target, settings=chosen.settings, embedder=embedder) as memory:
            yield memory, path
