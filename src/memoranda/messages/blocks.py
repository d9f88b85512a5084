"""What the three wire formats share: objects, content that is a text or a list of blocks, and blocks.

No type of a content block means different things in two formats, so one reader reads them all.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Final, cast

from memoranda.errors import InvalidMessages
from memoranda.messages.media import new_media, read_media
from memoranda.records.entry import JsonValue
from memoranda.records.message import MediaPart, Message, OpaquePart, Part, ResultPart, TextPart, Wire, WireFormat

ContentPart = TextPart | MediaPart | OpaquePart
"""What content is made of: what a message says, or what a tool gave."""
Reader = Callable[[object], Message]
"""Reads one object of a format."""
Writer = Callable[[Message], dict[str, JsonValue]]
"""Writes one new or changed message as an object of a format."""

_TEXT_FIELDS: Final = {
    "text": "text",
    "input_text": "text",
    "output_text": "text",
    "refusal": "refusal",
}
"""In which field a block of that type has its text."""

_TEXT_RESULTS: Final = frozenset(
    {
        "tool_result",
        "mcp_tool_result",
        "function_call_output",
        "custom_tool_call_output",
        "local_shell_call_output",
        "apply_patch_call_output",
        "shell_call_output",
        "program_output",
        "mcp_call",
    }
)


def object_of(item: object) -> Wire:
    """Returns the object that an item is, or that an SDK's object would be sent as.

    Args:
        item: a mapping, or an object with pydantic's `model_dump`, such as the reply of an official SDK.

    Raises:
        InvalidMessages: it is neither.
    """
    if isinstance(item, (dict, Mapping)):  # `dict` first: it is told apart faster
        return item
    dump = None if isinstance(item, type) else getattr(item, "model_dump", None)
    dumped = dump(mode="json", exclude_none=True, warnings=False) if callable(dump) else None
    if isinstance(dumped, Mapping):
        return dumped
    raise InvalidMessages(
        f"{_shown(item)} is no object of a wire format; give a mapping such as {{'role': 'user', 'content': 'hello'}}, "
        "or an object of an SDK that has `model_dump`"
    )


def given_of(item: object, wire: Wire) -> object:
    """Returns what to hand back for an item that is no mapping; None where its wire object is the item itself."""
    return None if item is wire else item


def unknown_role(role: object, known: Sequence[str]) -> InvalidMessages:
    """Returns the error for a message whose role the format does not have."""
    said = "no `role`" if role is None else f"the role {_shown(role)}"
    return InvalidMessages(f"it has {said}; the roles of its format are {', '.join(known)}")


def misplaced(message: Message, place: str) -> InvalidMessages:
    """Returns the error for a new message that holds what one object of the format cannot."""
    kinds = ", ".join(type(part).__name__ for part in message.parts) or "nothing"
    return InvalidMessages(f"one {place} of role {message.role} cannot hold {kinds}; make one message of each")


def read_content(content: object) -> tuple[ContentPart, ...]:
    """Reads content: None or an empty string is nothing, a string is a text, and a list holds blocks.

    Raises:
        InvalidMessages: the content, or a block of it, is something else.
    """
    if isinstance(content, str):
        return (TextPart(content),) if content else ()
    if content is None:
        return ()
    if isinstance(content, (list, tuple)):
        return tuple([read_block(block) for block in content])
    if isinstance(content, Mapping):
        return (read_block(content),)
    raise InvalidMessages(f"its content is {_shown(content)}; give a string or a list of blocks")


def read_block(block: object) -> ContentPart:
    """Reads one block of content.

    Raises:
        InvalidMessages: it is no object.
    """
    if isinstance(block, str):
        return TextPart(block)
    wire = object_of(block)
    kind = wire.get("type")
    if not isinstance(kind, str):
        return OpaquePart("", wire)
    text = _text_of(wire, kind)
    return TextPart(text, wire) if text is not None else read_media(wire, kind) or OpaquePart(kind, wire)


def write_content(parts: Sequence[Part], came: object, format: WireFormat, *, by_model: bool = False) -> JsonValue:
    """Writes content.

    Args:
        parts: texts, media and what is not understood.
        came: the content that it takes the place of; None where it is new. What came as a string stays one as long as
            there are only texts; several are joined by a line feed.
        format: for blocks that are new.
        by_model: whether a model says it. Responses has another block for its texts.

    Returns:
        A string or a list of blocks. Without parts: what came if that held nothing either, else an empty string.
    """
    if not parts:
        return came if came is None else [] if came == [] else ""
    texts = [part.text for part in parts if isinstance(part, TextPart) and part.wire is None]
    if len(texts) == len(parts) and (isinstance(came, str) or (came is None and len(parts) == 1)):
        return "\n".join(texts)
    return [write_block(part, format, by_model=by_model) for part in parts]


def write_block(part: Part, format: WireFormat, *, by_model: bool = False) -> JsonValue:
    """Writes one block: the object that it came in where nothing changed, else a copy with its text, else a new one."""
    match part:
        case OpaquePart():
            return kept(part.wire)
        case TextPart() | MediaPart() if part.wire is not None and read_block(part.wire) == part:
            return kept(part.wire)
        case TextPart():
            return _with_text(part) or new_text(part.text, format, by_model=by_model)
        case MediaPart():
            return new_media(part, format)
        case _:
            raise InvalidMessages(f"a {type(part).__name__} cannot stand among texts; put it into a message of its own")


def new_text(text: str, format: WireFormat, *, by_model: bool = False) -> dict[str, JsonValue]:
    """Writes a text as a block of a format."""
    if format is not WireFormat.RESPONSES:
        return {"type": "text", "text": text}
    return (
        {"type": "output_text", "text": text, "annotations": []} if by_model else {"type": "input_text", "text": text}
    )


def holds_text(result: ResultPart) -> bool:
    """Tells whether a result may say something else in the place of what it says.

    Some may only be kept whole or removed with their call: the screenshot of a computer, or the hits of a provider's
    own search. Where one of these was changed it is written as it came.
    """
    return result.wire is None or result.wire.get("type") in _TEXT_RESULTS or "role" in result.wire


def takes_text(message: Message) -> bool:
    """Tells whether a message may say a text in the place of a picture.

    An item of OpenAI Responses that is no message, such as a generated picture, may only be kept whole or removed.
    """
    return message.wire is None or "role" in message.wire


def arguments_text(arguments: str | Mapping[str, JsonValue]) -> str:
    """Returns the arguments of a call as JSON text; text is left as it is."""
    return arguments if isinstance(arguments, str) else json.dumps(dict(arguments), ensure_ascii=False)


def arguments_object(arguments: str | Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Returns the arguments of a call as an object.

    Raises:
        InvalidMessages: they are a text that is no JSON object.
    """
    if not isinstance(arguments, str):
        return dict(arguments)
    try:
        value = json.loads(arguments or "{}")
    except ValueError as error:
        raise InvalidMessages(f"the arguments {_shown(arguments)} of a call are no JSON; give an object") from error
    if not isinstance(value, dict):
        raise InvalidMessages(f"the arguments {_shown(arguments)} of a call are no JSON object; give an object")
    return value


