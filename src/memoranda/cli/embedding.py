"""The command `reembed`: vectors for entries that have none of the present embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.state import State
from memoranda.records.entry import JsonValue

if TYPE_CHECKING:
    from memoranda.runtime.sync import Memory


@verb("reembed --scope acme/alice", "reembed --all --json")
@click.option("--all", "every", is_flag=True, help="Every scope of the store, one after the other.")
def reembed_command(state: State, every: bool) -> None:
    """Gives each live entry of the scope a vector of the present embedder.

    Needed after a change of the embedder, after `load`, and for what was written while there was none. It may be
    stopped at any time and goes on there when it is run again; words find everything meanwhile.
    """
    from memoranda.errors import EmbedderUnavailable

    if every and "scope" in state.flags:
        raise click.UsageError("give either --all or --scope")
    embedder = state.embedding()
    if embedder.used is None:
        raise EmbedderUnavailable(f"there is no embedder to make vectors with; {embedder.because}")
    with state.memory() as memory:
        paths = memory.scopes() if every else [state.configuration().scope]
        done = {path: _reembed(memory, path) for path in paths}
    total = sum(done.values())
    if state.json:
        scopes: list[JsonValue] = [{"scope": path, "embedded": count} for path, count in done.items()]
        render.show_json({"embedder": embedder.used.key, "embedded": total, "scopes": scopes})
        return
    if not total:
        whose = "the store" if every else f"scope {paths[0]}"
        render.show_lines(f"nothing to do: every live entry of {whose} has a vector of {embedder.used.name}")
        return
    render.show_lines(*(f"{path}: {count} entries got a vector" for path, count in done.items() if count))


def _reembed(memory: Memory, path: str) -> int:
    with _progress(path) as progress:
        return memory.reembed(path, progress)


@contextmanager
def _progress(path: str) -> Iterator[Callable[[int], None] | None]:
    """Gives a progress bar on stderr, where a person can see it. How much there is to do is not known before."""
    if not render.progress_is_seen():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    from memoranda.text.clean import printable

    name = TextColumn("{task.fields[scope]}", markup=False)
    columns = (name, BarColumn(), TextColumn("{task.completed:.0f} entries"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reembed", scope=printable(path, keep_newlines=False), total=None)
        yield lambda done: bar.update(task, completed=done)
