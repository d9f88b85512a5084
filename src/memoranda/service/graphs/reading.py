"""Reads a working graph from text: a snapshot in JSON, or the rows of an extraction with their schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, Final, TypeVar

from memoranda.errors import InvalidGraph
from memoranda.graph.extraction.extract import extract
from memoranda.graph.extraction.schema import Column, EntityTable, ExtractionSchema, RelationshipTable
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.graph.working import WorkingGraph

Part = TypeVar("Part", Column, EntityTable, RelationshipTable, ExtractionSchema)

_PARTS: Final[Mapping[str, type[Any]]] = {
    "columns": Column,
    "entities": EntityTable,
    "relationships": RelationshipTable,
}
"""The fields that hold a list of objects, and what each of these is."""
_LISTS: Final = ("identity_columns", "labels")
_FLAGS: Final = ("allow_undeclared", "required")


def graph_of(text: str, name: str) -> WorkingGraph:
    """Returns the graph that a snapshot in JSON describes.

    Args:
        text: the snapshot, as `GraphSnapshot.to_json` writes it.
        name: what messages call it, such as the name of its file.

    Raises:
        InvalidGraph: it is none; the message names the part that is wrong.
        CapacityReached: it is larger than a graph may be.
    """
    try:
        return WorkingGraph.from_snapshot(GraphSnapshot.from_json(text))
    except InvalidGraph as error:
        raise InvalidGraph(
            f"{name}: {error}; nothing was imported: a graph is an object with `nodes` and `relationships`, as `graph "
            "export` writes it, and rows of an extraction need --schema"
        ) from error


def extracted(text: str, name: str, schema: ExtractionSchema) -> WorkingGraph:
    """Returns the graph that rows in JSON describe; see `extract`.

    Raises:
        InvalidGraph: the rows break the schema; the message names each wrong one, on one line.
        CapacityReached: they describe more than a graph may hold.
    """
    rows = _parsed(text, name)
    try:
        return extract(schema, rows)
    except InvalidGraph as error:
        first, *problems = str(error).split("\n")
        listed = "; ".join(problem.removeprefix("- ") for problem in problems)
        raise InvalidGraph(f"{name}: {first} {listed}".rstrip()) from error


def schema_of(text: str, name: str) -> ExtractionSchema:
    """Returns the schema that a JSON object describes: an object for each part, with the fields of its class.

    The object is an `ExtractionSchema`, its `entities` are `EntityTable`s, its `relationships` `RelationshipTable`s,
    and the `columns` of these `Column`s. Fields that have a default may be left out.

    Raises:
        InvalidGraph: it is none; the message names the part that is wrong.
    """
    return _made(ExtractionSchema, _parsed(text, name), name)


def _parsed(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidGraph(f"{name} is not JSON that can be read: {error}; nothing was imported") from error


def _made(kind: type[Part], given: object, where: str) -> Part:
    """Returns a part of a schema, and all that it is made of."""
    if not isinstance(given, Mapping):
        raise InvalidGraph(f"{where} must be a JSON object, not {type(given).__name__}")
    known = {field.name: field.default is MISSING for field in fields(kind)}
    for unknown in sorted(given.keys() - known.keys()):
        raise InvalidGraph(f"{where} has the unknown field {unknown!r}; it may have {', '.join(known)}")
    for name, is_required in known.items():
        if is_required and name not in given:
            raise InvalidGraph(f"{where} lacks `{name}`")
    values: dict[str, Any] = {name: _value(name, value, f"{where}: {name}") for name, value in given.items()}
    try:
        return kind(**values)
    except InvalidGraph as error:
        raise InvalidGraph(f"{where}: {error}") from error


def _value(name: str, given: object, where: str) -> object:
    """Returns the value of a field, with the type that the class expects."""
    if name in _PARTS:
        return tuple(_made(_PARTS[name], each, f"{where}[{place}]") for place, each in enumerate(_listed(given, where)))
    if name in _LISTS:
        if not all(isinstance(each, str) for each in _listed(given, where)):
            raise InvalidGraph(f"{where} must be a list of texts")
        return given
    expected = bool if name in _FLAGS else str
    if not isinstance(given, expected):
        raise InvalidGraph(f"{where} must be {'true or false' if expected is bool else 'text'}, not {given!r:.80}")
    return given


def _listed(given: object, where: str) -> list[Any]:
    if not isinstance(given, list):
        raise InvalidGraph(f"{where} must be a list, not {type(given).__name__}")
    return given
