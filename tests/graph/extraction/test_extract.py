"""From a model's rows to a graph of its own."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidGraph
from memoranda.graph import (
    Column,
    EntityTable,
    ExtractionSchema,
    GraphContextConfig,
    MergeReport,
    RelationshipTable,
    WorkingGraph,
    extract,
)
from memoranda.graph.extraction.extract import MAX_LISTED

NAME = Column("name", required=True)
SCHEMA = ExtractionSchema(
    [
        EntityTable("person", [NAME, Column("title"), Column("born", "integer"), Column("fame", "number")], ["name"]),
        EntityTable("company", [NAME, Column("listed", "boolean")], ["name"], allow_undeclared=True),
        EntityTable(
            "place", [Column("x", "integer", required=True), Column("y", "integer", required=True)], ["x", "y"]
        ),
    ],
    [
        RelationshipTable("works_at", "person", "company", [Column("since", "integer")]),
        RelationshipTable("stands_at", "company", "place", kind="at", allow_undeclared=True),
    ],
)
GRACE = {"table": "person", "properties": {"name": "Grace Hopper", "title": "rear admiral"}}
NAVAL = {"table": "company", "properties": {"name": "Naval Systems"}}
WORKS: dict[str, Any] = {
    "table": "works_at",
    "from": {"name": "Grace Hopper"},
    "to": {"name": "Naval Systems"},
    "properties": {},
}
ROWS: dict[str, Any] = {"entities": [GRACE, NAVAL], "relationships": [WORKS]}
GRACE_ID = "entity:6:person:object:1:4:namestring:12:Grace Hopper"
NAVAL_ID = "entity:7:company:object:1:4:namestring:13:Naval Systems"


def problems(rows: Any) -> list[str]:
    with pytest.raises(InvalidGraph) as caught:
        extract(SCHEMA, rows)
    return [line.removeprefix("- ") for line in str(caught.value).splitlines()[1:]]


def with_row(row: Any, list_: str = "entities") -> dict[str, Any]:
    rows = copy.deepcopy(ROWS)
    rows[list_].append(row)
    return rows


def test_the_seeds_example() -> None:
    """S4.42, S4.53, S4.54."""
    assert extract(SCHEMA, ROWS).render(config=GraphContextConfig(markers="seed")).splitlines() == [
        "CUCA graph memory: 2 nodes, 1 relationships",
        f'node {GRACE_ID}: labels=[person] props={{"name":"Grace Hopper","title":"rear admiral"}}',
        f'node {NAVAL_ID}: labels=[company] props={{"name":"Naval Systems"}}',
        f"rel relationship:8:works_at53:{GRACE_ID}55:{NAVAL_ID}object:0:: {GRACE_ID} -[works_at]-> {NAVAL_ID} weight=1",
    ]


def test_nothing_changes_until_the_delta_is_merged_and_merging_it_again_changes_nothing() -> None:
    """S4.54, C21."""
    graph = WorkingGraph()
    delta = extract(SCHEMA, ROWS)
    assert graph.is_empty
    assert graph.merge(delta) == MergeReport(nodes_added=2, relationships_added=1)
    assert graph.merge(extract(SCHEMA, ROWS)) == MergeReport(nodes_kept=2, relationships_unchanged=1)


def test_equal_rows_count_once_and_different_rows_of_one_id_conflict() -> None:
    """S4.54."""
    twice = {"entities": [GRACE, NAVAL, GRACE], "relationships": [WORKS, WORKS]}
    assert extract(SCHEMA, twice).snapshot() == extract(SCHEMA, ROWS).snapshot()
    other = {"table": "person", "properties": {"name": "Grace Hopper", "title": "captain"}}
    (found,) = problems(with_row(other))
    assert found.startswith("entities[2]: conflicting")


def test_relationships_of_other_properties_are_others() -> None:
    """S4.54: the id holds the properties."""
    rows = with_row({**WORKS, "properties": {"since": 1967}}, "relationships")
    assert [dict(each.properties) for each in extract(SCHEMA, rows).relationships()] == [{}, {"since": 1967}]


def test_values_are_kept_as_their_columns_hold_them() -> None:
    """S4.53: null is what a row does not have; what is undeclared is kept where a table allows it."""
    rows = {
        "entities": [
            {"table": "person", "properties": {"name": "Ada", "title": None, "born": 1815, "fame": 1}},
            {"table": "company", "properties": {"name": "C", "listed": True, "extra": {"deep": [1]}, "none": None}},
            {"table": "place", "properties": {"y": 2, "x": -1}},
        ],
        "relationships": [
            {"table": "stands_at", "from": {"name": "C"}, "to": {"x": -1, "y": 2}, "properties": {"z": [0.5]}}
        ],
    }
    graph = extract(SCHEMA, rows)
    properties = {node.labels[0]: node.properties_json for node in graph.nodes()}
    assert properties == {
        "person": '{"born":1815,"fame":1.0,"name":"Ada"}',
        "company": '{"extra":{"deep":[1]},"listed":true,"name":"C"}',
        "place": '{"x":-1,"y":2}',
    }
    (at,) = graph.relationships()
    assert (at.kind, at.weight, at.properties_json) == ("at", 1.0, '{"z":[0.5]}')
    assert at.to == "entity:5:place:object:2:1:xinteger:2:-11:yinteger:1:2"


@pytest.mark.parametrize(
    ("properties", "named"),
    [
        ({"title": "x"}, "lacks the required 'name'"),
        ({"name": None}, "lacks the required 'name'"),
        ({"name": "  "}, "blank"),
        ({"name": 5}, "properties.name: must be of type string"),
        ({"name": "a", "born": True}, "properties.born: must be of type integer, not True"),
        ({"name": "a", "born": 1.0}, "properties.born: must be of type integer, not 1.0"),
        ({"name": "a", "born": 2**63}, "properties.born"),
        ({"name": "a", "fame": False}, "properties.fame: must be of type number"),
        ({"name": "a", "fame": float("nan")}, "properties.fame"),
        ({"name": "a", "fame": 10**400}, "properties.fame"),
        ({"name": "a", "age": 7}, "undeclared field 'age'"),
        ({"name": "\ud800"}, "surrogate"),
        ({"name": "x" * 70_000}, "characters"),
        ({"name": "x" * 20_000}, "characters"),
        ([], "must be an object"),
    ],
)
def test_a_wrong_entity_is_named_with_its_place(properties: Any, named: str) -> None:
    """S4.53."""
    (found,) = problems(with_row({"table": "person", "properties": properties}))
    assert found.startswith("entities[2]")
    assert named in found


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"table": "likes"}, "unknown table 'likes'"),
        ({"table": ["works_at"]}, "unknown table a list"),
        ({"from": {"name": "Nobody"}}, ".from: no accepted row of 'person'"),
        ({"to": {"name": "Grace Hopper"}}, ".to: no accepted row of 'company'"),
        ({"to": {"name": "\ud800"}}, ".to: no accepted row"),
        ({"from": {"name": "Grace Hopper", "title": "rear admiral"}}, "undeclared field 'title'"),
        ({"from": {}}, ".from: lacks 'name'"),
        ({"from": {"name": 7}}, ".from.name: must be of type string"),
        ({"from": {"name": 10**5000}}, ".from.name: must be of type string"),
        ({"from": "Grace Hopper"}, ".from: must be an object"),
        ({"properties": {"weight": 2}}, "undeclared field 'weight'"),
        ({"properties": {"since": "1967"}}, "since: must be of type integer, not '1967'"),
        ({"weight": 2}, "undeclared field 'weight'"),
    ],
)
def test_a_wrong_relationship_is_named_with_its_place(change: dict[str, Any], named: str) -> None:
    """S4.53."""
    (found,) = problems(with_row(WORKS | change, "relationships"))
    assert found.startswith("relationships[1]")
    assert named in found


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ([], "the rows: must be an object"),
        ({"nodes": []}, "the rows: has the undeclared field 'nodes'"),
        ({"entities": None}, "entities: must be a list"),
        ({"entities": {}}, "entities: must be a list"),
        ({"entities": [5]}, "entities[0]: must be an object"),
        ({"entities": [{}]}, "entities[0]: lacks 'table'"),
        ({"entities": [{"table": "works_at", "properties": {}}]}, "entities[0]: unknown table 'works_at'"),
    ],
)
def test_rows_of_another_shape_are_refused(rows: Any, named: str) -> None:
    """S4.53."""
    assert problems(rows)[0].startswith(named)


def test_every_problem_is_listed_up_to_a_bound() -> None:
    """S4.53: total, nothing partial."""
    bad = {"table": "person", "properties": {"born": "x", "shoe": 1}}
    found = problems({"entities": [bad, NAVAL, {"table": "dog", "properties": {}}], "relationships": [WORKS]})
    assert [each.split(":")[0] for each in found] == ["entities[0].properties", "entities[2]", "relationships[0].from"]
    many = problems({"entities": [{"table": "dog", "properties": {}}] * (MAX_LISTED + 3)})
    assert len(many) == MAX_LISTED + 1
    assert many[-1] == "and 3 more"


def test_no_rows_are_an_empty_graph() -> None:
    assert extract(SCHEMA, {}).is_empty


@given(st.lists(st.tuples(st.text(min_size=1, max_size=5), st.integers(0, 2)), max_size=6), st.randoms())
def test_the_order_of_rows_does_not_matter(people: list[tuple[str, int]], chance: random.Random) -> None:
    """S4.54."""
    people = [(f"p{name}", born) for name, born in dict(people).items()]
    rows: dict[str, Any] = {
        "entities": [
            NAVAL,
            *({"table": "person", "properties": {"name": name, "born": born}} for name, born in people),
        ],
        "relationships": [{**WORKS, "from": {"name": name}} for name, _ in people],
    }
    shuffled = {name: chance.sample(found, len(found)) for name, found in rows.items()}
    assert extract(SCHEMA, rows).snapshot().to_json() == extract(SCHEMA, shuffled).snapshot().to_json()
