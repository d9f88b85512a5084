"""From a model's rows to a graph of its own, or to the list of everything that is wrong with them (S4.53, S4.54)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeVar

from memoranda.errors import InvalidGraph
from memoranda.graph.extraction.ids import entity_id, relationship_id
from memoranda.graph.extraction.schema import Column, EntityTable, ExtractionSchema, RelationshipTable
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.graph.working import WorkingGraph
from memoranda.records.entry import JsonValue
from memoranda.records.graph import GraphNode, GraphRelationship, Properties, shortened

MAX_LISTED: Final = 50
"""So many problems are listed in an error; the others are counted."""

_Table = TypeVar("_Table", EntityTable, RelationshipTable)
_Values = dict[str, JsonValue]


def extract(schema: ExtractionSchema, rows: Mapping[str, Any]) -> WorkingGraph:
    """Returns the graph that rows describe. It stands alone: nothing else changes until it is merged.

    Rows are an object with the lists `entities` and `relationships`, as `ExtractionSchema.to_json_schema` describes it;
    a missing list is empty. A row of an entity table has `table` and `properties`, one of a relationship table has
    `from` and `to` as well: the identity columns of a row among `entities`. A property of null is one that the row
    does not have. Rows that are equal count once. Each relationship weighs 1.

    Nothing is accepted in part: where any row is wrong, none is used.

    Raises:
        InvalidGraph: what is wrong with the rows, each problem with the place of its row, such as `entities[3]`.
        CapacityReached: the rows describe more than a graph may hold.
    """
    reader = _Reader(schema)
    reader.read(rows)
    if reader.problems:
        listed = reader.problems[:MAX_LISTED]
        more = len(reader.problems) - len(listed)
        lines = [*listed, f"and {more} more"] if more else listed
        raise InvalidGraph(
            "the extracted rows cannot be used, and none was:\n" + "\n".join(f"- {each}" for each in lines)
        )
    return WorkingGraph.from_snapshot(GraphSnapshot(tuple(reader.nodes.values()), tuple(reader.relationships.values())))


class _Reader:
    """Reads rows, and collects what is wrong with them instead of stopping at the first problem."""

    def __init__(self, schema: ExtractionSchema) -> None:
        self._entities = {table.name: table for table in schema.entities}
        self._relationships = {table.name: table for table in schema.relationships}
        self.nodes: dict[str, GraphNode] = {}
        self.relationships: dict[str, GraphRelationship] = {}
        self.problems: list[str] = []

    def read(self, rows: object) -> None:
        lists = self._fields(rows, "the rows", ("entities", "relationships"), needed=())
        if lists is None:
            return
        for where, row in self._listed(lists, "entities"):
            self._read_entity(row, where)
        for where, row in self._listed(lists, "relationships"):
            self._read_relationship(row, where)

    def _read_entity(self, row: object, where: str) -> None:
        fields = self._fields(row, where, ("table", "properties"))
        table = self._table(fields, self._entities, where)
        if fields is None or table is None:
            return
        values = self._values(fields["properties"], table, f"{where}.properties")
        if values is None:
            return
        identity = {column.name: values[column.name] for column in table.identity}
        for name, value in identity.items():
            if isinstance(value, str) and not value.strip():
                self._note(f"{where}.properties", f"identity column {name!r} is blank, which names nothing")
                return
        try:
            node = GraphNode(entity_id(table.name, identity), labels=tuple(table.labels), properties=values)
        except InvalidGraph as error:
            self._note(where, str(error))
            return
        if self.nodes.setdefault(node.id, node) != node:
            self._note(where, f"conflicting: another row describes the same {table.name!r} with other properties")

    def _read_relationship(self, row: object, where: str) -> None:
        fields = self._fields(row, where, ("table", "from", "to", "properties"), needed=("table", "from", "to"))
        table = self._table(fields, self._relationships, where)
        if fields is None or table is None:
            return
        from_id = self._end(fields["from"], self._entities[table.from_table], f"{where}.from")
        to_id = self._end(fields["to"], self._entities[table.to_table], f"{where}.to")
        values = self._values(fields.get("properties", {}), table, f"{where}.properties")
        if from_id is None or to_id is None or values is None:
            return
        id = relationship_id(table.name, from_id, to_id, values)
        try:
            self.relationships[id] = GraphRelationship(id, from_id, to_id, table.kind, properties=values)
        except InvalidGraph as error:
            self._note(where, str(error))

    def _end(self, row: object, table: EntityTable, where: str) -> str | None:
        """Returns the id of the accepted node that an end names."""
        names = tuple(column.name for column in table.identity)
        fields = self._fields(row, where, names)
        if fields is None:
            return None
        identity = self._declared(fields, table.identity, where)
        if identity is None:
            return None
        id = entity_id(table.name, identity)
        if id in self.nodes:
            return id
        self._note(where, f"no accepted row of {table.name!r} has this identity ({shortened(id)})")
        return None

    def _values(self, properties: object, table: EntityTable | RelationshipTable, where: str) -> _Values | None:
        """Returns the properties of a row, checked against its table."""
        names = tuple(column.name for column in table.columns)
        fields = self._fields(properties, where, None if table.allow_undeclared else names, needed=())
        if fields is None:
            return None
        values = self._declared(fields, table.columns, where)
        if values is None:
            return None
        values |= {name: value for name, value in fields.items() if name not in names and value is not None}
        try:
            return dict(Properties(values))
        except InvalidGraph as error:
            self._note(where, str(error))
            return None

    def _declared(self, fields: Mapping[str, Any], columns: Sequence[Column], where: str) -> _Values | None:
        """Returns the values of the columns that a row has."""
        values: _Values = {}
        before = len(self.problems)
        for column in columns:
            given = fields.get(column.name)
            if given is None:
                if column.required:
                    self._note(where, f"lacks the required {column.name!r}")
                continue
            value = _typed(given, column)
            if value is None:
                self._note(f"{where}.{column.name}", f"must be of type {column.type}, not {_shown(given)}")
            else:
                values[column.name] = value
        return values if len(self.problems) == before else None

    def _table(self, fields: Mapping[str, Any] | None, tables: Mapping[str, _Table], where: str) -> _Table | None:
        if fields is None:
            return None
        name = fields["table"]
        table = tables.get(name) if isinstance(name, str) else None
        if table is None:
            self._note(where, f"unknown table {_shown(name)}; it must be one of {', '.join(tables) or 'none'}")
        return table

    def _fields(
        self, value: object, where: str, known: tuple[str, ...] | None, needed: tuple[str, ...] | None = None
    ) -> Mapping[str, Any] | None:
        """Returns an object that has the fields that it must have, and no other than those known; None for any."""
        if not isinstance(value, Mapping):
            self._note(where, f"must be an object, not {type(value).__name__}")
            return None
        needed = (known or ()) if needed is None else needed
        before = len(self.problems)
        for name in value:
            if known is not None and name not in known:
                self._note(where, f"has the undeclared field {_shown(name)}; it may have {', '.join(known) or 'none'}")
        for name in needed:
            if name not in value:
                self._note(where, f"lacks {name!r}")
        return value if len(self.problems) == before else None

    def _listed(self, lists: Mapping[str, Any], name: str) -> Iterator[tuple[str, object]]:
        rows = lists.get(name, ())
        if isinstance(rows, list | tuple):
            return ((f"{name}[{place}]", row) for place, row in enumerate(rows))
        self._note(name, f"must be a list, not {type(rows).__name__}")
        return iter(())

    def _note(self, where: str, what: str) -> None:
        self.problems.append(f"{where}: {what}")


def _typed(value: object, column: Column) -> JsonValue:
    """Returns a value as its column holds it, None where it is of another type."""
    match column.type, value:
        case "string", str():
            return value
        case "boolean", bool():
            return value
        case "integer" | "number", bool():
            return None
        case "integer", int():
            return value if value.bit_length() < 64 else None
        case "number", int() | float():
            return _number(value)
    return None


def _shown(value: object) -> str:
    """Returns a wrong value as a problem shows it; what may be large or deep by its type alone."""
    return f"{value!r:.80}" if isinstance(value, str | bool | float) or value is None else f"a {type(value).__name__}"


def _number(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number + 0.0 if math.isfinite(number) else None
