"""Which nodes and relationships are shown."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.graph import GraphContextConfig, WorkingGraph
from tests.graph.made import graph_of, graphs


def shown(graph: WorkingGraph, text: str = "", **config: Any) -> tuple[list[str], list[str]]:
    """Returns the ids of the nodes and relationships that are rendered."""
    lines = graph.render(text, GraphContextConfig(**config)).splitlines()
    kinds = [[line.split()[1].strip('":') for line in lines if line.startswith(kind)] for kind in ("node ", "rel ")]
    return kinds[0], kinds[1]


def test_the_nearest_nodes_come_first_then_those_touched_last() -> None:
    graph = graph_of(nodes=("ada", "bob", "cat", "dan", "eve"))
    assert shown(graph, max_nodes=2)[0] == ["dan", "eve"]
    assert shown(graph, "what of Ada?", max_nodes=2)[0] == ["ada", "eve"]
    assert shown(graph, "Cat and Bob?", max_nodes=2)[0] == ["bob", "cat"]
    assert shown(graph, "Cat, Bob and Ada?", max_nodes=2)[0] == ["bob", "cat"]
    graph.upsert_node("ada")
    assert shown(graph, "Cat, Bob and Ada?", max_nodes=2)[0] == ["ada", "cat"]
    assert shown(graph, max_nodes=2)[0] == ["ada", "eve"]


def test_a_relationship_touches_both_its_ends() -> None:
    graph = graph_of(nodes="abcdef")
    graph.add_relationship("r", "b", "d", "k")
    assert shown(graph, max_nodes=2)[0] == ["b", "d"]
    graph.upsert_node("a")
    graph.upsert_node("c")
    assert shown(graph, max_nodes=2)[0] == ["a", "c"]
    assert not graph.add_relationship("r", "b", "d", "k")
    assert shown(graph, max_nodes=2)[0] == ["b", "d"]


def test_a_merge_touches_what_came_in_and_one_step_is_ordered_by_id() -> None:
    graph = graph_of(nodes=("p", "q", "a", "b", "c", "z"))
    other = graph_of(nodes=("c", "b", "a"))
    graph.merge(other)
    assert shown(graph, max_nodes=2)[0] == ["a", "b"]
    assert shown(graph, max_nodes=4)[0] == ["a", "b", "c", "z"]
    read = WorkingGraph.from_snapshot(graph.snapshot())
    assert shown(read, max_nodes=3)[0] == ["a", "b", "c"]
    graph.replace(graph_of(nodes=("y", "x", "w")))
    assert shown(graph, max_nodes=1)[0] == ["w"]


def test_a_part_remembers_what_was_touched_last() -> None:
    graph = graph_of(nodes="abc")
    graph.upsert_node("b")
    assert shown(graph.subgraph(list("abc")), max_nodes=1)[0] == ["b"]


def test_relationships_between_shown_nodes_come_before_those_with_one_end_shown() -> None:
    graph = graph_of("z>a", "a>b", "b>a", "a>y", "y>z", nodes="zyab")
    graph.upsert_node("a")
    graph.upsert_node("b")
    assert shown(graph, max_nodes=2, max_relationships=9) == (["a", "b"], ["a>b", "a>y", "b>a", "z>a"])
    assert shown(graph, max_nodes=2, max_relationships=3)[1] == ["a>b", "a>y", "b>a"]
    assert shown(graph, max_nodes=2, max_relationships=2)[1] == ["a>b", "b>a"]
    graph.add_relationship("a>b", "a", "b", "new")
    assert shown(graph, max_nodes=2, max_relationships=1)[1] == ["a>b"]


def test_the_seeds_order_is_that_of_ids() -> None:
    """S4.42."""
    graph = graph_of("z>y", "y>x", "b>a", "a>z")
    assert shown(graph, "what of y and z?", max_nodes=2, max_relationships=2, order="id") == (
        ["a", "b"],
        ["a>z", "b>a"],
    )


@pytest.mark.parametrize("order", ["relevant", "id"])
def test_a_limit_of_0_shows_only_counts(order: str) -> None:
    graph = graph_of("a>b")
    assert shown(graph, "a", max_nodes=0, max_relationships=0, order=order) == ([], [])


@given(graphs, st.text(max_size=20), st.integers(0, 8), st.integers(0, 10))
def test_as_many_are_shown_as_there_is_room_for(graph: WorkingGraph, text: str, nodes: int, relationships: int) -> None:
    """S4.43: within the bounds, and the same each time."""
    config = GraphContextConfig(max_nodes=nodes, max_relationships=relationships)
    lines = graph.render(text, config).split("\n")
    assert sum(line.startswith("node ") for line in lines) == min(nodes, len(graph))
    assert sum(line.startswith("rel ") for line in lines) <= relationships
    if nodes >= len(graph):
        assert sum(line.startswith("rel ") for line in lines) == min(relationships, graph.relationship_count())
    assert graph.render(text, config) == "\n".join(lines)
