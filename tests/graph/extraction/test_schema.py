"""What may be extracted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoranda.errors import InvalidGraph
from memoranda.graph import Column, EntityTable, ExtractionSchema, RelationshipTable

NAME = Column("name", required=True)
PERSON = EntityTable("person", [NAME, Column("born", "integer")], ["name"])
KNOWS = RelationshipTable("knows", "person", "person")


def test_names_stand_for_labels_and_kinds_that_were_not_given() -> None:
    assert PERSON.labels == ("person",)
    assert EntityTable("p", [NAME], ["name"], labels=["a", "b"]).labels == ("a", "b")
    assert (KNOWS.kind, RelationshipTable("k", "a", "b", kind="x").kind) == ("knows", "x")


def test_identity_is_in_the_order_of_the_columns() -> None:
    table = EntityTable("t", [Column("a", required=True), NAME, Column("b", required=True)], ["b", "a"])
    assert [column.name for column in table.identity] == ["a", "b"]


@pytest.mark.parametrize(
    ("made", "named"),
    [
        (lambda: Column(" "), "name of a column"),
        (lambda: Column("a", "text"), "'text'"),  # type: ignore[arg-type]  # no type of a column
        (lambda: EntityTable("", [NAME], ["name"]), "name of an entity table"),
        (lambda: EntityTable("t", [NAME], []), "no identity columns"),
        (lambda: EntityTable("t", [NAME], ["other"]), "'other'"),
        (lambda: EntityTable("t", [Column("name")], ["name"]), "required"),
        (lambda: EntityTable("t", [NAME], ["name", "name"]), "'name' twice"),
        (lambda: EntityTable("t", [NAME, NAME], ["name"]), "'name' twice"),
        (lambda: EntityTable("t", [NAME], "name"), "several"),
        (lambda: EntityTable("t", ["name"], ["name"]), "Column"),  # type: ignore[list-item]  # no column
        (lambda: EntityTable("t", [NAME], ["name"], labels=[""]), "label"),
        (lambda: RelationshipTable("r", "a", "b", kind=" "), "kind"),
        (lambda: ExtractionSchema([]), "no entity table"),
        (lambda: ExtractionSchema([PERSON, PERSON]), "'person' twice"),
        (lambda: ExtractionSchema([PERSON], [RelationshipTable("person", "person", "person")]), "'person' twice"),
        (lambda: ExtractionSchema([PERSON], [RelationshipTable("r", "person", "city")]), "'city'"),
        (lambda: ExtractionSchema([PERSON], [RelationshipTable("r", "r", "person")]), "from_table"),
    ],
)
def test_a_schema_that_breaks_a_rule_is_refused(made: Callable[[], object], named: str) -> None:
    """S4.53."""
    with pytest.raises(InvalidGraph) as caught:
        made()
    assert named in str(caught.value)


def test_the_json_schema_asks_for_the_rows_that_are_taken() -> None:
    text: dict[str, Any] = {"type": "string"}
    name = {"type": "object", "properties": {"name": text}, "required": ["name"], "additionalProperties": False}
    found = ExtractionSchema([PERSON], [RelationshipTable("knows", "person", "person", allow_undeclared=True)])
    schema = found.to_json_schema()
    assert schema["required"] == ["entities", "relationships"]
    (person,) = schema["properties"]["entities"]["items"]["anyOf"]
    assert person["properties"]["table"] == {"type": "string", "enum": ["person"]}
    assert person["properties"]["properties"] == {
        "type": "object",
        "properties": {"name": text, "born": {"type": ["integer", "null"]}},
        "required": ["name", "born"],
        "additionalProperties": False,
    }
    (knows,) = schema["properties"]["relationships"]["items"]["anyOf"]
    assert knows["required"] == ["table", "from", "to", "properties"]
    assert knows["properties"]["from"] == knows["properties"]["to"] == name
    assert knows["properties"]["properties"]["additionalProperties"] is True


def test_a_schema_without_relationships_asks_for_none() -> None:
    assert ExtractionSchema([PERSON]).to_json_schema()["required"] == ["entities"]
