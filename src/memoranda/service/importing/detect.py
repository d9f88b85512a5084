"""Tells the format of a file and reads it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import PurePath
from types import MappingProxyType
from typing import Final

from memoranda.errors import ImportFormatError
from memoranda.messages.responses import is_item
from memoranda.records.message import WireFormat
from memoranda.service.importing import chatgpt, claude, claude_code, jsonlines, markdown, message_lists, plain
from memoranda.service.importing.item import ImportItem, Parser, Skipped, without_mark
from memoranda.service.importing.json_values import read_values

PARSERS: Mapping[str, Parser] = MappingProxyType(
    {
        "plain": plain.parse,
        "markdown": markdown.parse,
        "jsonlines": jsonlines.parse,
        "chatgpt": chatgpt.parse,
        "claude": claude.parse,
        "claude-code": claude_code.parse,
        **{format.value: partial(message_lists.parse, format=format) for format in WireFormat},
    }
)
"""The formats that can be imported, by name."""
FORMATS: tuple[str, ...] = tuple(PARSERS)
"""The names of the formats."""

_BY_SUFFIX = {".txt": "plain", ".text": "plain", ".md": "markdown", ".markdown": "markdown"}
_BY_LINE = {".jsonl", ".ndjson"}
_TEXTS: Final = frozenset({"memory", "text"})
"""Fields of our JSON lines that neither a message nor a record of a session has."""
_OWN_FIELDS: Final = frozenset(jsonlines.FIELDS) - {"content", "role"}
"""Fields of our JSON lines that no message has."""
_ROLES: Final = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


def parse(data: str, name: str, format: str | None = None) -> Iterator[ImportItem | Skipped]:
    """Returns the records of a file, and what of it had to be left out, in their order.

    Args:
        data: the file's text.
        name: the file's name, without its folder; it becomes part of each record's source.
        format: one of `FORMATS`; told from name and content when left out.

    Raises:
        ImportFormatError: at once, when the format is not known or cannot be told. The reading itself never raises.
    """
    chosen = detect(name, data) if format is None else format
    if chosen not in PARSERS:
        raise ImportFormatError(f"there is no format {chosen!r}; choose one of {', '.join(FORMATS)}")
    return PARSERS[chosen](data, name=name)


def detect(name: str, data: str) -> str:
    """Returns the name of a file's format, by its suffix, else by its content.

    `.txt` is plain, `.md` markdown. A `.zip`, a `.json`, `.jsonl` or `.ndjson` file, and one without a suffix that
    starts as JSON, is told by the first value that only one format has: a conversation with a `mapping` is chatgpt, one
    with `chat_messages` claude, a record with a `sessionId` claude-code; messages, or an object with a list of them in
    `messages` or `input`, are chat, responses or anthropic. A line with a field that only our JSON lines have is
    jsonlines, and so are lines that tell nothing. Other text without a suffix is plain.

    Raises:
        ImportFormatError: none of these holds.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    text = without_mark(data).strip()
    if suffix == ".zip":
        return _of_values(text) or "chatgpt"
    if suffix in _BY_LINE or (suffix == ".json" and not text):
        return _of_lines(text)
    if suffix == ".json" or (not suffix and text[:1] in {"{", "["}):
        found = _of_lines(text) if message_lists.is_by_line(text) else _of_values(text)
    else:
        found = None if suffix else "plain"
    if found is None:
        raise ImportFormatError(
            f"the format of {name} cannot be told; say which it is: {', '.join(FORMATS)}. "
            "A JSON file must be an export of ChatGPT or Claude, hold messages, or hold one object a line"
        )
    return found


def _of_lines(text: str) -> str:
    """Tells the format of a file with one object a line."""
    return _first(_line_values(text), by_line=True) or "jsonlines"


def _of_values(text: str) -> str | None:
    """Tells the format of a file that is one JSON value."""
    found = _first(read_values(text), by_line=False) if text[:1] in {"[", "{"} else None
    return found or ("chatgpt" if text[:1] in {"[", "{"} and '"mapping"' in text else None)


def _line_values(text: str) -> Iterator[object]:
    for _, line in jsonlines.numbered_lines(text):
        try:
            yield jsonlines.load_object(line)
        except ValueError:
            continue


def _first(values: Iterable[object], *, by_line: bool) -> str | None:
    """Returns the format that the first telling value has; messages that stand alone are looked at together."""
    rest = iter(values)
    for value in rest:
        if by_line and isinstance(value, dict) and not _TEXTS.isdisjoint(value):
            return "jsonlines"
        found = _of_holder(value)
        if found is not None:
            return found
        if by_line and isinstance(value, dict) and not _OWN_FIELDS.isdisjoint(value):
            return "jsonlines"
        if _is_message(value):
            return message_lists.wire_format_of([value, *rest]).value
    return None


def _of_holder(value: object) -> str | None:
    """Returns the format of a value that holds messages; None for any other."""
    if isinstance(value, dict):
        if isinstance(value.get("mapping"), dict):
            return "chatgpt"
        if isinstance(value.get("chat_messages"), list):
            return "claude"
        if claude_code.is_record(value):
            return "claude-code"
    held = message_lists.held(value)
    if held is None or not any(map(_is_message, held[0])):
        return None
    return WireFormat.RESPONSES.value if held[1] == "input" else message_lists.wire_format_of(held[0]).value


def _is_message(value: object) -> bool:
    return isinstance(value, dict) and (value.get("role") in _ROLES or ("type" in value and is_item(value)))
