"""Names of what compaction took, and the one line that stands in its place."""

from __future__ import annotations

import hashlib
import json
import re
from typing import Final

from memoranda.records.message import CallPart, MediaPart, Message, OpaquePart, Part, ResultPart, TextPart, ThinkingPart
from memoranda.text.escape import escaped

HANDLE_DIGITS: Final = 12
"""Hexadecimal digits of a handle: 48 bits, so among a million spans of a session two differ for all but 1 in 500."""
_NAME_CHARACTERS: Final = 40
_LINE_CHARACTERS: Final = 400  # more than any line of ours: a name of 40 characters, each escaped, and the rest
_LINE: Final = re.compile(r"\[[^\[\]\n]+: [\d,]+ tokens(?:; handle [0-9a-f]{12})?\]")


def handle_of(message: Message) -> str:
    """Returns the handle of a message: a hash of its role and of what it says.

    It is the same in every process, and the same whether the message came in as one wire object or another.
    """
    said = [message.role.value, *(_said(part) for part in message.parts)]
    text = json.dumps(said, ensure_ascii=True, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:HANDLE_DIGITS]


def line(what: str, tokens: int, handle: str | None) -> str:
    """Returns the line that stands where something was: what it was, how large, and its handle.

    Args:
        what: such as `result of read_file cleared`; a name in it may come from a model, so it is escaped and cut.
        tokens: tokens that it had.
        handle: under which the archive has it; None where nothing keeps it.
    """
    said = escaped(what, continuation=" ").replace("]", ")").replace("[", "(")
    return f"[{said}: {tokens:,} tokens{f'; handle {handle}' if handle else ''}]"


def is_line(text: str) -> bool:
    """Tells whether a text looks like such a line: then there is nothing to gain from taking it again (C16).

    A tool may give a text that looks so, too. It stays as it is, which costs no more than a line does (C18).
    """
    return len(text) <= _LINE_CHARACTERS and _LINE.fullmatch(text) is not None


def short_name(name: str) -> str:
    """Returns a tool's name as it may stand in a line."""
    return name if len(name) <= _NAME_CHARACTERS else f"{name[:_NAME_CHARACTERS]}…"


def _said(part: Part) -> list[object]:
    """Returns what a part says, without the wire object that it came in."""
    match part:
        case TextPart():
            return ["text", part.text]
        case MediaPart():
            return ["media", part.kind, part.media_type, part.data, part.url]
        case CallPart():
            return ["call", part.id, part.name, part.arguments]
        case ResultPart():
            return ["result", part.id, part.is_error, [_said(inner) for inner in part.parts]]
        case ThinkingPart():
            return ["thinking", part.text, part.wire]
        case OpaquePart():
            return ["opaque", part.kind, part.wire]


def alone(message: Message, place: int) -> Message:
    """Returns a message of the same role that holds only the part at a place, as the archive keeps it."""
    return Message(message.role, (message.parts[place],), message.wire, changed=True)
