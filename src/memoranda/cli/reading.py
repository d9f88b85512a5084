"""Commands that read entries: recall, list, get, revisions, count."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.options import Moment, filter_options
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.recall.recalled import Recalled
    from memoranda.records.entry import JsonValue, MemoryEntry


@verb(
    'recall "which port does staging use?"',
    'recall "which port does staging use?" --as-of 2026-04-01T00:00Z --explain',
    'recall "which port does staging use?" --why-not 0b8f6c1e-...',
)
@click.argument("query")
@click.option("--limit", type=int, metavar="N", help="Most hits; 8 by default, none for 0 or less.")
@filter_options
@click.option("--also", multiple=True, metavar="PATH", help="A further scope to read; may be given several times.")
@click.option("--as-of", type=Moment(), metavar="TIME", help="What held at that moment, instead of now.")
@click.option("--min-score", type=float, metavar="SHARE", help="Least score of a hit, 0 to 1.")
@click.option("--explain", is_flag=True, help="Show the parts of each score, and what was left out.")
@click.option("--why-not", metavar="ID", help="Say why the entry ID is not among the hits, or at which place it is.")
def recall_command(state: State, query: str, explain: bool, why_not: str | None, **given: Any) -> None:
    """Finds what answers QUERY, best first, each with the reason.

    An empty QUERY gives the newest. A hit means what the query means, or has a word of it, or stands beside an entry
    that has one; finding nothing is an answer and no error.
    """
    with state.scope_by_meaning() as scope:
        if why_not is not None:
            _show_why_not(state, query, why_not, scope.why_not(query, why_not, **_filters(given)))
            return
        recalled = scope.recall(query, **_filters(given))
    if state.json:
        from memoranda.service.views import recalled_view

        render.show_json(recalled_view(recalled))
        return
    if not recalled.hits:
        render.note("nothing that answers this was found")
    else:
        _show_hits(recalled, explain)
    if explain:
        from memoranda.cli.explaining import show_explanation

        show_explanation(recalled)


def _show_hits(recalled: Recalled, numbered: bool) -> None:
    render.show_records(
        (*(["hit"] if numbered else []), "score", "memory", "category", "time", "because"),
        [
            (
                *([str(number)] if numbered else []),
                f"{hit.score:.3f}",
                render.memory_cell(hit.entry),
                hit.entry.category.value,
                render.happened(hit.entry),
                hit.because,
            )
            for number, hit in enumerate(recalled, 1)
        ],
    )


def _show_why_not(state: State, query: str, id: str, why: str) -> None:
    if state.json:
        render.show_json({"query": query, "id": id, "why": why})
        return
    render.show_lines(why)


@verb("list --limit 20", "list --category preference --tag mira --json")
@click.option("--limit", type=int, default=100, show_default=True, metavar="N", help="Most entries of the page.")
@click.option("--after", metavar="ID", help="The last id of the page before.")
@filter_options
@click.option("--superseded", is_flag=True, help="Show superseded, retracted and expired entries too.")
def list_command(state: State, limit: int, superseded: bool, **given: Any) -> None:
    """Lists live entries, newest first, a page at a time."""
    with state.scope() as scope:
        entries = scope.list(limit=limit, superseded=superseded, **_filters(given))
    if state.json:
        from memoranda.service.views import page_view

        render.show_json(page_view(entries, limit))
        return
    if not entries:
        render.note("no entries")
        return
    render.show_records(
        ("memory", "category", "time", "tags", *(["state"] if superseded else [])),
        [
            (
                render.memory_cell(entry),
                entry.category.value,
                render.happened(entry),
                ", ".join(entry.tags),
                *([_state(entry)] if superseded else []),
            )
            for entry in entries
        ],
    )
    if 0 < limit <= len(entries):
        render.note(f"for the next page: --after {entries[-1].id}")


@verb("get 0b8f6c1e-...", "get 0b8f6c1e-... --json")
@click.argument("id")
def get_command(state: State, id: str) -> None:
    """Shows the whole entry ID, superseded or not."""
    from memoranda.errors import EntryNotFound

    with state.scope() as scope:
        entry = scope.get(id)
    if entry is None:
        raise EntryNotFound(id)
    from memoranda.service.views import entry_view

    view = entry_view(entry)
    if state.json:
        render.show_json(view)
        return
    render.show_fields({name: _shown(name, value, entry) for name, value in view.items()})


@verb("revisions 0b8f6c1e-...")
@click.argument("id")
def revisions_command(state: State, id: str) -> None:
    """Shows what the entry ID was before, oldest first.

    The entries whose place it took are shown too.
    """
    with state.scope() as scope:
        revisions = scope.revisions(id)
    if state.json:
        from memoranda.service.views import revision_view

        render.show_json({"revisions": [revision_view(revision) for revision in revisions]})
        return
    if not revisions:
        render.note("it was never changed")
        return
    render.show_records(
        ("change", "memory", "time", "because"),
        [
            (
                f"{one.change.value}{' (undone)' if one.undone else ''}",
                render.memory_cell(one.entry),
                render.local_time(one.at),
                one.because,
            )
            for one in revisions
        ],
    )


@verb("count --scope acme/alice")
def count_command(state: State) -> None:
    """Counts the live entries of the scope."""
    with state.scope() as scope:
        count, path = scope.count(), scope.path
    if state.json:
        render.show_json({"scope": path, "count": count})
        return
    render.show_lines(str(count))


def _filters(given: dict[str, Any]) -> dict[str, Any]:
    """Leaves out the filters that were not given: an empty one would mean another thing than none."""
    return {name: value for name, value in given.items() if value not in (None, ())}


def _state(entry: MemoryEntry) -> str:
    if entry.is_retracted:
        return "retracted"
    return "live" if entry.superseded_by is None else f"superseded by {entry.superseded_by}"


def _shown(name: str, value: JsonValue, entry: MemoryEntry) -> str:
    """Returns a field for people: times in the local zone, lists and objects as they are written."""
    own = getattr(entry, name)
    if isinstance(own, datetime):
        return render.local_time(own)
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        import json

        return json.dumps(value, ensure_ascii=False) if value else ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
