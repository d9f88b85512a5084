"""Anthropic Messages: reading a message, and writing one that is new or changed.

Shapes: `anthropic.types.MessageParam` and `anthropic.types.beta.BetaMessageParam` of the anthropic package.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from memoranda.messages.blocks import (
    arguments_object,
    given_of,
    holds_text,
    kept,
    misplaced,
    object_of,
    read_block,
    read_content,
    string,
    unknown_role,
    write_block,
    write_content,
)
from memoranda.records.entry import JsonValue
from memoranda.records.message import (
    CallPart,
    Message,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    Wire,
    WireFormat,
)

_ROLES: Final = {"user": Role.USER, "assistant": Role.ASSISTANT, "system": Role.SYSTEM}
_CALLS: Final = {"tool_use": False, "server_tool_use": True, "mcp_tool_use": True}
"""Blocks that are calls, and whether the provider runs them."""


def read_anthropic(item: object) -> Message:
    """Reads a message. Results of tools stand in messages of role `user`, and stay there.

    Raises:
        InvalidMessages: it has no known role, its content is neither text nor blocks, or it is no object at all.
    """
    wire = object_of(item)
    said = wire.get("role")
    role = _ROLES.get(said) if isinstance(said, str) else None
    if role is None:
        raise unknown_role(said, list(_ROLES))
    content = wire.get("content")
    blocks = content if isinstance(content, (list, tuple)) else None
    parts = read_content(content) if blocks is None else tuple([_read(block) for block in blocks])
    return Message(role, parts, wire, given_of(item, wire))


def write_anthropic(message: Message) -> dict[str, JsonValue]:
    """Writes a message that is new or changed.

    A new system message is written with the role `user`: the API takes the system prompt beside the list, and only its
    newest form takes the role `system` within it, so a host that does not use that form would be refused.

    Raises:
        InvalidMessages: its parts cannot stand in one message of the format.
    """
    if message.role is Role.OPAQUE:
        raise misplaced(message, "Anthropic message")
    role = "assistant" if message.role is Role.ASSISTANT else "user"
    wire = dict(message.wire or {"role": role, "content": ""})
    came = wire.get("content")
    texts = [part for part in message.parts if isinstance(part, TextPart) and part.wire is None]
    if len(texts) == len(message.parts):
        wire["content"] = write_content(texts, came, WireFormat.ANTHROPIC)
    else:
        wire["content"] = [block for part in message.parts if (block := _write(part)) is not None]
    return wire


def _read(block: object) -> Part:
    if isinstance(block, str):
        return TextPart(block)
    wire = object_of(block)
    kind = string(wire, "type")
    if kind in _CALLS:
        return CallPart(string(wire, "id"), string(wire, "name"), _input(wire), _CALLS[kind], wire)
    if kind.endswith("tool_result"):
        return _read_result(wire, kind)
    if kind == "thinking":
        return ThinkingPart(string(wire, "thinking"), wire)
    if kind == "redacted_thinking":
        return ThinkingPart("", wire)
    return read_block(wire)


def _input(wire: Wire) -> str | Mapping[str, JsonValue]:
    value = wire.get("input")
    return value if isinstance(value, (str, Mapping)) else {}


def _read_result(wire: Wire, kind: str) -> ResultPart:
    """Reads a result: of a tool of the host (`tool_result`), or of one that the provider runs (`..._tool_result`)."""
    content = wire.get("content")
    failed = isinstance(content, Mapping) and string(content, "type").endswith("_error")
    parts = read_content(content)
    return ResultPart(
        string(wire, "tool_use_id"), parts, failed or wire.get("is_error") is True, kind != "tool_result", wire
    )


def _write(part: Part) -> JsonValue:
    """Writes a part; None for a thought that nobody signed, which the API would refuse."""
    match part:
        case ThinkingPart():
            return None if part.wire is None else kept(part.wire)
        case CallPart() | ResultPart() if part.wire is not None and _read(part.wire) == part:
            return kept(part.wire)
        case CallPart():
            return _write_call(part)
        case ResultPart():
            return _write_result(part)
        case _:
            return write_block(part, WireFormat.ANTHROPIC)


def _write_call(call: CallPart) -> dict[str, JsonValue]:
    kind = "server_tool_use" if call.server else "tool_use"
    wire = dict(call.wire or {"type": kind, "id": call.id, "name": call.name})
    return {**wire, "id": call.id, "name": call.name, "input": arguments_object(call.arguments)}


def _write_result(result: ResultPart) -> JsonValue:
    if result.wire is not None and not holds_text(result):
        return kept(result.wire)
    wire = dict(result.wire or {"type": "tool_result", "tool_use_id": result.id, "content": ""})
    wire["tool_use_id"] = result.id
    if result.parts or wire.get("content"):
        wire["content"] = write_content(result.parts, wire.get("content"), WireFormat.ANTHROPIC)
    if result.is_error != (wire.get("is_error") is True):
        wire["is_error"] = result.is_error
    return wire
