"""A graph from a snapshot in JSON, or from rows and their schema."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given

from memoranda.errors import InvalidGraph
from memoranda.graph import Column, EntityTable, ExtractionSchema, GraphSnapshot, RelationshipTable
from memoranda.service.graphs.reading import extracted, graph_of, schema_of
from tests.graph.made import snapshots

SCHEMA = {
    "entities": [
        {
            "name": "person",
            "columns": [{"name": "name", "required": True}, {"name": "born", "type": "integer"}],
            "identity_columns": ["name"],
            "labels": ["human"],
        }
    ],
    "relationships": [
        {
            "name": "knows",
            "from_table": "person",
            "to_table": "person",
            "columns": [{"name": "since"}],
            "kind": "KNOWS",
            "allow_undeclared": True,
        }
    ],
}
ADA = {"table": "person", "properties": {"name": "Ada", "born": 1815}}


@given(snapshots())
def test_a_snapshot_reads_back(snapshot: GraphSnapshot) -> None:
    """S4.40, S4.41."""
    assert graph_of(snapshot.to_json(), "g.json").snapshot() == snapshot


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[]", "JSON object"),
        ('{"entities": []}', "need --schema"),
        ('{"nodes": [{"id": "a"}, {"id": "a"}]}', "'a' twice"),
        ('{"relationships": [{"id": "r", "from": "a", "to": "b", "kind": "k"}]}', "no such node"),
        ('{"nodes": [{"id": "a"}], "relationships": [{"id": "r", "from": "a", "to": "a", "kind": "k", "weight": NaN}]}',
         "finite"),
    ],
)  # fmt: skip
def test_a_wrong_snapshot_is_refused_by_its_name(text: str, says: str) -> None:
    """S4.41, C22."""
    with pytest.raises(InvalidGraph, match=r"^g\.json: .*nothing was imported") as caught:
        graph_of(text, "g.json")
    assert says in str(caught.value)


def test_a_schema_reads_as_its_classes() -> None:
    assert schema_of(json.dumps(SCHEMA), "s.json") == ExtractionSchema(
        [EntityTable("person", [Column("name", required=True), Column("born", "integer")], ["name"], labels=["human"])],
        [RelationshipTable("knows", "person", "person", [Column("since")], kind="KNOWS", allow_undeclared=True)],
    )


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ([], 7, "s.json must be a JSON object, not int"),
        (["entities"], {}, "s.json: entities must be a list, not dict"),
        (["entities"], [], "no entity table"),
        (["tables"], [], "unknown field 'tables'; it may have entities, relationships"),
        (["entities", 0], [], "s.json: entities[0] must be a JSON object"),
        (["entities", 0, "name"], 7, "s.json: entities[0]: name must be text, not 7"),
        (["entities", 0, "name"], " ", "entities[0]: the name of an entity table must be"),
        (["entities", 0, "columns", 1, "type"], "date", "entities[0]: columns[1]: column 'born' has type 'date'"),
        (["entities", 0, "columns", 0, "required"], "yes", "required must be true or false, not 'yes'"),
        (["entities", 0, "identity_columns"], "name", "identity_columns must be a list, not str"),
        (["entities", 0, "labels"], [7], "labels must be a list of texts"),
        (["relationships", 0, "to_table"], "city", "`to_table` of 'knows' is 'city'"),
    ],
)
def test_a_wrong_schema_is_refused_by_the_place(path: list[Any], value: object, says: str) -> None:
    """S4.53."""
    document: Any = {"root": json.loads(json.dumps(SCHEMA))}
    *way, last = ["root", *path]
    part = document
    for step in way:
        part = part[step]
    part[last] = value
    with pytest.raises(InvalidGraph) as caught:
        schema_of(json.dumps(document["root"]), "s.json")
    assert says in str(caught.value)


def test_a_field_that_is_missing_or_no_json_is_told() -> None:
    with pytest.raises(InvalidGraph, match=r"s\.json: entities\[0\] lacks `columns`"):
        schema_of('{"entities": [{"name": "person"}]}', "s.json")
    with pytest.raises(InvalidGraph, match=r"s\.json is not JSON"):
        schema_of("{", "s.json")
    with pytest.raises(InvalidGraph, match=r"rows\.json is not JSON"):
        extracted("[" * 100_000, "rows.json", schema_of(json.dumps(SCHEMA), "s.json"))


def test_rows_become_a_graph_or_one_line_of_what_is_wrong() -> None:
    """S4.53, S4.54."""
    schema = schema_of(json.dumps(SCHEMA), "s.json")
    knows = {"table": "knows", "from": {"name": "Ada"}, "to": {"name": "Ada"}}
    graph = extracted(json.dumps({"entities": [ADA], "relationships": [knows]}), "rows.json", schema)
    (node,), (each,) = graph.nodes(), graph.relationships()
    assert (node.id, node.labels) == ("entity:6:person:object:1:4:namestring:3:Ada", ("human",))
    assert (each.from_, each.to, each.kind) == (node.id, node.id, "KNOWS")
    wrong = {"entities": [{"table": "city", "properties": {}}, {"table": "person", "properties": {}}]}
    with pytest.raises(InvalidGraph) as caught:
        extracted(json.dumps(wrong), "rows.json", schema)
    message = str(caught.value)
    assert message.startswith("rows.json: the extracted rows cannot be used, and none was: entities[0]: ")
    assert "; entities[1].properties: lacks the required 'name'" in message
    assert "\n" not in message
