"""Ids of extracted nodes and relationships: the same row always gives the same id, two different rows never (S4.54).

Every text is written with its length in bytes of UTF-8 before it, `4:name`, so no text can be taken for what stands
around it. Values are written by their JSON type:

| value | written as |
|---|---|
| text | `string:` and the text: `string:3:Ada` |
| integer, number, boolean | `integer:`, `number:` or `boolean:` and its text: `integer:4:1843` |
| null | `null:0:` |
| object | `object:`, how many fields and `:`, then each name and value, sorted by name: `object:1:4:namestring:3:Ada` |
| array | `array:`, how many values and `:`, then each value |

A node is `entity:`, the table and the object of its identity columns. A relationship is `relationship:`, the table, the
ids of both ends, and the object of its properties. Booleans are `true` and `false`; a number is the
shortest decimal that reads back as itself; an integer in a number column was made a number before.

Lengths and the forms of text and object are those of the seed's examples; the other forms follow them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from memoranda.records.entry import JsonValue


def entity_id(table: str, identity: Mapping[str, JsonValue]) -> str:
    """Returns the id of the node that a row of a table describes, from the values of its identity columns."""
    return f"entity:{_sized(table)}:{_value(identity)}"


def relationship_id(table: str, from_id: str, to_id: str, properties: Mapping[str, JsonValue]) -> str:
    """Returns the id of the relationship that a row of a table describes."""
    return f"relationship:{_sized(table)}{_sized(from_id)}{_sized(to_id)}{_value(properties)}"


def _sized(text: str) -> str:
    return f"{len(text.encode(errors='surrogatepass'))}:{text}"


def _value(value: JsonValue | Mapping[str, JsonValue]) -> str:
    match value:
        case str():
            return f"string:{_sized(value)}"
        case None:
            return "null:0:"
        case bool():
            return f"boolean:{_sized(json.dumps(value))}"
        case int():
            return f"integer:{_sized(str(value))}"
        case float():
            return f"number:{_sized(repr(value + 0.0))}"
        case list() | tuple():
            return f"array:{len(value)}:{''.join(map(_value, value))}"
        case _:
            fields = "".join(f"{_sized(name)}{_value(value[name])}" for name in sorted(value))
            return f"object:{len(value)}:{fields}"
