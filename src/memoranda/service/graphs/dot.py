r"""A working graph in the DOT language of Graphviz, for drawing. What loses nothing is `GraphSnapshot.to_json`.

A node is named `n1`, `n2` and so on in the order of ids, and its id stands in its label: in an id of DOT a backslash
before a quote cannot be written. In a label, which Graphviz calls an escString, these are written as escapes: `\` as
`\\`, `"` as `\"`, a line feed as `\n`, and `&`, which would begin an entity of HTML, as `&amp;`
(graphviz.org/doc/info/lang.html, graphviz.org/docs/attr-types/escString).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from memoranda.graph.snapshot import GraphSnapshot
from memoranda.records.graph import GraphNode, GraphRelationship
from memoranda.text.clamp import clamp_chars
from memoranda.text.clean import printable

_LONGEST: Final = 400
"""Most characters of a name in a label, and of properties in a tooltip."""
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n", "&": "&amp;"})


def to_dot(snapshot: GraphSnapshot) -> str:
    """Returns a graph as a digraph of DOT; the same graph gives the same text.

    The label of a node is its id and below it its labels; that of a relationship is its kind, with its weight where
    that is not 1. Properties are tooltips. Long texts are cut.
    """
    names = {node.id: f"n{number}" for number, node in enumerate(snapshot.nodes, 1)}
    lines = ["digraph {", "  node [shape=box];"]
    lines += [f"  {names[node.id]} [{', '.join(_of_node(node))}];" for node in snapshot.nodes]
    for each in snapshot.relationships:
        lines.append(f"  {names[each.from_]} -> {names[each.to]} [{', '.join(_of_relationship(each))}];")
    return "\n".join([*lines, "}", ""])


def _of_node(node: GraphNode) -> Iterator[str]:
    labels = f"\n[{', '.join(map(_cut, node.labels))}]" if node.labels else ""
    yield f"label={_quoted(_cut(node.id) + labels)}"
    yield from _tooltip(node.properties_json)


def _of_relationship(each: GraphRelationship) -> Iterator[str]:
    weight = "" if each.weight == 1 else f" ({each.weight:g})"
    yield f"label={_quoted(_cut(each.kind) + weight)}"
    yield from _tooltip(each.properties_json)


def _tooltip(properties: str) -> Iterator[str]:
    if properties != "{}":
        yield f"tooltip={_quoted(_cut(properties))}"


def _cut(text: str) -> str:
    return printable(clamp_chars(text, _LONGEST, "…"))


def _quoted(text: str) -> str:
    return f'"{text.translate(_ESCAPES)}"'
