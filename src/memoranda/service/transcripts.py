"""Transcripts: one list of messages read from a file, and written back in the shape that the file has."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from memoranda.errors import ImportFormatError
from memoranda.messages.formats import detect, read
from memoranda.records.entry import JsonValue
from memoranda.records.message import WireFormat
from memoranda.service.importing import claude_code
from memoranda.service.importing.claude_code import Record
from memoranda.service.importing.detect import detect as detect_file
from memoranda.service.importing.item import Skipped
from memoranda.service.importing.jsonlines import STRAY_BYTE
from memoranda.service.importing.message_lists import MessageList, is_by_line, read_lists

FORMATS: Final = (*(format.value for format in WireFormat), "claude-code")
"""The formats of transcripts. What is read from a session file of Claude Code is written as Anthropic messages."""

T = TypeVar("T", MessageList, Record)


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """One list of messages.

    Attributes:
        messages: the messages, as objects of `format`.
        format: their wire format.
        system: the system prompt, where it stands beside the messages; else None.
        tools: definitions of tools that stand beside the messages.
        found: where in the file the list stands; None for a session file.
        note: what of the file was left out; empty for nothing.
    """

    messages: Sequence[object]
    format: WireFormat
    system: object = None
    tools: Sequence[Mapping[str, JsonValue]] = ()
    found: MessageList | None = None
    note: str = ""

    def written(self, messages: Sequence[object]) -> str:
        """Returns the text of a file like the one that was read, with other messages in it."""
        if self.found is None:
            return _json(list(messages))
        if self.found.holder is not None:
            return _json({**self.found.holder, self.found.field: list(messages)}, one_line=self.found.by_line)
        if self.found.by_line:
            return "\n".join(_json(message, one_line=True) for message in messages)
        return _json(list(messages))


def read_transcript(data: str, name: str, format: str | None = None) -> Transcript:
    """Reads a transcript.

    It is a list of messages, an object that holds one in `messages` or `input`, such as the body of a request, messages
    with one object a line, or a session file of Claude Code.

    Args:
        data: the text of the file.
        name: its name, for errors.
        format: one of `FORMATS`; told from the content when left out.

    Raises:
        ImportFormatError: it is no transcript, it holds several, or a part of it cannot be read.
        InvalidMessages: a message cannot be read.
    """
    if stray := STRAY_BYTE.search(data):
        line = data.count("\n", 0, stray.start()) + 1
        raise ImportFormatError(f"{name} is not UTF-8 text: byte 0x{ord(stray[0]) - 0xDC00:02x} in line {line}")
    if format == "claude-code" or (format is None and _is_session(data)):
        data, note = _finished(data)
        messages = list(_chain(_whole(claude_code.read_records(data), name)))
        found = None
    else:
        found, note = _only_list(data, name), ""
        messages = found.messages
    transcript = replace(_transcript(messages, found, format), note=note)
    read(transcript.messages, transcript.format)  # told here, so that the message names the place in the file's list
    return transcript


def _finished(data: str) -> tuple[str, str]:
    """Returns the lines of a session file that may still be written to: without a last one that is not finished."""
    head, _, last = data.rpartition("\n")
    try:
        if last.strip():
            json.loads(last)
    except ValueError:
        return head, "the last line is not finished, as in a session that is still being written; it was left out"
    return data, ""


def _is_session(data: str) -> bool:
    return is_by_line(data) and detect_file("by-line.jsonl", data) == "claude-code"


def _transcript(messages: list[object], found: MessageList | None, format: str | None) -> Transcript:
    holder = (found.holder if found else None) or {}
    tools = holder.get("tools")
    system = holder.get("system")
    if found is None:
        wire = WireFormat.ANTHROPIC
    elif format is not None:
        wire = WireFormat(format)
    elif found.field == "input":
        wire = WireFormat.RESPONSES
    else:
        wire = WireFormat.ANTHROPIC if system else detect(messages)
    return Transcript(
        messages=messages,
        format=wire,
        system=system or holder.get("instructions"),
        tools=[tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else (),
        found=found,
    )


def _only_list(data: str, name: str) -> MessageList:
    lists = list(_whole(read_lists(data), name))
    if len(lists) != 1 or not lists[0].messages:
        held = f"{len(lists)} lists of messages" if len(lists) > 1 else "no messages"
        raise ImportFormatError(
            f"{name} holds {held}; give one list of messages, an object with one in `messages` or `input`, one message "
            "a line, or a session file of Claude Code"
        )
    return lists[0]


def _whole(found: Iterator[T | Skipped], name: str) -> Iterator[T]:
    """Yields what was read; what could not be is an error, since a list with a hole is another conversation."""
    for one in found:
        if isinstance(one, Skipped):
            raise ImportFormatError(f"{name}, {one.where}: {one.reason}")
        yield one


def _chain(records: Iterator[Record]) -> Iterator[object]:
    """Yields the messages of a session as the API takes them.

    They are those of the main chain, less what a compaction of the program's own summed up; of a file with nothing but
    a subagent's work, those. A reply that was written block by block is one message, and so are results in a row.
    """
    found = [record for record in records if not record.says("isCompactSummary")]
    chain = [record for record in found if not record.says("isSidechain")] or found
    last: dict[str, JsonValue] | None = None
    last_id: object = None
    for record in chain:
        role, content = record.wire.get("role"), record.wire.get("content")
        blocks = last.get("content") if last else None
        if last and isinstance(blocks, list) and isinstance(content, list) and role == last.get("role"):
            same_reply = role == "assistant" and last_id is not None and record.wire.get("id") == last_id
            if same_reply or (role == "user" and _are_results(blocks) and _are_results(content)):
                blocks += content
                continue
        if last is not None:
            yield last
        last = {"role": role, "content": list(content) if isinstance(content, list) else content}
        last_id = record.wire.get("id")
    if last is not None:
        yield last


def _are_results(blocks: Sequence[JsonValue]) -> bool:
    return all(isinstance(block, dict) and block.get("type") == "tool_result" for block in blocks)


def _json(value: object, *, one_line: bool = False) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=None if one_line else 2)
    try:
        text.encode()
    except UnicodeEncodeError:  # a lone surrogate, which only an escape can write
        return json.dumps(value, indent=None if one_line else 2)
    return text
