"""Showing answers: one JSON document for programs; tables, or blocks where the terminal is narrow, for people.

What is stored is shown through `printable`, so no text of it can act on the terminal, and never read as markup.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from memoranda.cli.state import State
from memoranda.text.clean import printable, storable

if TYPE_CHECKING:
    from rich.console import Console

    from memoranda.records.entry import JsonValue, MemoryEntry

TABLE_WIDTH = 100
"""Below this width records are shown as blocks: a table's columns would hold a word a line."""
PIPE_WIDTH = 120
"""Width of what is not written to a terminal and has no COLUMNS."""
EXCERPT = 400
"""Most characters of a text that a table shows; `get` shows the whole."""


def show_json(document: Mapping[str, JsonValue]) -> None:
    """Writes one JSON document to stdout; in ASCII where stdout cannot take other characters."""
    ascii_only = "utf" not in (sys.stdout.encoding or "").lower()
    click.echo(json.dumps(document, ensure_ascii=ascii_only, indent=2, default=str))


def show_lines(*lines: str) -> None:
    """Writes lines to stdout, control characters escaped."""
    for line in lines:
        click.echo(printable(line, keep_newlines=False))


def show_text(text: str) -> None:
    """Writes a text to stdout with its line breaks, other control characters escaped."""
    click.echo(printable(text))


def note(line: str) -> None:
    """Writes a remark to stderr, unless none are wanted."""
    if not _is_quiet():
        click.echo(printable(line, keep_newlines=False), err=True)


def progress_is_seen() -> bool:
    """Tells whether a person sees what is drawn on stderr, and wants to."""
    return sys.stderr.isatty() and not _is_quiet()


def _is_quiet() -> bool:
    context = click.get_current_context(silent=True)
    state = None if context is None else context.find_object(State)
    return state is not None and state.quiet


def local_time(moment: datetime | None) -> str:
    """Returns a moment in the time zone of this machine, to the minute; nothing for None."""
    if moment is None:
        return ""
    try:
        return moment.astimezone().isoformat(" ", "minutes")[:16]
    except (OverflowError, ValueError, OSError):
        # The first and last day of the calendar have no local time everywhere.
        return f"{moment.astimezone(UTC).isoformat(' ', 'minutes')[:16]} UTC"


def happened(entry: MemoryEntry) -> str:
    """Returns when an entry happened, else when it was recorded, for people."""
    return local_time(entry.occurred_at or entry.created_at)


def excerpt(text: str) -> str:
    """Returns the start of a long text, with a mark of the cut."""
    from memoranda.text.clamp import clamp_chars

    return clamp_chars(text, EXCERPT, "…")


def memory_cell(entry: MemoryEntry) -> str:
    """Returns what a table shows of an entry: its text, and below it its id, its key and how often it was said.

    A contested entry names those that it cannot be true together with.
    """
    parts = [entry.id, "" if entry.key is None else f"key {entry.key}"]
    parts.append(f"seen {entry.seen_count} times" if entry.seen_count > 1 else "")
    contested = f"\ncontested with {', '.join(entry.contested_with)}" if entry.contested_with else ""
    return f"{excerpt(entry.memory)}\n{' '.join(part for part in parts if part)}{contested}"


def show_records(columns: Sequence[str], rows: Iterable[Sequence[str]], *, wide: str = "memory") -> None:
    """Writes records as a table, or as blocks of lines where the terminal is narrow.

    Args:
        columns: the titles.
        rows: a cell for each column.
        wide: the column that takes most of the width, and that stands first in a block.
    """
    console = _console()
    if console.width < TABLE_WIDTH and wide in columns:
        _show_blocks(console, columns, rows, wide)
        return
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for title in columns:
        if title in (wide, "because", "reason"):
            table.add_column(
                title, ratio=3 if title == wide else 2, overflow="fold", min_width=36 if title == wide else 20
            )
        else:
            table.add_column(title, no_wrap=len(columns) > 2 and title != "tags", overflow="fold")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)


def show_numbers(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Writes a table of a name and numbers in each row, the numbers to the right."""
    console = _console()
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold", padding=(0, 1, 0, 0))
    for number, title in enumerate(columns):
        table.add_column(title, justify="right" if number else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    console.print(table)


def width() -> int:
    """Returns how many columns a line of the answer may take."""
    return _console().width


def _show_blocks(console: Console, columns: Sequence[str], rows: Iterable[Sequence[str]], wide: str) -> None:
    from rich.padding import Padding
    from rich.text import Text

    for number, row in enumerate(rows):
        if number:
            console.print()
        cells = dict(zip(columns, row, strict=True))
        console.print(Text(printable(cells.pop(wide)), overflow="fold"))
        for title, cell in cells.items():
            if cell:
                console.print(Padding(Text(f"{title}: {printable(cell)}", overflow="fold"), (0, 0, 0, 2), expand=False))


def show_fields(fields: Mapping[str, str]) -> None:
    """Writes names and values, one below the other; a field without a value is left out."""
    console = _console()
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in fields.items():
        if value:
            table.add_row(Text(name, style="bold"), Text(printable(value)))
    console.print(table)


def plain_value(value: str | int | float | bool | None) -> str:
    """Returns a setting as it is written in the environment and after `--set`."""
    if value is None:
        return "the user's own file"
    return str(value).lower() if isinstance(value, bool) else str(value)


def plain_name(path: str) -> str:
    """Returns a path as text that can be written; bytes of it that are no text become U+FFFD."""
    return storable(path)


def _console() -> Console:
    from rich.console import Console

    class Output(Console):
        """A console that leaves it to the program to end when the reader of its output has gone."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    width = None if sys.stdout.isatty() or os.environ.get("COLUMNS") else PIPE_WIDTH
    return Output(file=sys.stdout, width=width, markup=False, highlight=False, emoji=False, soft_wrap=False)
