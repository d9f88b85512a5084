"""A working graph as a value and as text: the same graph gives the same bytes, however it was built (S4.40)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Self

from memoranda.errors import InvalidGraph
from memoranda.records.graph import GraphNode, GraphRelationship

_NODE_FIELDS: Final = frozenset(("id", "labels", "properties"))
_RELATIONSHIP_FIELDS: Final = frozenset(("id", "from", "to", "kind", "weight", "properties"))
_FIELDS: Final = frozenset(("nodes", "relationships"))


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphImportReport:
    """What a graph holds after its content was replaced (S4.41).

    Attributes:
        nodes: how many nodes.
        relationships: how many relationships.
    """

    nodes: int
    relationships: int


@dataclass(frozen=True, slots=True)
class GraphSnapshot:
    """The nodes and relationships of a working graph at one moment.

    Each part is valid by itself. Whether they make a graph (no id twice, every end exists) is checked where a graph
    takes them in: `WorkingGraph.replace_snapshot`, `WorkingGraph.from_snapshot`.

    Attributes:
        nodes: the nodes, in the order of their ids.
        relationships: the relationships, in the order of their ids.
    """

    nodes: tuple[GraphNode, ...] = ()
    relationships: tuple[GraphRelationship, ...] = ()

    def __post_init__(self) -> None:
        by_id = attrgetter("id")
        object.__setattr__(self, "nodes", tuple(sorted(self.nodes, key=by_id)))
        object.__setattr__(self, "relationships", tuple(sorted(self.relationships, key=by_id)))

    def to_json(self) -> str:
        """Returns the snapshot as canonical JSON: equal snapshots give equal text.

        One object with `nodes` and `relationships`, both in the order of ids (by code point). The fields of a node are
        `id`, `labels`, `properties`, those of a relationship `id`, `from`, `to`, `kind`, `weight`, `properties`, in
        this order; keys of properties are sorted. No spaces, characters as they are, weights always as decimals.
        """
        return "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        comma = '{"nodes":['
        for node in self.nodes:
            labels = ",".join(map(_text, node.labels))
            yield f'{comma}{{"id":{_text(node.id)},"labels":[{labels}],"properties":{node.properties_json}}}'
            comma = ","
        comma = '],"relationships":[' if self.nodes else '{"nodes":[],"relationships":['
        for each in self.relationships:
            yield (
                f'{comma}{{"id":{_text(each.id)},"from":{_text(each.from_)},"to":{_text(each.to)},'
                f'"kind":{_text(each.kind)},"weight":{each.weight!r},"properties":{each.properties_json}}}'
            )
            comma = ","
        yield "]}" if self.relationships else f"{comma}]}}"

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Reads a snapshot from JSON, canonical or not; what `from_dict` says holds here.

        Raises:
            InvalidGraph: it is not JSON, an object has a field twice, or `from_dict` refuses it.
        """
        try:
            document = json.loads(text, object_pairs_hook=_distinct)
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidGraph(f"the snapshot is not JSON that can be read: {error}") from error
        return cls.from_dict(document)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Self:
        """Reads a snapshot from JSON that was parsed already.

        `labels`, `weight` and `properties` may be left out; so may `nodes` and `relationships`. Unknown fields are
        refused, as they would be lost.

        Raises:
            InvalidGraph: the message names the part and what is wrong with it.
        """
        found = _fields_of(document, _FIELDS, "the snapshot")
        nodes = [_node(row, f"nodes[{place}]") for place, row in _rows(found, "nodes")]
        relationships = [_relationship(row, f"relationships[{place}]") for place, row in _rows(found, "relationships")]
        return cls(tuple(nodes), tuple(relationships))


def _text(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"an object has the field {next(name for name in names if names.count(name) > 1)!r} twice")
    return found


def _fields_of(value: object, known: frozenset[str], where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InvalidGraph(f"{where} must be a JSON object, not {type(value).__name__}")
    unknown = [name for name in value if name not in known]
    if unknown:
        raise InvalidGraph(f"{where} has the unknown field {unknown[0]!r}; it may have {', '.join(sorted(known))}")
    return value


def _rows(document: Mapping[str, Any], name: str) -> Iterable[tuple[int, object]]:
    rows = document.get(name, ())
    if not isinstance(rows, list | tuple):
        raise InvalidGraph(f"`{name}` of the snapshot must be a list, not {type(rows).__name__}")
    return enumerate(rows)


def _required(row: Mapping[str, Any], name: str, where: str) -> Any:
    if name not in row:
        raise InvalidGraph(f"{where} lacks `{name}`")
    return row[name]


def _node(value: object, where: str) -> GraphNode:
    row = _fields_of(value, _NODE_FIELDS, where)
    id = _required(row, "id", where)
    try:
        return GraphNode(id, labels=row.get("labels", ()), properties=row.get("properties", {}))
    except InvalidGraph as error:
        raise InvalidGraph(f"{where}: {error}") from error


def _relationship(value: object, where: str) -> GraphRelationship:
    row = _fields_of(value, _RELATIONSHIP_FIELDS, where)
    id, from_, to, kind = (_required(row, name, where) for name in ("id", "from", "to", "kind"))
    try:
        return GraphRelationship(
            id, from_, to, kind, weight=row.get("weight", 1.0), properties=row.get("properties", {})
        )
    except InvalidGraph as error:
        raise InvalidGraph(f"{where}: {error}") from error
