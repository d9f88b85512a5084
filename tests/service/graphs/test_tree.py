"""A graph drawn as trees."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidGraph
from memoranda.graph import GraphSnapshot, WorkingGraph
from memoranda.service.graphs.tree import ASCII, DEPTH, Drawing, draw
from tests.graph.made import graph_of

LINE = re.compile(r"((?:\|   |    )*)(?:[+`]-- (-\[k\]->|<-\[k\]-) )?(\w+)(?: \((elsewhere|itself|not shown)\))?")
few = st.integers(0, 9).map(str)


@st.composite
def plain_graphs(draw: st.DrawFn) -> WorkingGraph:
    pairs = draw(st.lists(st.tuples(few, few), max_size=20, unique=True))
    return graph_of(*(f"{a}>{b}" for a, b in pairs), nodes=draw(st.lists(few, max_size=4)))


def read(drawing: Drawing) -> tuple[list[str], list[str]]:
    """The nodes that have their place, and the relationships `a>b`, as a reader of the lines finds them."""
    nodes, relationships, above = list[str](), list[str](), list[str]()
    for line in drawing.lines:
        found = LINE.fullmatch(line)
        assert found, line
        depth = 0 if found[2] is None else len(found[1]) // 4 + 1
        assert depth <= DEPTH + 1
        above[depth:] = [found[3]]
        if found[4] is None:
            nodes.append(found[3])
        if found[2] is not None:
            parent = above[depth - 1]
            relationships.append(f"{parent}>{found[3]}" if found[2] == "-[k]->" else f"{found[3]}>{parent}")
    return nodes, relationships


def parts(snapshot: GraphSnapshot) -> tuple[list[str], list[str]]:
    return [node.id for node in snapshot.nodes], [each.id for each in snapshot.relationships]


@given(plain_graphs())
def test_each_node_and_each_relationship_stands_there_once(graph: WorkingGraph) -> None:
    drawing = draw(graph.snapshot(), guides=ASCII)
    nodes, relationships = read(drawing)
    assert (sorted(nodes), sorted(relationships)) == parts(graph.snapshot())
    assert drawing[1:] == (0, 0)


@given(plain_graphs(), st.integers(0, 12))
def test_no_more_lines_than_asked_for_and_the_rest_is_counted(graph: WorkingGraph, limit: int) -> None:
    drawing = draw(graph.snapshot(), limit=limit, guides=ASCII)
    nodes, relationships = read(drawing)
    all_nodes, all_relationships = parts(graph.snapshot())
    assert len(drawing.lines) <= limit
    assert drawing.nodes_left_out == len(all_nodes) - len(nodes)
    assert drawing.relationships_left_out == len(all_relationships) - len(relationships)
    assert len(set(nodes)) == len(nodes)
    assert set(relationships) <= set(all_relationships)


@given(st.integers(1, 30))
def test_a_long_chain_is_cut_into_trees_and_nothing_is_lost(length: int) -> None:
    graph = graph_of(*(f"{number}>{number + 1}" for number in range(length)))
    nodes, relationships = read(draw(graph.snapshot(), guides=ASCII))
    assert (sorted(nodes), sorted(relationships)) == parts(graph.snapshot())


def test_it_begins_with_the_most_connected_node_or_with_the_one_that_is_named() -> None:
    graph = graph_of("a>hub", "hub>b", "b>a", nodes=["lonely"])
    assert draw(graph.snapshot()).lines == [
        "a",
        "├── -[k]-> hub",
        "│   └── -[k]-> b (elsewhere)",
        "└── <-[k]- b",
        "lonely",
    ]
    graph.add_relationship("more", "hub", "hub", "k")
    assert draw(graph.snapshot()).lines == [
        "hub",
        "├── <-[k]- a",
        "│   └── <-[k]- b (elsewhere)",
        "├── -[k]-> b",
        "└── -[k]-> hub (itself)",
        "lonely",
    ]
    assert draw(graph.snapshot(), root="lonely") == (["lonely"], 3, 4)
    with pytest.raises(InvalidGraph, match="no node 'nobody'"):
        draw(graph.snapshot(), root="nobody")


def test_beyond_the_last_step_from_a_root_a_node_is_named_only() -> None:
    graph = graph_of(*(f"{number}>{number + 1}" for number in range(9)))
    assert draw(graph.snapshot(), root="0").lines[-1].endswith("-[k]-> 7 (not shown)")


def test_lines_show_labels_properties_and_weights_and_cannot_be_forged() -> None:
    """C19."""
    graph = WorkingGraph()
    graph.upsert_node("ada", labels=["person", "a, b"], properties={"born": 1815})
    graph.upsert_node("x\nnode y (elsewhere)")
    graph.add_relationship("r", "ada", "x\nnode y (elsewhere)", "]-> z", weight=0.5)
    assert draw(graph.snapshot()).lines == [
        'ada [person, "a, b"] {"born":1815}',
        '└── -["]-> z" 0.5]-> "x\\nnode y (elsewhere)"',
    ]
