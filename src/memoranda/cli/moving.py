"""Commands that move memories between files and the store: import, dump, load."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.options import CATEGORIES
from memoranda.cli.state import State
from memoranda.text.clean import printable

if TYPE_CHECKING:
    from memoranda.service.operations import ImportReport, Progress

_FILE = click.Path(path_type=Path, allow_dash=False)
_FORMATS = ("plain", "markdown", "jsonlines", "chatgpt", "claude", "claude-code", "chat", "responses", "anthropic")
_SKIPPED_SHOWN = 20


@verb("import conversations.json", "import notes.md facts.jsonl --scope acme/alice")
@click.argument("files", nargs=-1, required=True, type=_FILE, metavar="FILE...")
@click.option("--format", type=click.Choice(_FORMATS), help="The format; told from each file by default.")
@click.option("--category", type=CATEGORIES, metavar="KIND", help="The kind of every record, instead of its own.")
def import_command(state: State, files: tuple[Path, ...], format: str | None, category: str | None) -> None:
    """Imports text, Markdown, JSON lines, messages, or an export of ChatGPT, Claude or Claude Code.

    Speakers, times, sources and sessions are kept; an export is read as .json or as the .zip it came in. Importing the
    same FILE again adds nothing. What cannot be read is left out and reported with its place.
    """
    from memoranda.service.operations import Importer

    with state.scope_by_meaning() as scope:
        importer = Importer(scope, format=format, category=category)
        reports = []
        for file in files:
            with _progress(file) as progress:
                reports.append(importer.run(file, progress))
            if not state.json:
                _show_import(reports[-1])
    if state.json:
        render.show_json({"files": [report.to_json() for report in reports]})


def _show_import(report: ImportReport) -> None:
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in report.outcomes.items())
    parts = [
        f"{report.imported} imported" + (f" ({outcomes})" if outcomes else ""),
        f"{report.unchanged} there already" if report.unchanged else "",
        f"{len(report.skipped)} left out" if report.skipped else "",
        f"{sum(report.redacted.values())} secrets masked" if report.redacted else "",
    ]
    render.show_lines(f"{report.file} ({report.format}): {', '.join(part for part in parts if part)}")
    for one in report.skipped[:_SKIPPED_SHOWN]:
        render.note(f"  left out: {one.where}: {one.reason}")
    if len(report.skipped) > _SKIPPED_SHOWN:
        render.note(f"  ... and {len(report.skipped) - _SKIPPED_SHOWN} more; --json lists them all")


@contextmanager
def _progress(file: Path) -> Iterator[Progress | None]:
    """Gives a progress bar on stderr, where a person can see it."""
    if not render.progress_is_seen():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("{task.fields[file]}", markup=False), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("import", file=printable(file.name, keep_newlines=False), total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@verb("dump backup.jsonl --scope acme/alice", alias="export")
@click.argument("file", type=_FILE)
@click.option("--force", is_flag=True, help="Replace FILE even if it is no dump.")
def dump_command(state: State, file: Path, force: bool) -> None:
    """Writes the scope to FILE as JSON lines.

    Superseded entries and revisions are included. FILE is complete or not there. An earlier dump in its place is
    replaced; another file is not.
    """
    from memoranda.service.operations import check_replaceable

    if not force:
        check_replaceable(file)
    with state.scope() as scope:
        count, path = scope.dump(file), scope.path
    if state.json:
        render.show_json({"file": render.plain_name(str(file)), "scope": path, "entries": count})
        return
    render.show_lines(f"{count} entries of scope {path} written to {file}")


@verb("load backup.jsonl --scope acme/alice")
@click.argument("file", type=_FILE)
def load_command(state: State, file: Path) -> None:
    """Adds the entries of the dump FILE to the scope.

    What is stored already stays as it is. Lines that cannot be loaded are left out and reported with their number.
    """
    with state.scope() as scope:
        report = scope.load(file)
    if state.json:
        from memoranda.service.views import stats_view

        render.show_json(stats_view(report))
        return
    render.show_lines(f"{report.added} added, {report.unchanged} there already, {len(report.refused)} left out")
    if report.added and state.embedding().used is not None:
        render.note("words find them now; `memoranda reembed` makes their vectors, so that meaning finds them too")
    for one in report.refused[:_SKIPPED_SHOWN]:
        render.note(f"  left out: line {one.line}: {one.reason}")
