"""Reads lists of messages as programs send them: OpenAI Chat, OpenAI Responses, Anthropic."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.messages.formats import detect, read_one
from memoranda.records.entry import JsonValue
from memoranda.records.message import WireFormat
from memoranda.service.importing.conversation import Conversation, Placed
from memoranda.service.importing.item import ImportItem, Skipped, file_name, text_field, without_mark
from memoranda.service.importing.json_values import read_values
from memoranda.service.importing.jsonlines import load_object, numbered_lines
from memoranda.service.importing.times import read_time

LISTS: Final = ("messages", "input")
"""Fields in which an object, such as the body of a request, holds a list of messages: Chat and Anthropic; Responses."""
_IDS: Final = ("session_id", "conversation_id", "id")
_TIMES: Final = ("timestamp", "created_at")


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageList:
    """One list of messages in a file.

    Attributes:
        messages: what stands in it, whatever that is.
        places: for each, its place in words, such as `line 3` or `message 3`.
        holder: the object that holds the list; None where the file is the list.
        field: the field of `holder` that it stands in; empty without a holder.
        by_line: whether the file has one value a line.
    """

    messages: list[object] = field(default_factory=list)
    places: list[str] = field(default_factory=list)
    holder: Mapping[str, JsonValue] | None = None
    field: str = ""
    by_line: bool = False


def parse(data: str, *, name: str, format: WireFormat) -> Iterator[ImportItem | Skipped]:
    """Yields the records of each list of messages, as `Conversation.read` makes them.

    The file is a list of messages, an object that holds one in `messages` or `input`, several such objects or lists,
    or either of these a line. The session is the holder's `session_id`, `conversation_id` or `id`, else the file's
    name and the list's number. The time is a message's `timestamp` or `created_at`, where it has one. A message that
    cannot be read is reported with its place; the others are read.
    """
    name, positions = file_name(name), dict[str, int]()
    number = 0
    for found in read_lists(data):
        if isinstance(found, Skipped):
            yield found
            continue
        number += 1
        session = _session(found.holder) or f"{name}#{number}"
        placed = list[Placed]()
        for message, place in zip(found.messages, found.places, strict=True):
            try:
                view = read_one(message, format)
            except InvalidMessages as error:
                yield Skipped(place, str(error))
            else:
                placed.append(Placed(message=view, where=place, source=f"{name}#{_mark(place)}", at=_time(message)))
        conversation = Conversation(session, placed, first=positions.get(session, 0))
        yield from conversation.read()
        positions[session] = conversation.position


def read_lists(data: str) -> Iterator[MessageList | Skipped]:
    """Yields the lists of messages in a file, and what of the file is none; messages that stand alone are one list."""
    by_line = is_by_line(data)
    alone = MessageList(by_line=by_line)
    number = 0
    for value, where in _lines(data) if by_line else _values(data):
        if isinstance(value, Skipped):
            yield value
            continue
        inner = held(value)
        if inner is None:
            alone.messages.append(value)
            alone.places.append(where if by_line else f"message {len(alone.messages)}")
            continue
        number += 1
        messages, name = inner
        start = f"{where}, " if by_line or number > 1 else ""
        yield MessageList(
            messages=messages,
            places=[f"{start}message {place}" for place in range(1, len(messages) + 1)],
            holder=value if isinstance(value, dict) else None,
            field=name,
            by_line=by_line,
        )
    if alone.messages:
        yield alone


def wire_format_of(messages: Sequence[object]) -> WireFormat:
    """Returns the format of a list that may hold broken messages: the first that is told and is not Chat, else Chat."""
    for message in messages:
        try:
            found = detect([message])
        except InvalidMessages:
            continue
        if found is not WireFormat.CHAT:
            return found
    return WireFormat.CHAT


def is_by_line(data: str) -> bool:
    """Tells whether a file has one JSON object a line: its first line is a whole object."""
    start = without_mark(data).lstrip()
    if not start.startswith("{"):
        return False
    try:
        json.loads(start.partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return True


def _lines(data: str) -> Iterator[tuple[object, str]]:
    for number, text in numbered_lines(data):
        where = f"line {number}"
        try:
            yield load_object(text), where
        except ValueError as error:
            yield Skipped(where, str(error)), where


def _values(data: str) -> Iterator[tuple[object, str]]:
    for number, value in enumerate(read_values(data), 1):
        yield value, f"list {number}"


def held(value: object) -> tuple[list[object], str] | None:
    """Returns the list of messages that a value is or holds, and the field of it; None for one that holds none."""
    if isinstance(value, list):
        return value, ""
    if isinstance(value, dict) and "role" not in value:
        for name in LISTS:
            inner = value.get(name)
            if isinstance(inner, list):
                return inner, name
            if isinstance(inner, str) and name == "input" and "type" not in value:
                return [{"role": "user", "content": inner}], name
    return None


def _session(holder: Mapping[str, JsonValue] | None) -> str | None:
    return next((found for name in _IDS if (found := text_field(holder or {}, name))), None)


def _mark(place: str) -> str:
    """Returns a place as it stands in a source: `L3`, `message-3`, `L3.message-2`."""
    return place.replace("line ", "L").replace(", ", ".").replace(" ", "-")


def _time(message: object) -> datetime | None:
    """Returns when a message was sent, where it says so; a field that says something else is no time."""
    if not isinstance(message, Mapping):
        return None
    for name in _TIMES:
        try:
            found = read_time(message.get(name), name)
        except ValueError:
            continue
        if found is not None:
            return found
    return None
