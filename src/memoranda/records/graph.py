"""What a working graph is made of: nodes, relationships, their properties, and what is asked of a graph.

Every value checks itself when it is made and cannot be changed afterwards, so graphs share values instead of copying
them. What several values must be to each other, such as that a relationship's ends exist, is checked by the graph.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final, Literal, cast

from memoranda.errors import InvalidGraph
from memoranda.records.entry import JsonValue

MAX_ID: Final = 16_384
"""Longest id of a node or relationship, in characters. Ids of extracted relationships hold the ids of both ends."""
MAX_NAME: Final = 1_000
"""Longest label or kind, in characters."""
MAX_LABELS: Final = 64
"""Most labels of one node."""
MAX_PROPERTIES: Final = 65_536
"""Largest properties of one node or relationship, in characters of JSON."""
MAX_DEPTH: Final = 100
"""Deepest nesting of properties."""

_MIN_LINE_BYTES: Final = 100


class GraphDirection(StrEnum):
    """Along which relationships of a node one looks (S4.36)."""

    OUTGOING = "outgoing"
    """Those that begin at it."""
    INCOMING = "incoming"
    """Those that end at it."""
    ANY = "any"
    """Both."""


class MergePolicy(StrEnum):
    """What a merge does where both graphs have something else under one id (S4.37, C21)."""

    KEEP = "keep"
    """What is there stays."""
    OVERWRITE = "overwrite"
    """What comes in takes its place."""


class Properties(Mapping[str, JsonValue]):
    """A JSON object that nobody can change: what it is made from is copied, and what it gives are copies.

    It equals every mapping with the same canonical JSON, so `1`, `1.0` and `True` are three values. `dict(properties)`
    gives a plain dict.

    Attributes:
        json: its canonical JSON: keys sorted by code point at every level, no spaces, characters as they are.

    Raises:
        InvalidGraph: it is not JSON, nested deeper than `MAX_DEPTH`, larger than `MAX_PROPERTIES`, or no Unicode text.
    """

    __slots__ = ("_held", "json")

    def __init__(self, values: Mapping[str, JsonValue]) -> None:
        self.json: Final = _canonical(values)
        self._held: dict[str, JsonValue] | None = None

    def __getitem__(self, key: str) -> JsonValue:
        value = self._values()[key]
        return cast("JsonValue", json.loads(json.dumps(value))) if isinstance(value, list | dict) else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._values())

    def __len__(self) -> int:
        return len(self._values())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Properties):
            return self.json == other.json
        if not isinstance(other, Mapping):
            return NotImplemented
        try:
            return self.json == _canonical(other)
        except InvalidGraph:
            return False

    def __hash__(self) -> int:
        return hash(self.json)

    def __repr__(self) -> str:
        return f"Properties({self.json})"

    def _values(self) -> dict[str, JsonValue]:
        # Most properties are only ever written out. Two threads may both parse; they get the same.
        if self._held is None:
            self._held = json.loads(self.json)
        return self._held


@dataclass(frozen=True, slots=True)
class GraphNode:
    """One thing of a working graph (S4.32).

    Attributes:
        id: its name within the graph; not blank, at most `MAX_ID` characters.
        labels: what sort of thing it is, in the order given, without repeats.
        properties: further facts, as JSON values; see `Properties`.

    Raises:
        InvalidGraph: one of these cannot be kept; the message names the node and what is wrong.
    """

    id: str
    labels: tuple[str, ...] = field(default=(), kw_only=True)
    properties: Mapping[str, JsonValue] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        check_id(self.id, "the id of a node")
        where = f"node {shortened(self.id)}"
        if self.labels != ():
            object.__setattr__(self, "labels", _labels(self.labels, where))
        object.__setattr__(self, "properties", _properties(self.properties, where))

    @property
    def properties_json(self) -> str:
        """The properties as canonical JSON."""
        return cast("Properties", self.properties).json


@dataclass(frozen=True, slots=True)
class GraphRelationship:
    """How one node of a working graph relates to another or to itself (S4.32).

    Attributes:
        id: its name among the relationships of the graph; not blank, at most `MAX_ID` characters.
        from_: id of the node at which it begins.
        to: id of the node at which it ends.
        kind: how they relate, such as `works_at`.
        weight: how strongly; any finite number, 1 by default. -0 is kept as 0.
        properties: further facts, as JSON values; see `Properties`.

    Raises:
        InvalidGraph: one of these cannot be kept; the message names the relationship and what is wrong (C22).
    """

    id: str
    from_: str
    to: str
    kind: str
    weight: float = field(default=1.0, kw_only=True)
    properties: Mapping[str, JsonValue] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        check_id(self.id, "the id of a relationship")
        where = f"relationship {shortened(self.id)}"
        check_id(self.from_, f"`from` of {where}")
        check_id(self.to, f"`to` of {where}")
        _check_text(self.kind, f"`kind` of {where}", MAX_NAME)
        object.__setattr__(self, "weight", _weight(self.weight, where))
        object.__setattr__(self, "properties", _properties(self.properties, where))

    @property
    def properties_json(self) -> str:
        """The properties as canonical JSON."""
        return cast("Properties", self.properties).json


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphContextConfig:
    """How much of a working graph is rendered into a request, and how (S4.42, S4.43, C45).

    Attributes:
        max_nodes: most nodes shown.
        max_relationships: most relationships shown.
        order: which are shown where there are more. `relevant`: the nodes nearest to the turn's text, then those
            touched last; the relationships between shown nodes, then those with one end shown, the last written first.
            `id`: the first by id, as in the seed. What is shown stands in the order of ids either way.
        markers: whose first line: `memoranda` or the `seed`'s.
        line_bytes: longest line, in bytes of UTF-8, at least 100; a longer one is cut and says so. None for no bound,
            as in the seed.

    Raises:
        InvalidGraph: a value out of its range; the message names the setting.
    """

    max_nodes: int = 64
    max_relationships: int = 128
    order: Literal["relevant", "id"] = "relevant"
    markers: Literal["memoranda", "seed"] = "memoranda"
    line_bytes: int | None = 2_000

    def __post_init__(self) -> None:
        check_bound(self.max_nodes, "max_nodes")
        check_bound(self.max_relationships, "max_relationships")
        if self.line_bytes is not None:
            check_bound(self.line_bytes, "line_bytes")
            if self.line_bytes < _MIN_LINE_BYTES:
                raise InvalidGraph(f"`line_bytes` is {self.line_bytes}; a line needs at least {_MIN_LINE_BYTES}")
        if self.order not in ("relevant", "id"):
            raise InvalidGraph(f"`order` is {self.order!r}; it must be 'relevant' or 'id'")
        if self.markers not in ("memoranda", "seed"):
            raise InvalidGraph(f"`markers` is {self.markers!r}; it must be 'memoranda' or 'seed'")


def check_id(id: str, what: str = "the id") -> None:
    """Refuses what cannot be the id of a node or relationship.

    Raises:
        InvalidGraph: it is not text, blank, longer than `MAX_ID` or no Unicode text; `what` says which id it was.
    """
    _check_text(id, what, MAX_ID)


def check_bound(bound: int, name: str) -> None:
    """Refuses a bound that is not a whole number of at least 0.

    Raises:
        InvalidGraph: `name` says which bound it was.
    """
    if isinstance(bound, bool) or not isinstance(bound, int) or bound < 0:
        raise InvalidGraph(f"`{name}` is {bound!r}; it must be a whole number, 0 or more")


def shortened(id: str) -> str:
    """Returns an id as messages show it: quoted, and cut where it is long."""
    return repr(id) if len(id) <= 120 else f"{id[:120]!r}... ({len(id)} characters)"


def _check_text(value: object, what: str, most: int) -> None:
    if not isinstance(value, str):
        raise InvalidGraph(f"{what} must be text, not {type(value).__name__}")
    if not value or value.isspace():
        raise InvalidGraph(f"{what} is empty or blank; give it a name")
    if len(value) > most:
        raise InvalidGraph(f"{what} has {len(value)} characters; at most {most} are kept: give a shorter one")
    _check_unicode(value, what)


def _check_unicode(value: str, what: str) -> None:
    if value.isascii():
        return
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidGraph(f"{what} holds a lone surrogate at character {error.start}; it is not valid text") from error


def _labels(labels: Iterable[str], where: str) -> tuple[str, ...]:
    if isinstance(labels, str) or not isinstance(labels, Iterable):
        raise InvalidGraph(f"`labels` of {where} must be several texts, such as ['person'], not {labels!r}")
    found = tuple(labels)
    for label in found:
        _check_text(label, f"a label of {where}", MAX_NAME)
    if len(found) > MAX_LABELS:
        raise InvalidGraph(f"{where} has {len(found)} labels; at most {MAX_LABELS} are kept")
    return tuple(dict.fromkeys(found))


def _weight(weight: float, where: str) -> float:
    if isinstance(weight, bool) or not isinstance(weight, int | float):
        raise InvalidGraph(f"`weight` of {where} must be a number, not {weight!r}")
    try:
        value = float(weight)
    except OverflowError:
        value = math.inf
    if not math.isfinite(value):
        raise InvalidGraph(f"`weight` of {where} is not a finite number; a graph with it could not be read again")
    return value + 0.0  # -0.0 equals 0.0, so both are written alike


def _properties(properties: Mapping[str, JsonValue] | None, where: str) -> Properties:
    if properties is None:
        return _NONE
    if type(properties) is Properties:
        return properties
    try:
        return Properties(properties) if properties != {} else _NONE
    except InvalidGraph as error:
        raise InvalidGraph(f"`properties` of {where}: {error}") from error


def _canonical(values: Mapping[str, JsonValue]) -> str:
    if not isinstance(values, Mapping):
        raise InvalidGraph(f"it must be a JSON object, not {type(values).__name__}")
    held = dict(values)
    _check_tree(held)
    try:
        text = json.dumps(held, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidGraph(f"it cannot be written as JSON: {error}") from error
    if len(text) > MAX_PROPERTIES:
        raise InvalidGraph(f"it has {len(text)} characters of JSON; at most {MAX_PROPERTIES} are kept")
    _check_unicode(text, "it")
    return text


def _check_tree(values: dict[str, JsonValue]) -> None:
    """Refuses what is nested too deep, holds itself, or has names that are not text: JSON would turn 1 into "1"."""
    level: list[object] = [values]
    for _ in range(MAX_DEPTH):
        found: dict[int, object] = {}  # by identity, so that what holds itself twice does not double at each level
        for part in level:
            if isinstance(part, dict):
                for key in part:
                    if not isinstance(key, str):
                        raise InvalidGraph(f"the name {key!r} is not text")
            inner = part.values() if isinstance(part, dict) else cast("list[object]", part)
            found.update((id(value), value) for value in inner if isinstance(value, dict | list | tuple))
        level = list(found.values())
        if not level:
            return
    raise InvalidGraph(f"it is nested deeper than {MAX_DEPTH} levels, or holds itself")


_NONE: Final[Properties] = Properties({})
