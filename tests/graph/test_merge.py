"""Merging one graph into another."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import CapacityReached, InvalidGraph
from memoranda.graph import GraphRelationship, MergePolicy, MergeReport, WorkingGraph
from tests.graph.made import graph_of, graphs, ids_of

policies = st.sampled_from(MergePolicy)


def contents(graph: WorkingGraph) -> Counter[tuple[object, ...]]:
    return Counter((each.from_, each.to, each.kind, each.weight, each.properties) for each in graph.relationships())


def copy_of(graph: WorkingGraph) -> WorkingGraph:
    return WorkingGraph.from_snapshot(graph.snapshot())


@given(graphs, graphs, policies)
def test_the_report_sums_to_the_incoming_sizes(graph: WorkingGraph, other: WorkingGraph, policy: MergePolicy) -> None:
    """S4.38."""
    nodes, relationships = set(ids_of(graph.nodes())), graph.relationship_count()
    report = graph.merge(other, policy)
    assert report.nodes_added + report.nodes_overwritten + report.nodes_kept == len(other)
    assert (
        report.relationships_added
        + report.relationships_overwritten
        + report.relationships_renamed
        + report.relationships_unchanged
        == other.relationship_count()
    )
    assert report.nodes_added == len(set(ids_of(other.nodes())) - nodes)
    assert graph.relationship_count() == relationships + report.relationships_added + report.relationships_renamed
    assert len(report.renamed) == report.relationships_renamed


@given(graphs, graphs)
def test_no_merge_loses_a_relationship(graph: WorkingGraph, other: WorkingGraph) -> None:
    """S4.38: what was there stays as it was, and all that comes in is there afterwards, as often as it came."""
    before = graph.relationships()
    graph.merge(other)
    assert contents(other) <= contents(graph)
    assert all(graph.relationship(each.id) == each for each in before)


@given(graphs, graphs)
def test_no_merge_that_overwrites_loses_one_either(graph: WorkingGraph, other: WorkingGraph) -> None:
    """S4.38, C21: only another state of the same relationship takes the place of one."""
    before = graph.relationships()
    graph.merge(other, "overwrite")
    assert contents(other) <= contents(graph)
    for each in before:
        now = graph.relationship(each.id)
        assert now is not None
        assert (now.from_, now.to, now.kind) == (each.from_, each.to, each.kind)


@given(graphs, graphs, policies)
def test_merging_the_same_again_changes_nothing(graph: WorkingGraph, other: WorkingGraph, policy: MergePolicy) -> None:
    """C21."""
    graph.merge(other, policy)
    before = graph.snapshot()
    again = graph.merge(other, policy)
    assert graph.snapshot() == before
    assert again.relationships_unchanged == other.relationship_count()
    assert graph.merge(graph, policy).relationships_unchanged == graph.relationship_count()


@given(graphs, graphs, policies)
def test_nodes_follow_the_policy(graph: WorkingGraph, other: WorkingGraph, policy: MergePolicy) -> None:
    """S4.37."""
    before, came = {node.id: node for node in graph.nodes()}, {node.id: node for node in other.nodes()}
    graph.merge(other, policy)
    wanted = before | came if policy is MergePolicy.OVERWRITE else came | before
    assert {node.id: node for node in graph.nodes()} == wanted


@given(graphs, graphs, policies)
def test_the_other_graph_stays_as_it_is_and_build_order_does_not_matter(
    graph: WorkingGraph, other: WorkingGraph, policy: MergePolicy
) -> None:
    before, twin, twin_of_other = other.snapshot(), copy_of(graph), WorkingGraph()
    for node in reversed(other.nodes()):
        twin_of_other.upsert_node(node.id, labels=node.labels, properties=node.properties)
    for each in reversed(other.relationships()):
        twin_of_other.add_relationship(
            each.id, each.from_, each.to, each.kind, weight=each.weight, properties=each.properties
        )
    assert graph.merge(other, policy) == twin.merge(twin_of_other, policy)
    assert other.snapshot() == before
    assert graph.snapshot() == twin.snapshot()


def test_a_taken_id_is_renamed_around_the_ids_of_both_graphs() -> None:
    """S4.38."""
    graph, other = graph_of(nodes="ab"), graph_of(nodes="ab")
    graph.add_relationship("r", "a", "b", "k")
    graph.add_relationship("r-2", "a", "b", "l")
    other.add_relationship("r", "b", "a", "k")
    other.add_relationship("r-3", "b", "b", "k")
    report = graph.merge(other)
    assert report == MergeReport(nodes_kept=2, relationships_added=1, relationships_renamed=1, renamed={"r": "r-4"})
    assert graph.relationship("r-4") == GraphRelationship("r-4", "b", "a", "k")
    assert ids_of(graph.relationships()) == ["r", "r-2", "r-3", "r-4"]


def test_another_state_of_a_relationship_follows_the_policy() -> None:
    """C21."""
    kept, overwritten, other = graph_of("a>b"), graph_of("a>b"), graph_of("a>b")
    other.add_relationship("a>b", "a", "b", "k", weight=0.5)
    assert kept.merge(other, MergePolicy.KEEP).renamed == {"a>b": "a>b-2"}
    assert overwritten.merge(other, MergePolicy.OVERWRITE).relationships_overwritten == 1
    assert [each.weight for each in kept.relationships()] == [1.0, 0.5]
    assert [each.weight for each in overwritten.relationships()] == [0.5]


def test_relationships_attach_to_the_node_that_was_kept() -> None:
    """S4.37."""
    graph, other = WorkingGraph(), graph_of("a>b")
    graph.upsert_node("a", labels=["mine"])
    graph.merge(other)
    assert graph.node("a") is not None
    assert graph.neighbors("a", "outgoing") == ["b"]
    assert [node.labels for node in graph.nodes()] == [("mine",), ()]


def test_a_merge_that_would_pass_a_bound_is_refused_whole() -> None:
    """C23."""
    graph = WorkingGraph(max_nodes=3, max_relationships=2)
    graph.merge(graph_of("a>b"))
    before = graph.snapshot()
    for other, bound in ((graph_of("a>b", "b>c", "c>d"), 3), (graph_of("a>b", "b>a", "a>a"), 2)):
        with pytest.raises(CapacityReached) as caught:
            graph.merge(other)
        assert caught.value.bound == bound
        assert graph.snapshot() == before
    graph.merge(graph_of("a>b", "b>c"))
    assert (len(graph), graph.relationship_count()) == (3, 2)


def test_what_cannot_be_merged_is_refused() -> None:
    graph = graph_of("a>b")
    with pytest.raises(InvalidGraph, match="keep, overwrite"):
        graph.merge(graph_of(), "replace")
    with pytest.raises(InvalidGraph, match="from_snapshot"):
        graph.merge(graph.snapshot())  # type: ignore[arg-type]  # a snapshot is no graph
