"""Ids of extracted nodes and relationships."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memoranda.graph.extraction.ids import entity_id, relationship_id
from memoranda.records.graph import Properties
from tests.records.strategies import metadata

names = st.text(max_size=4) | st.sampled_from(("1:a", "string:1:a", ":", "4:name"))
ADA = "entity:6:person:object:1:4:namestring:12:Ada Lovelace"
ENGINES = "entity:7:company:object:1:4:namestring:18:Analytical Engines"


def test_the_seeds_examples() -> None:
    """S4.54."""
    assert entity_id("person", {"name": "Grace Hopper"}) == "entity:6:person:object:1:4:namestring:12:Grace Hopper"
    assert entity_id("person", {"name": "Ada Lovelace"}) == ADA
    assert relationship_id("works_at", ADA, ENGINES, {}) == (f"relationship:8:works_at53:{ADA}60:{ENGINES}object:0:")


def test_every_type_has_its_form() -> None:
    assert entity_id("t", {"b": 1843, "a": "é", "c": 0.5, "d": True}) == (
        "entity:1:t:object:4:1:astring:2:é1:binteger:4:18431:cnumber:3:0.51:dboolean:4:true"
    )
    assert relationship_id("t", "x", "y", {"a": None, "b": [1, {"c": False}]}) == (
        "relationship:1:t1:x1:yobject:2:1:anull:0:1:barray:2:integer:1:1object:1:1:cboolean:5:false"
    )


@given(st.tuples(names, metadata), st.tuples(names, metadata))
def test_two_rows_have_one_id_only_where_they_are_equal(one: tuple[str, object], other: tuple[str, object]) -> None:
    """S4.54."""
    ids = [entity_id(table, values) for table, values in (one, other)]  # type: ignore[arg-type]  # drawn as JSON objects
    same = one[0] == other[0] and Properties(one[1]) == Properties(other[1])  # type: ignore[arg-type]  # the same
    assert (ids[0] == ids[1]) == same


@given(st.tuples(names, names, names), st.tuples(names, names, names))
def test_no_part_of_a_relationships_id_runs_into_another(
    one: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    """S4.54."""
    assert (relationship_id(*one, {}) == relationship_id(*other, {})) == (one == other)
