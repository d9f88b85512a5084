"""Reads the session files of Claude Code: one record a line, some of which are messages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.messages.formats import read_one
from memoranda.records.entry import JsonValue
from memoranda.records.message import Message, Part, Role, TextPart, WireFormat
from memoranda.service.importing.conversation import Conversation, Placed
from memoranda.service.importing.item import ImportItem, Skipped, file_name, text_field
from memoranda.service.importing.jsonlines import load_object, numbered_lines
from memoranda.service.importing.times import read_time

_PUT_IN: Final = re.compile(
    r"(?:\s*<(system-reminder|task-notification|local-command-[a-z]+|command-[a-z]+|bash-[a-z]+)>.*?</\1>\s*)+",
    re.DOTALL,
)
"""Texts that the program puts into a user's message, in front of what a person said."""
_COMMAND: Final = re.compile(r"<command-name>\s*(.*?)\s*</command-name>", re.DOTALL)
_ARGUMENTS: Final = re.compile(r"<command-args>\s*(.*?)\s*</command-args>", re.DOTALL)
_BY_PROGRAM: Final = "messages that the program put in (reminders, notices, commands)"
_INTERRUPTED: Final = "[Request interrupted by user"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of a session that is a message.

    Attributes:
        line: its line, from 1.
        values: the whole record.
        wire: its message.
    """

    line: int
    values: Mapping[str, JsonValue]
    wire: Mapping[str, JsonValue]

    def says(self, name: str) -> bool:
        """Tells whether a field of the record is true."""
        return self.values.get(name) is True

    def text(self, name: str) -> str | None:
        """Returns a field of the record that holds text; else None."""
        return text_field(self.values, name)


def read_records(data: str) -> Iterator[Record | Skipped]:
    """Yields the records that are messages, and the lines that cannot be read; of a record that repeats, the first.

    Records of other kinds, such as snapshots of files, are no messages and are passed over.
    """
    seen = set[str]()
    for line, text in numbered_lines(data):
        try:
            values = load_object(text)
            wire = _message(values)
        except ValueError as error:
            yield Skipped(f"line {line}", str(error))
            continue
        if wire is None:
            continue
        record = Record(line=line, values=values, wire=wire)
        uuid = record.text("uuid")
        if uuid is None or uuid not in seen:
            seen.add(uuid or "")
            yield record


def is_record(value: object) -> bool:
    """Tells whether a JSON value is a record of a session file that names its session."""
    return isinstance(value, dict) and isinstance(value.get("type"), str) and isinstance(value.get("sessionId"), str)


def parse(data: str, *, name: str) -> Iterator[ImportItem | Skipped]:
    """Yields the records of each session, as `Conversation.read` makes them.

    Left out and counted: what a subagent did (sidechains), what the program put in by itself (meta records,
    reminders, notices, output of commands), and summaries of a compaction, since what they sum up is imported. Of a
    command that a person typed with arguments the name and the arguments are kept. Thinking is left out by rule.
    """
    name, reader = file_name(name), _Reader()
    for found in read_records(data):
        if isinstance(found, Skipped):
            yield found
            continue
        try:
            reader.take(found, name)
        except (ValueError, InvalidMessages) as error:
            yield Skipped(f"line {found.line}", str(error))
    for session, placed in reader.sessions.items():
        yield from Conversation(session, placed).read()
    for reason, count in reader.left_out.items():
        yield Skipped(name, f"{reason}: {count}")


@dataclass(slots=True)
class _Reader:
    """What was read so far: the messages of each session, and how many were left out, by reason."""

    sessions: dict[str, list[Placed]] = field(default_factory=dict)
    left_out: Counter[str] = field(default_factory=Counter)

    def take(self, record: Record, name: str) -> None:
        """Takes a record.

        Raises:
            ValueError: its time cannot be read.
            InvalidMessages: its message cannot be read.
        """
        reason = _reason(record)
        if reason:
            self.left_out[reason] += 1
            return
        at = read_time(record.values.get("timestamp"), "timestamp")
        message = read_one(record.wire, WireFormat.ANTHROPIC)
        spoken = _spoken(message) if message.role is Role.USER else message
        if spoken.parts != message.parts and not spoken.parts:
            self.left_out[_BY_PROGRAM] += 1
            return
        placed = Placed(
            message=spoken,
            where=f"line {record.line}",
            source=f"{name}#{record.text('uuid') or f'L{record.line}'}",
            at=at,
        )
        self.sessions.setdefault(record.text("sessionId") or name, []).append(placed)


def _reason(record: Record) -> str:
    """Returns why a record is left out whole; empty where it is not."""
    if record.says("isSidechain"):
        return "messages of a subagent (sidechain)"
    if record.says("isCompactSummary"):
        return "summaries of what was compacted, which is imported itself"
    if record.says("isMeta"):
        return _BY_PROGRAM
    if record.says("isApiErrorMessage"):
        return "messages about a failed request"
    return ""


def _message(values: Mapping[str, JsonValue]) -> Mapping[str, JsonValue] | None:
    """Returns the message of a record; None for a record of another kind.

    Raises:
        ValueError: the record should have one and has none, or has no type.
    """
    kind = values.get("type")
    if not isinstance(kind, str):
        raise ValueError("has no `type`; a record of a session file has one")
    if kind not in ("user", "assistant"):
        return None
    wire = values.get("message")
    if not isinstance(wire, dict):
        raise ValueError(f"is of type {kind!r} and has no `message` that is an object")
    return wire


def _spoken(message: Message) -> Message:
    """Returns a user's message without the texts that the program put in."""
    parts = list[Part]()
    for part in message.parts:
        if not isinstance(part, TextPart) or (text := _spoken_text(part.text)) == part.text:
            parts.append(part)
        elif text:
            parts.append(TextPart(text))
    return message.with_parts(tuple(parts))


def _spoken_text(text: str) -> str:
    """Returns the words of a person in a text; of a command its name and arguments, where it has any."""
    if text.startswith(_INTERRUPTED):
        return ""
    put_in = _PUT_IN.match(text)
    if put_in is None:
        return text
    command, arguments = _COMMAND.search(put_in[0]), _ARGUMENTS.search(put_in[0])
    typed = f"{command[1]} {arguments[1]}" if command and arguments and arguments[1] else ""
    return "\n".join(said for said in (typed, text[put_in.end() :]) if said)
