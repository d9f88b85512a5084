"""What a working graph is made of."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from memoranda.errors import InvalidGraph
from memoranda.records.entry import JsonValue
from memoranda.records.graph import (
    MAX_DEPTH,
    MAX_ID,
    MAX_LABELS,
    MAX_NAME,
    MAX_PROPERTIES,
    GraphContextConfig,
    GraphNode,
    GraphRelationship,
    Properties,
)
from tests.records.strategies import metadata

CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE


def nested(depth: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(depth - 1):
        value = {"x": value}
    return value


@given(metadata)
def test_properties_are_the_json_that_they_were_made_from(values: dict[str, Any]) -> None:
    made = Properties(values)
    assert dict(made) == values == json.loads(made.json)
    assert made == values
    assert Properties(made) == made == Properties(dict(reversed(values.items())))
    assert hash(Properties(values)) == hash(made)
    assert len(made) == len(values)


def test_properties_cannot_be_changed_from_outside() -> None:
    """S4.32: nobody outside holds what is inside."""
    inner: list[Any] = [1]
    given: dict[str, Any] = {"a": inner, "b": {"c": 2}}
    node = GraphNode("n", properties=given)
    inner.append(2)
    given["d"] = 3
    held: Any = node.properties["a"]
    held.append(4)
    dict(node.properties)["e"] = 5
    assert node.properties == {"a": [1], "b": {"c": 2}}
    assert node.properties_json == '{"a":[1],"b":{"c":2}}'


def test_values_of_other_types_differ() -> None:
    values: list[JsonValue] = [1, 1.0, True, "1", None, [1]]
    different = [Properties({"a": value}) for value in values]
    assert len(set(different)) == len(different)
    assert Properties({"a": 1}) != {"a": 1.0}
    assert Properties({"a": 1}) != {"a": math.nan}
    assert Properties({"a": 1}) != 1


@pytest.mark.parametrize(
    "properties",
    [
        {"a": math.nan},
        {"a": [math.inf]},
        {1: "a"},
        {"a": {2: 3}},
        {"a": {1, 2}},
        {"a": b"x"},
        {"a": "\ud800"},
        {"\ud800": 1},
        {"a": 10**5000},
        {"a": "x" * MAX_PROPERTIES},
        nested(MAX_DEPTH + 1),
        CYCLE,
        [("a", 1)],
        "ab",
    ],
)
def test_what_is_not_json_is_refused_by_the_name_of_its_node(properties: Any) -> None:
    with pytest.raises(InvalidGraph, match="node 'n'"):
        GraphNode("n", properties=properties)
    with pytest.raises(InvalidGraph, match="relationship 'r'"):
        GraphRelationship("r", "a", "b", "k", properties=properties)


def test_limits_themselves_pass() -> None:
    GraphNode("n" * MAX_ID, labels=tuple(str(number) for number in range(MAX_LABELS)), properties=nested(MAX_DEPTH))
    GraphNode("n", labels=("l" * MAX_NAME,), properties={"a": "x" * (MAX_PROPERTIES - len('{"a":""}'))})
    GraphRelationship("r" * MAX_ID, "a", "b", "k" * MAX_NAME)


@pytest.mark.parametrize("id", ["", " \n", "n" * (MAX_ID + 1), "\ud800", 7, None])
@pytest.mark.parametrize(
    "made",
    [
        GraphNode,
        lambda id: GraphRelationship(id, "a", "b", "k"),
        lambda id: GraphRelationship("r", id, "b", "k"),
        lambda id: GraphRelationship("r", "a", id, "k"),
        lambda id: GraphRelationship("r", "a", "b", id),
        lambda id: GraphNode("n", labels=(id,)),
    ],
)
def test_a_name_that_is_none_is_refused(id: Any, made: Callable[[Any], object]) -> None:
    with pytest.raises(InvalidGraph):
        made(id)


@pytest.mark.parametrize("labels", ["person", 5, [str(number) for number in range(MAX_LABELS + 1)]])
def test_labels_that_are_none_are_refused(labels: Any) -> None:
    with pytest.raises(InvalidGraph, match="labels"):
        GraphNode("n", labels=labels)


def test_labels_stand_once_in_the_order_given() -> None:
    assert GraphNode("n", labels=("b", "a", "b")).labels == ("b", "a")


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, 10**400, True, "1", None])
def test_a_weight_that_is_not_finite_is_refused(weight: Any) -> None:
    """C22."""
    with pytest.raises(InvalidGraph, match="`weight` of relationship 'r'"):
        GraphRelationship("r", "a", "b", "k", weight=weight)


def test_weights_that_are_equal_are_kept_alike() -> None:
    weights = [GraphRelationship("r", "a", "b", "k", weight=weight).weight for weight in (0, -0.0, 0.0)]
    assert [repr(weight) for weight in weights] == ["0.0"] * 3


def test_a_changed_copy_keeps_the_rest() -> None:
    node = GraphNode("n", labels=("l",), properties={"a": 1})
    assert replace(node, id="m") == GraphNode("m", labels=("l",), properties={"a": 1})


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_nodes", -1),
        ("max_nodes", True),
        ("max_relationships", 1.5),
        ("line_bytes", 99),
        ("order", "newest"),
        ("markers", "cuca"),
    ],
)
def test_a_setting_out_of_range_is_refused_by_its_name(name: str, value: Any) -> None:
    with pytest.raises(InvalidGraph, match=name):
        GraphContextConfig(**{name: value})


def test_the_defaults_are_the_seeds() -> None:
    """S4.43."""
    assert (GraphContextConfig().max_nodes, GraphContextConfig().max_relationships) == (64, 128)
