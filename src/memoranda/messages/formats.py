"""Reading and writing lists of messages: which wire format a list is in, and its messages in and out of it.

A message that nobody changed is written as the very object that came in. One that was changed is written as a copy of
that object, in which only the blocks of the changed parts are other ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.messages.anthropic import read_anthropic, write_anthropic
from memoranda.messages.blocks import Reader, Writer, object_of
from memoranda.messages.chat import read_chat, write_chat
from memoranda.messages.responses import is_item, read_item, write_item
from memoranda.records.message import Message, Wire, WireFormat

_READERS: Final[dict[WireFormat, Reader]] = {
    WireFormat.CHAT: read_chat,
    WireFormat.RESPONSES: read_item,
    WireFormat.ANTHROPIC: read_anthropic,
}
_WRITERS: Final[dict[WireFormat, Writer]] = {
    WireFormat.CHAT: write_chat,
    WireFormat.RESPONSES: write_item,
    WireFormat.ANTHROPIC: write_anthropic,
}
_MARKS: Final = {
    "image_url": WireFormat.CHAT,
    "file": WireFormat.CHAT,
    "input_text": WireFormat.RESPONSES,
    "output_text": WireFormat.RESPONSES,
    "input_image": WireFormat.RESPONSES,
    "input_file": WireFormat.RESPONSES,
    "redacted_thinking": WireFormat.ANTHROPIC,
    "tool_use": WireFormat.ANTHROPIC,
    "server_tool_use": WireFormat.ANTHROPIC,
    "mcp_tool_use": WireFormat.ANTHROPIC,
    "tool_result": WireFormat.ANTHROPIC,
    "search_result": WireFormat.ANTHROPIC,
    "container_upload": WireFormat.ANTHROPIC,
    "compaction": WireFormat.ANTHROPIC,
}
"""Types of content blocks that only one format has."""
_TELLING: Final = {"image": "source", "document": "source", "thinking": "signature"}
"""Types of content blocks that other vendors have too, and the field that only Anthropic's have."""


def detect(messages: Sequence[object]) -> WireFormat:
    """Tells in which wire format a list is, by what only one format has.

    Such are blocks like `tool_use` or `input_text`, items with a type of their own, `tool_calls`, and the role `tool`.
    A list without any of these reads the same in all formats, and counts as Chat; name the format where that matters.
    An item of Responses of a type that is not known is carried through where something else tells that format.

    Raises:
        InvalidMessages: messages are of different formats, or one is no message at all; the error names the places.
    """
    first: tuple[int, WireFormat] | None = None
    weak: WireFormat | None = None
    unknown: int | None = None
    for place, item in enumerate(listed(messages)):
        try:
            wire = object_of(item)
            mark = _mark(wire)
        except InvalidMessages as error:
            raise unreadable(place, error) from error
        if mark is None:
            weak = weak or (WireFormat.RESPONSES if wire.get("type") == "message" else None)
            unknown = place if unknown is None and "role" not in wire else unknown
        elif first is None:
            first = (place, mark)
        elif mark is not first[1]:
            raise InvalidMessages(
                f"messages[{first[0]}] is in the format {first[1].value!r} and messages[{place}] in {mark.value!r}; "
                "give a list in one format, or name the format, so that what is not of it is carried through as it is"
            )
    found = first[1] if first is not None else weak or WireFormat.CHAT
    if unknown is not None and found is not WireFormat.RESPONSES:
        raise unreadable(unknown, _no_message())
    return found


def read(messages: Sequence[object], format: WireFormat | str | None = None) -> tuple[WireFormat, list[Message]]:
    """Reads a list of messages.

    Args:
        messages: mappings, or objects of an SDK that have pydantic's `model_dump`, such as a reply.
        format: the wire format; None finds it out.

    Returns:
        The format, and a message for each object.

    Raises:
        InvalidMessages: no such format, several formats, or an object that cannot be read; the error names its place.
    """
    messages = listed(messages)
    found = detect(messages) if format is None else format_named(format)
    reader = _READERS[found]
    views: list[Message] = []
    for place, item in enumerate(messages):
        try:
            views.append(reader(item))
        except InvalidMessages as error:
            raise unreadable(place, error) from error
    return found, views


def read_one(item: object, format: WireFormat | str) -> Message:
    """Reads one object of a format.

    Raises:
        InvalidMessages: no such format, or the object cannot be read.
    """
    return _READERS[format_named(format)](item)


def listed(messages: Sequence[object]) -> Sequence[object]:
    """Returns a list of messages; it may be any sequence that is no text.

    Raises:
        InvalidMessages: it is something else, such as one message alone.
    """
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence):
        raise InvalidMessages(f"a list of messages is needed, not a {type(messages).__name__}; put it into a list")
    return messages


def unreadable(place: int, error: InvalidMessages) -> InvalidMessages:
    """Returns the error of one object of a list, with its place."""
    return InvalidMessages(f"messages[{place}] cannot be read: {error}")


def write(messages: Iterable[Message], format: WireFormat | str) -> list[object]:
    """Writes messages, each as the object that came in where nobody changed it.

    Raises:
        InvalidMessages: no such format, or a new message holds what one object of the format cannot.
    """
    found = format_named(format)
    return [write_one(message, found) for message in messages]


def write_one(message: Message, format: WireFormat | str) -> object:
    """Writes one message, as the object that came in where nobody changed it.

    Raises:
        InvalidMessages: no such format, or a new message holds what one object of the format cannot.
    """
    if not message.changed:
        if message.given is not None:
            return message.given
        if message.wire is not None:
            return message.wire
    return _WRITERS[format_named(format)](message)


def format_named(format: WireFormat | str) -> WireFormat:
    """Returns the wire format of that name.

    Raises:
        InvalidMessages: there is none.
    """
    try:
        return WireFormat(format)
    except ValueError as error:
        known = ", ".join(repr(known.value) for known in WireFormat)
        raise InvalidMessages(f"there is no wire format {format!r}; give one of {known}") from error


def _mark(wire: Wire) -> WireFormat | None:
    """Returns the only format that an object can be of; None where it reads the same in several."""
    role = wire.get("role")
    if is_item(wire):
        return WireFormat.RESPONSES
    if role is None:
        if "role" not in wire and isinstance(wire.get("type"), str):
            return None  # an item of Responses that came later than this was written, or no message at all
        raise _no_message()
    if role == "tool" or role == "function" or wire.get("tool_calls") or wire.get("function_call"):
        return WireFormat.CHAT
    if "stop_reason" in wire:  # a whole reply of Anthropic
        return WireFormat.ANTHROPIC
    content = wire.get("content")
    if isinstance(content, (list, tuple)):
        for block in content:
            mark = _block_mark(block)
            if mark is not None:
                return mark
    return None


def _no_message() -> InvalidMessages:
    return InvalidMessages(
        "it has neither a `role` nor the `type` of an item that is known; give a message, or name the format where it "
        "is a new kind of item"
    )


def _block_mark(block: object) -> WireFormat | None:
    kind = _field(block, "type")
    if not isinstance(kind, str):
        return None
    telling = _TELLING.get(kind)
    if telling is not None:
        return WireFormat.ANTHROPIC if _field(block, telling) is not None else None
    return WireFormat.ANTHROPIC if kind.endswith("_tool_result") else _MARKS.get(kind)


def _field(block: object, name: str) -> object:
    """Returns a field of a block, which may be an SDK's object."""
    return block.get(name) if isinstance(block, Mapping) else getattr(block, name, None)
