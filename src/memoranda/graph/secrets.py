"""Secrets in a working graph: masked in properties, refused in names, before the graph is stored (S1.27)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeVar

from memoranda.errors import InvalidGraph
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.records.entry import JsonValue
from memoranda.records.graph import GraphNode, GraphRelationship, Properties, shortened
from memoranda.text.redact import redact

_Part = TypeVar("_Part", GraphNode, GraphRelationship)

# In an id a word such as `token` followed by a colon is a table's name: `entity:5:token:object:1:...`.
_BY_CONTEXT: Final = frozenset(("named secret", "authorization"))


def without_secrets(after: GraphSnapshot, before: GraphSnapshot) -> GraphSnapshot:
    """Returns a snapshot with the secrets in properties masked; what stood in `before` already is left as it is.

    An id, label or kind is not masked, since two could become one.

    Raises:
        InvalidGraph: an id, label or kind holds a secret that shows by its form, such as a token.
    """
    known = {id(part) for part in (*before.nodes, *before.relationships)}
    parts: tuple[GraphNode | GraphRelationship, ...] = (*after.nodes, *after.relationships)
    new = [part for part in parts if id(part) not in known]
    # One search through all texts is ten times as fast as one for each.
    if not redact("\n\n".join(text for part in new for text in _texts(part))).kinds:
        return after
    for part in new:
        _check_names(part)
    return GraphSnapshot(
        tuple(_masked(node) if id(node) not in known else node for node in after.nodes),
        tuple(_masked(each) if id(each) not in known else each for each in after.relationships),
    )


def _texts(part: GraphNode | GraphRelationship) -> Iterator[str]:
    yield from _names(part)
    yield part.properties_json


def _names(part: GraphNode | GraphRelationship) -> Iterator[str]:
    yield part.id
    yield from part.labels if isinstance(part, GraphNode) else (part.kind,)


def _check_names(part: GraphNode | GraphRelationship) -> None:
    what = "node" if isinstance(part, GraphNode) else "relationship"
    for name in _names(part):
        kinds = [kind for kind in redact(name).kinds if kind not in _BY_CONTEXT]
        if kinds:
            shown = shortened(redact(part.id).text)
            raise InvalidGraph(f"a name of {what} {shown} holds a secret ({kinds[0]}); name it otherwise")


def _masked(part: _Part) -> _Part:
    held = part.properties_json
    masked = redact(held).text
    if masked == held:
        return part
    try:
        # As a whole, since the name of a property may be what gives its value away.
        return replace(part, properties=Properties(json.loads(masked)))
    except (ValueError, InvalidGraph):
        return replace(part, properties=Properties({name: _value(value) for name, value in part.properties.items()}))


def _value(value: JsonValue) -> JsonValue:
    """Masks the texts of a value one by one; its nesting is bounded."""
    if isinstance(value, str):
        return redact(value).text
    if isinstance(value, list):
        return [_value(part) for part in value]
    if isinstance(value, dict):
        return {name: _value(part) for name, part in value.items()}
    return value
