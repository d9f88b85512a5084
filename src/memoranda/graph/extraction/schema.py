"""What may be extracted: tables of entities and of the relationships between them (S4.53)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from memoranda.errors import InvalidGraph
from memoranda.records.graph import MAX_NAME

ColumnType = Literal["string", "integer", "number", "boolean"]
"""What a column holds, by the name of the JSON type. A boolean is no integer; an integer is a number, too.

Integers have at most 64 bits, numbers are finite; a whole number in a number column is kept as a decimal.
"""

_TYPES: Final = get_args(ColumnType)


@dataclass(frozen=True, slots=True)
class Column:
    """One property that the rows of a table may have.

    Attributes:
        name: its name.
        type: what it holds.
        required: whether every row must have it.

    Raises:
        InvalidGraph: a blank name, or a type that is none.
    """

    name: str
    type: ColumnType = "string"
    required: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _check_name(self.name, "the name of a column")
        if self.type not in _TYPES:
            raise InvalidGraph(f"column {self.name!r} has type {self.type!r}; it must be one of {', '.join(_TYPES)}")


@dataclass(frozen=True, slots=True)
class EntityTable:
    """A sort of node that may be extracted.

    Attributes:
        name: its name, unique among all tables of a schema.
        columns: the properties of its rows.
        identity_columns: the columns by which two rows are the same node; at least one, each a required column.
        labels: the labels of its nodes; its name where none are given.
        allow_undeclared: whether rows may have further properties, of any JSON value.

    Raises:
        InvalidGraph: the table breaks one of these rules; the message names it.
    """

    name: str
    columns: Sequence[Column]
    identity_columns: Sequence[str]
    labels: Sequence[str] = field(default=(), kw_only=True)
    allow_undeclared: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _check_name(self.name, "the name of an entity table")
        put = object.__setattr__
        put(self, "columns", _columns(self.columns, self.name))
        put(self, "identity_columns", _several(self.identity_columns, f"`identity_columns` of {self.name!r}"))
        put(self, "labels", _several(self.labels, f"`labels` of {self.name!r}") or (self.name,))
        for label in self.labels:
            _check_name(label, f"a label of {self.name!r}")
        if not self.identity_columns:
            raise InvalidGraph(f"entity table {self.name!r} has no identity columns; name at least one required column")
        required = [column.name for column in self.columns if column.required]
        for name in self.identity_columns:
            if name not in required:
                raise InvalidGraph(f"identity column {name!r} of {self.name!r} must be one of its required columns")
        _check_distinct(self.identity_columns, f"entity table {self.name!r} has the identity column")

    @property
    def identity(self) -> tuple[Column, ...]:
        """The identity columns themselves, in the order of the table."""
        return tuple(column for column in self.columns if column.name in self.identity_columns)


@dataclass(frozen=True, slots=True)
class RelationshipTable:
    """A sort of relationship that may be extracted.

    Attributes:
        name: its name, unique among all tables of a schema.
        from_table: the entity table of the nodes at which its relationships begin.
        to_table: the entity table of those at which they end.
        columns: the properties of its rows.
        kind: the kind of its relationships; its name where none is given.
        allow_undeclared: whether rows may have further properties, of any JSON value.

    Raises:
        InvalidGraph: the table breaks one of these rules; the message names it.
    """

    name: str
    from_table: str
    to_table: str
    columns: Sequence[Column] = ()
    kind: str = field(default="", kw_only=True)
    allow_undeclared: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _check_name(self.name, "the name of a relationship table")
        object.__setattr__(self, "columns", _columns(self.columns, self.name))
        object.__setattr__(self, "kind", self.kind or self.name)
        _check_name(self.kind, f"`kind` of {self.name!r}")


@dataclass(frozen=True, slots=True)
class ExtractionSchema:
    """The tables whose rows a model may give.

    Attributes:
        entities: the entity tables; at least one.
        relationships: the relationship tables.

    Raises:
        InvalidGraph: no entity table, a name that two tables have, or an end that names no entity table.
    """

    entities: Sequence[EntityTable]
    relationships: Sequence[RelationshipTable] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "entities", tuple(self.entities))
        object.__setattr__(self, "relationships", tuple(self.relationships))
        if not self.entities:
            raise InvalidGraph("the schema has no entity table; give at least one")
        names = [table.name for table in self.entities]
        _check_distinct([*names, *(table.name for table in self.relationships)], "the schema has the table")
        for table in self.relationships:
            for end, name in ((table.from_table, "from_table"), (table.to_table, "to_table")):
                if end not in names:
                    raise InvalidGraph(f"`{name}` of {table.name!r} is {end!r}; it must be one of {', '.join(names)}")

    def to_json_schema(self) -> dict[str, Any]:
        """Returns a JSON schema (2020-12) of the rows that `extract` takes, to ask a model for structured output.

        Every field is listed as required and no other is allowed, which strict modes ask for; so a column that is not
        required may be null, and null means that the row does not have it. Only tables with `allow_undeclared` let
        further properties through, which strict modes refuse.
        """
        tables = {table.name: table for table in self.entities}
        entities = [_row(table, {}) for table in self.entities]
        relationships = [
            _row(
                table,
                {
                    "from": _object(tables[table.from_table].identity, further=False),
                    "to": _object(tables[table.to_table].identity, further=False),
                },
            )
            for table in self.relationships
        ]
        lists = {"entities": entities} | ({"relationships": relationships} if relationships else {})
        return _closed({name: {"type": "array", "items": {"anyOf": rows}} for name, rows in lists.items()})


def _row(table: EntityTable | RelationshipTable, ends: dict[str, Any]) -> dict[str, Any]:
    properties = _object(table.columns, further=table.allow_undeclared)
    return _closed({"table": {"type": "string", "enum": [table.name]}, **ends, "properties": properties})


def _object(columns: Iterable[Column], *, further: bool) -> dict[str, Any]:
    fields = {column.name: {"type": column.type if column.required else [column.type, "null"]} for column in columns}
    return _closed(fields) | ({"additionalProperties": True} if further else {})


def _closed(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _columns(columns: Iterable[Column], table: str) -> tuple[Column, ...]:
    found = tuple(columns)
    if not all(isinstance(column, Column) for column in found):
        raise InvalidGraph(f"`columns` of {table!r} must be made of Column values, such as Column('name', 'string')")
    _check_distinct([column.name for column in found], f"table {table!r} has the column")
    return found


def _several(values: Iterable[str], what: str) -> tuple[str, ...]:
    if isinstance(values, str):
        raise InvalidGraph(f"{what} takes several texts: write [{values!r}]")
    return tuple(values)


def _check_name(name: object, what: str) -> None:
    if not isinstance(name, str) or not name.strip() or len(name) > MAX_NAME:
        raise InvalidGraph(f"{what} must be a text of 1 to {MAX_NAME} characters that is not blank, not {name!r}")


def _check_distinct(names: Sequence[str], what: str) -> None:
    for place, name in enumerate(names):
        if name in names[:place]:
            raise InvalidGraph(f"{what} {name!r} twice; names must differ")
