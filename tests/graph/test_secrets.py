"""Secrets in a working graph."""

from __future__ import annotations

import pytest

from memoranda.errors import InvalidGraph
from memoranda.graph.secrets import without_secrets
from memoranda.graph.snapshot import GraphSnapshot
from memoranda.records.graph import GraphNode, GraphRelationship

KEY = "ghp_" + "a1B2" * 9


def one(properties: object, *, id: str = "n", labels: tuple[str, ...] = ()) -> GraphSnapshot:
    return GraphSnapshot((GraphNode(id, labels=labels, properties=properties),))  # type: ignore[arg-type]


def masked(properties: object) -> dict[str, object]:
    return dict(without_secrets(one(properties), GraphSnapshot()).nodes[0].properties)


def test_texts_are_masked_at_any_depth() -> None:
    """S1.27, D10."""
    assert masked({"a": [{"b": f"use {KEY} now"}], "n": 1}) == {"a": [{"b": "use [REDACTED] now"}], "n": 1}


def test_the_name_of_a_property_gives_its_value_away() -> None:
    assert masked({"password": "tr0ub4dor-3"}) == {"password": "[REDACTED]"}


def test_where_masking_the_whole_would_be_no_json_the_texts_are_masked_one_by_one() -> None:
    held = {"password": 12345678, "note": ["password=tr0ub4dor-3", {"x": KEY}]}
    assert masked(held) == {"password": 12345678, "note": ["password=[REDACTED]", {"x": "[REDACTED]"}]}


def test_relationships_are_masked_too() -> None:
    each = GraphRelationship("r", "a", "b", "uses", weight=0.5, properties={"with": KEY})
    found = without_secrets(GraphSnapshot((), (each,)), GraphSnapshot()).relationships[0]
    assert (found.weight, dict(found.properties)) == (0.5, {"with": "[REDACTED]"})


def test_without_a_secret_the_snapshot_is_the_same_one() -> None:
    plain = one({"max_tokens": 4096, "note": "the password must be long", "token": None})
    assert without_secrets(plain, GraphSnapshot()) is plain


def test_what_was_there_is_left_as_it_is() -> None:
    before = one({"k": KEY})
    both = GraphSnapshot((*before.nodes, GraphNode("new", properties={"k": KEY})))
    found = {node.id: node.properties["k"] for node in without_secrets(both, before).nodes}
    assert found == {"n": KEY, "new": "[REDACTED]"}


@pytest.mark.parametrize(("id", "label"), [(f"key {KEY}", "l"), ("n", KEY)])
def test_a_secret_in_a_name_is_refused_and_not_shown(id: str, label: str) -> None:
    with pytest.raises(InvalidGraph, match=r"holds a secret \(token\)") as raised:
        without_secrets(one({}, id=id, labels=(label,)), GraphSnapshot())
    assert KEY not in str(raised.value)


def test_the_id_of_an_extracted_row_of_a_table_named_token_is_no_secret() -> None:
    """S4.54."""
    found = without_secrets(one({"k": KEY}, id="entity:5:token:object:1:4:namestring:6:a1b2c3"), GraphSnapshot())
    assert found.nodes[0].properties["k"] == "[REDACTED]"
