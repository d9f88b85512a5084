"""Commands that read the working graph of a session: graph show, neighbors, stats, render, export."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, cast

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.in_session import NotInGraph, opened_graph, session_options
from memoranda.cli.state import State
from memoranda.records.graph import GraphContextConfig, GraphDirection, GraphNode, GraphRelationship

if TYPE_CHECKING:
    from memoranda.graph.snapshot import GraphSnapshot

_DEFAULTS = GraphContextConfig()
_of_session = session_options(required=True)


@verb("graph show --session s-1", "graph show --session s-1 --root ada", "graph show --session s-1 --format table")
@click.option("--format", type=click.Choice(["tree", "table"]), default="tree", show_default=True, help="How.")
@click.option("--root", metavar="ID", help="Show the tree that grows from this node; the most connected by default.")
@click.option("--limit", type=click.IntRange(1), metavar="N", default=200, show_default=True, help="Most lines, rows.")
@_of_session
def show_command(state: State, format: str, root: str | None, limit: int, **where: Any) -> None:
    """Shows the graph as trees, or as tables of nodes and relationships.

    A node has its place in one tree; where a further relationship leads to it, it is marked as standing elsewhere.
    """
    if root is not None and format != "tree":
        raise click.UsageError("--root belongs to --format tree")
    with opened_graph(state, **where) as graph:
        snapshot = graph.snapshot()
    if root is not None and all(node.id != root for node in snapshot.nodes):
        raise NotInGraph("node", root)
    if state.json:
        render.show_json(json.loads(snapshot.to_json()))
    elif not snapshot.nodes:
        render.note("the graph is empty; `graph add-node` and `graph import` fill it")
    elif format == "tree":
        _show_tree(snapshot, root, limit)
    else:
        _show_tables(snapshot, limit)


def _show_tree(snapshot: GraphSnapshot, root: str | None, limit: int) -> None:
    from memoranda.service.graphs.tree import ASCII, LINES, draw

    guides = LINES if "utf" in (sys.stdout.encoding or "").lower() else ASCII
    drawing = draw(snapshot, root=root, limit=limit, guides=guides)
    render.show_lines(*drawing.lines)
    _note_left_out(drawing.nodes_left_out, drawing.relationships_left_out)


def _show_tables(snapshot: GraphSnapshot, limit: int) -> None:
    nodes, relationships = snapshot.nodes[:limit], snapshot.relationships[:limit]
    render.show_records(
        ("node", "properties", "labels"),
        [(_name(node.id), _properties(node), _labels(node)) for node in nodes],
        wide="node",
    )
    if relationships:
        click.echo()
        render.show_records(
            ("relationship", "weight"),
            [(_relationship_cell(each), f"{each.weight:g}") for each in relationships],
            wide="relationship",
        )
    _note_left_out(len(snapshot.nodes) - len(nodes), len(snapshot.relationships) - len(relationships))


def _relationship_cell(each: GraphRelationship) -> str:
    ends = f"{_name(each.from_)} -[{_name(each.kind)}]-> {_name(each.to)}"
    return f"{ends}\n{_name(each.id)} {_properties(each)}"


def _name(name: str) -> str:
    """Returns an id or a kind on one line, as the tree shows it; so none can look like a further row."""
    from memoranda.graph.render import shown_name

    return render.excerpt(shown_name(name))


def _labels(node: GraphNode) -> str:
    from memoranda.graph.render import shown_name

    return render.excerpt(", ".join(shown_name(label, listed=True) for label in node.labels))


def _properties(part: GraphNode | GraphRelationship) -> str:
    return "" if part.properties_json == "{}" else render.excerpt(part.properties_json)


def _note_left_out(nodes: int, relationships: int) -> None:
    if nodes or relationships:
        render.note(f"not shown: {nodes} nodes, {relationships} relationships; see --limit and --root")


@verb("graph neighbors ada --session s-1", "graph neighbors ada --direction outgoing --session s-1")
@click.argument("id")
@click.option(
    "--direction",
    type=click.Choice([direction.value for direction in GraphDirection]),
    default="any",
    show_default=True,
    help="Along which relationships of the node.",
)
@_of_session
def neighbors_command(state: State, id: str, direction: str, **where: Any) -> None:
    """Shows the ids of the nodes to which the node ID is related, sorted."""
    with opened_graph(state, **where) as graph:
        loaded = graph.load()
    if loaded.node(id) is None:
        raise NotInGraph("node", id)
    neighbors = loaded.neighbors(id, direction)
    if state.json:
        render.show_json({"id": id, "direction": direction, "neighbors": list(neighbors)})
        return
    if not neighbors:
        render.note("no neighbours in that direction" if direction != "any" else "no neighbours")
    render.show_lines(*neighbors)


@verb("graph stats --session s-1")
@_of_session
def stats_command(state: State, **where: Any) -> None:
    """Counts nodes and relationships, by label and kind, and shows the most connected nodes."""
    from memoranda.service.graphs.count import stats_of

    with opened_graph(state, **where) as graph:
        stats = stats_of(graph.snapshot())
    if state.json:
        render.show_json(stats)
        return
    render.show_fields(
        {
            "nodes": f"{stats['nodes']} of at most {stats['max_nodes']}",
            "relationships": f"{stats['relationships']} of at most {stats['max_relationships']}",
            "alone": f"{stats['alone']} nodes without a relationship",
            **{name: _counts(cast("dict[str, int]", stats[name])) for name in ("labels", "kinds", "most_connected")},
        }
    )


def _counts(counts: dict[str, int]) -> str:
    return "\n".join(f"{_name(name)}: {count}" for name, count in counts.items())


@verb('graph render --text "where does Ada work?" --session s-1', "graph render --max-nodes 20 --session s-1")
@click.option("--text", default="", metavar="TEXT", help="Text of the turn, by which nodes are chosen.")
@click.option(
    "--max-nodes", type=click.IntRange(0), metavar="N", default=_DEFAULTS.max_nodes, show_default=True, help="Most."
)
@click.option(
    "--max-relationships",
    type=click.IntRange(0),
    metavar="N",
    default=_DEFAULTS.max_relationships,
    show_default=True,
    help="Most.",
)
@_of_session
def render_command(state: State, text: str, max_nodes: int, max_relationships: int, **where: Any) -> None:
    """Shows the graph as the text that a model is given.

    Where it has more than is shown, the nodes nearest to TEXT are chosen, then those touched last.
    """
    config = GraphContextConfig(max_nodes=max_nodes, max_relationships=max_relationships)
    with opened_graph(state, **where) as graph:
        rendered = graph.render(text, config)
    if state.json:
        render.show_json({"text": rendered})
        return
    if not rendered:
        render.note("the graph is empty, so no text")
        return
    render.show_text(rendered)


@verb("graph export --session s-1 > plan.json", "graph export --format dot --session s-1 | dot -Tsvg > plan.svg")
@click.option(
    "--format", type=click.Choice(["json", "dot"]), default="json", show_default=True, help="`dot` is for drawing."
)
@_of_session
def export_command(state: State, format: str, **where: Any) -> None:
    """Writes the whole graph to stdout, in UTF-8.

    As JSON it loses nothing, the same graph gives the same bytes, and `graph import` reads it. DOT is for Graphviz.
    """
    with opened_graph(state, **where) as graph:
        snapshot = graph.snapshot()
    if format == "json":
        click.echo(snapshot.to_json().encode())
        return
    from memoranda.service.graphs.dot import to_dot

    dot = to_dot(snapshot)
    if state.json:
        render.show_json({"dot": dot})
        return
    click.echo(dot.encode(), nl=False)
