"""A working graph as a value and as text."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidGraph
from memoranda.graph import GraphImportReport, GraphNode, GraphRelationship, GraphSnapshot, WorkingGraph
from tests.graph.made import graph_of, snapshots


@given(snapshots(), st.randoms(use_true_random=False))
def test_the_same_graph_gives_the_same_bytes_in_any_build_order(snapshot: GraphSnapshot, chance: random.Random) -> None:
    """S4.40: equal graphs built in any order, and read back from their own text, are byte-identical."""
    text = snapshot.to_json()
    assert GraphSnapshot.from_json(text) == snapshot
    nodes, relationships = list(snapshot.nodes), list(snapshot.relationships)
    chance.shuffle(nodes)
    chance.shuffle(relationships)
    graph = WorkingGraph()
    for node in nodes:
        graph.upsert_node(node.id, labels=node.labels, properties=dict(reversed(list(node.properties.items()))))
    for each in relationships:
        graph.add_relationship(
            each.id, each.from_, each.to, each.kind, weight=each.weight, properties=dict(each.properties)
        )
    assert graph.snapshot().to_json() == text
    assert WorkingGraph.from_snapshot(GraphSnapshot.from_json(text)).snapshot().to_json() == text


def test_the_text_is_json_in_the_seeds_form() -> None:
    """S4.40."""
    snapshot = GraphSnapshot(
        (GraphNode("b"), GraphNode("a", labels=("x",), properties={"z": 1, "e": "é"})),
        (GraphRelationship("r", "a", "b", "k"),),
    )
    assert snapshot.to_json() == (
        '{"nodes":[{"id":"a","labels":["x"],"properties":{"e":"é","z":1}},{"id":"b","labels":[],"properties":{}}],'
        '"relationships":[{"id":"r","from":"a","to":"b","kind":"k","weight":1.0,"properties":{}}]}'
    )
    assert GraphSnapshot().to_json() == '{"nodes":[],"relationships":[]}'
    assert GraphSnapshot((GraphNode("a"),)).to_json().endswith(',"relationships":[]}')


def test_what_may_be_left_out_is_filled_in() -> None:
    read = GraphSnapshot.from_dict(
        {"nodes": [{"id": "a"}], "relationships": [{"id": "r", "from": "a", "to": "a", "kind": "k"}]}
    )
    assert read == GraphSnapshot((GraphNode("a"),), (GraphRelationship("r", "a", "a", "k"),))
    assert GraphSnapshot.from_json("{}") == GraphSnapshot()


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("[]", "JSON object"),
        ('{"nodes":[],"edges":[]}', "'edges'"),
        ('{"nodes":{}}', "`nodes`"),
        ('{"nodes":[5]}', "nodes[0]"),
        ('{"nodes":[{"id":"a"},{}]}', "nodes[1] lacks `id`"),
        ('{"nodes":[{"id":"a","id":"b"}]}', "'id' twice"),
        ('{"nodes":[{"id":"a","label":[]}]}', "'label'"),
        ('{"nodes":[{"id":"a","labels":"x"}]}', "node 'a'"),
        ('{"nodes":[{"id":"a","labels":null}]}', "node 'a'"),
        ('{"nodes":[{"id":"a","properties":[]}]}', "node 'a'"),
        ('{"relationships":[{"id":"r","from":"a","to":"b"}]}', "lacks `kind`"),
        ('{"relationships":[{"id":"r","from":"a","to":"b","kind":"k","weight":NaN}]}', "relationship 'r'"),
        ('{"relationships":[{"id":"r","from":"a","to":"b","kind":"k","weight":1e999}]}', "relationship 'r'"),
    ],
)
def test_what_is_no_snapshot_is_refused_with_its_place(text: str, named: str) -> None:
    """S4.40, S4.41."""
    with pytest.raises(InvalidGraph) as caught:
        GraphSnapshot.from_json(text)
    assert named in str(caught.value)


@pytest.mark.parametrize(
    ("snapshot", "named"),
    [
        (GraphSnapshot((GraphNode("a"), GraphNode("a", labels=("x",)))), "node 'a' twice"),
        (
            GraphSnapshot(
                (GraphNode("a"),), (GraphRelationship("r", "a", "a", "k"), GraphRelationship("r", "a", "a", "l"))
            ),
            "relationship 'r' twice",
        ),
        (
            GraphSnapshot((GraphNode("a"),), (GraphRelationship("r", "a", "zz", "k"),)),
            "'r' is 'zz'",
        ),
        (GraphSnapshot((GraphNode("a"),), (GraphRelationship("r", "zz", "a", "k"),)), "`from` of relationship 'r'"),
        ({"nodes": []}, "GraphSnapshot.from_dict"),
    ],
)
def test_what_does_not_fit_together_leaves_the_graph_as_it_was(snapshot: Any, named: str) -> None:
    """S4.41."""
    graph = graph_of("x>y")
    before = graph.snapshot().to_json()
    with pytest.raises(InvalidGraph) as caught:
        graph.replace_snapshot(snapshot)
    assert named in str(caught.value)
    assert graph.snapshot().to_json() == before
    with pytest.raises(InvalidGraph):
        WorkingGraph.from_snapshot(snapshot)


def test_an_import_replaces_and_says_how_much_there_is() -> None:
    """S4.41."""
    graph = graph_of("x>y")
    assert graph.replace_snapshot(graph_of("a>b", "b>a").snapshot()) == GraphImportReport(nodes=2, relationships=2)
    assert json.loads(graph.snapshot().to_json())["nodes"][0]["id"] == "a"
    assert graph.node("x") is None
