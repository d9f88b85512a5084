"""Reads JSON lines: one object a line is one record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import cast

from memoranda.records.entry import JsonValue
from memoranda.service.importing.item import ImportItem, Skipped, checked, file_name
from memoranda.service.importing.times import read_time

_TEXT = ("memory", "text", "content")
_SPEAKER = ("speaker", "role")
_TIME = ("occurred_at", "created_at", "timestamp")
FIELDS = (*_TEXT, *_SPEAKER, *_TIME, "category", "session", "position", "tags", "key", "source", "metadata")
"""The fields of a record that mean something to us."""
_KINDS = {str: "text", bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
STRAY_BYTE = re.compile("[\udc80-\udcff]")
"""How `surrogateescape` writes a byte that is not UTF-8."""

_Record = dict[str, JsonValue]


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields one item for each line that holds one JSON object with a text; reports every other line (case K01).

    Fields, where the first name that is present counts:
        memory | text | content: the text; the only one that must be there.
        category: `episode` when left out and there is a speaker or a session, else `fact`.
        speaker | role, session, key, source: text. The source is `facts.jsonl#L12` when left out.
        tags: a list of texts, or one text.
        position: a whole number; counted on within the session, from 0, when left out.
        occurred_at | created_at | timestamp: ISO 8601 with an offset, or seconds since 1970.
        metadata: an object.
    Every other field is kept in the metadata under its own name. Blank lines and byte order marks mean nothing.
    """
    name, positions = file_name(name), dict[str, int]()
    for number, text in numbered_lines(data):
        where = f"line {number}"
        try:
            item = _item(load_object(text), f"{name}#L{number}", positions)
        except ValueError as error:
            yield Skipped(where, str(error))
            continue
        found = checked(item, where)
        if isinstance(found, ImportItem) and found.session is not None and found.position is not None:
            positions[found.session] = max(found.position + 1, positions.get(found.session, 0))
        yield found


def numbered_lines(data: str) -> Iterator[tuple[int, str]]:
    """Yields the number, from 1, and the text of each line that is not blank; a byte order mark is blank."""
    for number, line in enumerate(data.split("\n"), 1):
        text = line.strip("\ufeff \t\r")
        if text:
            yield number, text


def load_object(text: str) -> dict[str, JsonValue]:
    """Returns the JSON object that one line holds.

    Raises:
        ValueError: it holds something else; the message says what and where.
    """
    if not text.strip("\0"):
        raise ValueError("holds only NUL bytes; the file was damaged here")
    if stray := STRAY_BYTE.search(text):
        raise ValueError(f"is not UTF-8: byte 0x{ord(stray[0]) - 0xDC00:02x} at column {stray.start() + 1}")
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        if error.msg == "Extra data":
            raise ValueError(f"a second value starts at column {error.colno}; put each on its own line") from error
        raise ValueError(f"is not whole JSON: {error.msg} at column {error.colno}") from error
    except RecursionError as error:
        raise ValueError("its JSON is nested too deeply") from error
    if not isinstance(value, dict):
        raise ValueError(f"holds {_kind(value)}, not an object with the field `memory`")
    return value


def _item(record: _Record, source: str, positions: dict[str, int]) -> ImportItem:
    """Takes the known fields out of `record`; what is left becomes metadata."""
    memory = _take_text(record, _TEXT)
    if memory is None:
        raise ValueError(f"has no text; put it into the field {_either(_TEXT)}")
    speaker, session = _take_text(record, _SPEAKER), _take_text(record, ("session",))
    said = speaker is not None or session is not None
    position = _take_position(record)
    if position is None and session is not None:
        position = positions.get(session, 0)
    return ImportItem(
        memory,
        category=_take_text(record, ("category",)) or ("episode" if said else "fact"),
        speaker=speaker,
        session=session,
        position=position,
        occurred_at=_take_time(record),
        source=_take_text(record, ("source",)) or source,
        tags=_take_tags(record),
        key=_take_text(record, ("key",)),
        metadata=_take_metadata(record),
    )


def _take(record: _Record, names: Sequence[str]) -> tuple[str, JsonValue]:
    for name in names:
        if (value := record.pop(name, None)) is not None:
            return name, value
    return names[0], None


def _take_text(record: _Record, names: Sequence[str]) -> str | None:
    name, value = _take(record, names)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"`{name}` is {_kind(value)}; it must be text")
    return value


def _take_time(record: _Record) -> datetime | None:
    name, value = _take(record, _TIME)
    return read_time(value, name)


def _take_position(record: _Record) -> int | None:
    _, value = _take(record, ("position",))
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise ValueError(f"`position` is {_kind(value)}; it must be a whole number")
    return value


def _take_tags(record: _Record) -> tuple[str, ...]:
    _, value = _take(record, ("tags",))
    tags = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise ValueError("`tags` must be a list of texts")
    return tuple(dict.fromkeys(cast("list[str]", tags)))


def _take_metadata(record: _Record) -> dict[str, JsonValue] | None:
    _, value = _take(record, ("metadata",))
    if value is not None and not isinstance(value, dict):
        raise ValueError(f"`metadata` is {_kind(value)}; it must be an object")
    return {**record, **(value or {})} or None


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "null")


def _either(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names[:-1]) + f" or `{names[-1]}`"
