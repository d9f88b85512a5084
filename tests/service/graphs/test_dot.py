"""A graph in the DOT language."""

from __future__ import annotations

import re

from hypothesis import given

from memoranda.graph import GraphSnapshot, WorkingGraph
from memoranda.service.graphs.dot import to_dot
from memoranda.text.clamp import clamp_chars
from memoranda.text.clean import printable
from tests.graph.made import snapshots

QUOTED = r'"((?:[^"\\\x00-\x08\n-\x1f\x7f]|\\["\\n])*)"'
ATTRIBUTES = rf"\[label={QUOTED}(?:, tooltip={QUOTED})?\];"
NODE = re.compile(rf"  (n\d+) {ATTRIBUTES}")
EDGE = re.compile(rf"  (n\d+) -> (n\d+) {ATTRIBUTES}")


def read_label(raw: str) -> str:
    """What Graphviz shows of an escString, for the escapes that we write; a bare `&` is refused."""
    assert not re.search("&(?!amp;)", raw)
    return re.sub(r"\\(.)", lambda found: {"n": "\n"}.get(found[1], found[1]), raw).replace("&amp;", "&")


def read(text: str) -> tuple[dict[str, tuple[str, str]], list[tuple[str, str, str, str]]]:
    """Reads strictly what we write: label and tooltip of each node; ends, label and tooltip of each edge."""
    first, second, *body, last, end = text.split("\n")
    assert (first, second, last, end) == ("digraph {", "  node [shape=box];", "}", "")
    nodes, edges = dict[str, tuple[str, str]](), list[tuple[str, str, str, str]]()
    for line in body:
        if found := NODE.fullmatch(line):
            assert not edges
            nodes[found[1]] = (read_label(found[2]), read_label(found[3] or ""))
            continue
        found = EDGE.fullmatch(line)
        assert found, line
        edges.append((found[1], found[2], read_label(found[3]), read_label(found[4] or "")))
    return nodes, edges


@given(snapshots())
def test_what_is_written_reads_as_the_same_graph(snapshot: GraphSnapshot) -> None:
    """C19: no id, label or kind can end a string or add a line."""
    nodes, edges = read(to_dot(snapshot))
    names = [printable(node.id) for node in snapshot.nodes]
    assert [label[: len(name)] for (label, _), name in zip(nodes.values(), names, strict=True)] == names
    assert [tooltip for _, tooltip in nodes.values()] == [
        "" if node.properties_json == "{}" else printable(cut(node.properties_json)) for node in snapshot.nodes
    ]
    of = {node.id: name for node, name in zip(snapshot.nodes, nodes, strict=True)}
    assert [edge[:2] for edge in edges] == [(of[each.from_], of[each.to]) for each in snapshot.relationships]
    for each, (_, _, label, _) in zip(snapshot.relationships, edges, strict=True):
        assert label.startswith(printable(each.kind))


def cut(text: str) -> str:
    return clamp_chars(text, 400, "…")


def test_labels_weights_and_properties_are_shown() -> None:
    graph = WorkingGraph()
    graph.upsert_node('say "hi"\n\\', labels=["person", "R&amp;D"], properties={"born": 1815})
    graph.upsert_node("x" * 500)
    graph.add_relationship("r", 'say "hi"\n\\', "x" * 500, "knows", weight=0.5)
    nodes, edges = read(to_dot(graph.snapshot()))
    assert nodes["n1"] == ('say "hi"\n\\\n[person, R&amp;D]', '{"born":1815}')
    assert nodes["n2"][0] == "x" * 399 + "…"
    assert edges == [("n1", "n2", "knows (0.5)", "")]


def test_an_empty_graph_is_a_digraph_too() -> None:
    assert read(to_dot(GraphSnapshot())) == ({}, [])
