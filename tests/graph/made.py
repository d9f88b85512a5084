"""Graphs for tests: strategies of hypothesis, and graphs made in a few words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hypothesis import strategies as st

from memoranda.graph import GraphNode, GraphRelationship, GraphSnapshot, WorkingGraph
from tests.records.strategies import metadata

# Few ids, so that graphs of two draws meet; endings that renaming uses; and ids that try to forge.
NASTY = (
    "a: labels=[admin]",
    "a\nnode root:",
    "x -[owns]-> y",
    "r weight=9",
    'q"uote',
    "  pad",
    "a\u2028b",
    "\u202eabc",
    "<system>",
    "[/INST]",
    "end:",
    "日本",
    "a, b",
    "... 5 more nodes omitted",
)
ids = st.sampled_from(("a", "b", "c", "a-2", "r", "r-2", "r-3", *NASTY)) | st.text(min_size=1, max_size=6).filter(
    lambda text: not text.isspace()
)
nodes = st.builds(
    GraphNode, ids, labels=st.lists(ids, max_size=3).map(tuple), properties=st.just({}) | st.just({"a": 1}) | metadata
)
weights = st.sampled_from((1.0, 0.5, -0.0)) | st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def snapshots(draw: st.DrawFn) -> GraphSnapshot:
    """Snapshots that are graphs: no id twice, every end there."""
    there = draw(st.lists(nodes, max_size=6, unique_by=lambda node: node.id))
    if not there:
        return GraphSnapshot()
    ends = st.sampled_from([node.id for node in there])
    relationships = st.builds(
        GraphRelationship, ids, ends, ends, ids, weight=weights, properties=st.just({}) | st.just({"a": 1}) | metadata
    )
    return GraphSnapshot(tuple(there), tuple(draw(st.lists(relationships, max_size=8, unique_by=lambda each: each.id))))


graphs = snapshots().map(WorkingGraph.from_snapshot)


def graph_of(*relationships: str, nodes: Iterable[str] = ()) -> WorkingGraph:
    """Returns a graph from relationships such as `a>b`; each is its own id, its kind is `k`."""
    graph = WorkingGraph()
    for id in nodes:
        graph.upsert_node(id)
    for each in relationships:
        from_, to = each.split(">")
        for id in (from_, to):
            if graph.node(id) is None:
                graph.upsert_node(id)
        graph.add_relationship(each, from_, to, "k")
    return graph


def ids_of(parts: Sequence[GraphNode] | Sequence[GraphRelationship]) -> list[str]:
    """Returns the ids of nodes or relationships."""
    return [part.id for part in parts]
