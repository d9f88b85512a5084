"""Commands that change the working graph of a session: graph import, add-..., remove-..., clear, erase."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memoranda.cli import failures, render
from memoranda.cli.asking import ask
from memoranda.cli.command import verb
from memoranda.cli.in_session import NotInGraph, opened_graph, session_options, show_erased
from memoranda.cli.options import JsonObject, text_of
from memoranda.cli.state import State
from memoranda.records.graph import MergePolicy

if TYPE_CHECKING:
    from memoranda.graph.merge import MergeReport
    from memoranda.graph.working import WorkingGraph
    from memoranda.records.entry import JsonValue

_FILE = click.Path(path_type=Path, allow_dash=True)
_SHOWN = 20
_of_session = session_options(required=True)


@verb(
    "graph import plan.json --session s-1",
    "graph import rows.json --schema schema.json --merge overwrite --session s-1",
    "graph import - --replace --session s-1 < plan.json",
)
@click.argument("file", type=_FILE)
@click.option("--schema", type=_FILE, metavar="FILE", help="FILE holds the rows of an extraction by this schema.")
@click.option(
    "--merge",
    type=click.Choice([policy.value for policy in MergePolicy]),
    help="Where a node is there already: keep it, which is the default, or overwrite it.",
)
@click.option("--replace", is_flag=True, help="Remove first what is there.")
@_of_session
def import_command(
    state: State, file: Path, schema: Path | None, merge: str | None, replace: bool, **where: Any
) -> None:
    """Merges the graph of FILE (`-` for stdin) into the graph of the session.

    FILE is what `graph export` writes. All of it is checked first: where anything is wrong, nothing is changed.
    """
    if replace and merge is not None:
        raise click.UsageError("give either --merge or --replace")
    if schema is not None and str(file) == str(schema) == "-":
        raise click.UsageError("only one of FILE and --schema can be stdin")
    incoming = _read(file, schema)
    with opened_graph(state, **where) as graph:
        report = graph.edit(lambda there: _taken_in(there, incoming, merge or MergePolicy.KEEP, replace))
    _show_import(state, report)


def _taken_in(there: WorkingGraph, incoming: WorkingGraph, policy: str, replace: bool) -> MergeReport:
    if replace:
        there.clear()
    return there.merge(incoming, policy)


def _read(file: Path, schema: Path | None) -> WorkingGraph:
    from memoranda.service.graphs.reading import extracted, graph_of, schema_of

    tables = None if schema is None else schema_of(_text(schema), _named(schema))
    text = _text(file)
    return graph_of(text, _named(file)) if tables is None else extracted(text, _named(file), tables)


def _text(file: Path) -> str:
    if str(file) == "-":
        return text_of("-")
    from memoranda.service.importing.reading import read_text

    return read_text(file)


def _named(file: Path) -> str:
    return "stdin" if str(file) == "-" else render.plain_name(file.name)


def _show_import(state: State, report: MergeReport) -> None:
    if state.json:
        render.show_json({name: dict(value) if name == "renamed" else value for name, value in asdict(report).items()})
        return
    render.show_lines(
        f"nodes: {report.nodes_added} added, {report.nodes_overwritten} overwritten, {report.nodes_kept} kept",
        f"relationships: {report.relationships_added} added, {report.relationships_overwritten} overwritten, "
        f"{report.relationships_renamed} renamed, {report.relationships_unchanged} there already",
    )
    render.show_lines(*(f"  renamed  {old} -> {new}" for old, new in list(report.renamed.items())[:_SHOWN]))
    if len(report.renamed) > _SHOWN:
        render.note(f"  ... and {len(report.renamed) - _SHOWN} more; --json lists them all")


@verb(
    "graph add-node ada --label person --session s-1",
    "graph add-node ada --label person --properties '{\"born\": 1815}' --session s-1",
)
@click.argument("id")
@click.option("--label", "labels", multiple=True, metavar="TEXT", help="What sort of thing it is; several times.")
@click.option("--properties", type=JsonObject(), metavar="JSON", help="Further facts, as a JSON object.")
@_of_session
def add_node_command(
    state: State, id: str, labels: tuple[str, ...], properties: dict[str, JsonValue] | None, **where: Any
) -> None:
    """Puts the node ID. Where it is there already, its labels and properties are replaced as a whole."""
    with opened_graph(state, **where) as graph:
        is_new = graph.upsert_node(id, labels=labels, properties=properties)
    _show_change(state, "added" if is_new else "replaced", "node", id)


@verb(
    "graph add-relationship r1 ada engines works_at --session s-1",
    "graph add-relationship r2 ada charles knows --weight 0.8 --session s-1",
)
@click.argument("id")
@click.argument("from_", metavar="FROM")
@click.argument("to")
@click.argument("kind")
@click.option("--weight", type=float, metavar="NUMBER", default=1.0, show_default=True, help="How strongly.")
@click.option("--properties", type=JsonObject(), metavar="JSON", help="Further facts, as a JSON object.")
@_of_session
def add_relationship_command(
    state: State,
    id: str,
    from_: str,
    to: str,
    kind: str,
    weight: float,
    properties: dict[str, JsonValue] | None,
    **where: Any,
) -> None:
    """Puts the relationship ID from the node FROM to the node TO, which must be there.

    One of the same ID is replaced.
    """
    with opened_graph(state, **where) as graph:
        changed = graph.add_relationship(id, from_, to, kind, weight=weight, properties=properties)
    _show_change(state, "put" if changed else "unchanged", "relationship", id)


@verb("graph remove-node ada --session s-1")
@click.argument("id")
@_of_session
def remove_node_command(state: State, id: str, **where: Any) -> None:
    """Removes the node ID and every relationship of it."""
    with opened_graph(state, **where) as graph:
        if not graph.remove_node(id):
            raise NotInGraph("node", id)
    _show_change(state, "removed", "node", id)


@verb("graph remove-relationship r1 --session s-1")
@click.argument("id")
@_of_session
def remove_relationship_command(state: State, id: str, **where: Any) -> None:
    """Removes the relationship ID; its nodes stay."""
    with opened_graph(state, **where) as graph:
        if not graph.remove_relationship(id):
            raise NotInGraph("relationship", id)
    _show_change(state, "removed", "relationship", id)


@verb("graph clear --session s-1", "graph clear --session s-1 --yes")
@click.option("--yes", is_flag=True, help="Do not ask before.")
@_of_session
def clear_command(state: State, yes: bool, **where: Any) -> None:
    """Removes all nodes and relationships of the session's graph. It asks before, since nothing brings them back."""
    with opened_graph(state, **where) as graph:
        there = graph.load()
        nodes, relationships = len(there), there.relationship_count()
        if nodes:
            ask(f"Remove all {nodes} nodes and {relationships} relationships of this graph?", yes)
            graph.clear()
    if state.json:
        render.show_json({"nodes": nodes, "relationships": relationships})
        return
    render.show_lines(f"removed: {nodes} nodes, {relationships} relationships")


@verb("graph erase --session s-1", "graph erase --session s-1 --yes --json")
@click.option("--yes", is_flag=True, help="Do not ask before.")
@_of_session
@click.pass_context
def erase_command(ctx: click.Context, /, state: State, yes: bool, **where: Any) -> None:
    """Erases the session's graph and what it was before for good, and shows the receipt.

    It asks before, since nothing brings it back. It ends with 5 while something stands in the way of the proof.
    """
    with opened_graph(state, **where) as graph:
        ask("Erase this graph and all that it was before for good?", yes)
        receipt = graph.erase()
    show_erased(state, "graph", receipt)
    if receipt.verified != "yes":
        ctx.exit(failures.PENDING)


def _show_change(state: State, outcome: str, what: str, id: str) -> None:
    if state.json:
        render.show_json({"outcome": outcome, what: id})
        return
    render.show_lines(f"{outcome}: {what} {render.excerpt(id)}")
