"""The working graph, as a host holds it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from threading import Barrier, Thread
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import CapacityReached, InvalidGraph
from memoranda.graph import GraphContextConfig, GraphNode, GraphRelationship, GraphSnapshot, WorkingGraph
from tests.conftest import Case
from tests.graph.made import graph_of, graphs, ids, ids_of

few = st.sampled_from("abcd")
steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), few, st.sampled_from(("x", "y"))),
        st.tuples(st.just("relate"), st.sampled_from("rst"), few, few, st.sampled_from((0.5, 1.0))),
        st.tuples(st.just("drop"), few),
        st.tuples(st.just("part"), st.sampled_from("rst")),
    ),
    max_size=25,
)


@given(steps)
def test_a_graph_does_what_two_dicts_would(taken: list[tuple[Any, ...]]) -> None:
    """S4.33, S4.34, S4.35, C21: what each call answers, and what is there after it."""
    graph = WorkingGraph()
    nodes: dict[str, str] = {}
    edges: dict[str, tuple[str, str, float]] = {}
    for step in taken:
        match step:
            case "put", id, label:
                assert graph.upsert_node(id, labels=[label]) == (id not in nodes)
                nodes[id] = label
            case "relate", id, from_, to, weight if from_ in nodes and to in nodes:
                changed = graph.add_relationship(id, from_, to, "k", weight=weight)
                assert changed == (edges.get(id) != (from_, to, weight))
                edges[id] = (from_, to, weight)
            case "relate", id, from_, to, weight:
                with pytest.raises(InvalidGraph, match="`to`" if from_ in nodes else "`from`"):
                    graph.add_relationship(id, from_, to, "k", weight=weight)
            case "drop", id:
                assert graph.remove_node(id) == (nodes.pop(id, None) is not None)
                edges = {name: edge for name, edge in edges.items() if id not in edge[:2]}
            case "part", id:
                assert graph.remove_relationship(id) == (edges.pop(id, None) is not None)
        assert {node.id: node.labels[0] for node in graph.nodes()} == nodes
        assert {each.id: (each.from_, each.to, each.weight) for each in graph.relationships()} == edges
        for id in "abcd":
            outgoing = sorted({to for from_, to, _ in edges.values() if from_ == id})
            incoming = sorted({from_ for from_, to, _ in edges.values() if to == id})
            assert graph.neighbors(id, "outgoing") == outgoing
            assert graph.neighbors(id, "incoming") == incoming
            assert graph.neighbors(id) == sorted({*outgoing, *incoming})
    assert (len(graph), graph.relationship_count(), graph.is_empty) == (len(nodes), len(edges), not nodes)


def test_a_node_is_replaced_as_a_whole() -> None:
    """S4.33."""
    graph = WorkingGraph()
    assert graph.upsert_node("a", labels=["x"], properties={"p": 1, "q": 2})
    assert not graph.upsert_node("a", properties={"q": 3})
    assert graph.node("a") == GraphNode("a", properties={"q": 3})


def test_a_node_goes_with_all_its_relationships() -> None:
    """S4.35: a relationship to itself once."""
    graph = graph_of("a>a", "a>b", "b>a", "b>c")
    assert graph.remove_node("a")
    assert ids_of(graph.relationships()) == ["b>c"]
    assert graph.neighbors("b") == ["c"]
    assert not graph.remove_node("a")


def test_a_graph_knows_its_parts_by_id() -> None:
    graph = graph_of("a>b")
    found = graph.relationship("a>b")
    assert found is not None
    assert (found.from_, found.to) == ("a", "b")
    assert graph.node("z") is None
    assert graph.relationship("z") is None
    graph.clear()
    assert graph.is_empty
    assert repr(graph) == "<WorkingGraph of 0 nodes, 0 relationships>"


def test_a_bound_refuses_what_is_new_and_lets_the_rest_change() -> None:
    """C23."""
    graph = WorkingGraph(max_nodes=2, max_relationships=1)
    graph.merge(graph_of("a>b"))
    with pytest.raises(CapacityReached, match="max_nodes") as caught:
        graph.upsert_node("c")
    assert caught.value.bound == 2
    with pytest.raises(CapacityReached, match="max_relationships"):
        graph.add_relationship("r", "a", "b", "k")
    assert not graph.upsert_node("a", labels=["x"])
    assert graph.add_relationship("a>b", "b", "a", "k")
    assert graph.neighbors("b", "outgoing") == ["a"]


@pytest.mark.parametrize("bound", [-1, 1.5, True])
def test_a_bound_that_is_no_number_is_refused(bound: Any) -> None:
    with pytest.raises(InvalidGraph, match="max_nodes"):
        WorkingGraph(max_nodes=bound)


def test_a_content_that_is_too_large_is_refused_whole() -> None:
    """C23."""
    graph = WorkingGraph(max_nodes=2, max_relationships=None)
    graph.merge(graph_of("a>b"))
    before = graph.snapshot()
    larger = graph_of("x>y", "y>z")
    for put in (graph.replace, lambda other: graph.replace_snapshot(other.snapshot())):
        with pytest.raises(CapacityReached):
            put(larger)
        assert graph.snapshot() == before
    with pytest.raises(CapacityReached):
        WorkingGraph.from_snapshot(larger.snapshot(), max_nodes=2)


@given(graphs, graphs)
def test_a_replaced_graph_is_its_own(graph: WorkingGraph, other: WorkingGraph) -> None:
    wanted = other.snapshot()
    report = graph.replace(other)
    assert (report.nodes, report.relationships) == (len(other), other.relationship_count())
    assert graph.snapshot() == wanted
    assert graph.render() == other.render()
    graph.upsert_node("new")
    for node in wanted.nodes:
        graph.remove_node(node.id)
    assert other.snapshot() == wanted


@given(graphs, st.lists(ids, max_size=3), st.integers(0, 3))
def test_a_subgraph_has_every_relationship_among_its_nodes_and_no_other(
    graph: WorkingGraph, starts: list[str], depth: int
) -> None:
    """S4.36."""
    near = {id for id in starts if graph.node(id)}
    for _ in range(depth):
        near |= {other for id in near for other in graph.neighbors(id)}
    part = graph.subgraph(starts, depth)
    assert ids_of(part.nodes()) == sorted(near)
    assert part.relationships() == [each for each in graph.relationships() if {each.from_, each.to} <= near]
    part.clear()
    assert all(graph.node(id) for id in near)


@pytest.mark.parametrize(
    "asked",
    [
        lambda graph: graph.neighbors("a", "up"),
        lambda graph: graph.traverse("a", -1),
        lambda graph: graph.traverse("a", 1, "up"),
        lambda graph: graph.subgraph("a", 0.5),
        lambda graph: graph.replace(graph.snapshot()),
        lambda graph: graph.upsert_node("a", labels="x"),
        lambda graph: graph.upsert_node("a", properties=[]),
        lambda graph: graph.add_relationship("r", "a", "b", "k", weight=float("nan")),
    ],
)
def test_what_cannot_be_asked_is_refused(asked: Callable[[WorkingGraph], object]) -> None:
    """C22 among them."""
    graph = graph_of("a>b")
    before = graph.snapshot()
    with pytest.raises(InvalidGraph):
        asked(graph)
    assert graph.snapshot() == before


def test_invalid_input_leaves_the_graph_byte_identical(case: Callable[[str], Case]) -> None:
    """Case W03."""
    graph = graph_of("a>b", "b>c", "c>c")
    before = graph.snapshot().to_json()
    ghost, *imports, _, _ = case("W03")["input"]["ops"]
    ends = ghost["add_relationship"]
    with pytest.raises(InvalidGraph, match="ghost"):
        graph.add_relationship("r", ends["from"], ends["to"], "knows")
    assert graph.snapshot().to_json() == before
    for each in imports:
        given = each["replace_snapshot"]
        given["relationships"] = [{"kind": "k"} | row for row in given["relationships"]]
        with pytest.raises(InvalidGraph):
            graph.replace_snapshot(GraphSnapshot.from_dict(given))
        assert graph.snapshot().to_json() == before
    ten = [GraphRelationship(f"r{number}", "d", "nobody" if number == 7 else "d", "k") for number in range(10)]
    delta = GraphSnapshot((GraphNode("d"),), tuple(ten))
    with pytest.raises(InvalidGraph, match="nobody"):
        graph.merge(WorkingGraph.from_snapshot(delta))
    assert graph.snapshot().to_json() == before
    graph.remove_node("b")
    assert "b" not in [end for each in graph.relationships() for end in (each.from_, each.to)]
    assert graph.render().splitlines()[1:] == ["node a:", "node c:", 'rel "c>c": c -[k]-> c weight=1']


def test_more_than_the_limits_is_bounded_and_the_same_each_time(case: Callable[[str], Case]) -> None:
    """Case W03, S4.43."""
    assert "more than 64 nodes / 128 relationships: bounded rendering, deterministic choice" in case("W03")["expect"]
    names = [f"n{number:03}" for number in range(200)]
    graph, again = graph_of(*map(">".join, pairwise(names))), graph_of(*map(">".join, pairwise(names)))
    lines = graph.render("what of n007?").splitlines()
    assert sum(line.startswith("node ") for line in lines) == 64
    assert sum(line.startswith("rel ") for line in lines) <= 128
    assert "node n007:" in lines
    assert lines[0].endswith("200 nodes, 199 relationships")
    assert "... 136 more nodes omitted" in lines
    assert graph.render("what of n007?") == again.render("what of n007?")


def test_threads_see_a_graph_before_or_after_a_change_never_between() -> None:
    """S4.39: eight threads merge, add, remove and read at once; each delta is there whole or not at all."""
    graph, both = WorkingGraph(), Barrier(8)
    torn: list[str] = []

    def work(number: int) -> None:
        both.wait()
        for turn in range(30):
            delta = WorkingGraph()
            names = [f"{number}-{turn}-{end}" for end in "abc"]
            for name in names:
                delta.upsert_node(name, labels=["shared"])
            delta.upsert_node("hub")
            for name in names:
                delta.add_relationship("edge", name, "hub", "k")  # the same id each time: the last one stays
                delta.add_relationship(f"{name}-edge", name, "hub", "k")
            graph.merge(delta)
            graph.add_relationship(f"{number}-own", names[0], names[1], "own", weight=turn)
            seen = graph.snapshot()
            there = {node.id for node in seen.nodes}
            torn.extend(each.id for each in seen.relationships if not {each.from_, each.to} <= there)
            torn.extend(id for id in there if id != "hub" and not {id[:-1] + end for end in "ab"} <= there)
            graph.render("hub shared", GraphContextConfig(max_nodes=5))
            graph.remove_node(names[2])

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert torn == []
    assert len(graph) == 1 + 8 * 30 * 2
    own = [each for each in graph.relationships() if each.kind == "own"]
    assert {each.id: each.weight for each in own} == {f"{number}-own": 29.0 for number in range(8)}
    named = [each for each in graph.relationships() if each.id.endswith("-edge")]
    assert len(named) == 8 * 30 * 2
    assert WorkingGraph.from_snapshot(graph.snapshot()).snapshot() == graph.snapshot()


def test_two_graphs_can_be_merged_into_each_other_at_once() -> None:
    """S4.39: no deadlock."""
    one, other, both = graph_of("a>b"), graph_of("c>d"), Barrier(2)

    def work(into: WorkingGraph, source: WorkingGraph) -> None:
        both.wait()
        for _ in range(200):
            into.merge(source)

    threads = [Thread(target=work, args=pair) for pair in ((one, other), (other, one))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert not any(thread.is_alive() for thread in threads)
    assert ids_of(one.nodes()) == ids_of(other.nodes()) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("size", [1, 100])
def test_rendering_refuses_a_turn_that_is_no_text(size: int) -> None:
    graph = WorkingGraph()
    for number in range(size):
        graph.upsert_node(str(number))
    with pytest.raises(InvalidGraph, match="`text` must be the text of the turn, not NoneType"):
        graph.render(None)  # type: ignore[arg-type]
