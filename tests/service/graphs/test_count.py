"""How many of what a graph has."""

from __future__ import annotations

from memoranda.graph import GraphSnapshot, WorkingGraph
from memoranda.service.graphs.count import incident, most_connected, stats_of


def test_it_counts_by_label_and_kind_and_names_the_most_connected() -> None:
    graph = WorkingGraph()
    for id, labels in (("a", ["person"]), ("b", ["person", "boss"]), ("c", []), ("d", [])):
        graph.upsert_node(id, labels=labels)
    for id, from_, to, kind in (("1", "a", "b", "knows"), ("2", "b", "b", "likes"), ("3", "c", "b", "knows")):
        graph.add_relationship(id, from_, to, kind)
    snapshot = graph.snapshot()
    assert stats_of(snapshot) == {
        "nodes": 4,
        "max_nodes": 10_000,
        "relationships": 3,
        "max_relationships": 50_000,
        "alone": 1,
        "labels": {"person": 2, "boss": 1},
        "kinds": {"knows": 2, "likes": 1},
        "most_connected": {"b": 3, "a": 1, "c": 1},
    }
    assert most_connected(incident(snapshot)) == ["b", "a", "c", "d"]
    assert [each.id for each in incident(snapshot)["b"]] == ["1", "2", "3"]


def test_an_empty_graph_has_none_of_anything() -> None:
    stats = stats_of(GraphSnapshot())
    assert (stats["nodes"], stats["relationships"], stats["alone"], stats["most_connected"]) == (0, 0, 0, {})
