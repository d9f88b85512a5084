"""Walks along relationships."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoranda.graph import GraphDirection, WorkingGraph
from tests.graph.made import graph_of, graphs, ids, ids_of


def test_neighbours_are_sorted_and_stand_once() -> None:
    """S4.36."""
    graph = graph_of("a>c", "a>b", "d>a", "a>a")
    graph.add_relationship("again", "a", "b", "other")
    assert graph.neighbors("a", GraphDirection.OUTGOING) == ["a", "b", "c"]
    assert graph.neighbors("a", GraphDirection.INCOMING) == ["a", "d"]
    assert graph.neighbors("a") == ["a", "b", "c", "d"]
    assert graph.neighbors("nobody") == []


def test_a_traversal_goes_level_by_level() -> None:
    """S4.36: each level sorted, the start first, cycles safe."""
    graph = graph_of("m>z", "m>b", "z>a", "b>y", "a>m", "y>q")
    assert graph.traverse("m", 0) == ["m"]
    assert graph.traverse("m", 1, "outgoing") == ["m", "b", "z"]
    assert graph.traverse("m", 2, "outgoing") == ["m", "b", "z", "a", "y"]
    assert graph.traverse("m", 99, "outgoing") == ["m", "b", "z", "a", "y", "q"]
    assert graph.traverse("m", 1) == ["m", "a", "b", "z"]
    assert graph.traverse("q", 1, "incoming") == ["q", "y"]
    assert graph.traverse("nobody", 3) == []


def test_connected_follows_outgoing_relationships() -> None:
    """S4.36."""
    graph = graph_of("a>b", "b>c", "c>a", "d>a")
    assert graph.is_connected("a", "c")
    assert not graph.is_connected("a", "d")
    assert graph.is_connected("d", "c")
    assert graph.is_connected("d", "d")
    assert not graph.is_connected("nobody", "nobody")
    assert not graph.is_connected("a", "nobody")


@given(graphs, ids, ids)
def test_what_is_connected_is_what_a_traversal_reaches(graph: WorkingGraph, one: str, other: str) -> None:
    """S4.36."""
    assert graph.is_connected(one, other) == (other in graph.traverse(one, len(graph), "outgoing"))


@given(graphs, st.integers(0, 4), st.sampled_from(GraphDirection))
def test_a_traversal_visits_once_and_grows_with_depth(graph: WorkingGraph, depth: int, along: GraphDirection) -> None:
    """S4.36."""
    for start in ids_of(graph.nodes()):
        found = graph.traverse(start, depth, along)
        assert len(set(found)) == len(found)
        further = graph.traverse(start, depth + 1, along)
        assert further[: len(found)] == found
        assert set(further) == set(found).union(*(graph.neighbors(id, along) for id in found))