def kept(wire: Wire) -> JsonValue:
    """Returns an object that is written as it came. Its values are JSON, since it came in."""
    return cast("JsonValue", wire)


def string(wire: Wire, *names: str) -> str:
    """Returns the first of the fields that is a string and not empty; else an empty string."""
    for name in names:
        value = wire.get(name)
        if isinstance(value, str) and value:
            return value
    return ""


def _text_of(wire: Wire, kind: str) -> str | None:
    """Returns the text of a block; None where it has none, or not only text."""
    field = _TEXT_FIELDS.get(kind)
    holder: object = wire
    if kind == "document":  # of Anthropic: one that is plain text
        holder, field = wire.get("source"), "data"
        if not isinstance(holder, Mapping) or holder.get("type") != "text":
            return None
    if field is None or not isinstance(holder, Mapping):
        return None
    text = holder.get(field)
    return text if isinstance(text, str) else None


def _with_text(part: TextPart) -> dict[str, JsonValue] | None:
    """Returns a copy of the block that a text came in, with the text that it has now; None for a new text."""
    if part.wire is None:
        return None
    kind = string(part.wire, "type")
    if _text_of(part.wire, kind) is None:
        return None
    block = dict(part.wire)
    source = block.get("source")
    if kind == "document" and isinstance(source, Mapping):
        return {**block, "source": {**source, "data": part.text}}
    block[_TEXT_FIELDS[kind]] = part.text
    if kind == "output_text":  # they point at places of the text that is gone
        block.pop("logprobs", None)
        block["annotations"] = []
    return block


def _shown(value: object) -> str:
    """Returns a value as a message of an error shows it: what it is, and the value where it is short."""
    text = repr(value) if isinstance(value, (str, int, float, bool)) else ""
    return text if text and len(text) <= 60 else f"a {type(value).__name__}"
