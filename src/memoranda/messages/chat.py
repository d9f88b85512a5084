"""OpenAI Chat Completions, and all who follow it: reading a message, and writing one that is new or changed.

Shapes: `openai.types.chat.ChatCompletionMessageParam` of the openai package; the thinking of other vendors in
`reasoning_content`, `reasoning`, `thinking_blocks` and `reasoning_details`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from memoranda.errors import InvalidMessages
from memoranda.messages.blocks import (
    arguments_text,
    given_of,
    kept,
    misplaced,
    object_of,
    read_content,
    string,
    unknown_role,
    write_content,
)
from memoranda.records.entry import JsonValue
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    Wire,
    WireFormat,
)

_ROLES: Final = {
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "user": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
}
_THINKING: Final = ("reasoning_content", "reasoning", "thinking_blocks", "reasoning_details")
"""Fields that together are what the model thought: they are kept together or removed together."""


def read_chat(item: object) -> Message:
    """Reads a message.

    What an assistant thought comes first, then what it says, then its calls. A refusal and a sound in fields of their
    own are parts too. Calls of the old form (`function_call`) have no id: theirs is the name of the function, and so is
    that of their results.

    Raises:
        InvalidMessages: it has no known role, its content is neither text nor blocks, or it is no object at all.
    """
    wire = object_of(item)
    said = wire.get("role")
    role = _ROLES.get(said) if isinstance(said, str) else None
    if role is None:
        raise unknown_role(said, list(_ROLES))
    content = wire.get("content")
    parts: tuple[Part, ...]
    if role is Role.TOOL:
        parts = (ResultPart(_result_id(wire), read_content(content), wire=wire),)
    elif role is Role.ASSISTANT:
        parts = (*_thinking(wire), *read_content(content), *_said_in_fields(wire), *_calls(wire))
    else:
        parts = read_content(content)
    return Message(role, parts, wire, given_of(item, wire))


def write_chat(message: Message) -> dict[str, JsonValue]:
    """Writes a message that is new or changed.

    Raises:
        InvalidMessages: its parts cannot stand in one message of the format.
    """
    if message.role is Role.TOOL:
        return _write_result(message)
    if message.role is Role.ASSISTANT:
        return _write_assistant(message)
    if message.role is Role.OPAQUE:
        raise misplaced(message, "Chat message")
    wire = dict(message.wire or {"role": message.role.value})
    _put_content(wire, message.parts)
    return wire


def _result_id(wire: Wire) -> str:
    """Returns the id of the call; some keep it as a list of one."""
    ids = wire.get("tool_call_ids")
    listed = ids[0] if isinstance(ids, list) and len(ids) == 1 else None
    return string(wire, "tool_call_id") or (listed if isinstance(listed, str) else string(wire, "name"))


def _thinking(wire: Wire) -> list[ThinkingPart]:
    fields = [value for name in _THINKING if (value := wire.get(name))]
    if not fields:
        return []
    for value in fields:
        if isinstance(value, str):
            return [ThinkingPart(value)]
    blocks = fields[0] if isinstance(fields[0], list) else []
    texts = [string(block, "thinking", "text", "summary") for block in blocks if isinstance(block, Mapping)]
    return [ThinkingPart("\n".join(text for text in texts if text))]


def _said_in_fields(wire: Wire) -> list[Part]:
    """Returns what an assistant says outside the content. Their `wire` has no type: that tells them from blocks."""
    parts: list[Part] = []
    refusal, audio = wire.get("refusal"), wire.get("audio")
    if isinstance(refusal, str) and refusal:
        parts.append(TextPart(refusal, {"refusal": refusal}))
    if isinstance(audio, Mapping) and audio:
        parts.append(
            MediaPart("audio", data=string(audio, "data") or None, url=string(audio, "id") or None, wire=audio)
        )
    return parts


def _calls(wire: Wire) -> list[CallPart]:
    calls = wire.get("tool_calls")
    found = [_call(object_of(call)) for call in calls] if isinstance(calls, (list, tuple)) else []
    legacy = wire.get("function_call")
    if isinstance(legacy, Mapping):
        found.append(
            CallPart(string(legacy, "name"), string(legacy, "name"), _arguments(legacy, "arguments"), wire=legacy)
        )
    return found


def _call(wire: Wire) -> CallPart:
    kind = "custom" if "custom" in wire else "function"
    inner = wire.get(kind)
    if not isinstance(inner, Mapping):  # a kind of call that is not known
        return CallPart(string(wire, "id"), string(wire, "name", "type"), "", wire=wire)
    arguments = _arguments(inner, "input" if kind == "custom" else "arguments")
    return CallPart(string(wire, "id"), string(inner, "name"), arguments, wire=wire)


def _arguments(inner: Wire, name: str) -> str | Mapping[str, JsonValue]:
    value = inner.get(name)
    return value if isinstance(value, (str, Mapping)) else ""


def _put_content(wire: dict[str, JsonValue], parts: Sequence[Part]) -> None:
    if parts or wire.get("content"):
        wire["content"] = write_content(parts, wire.get("content"), WireFormat.CHAT)


def _write_result(message: Message) -> dict[str, JsonValue]:
    match message.parts:
        case (ResultPart() as result,):
            wire = dict(message.wire or {"role": "tool", "tool_call_id": result.id, "content": ""})
            if "tool_call_id" in wire:
                wire["tool_call_id"] = result.id
            _put_content(wire, result.parts)
            return wire
        case () if message.wire is not None:
            return {**message.wire, "content": ""}
        case _:
            raise misplaced(message, "Chat message")


def _write_assistant(message: Message) -> dict[str, JsonValue]:
    wire = dict(message.wire or {"role": "assistant", "content": None})
    calls = message.of_kind(CallPart)
    content: list[Part] = []
    fields: list[TextPart | MediaPart] = []
    for part in message.parts:
        if isinstance(part, (TextPart, MediaPart)) and part.wire is not None and "type" not in part.wire:
            fields.append(part)
        elif isinstance(part, (TextPart, MediaPart, OpaquePart)):
            content.append(part)
        elif isinstance(part, ResultPart):
            raise misplaced(message, "Chat message")
    _put_content(wire, content)
    if not content and wire.get("content") == "" and calls and message.wire and message.wire.get("content"):
        wire["content"] = None  # an empty text is refused by some; with calls there need not be any
    _put_thinking(wire, message)
    _put_fields(wire, fields)
    _put_calls(wire, calls)
    return wire


def _put_thinking(wire: dict[str, JsonValue], message: Message) -> None:
    thought = message.of_kind(ThinkingPart)
    if not thought:
        for name in _THINKING:
            if wire.get(name):
                del wire[name]
    elif message.wire is None:
        wire["reasoning_content"] = "\n".join(part.text for part in thought)


def _put_fields(wire: dict[str, JsonValue], fields: Sequence[TextPart | MediaPart]) -> None:
    refusal = [part.text for part in fields if isinstance(part, TextPart)]
    if refusal or wire.get("refusal"):
        wire["refusal"] = "\n".join(refusal) or None
    if wire.get("audio") and not any(isinstance(part, MediaPart) for part in fields):
        del wire["audio"]


def _put_calls(wire: dict[str, JsonValue], calls: Sequence[CallPart]) -> None:
    """Writes calls into the field that each came in; a field that lost all of its calls is removed."""
    listed = [_write_call(call) for call in calls if not _is_legacy(call)]
    legacy = [_write_legacy(call) for call in calls if _is_legacy(call)]
    if listed:
        wire["tool_calls"] = listed
    elif wire.get("tool_calls"):
        del wire["tool_calls"]
    if legacy:
        wire["function_call"] = legacy[0]
    elif wire.get("function_call"):
        del wire["function_call"]


def _is_legacy(call: CallPart) -> bool:
    return call.wire is not None and "arguments" in call.wire


def _write_call(call: CallPart) -> JsonValue:
    if call.wire is None:
        function: dict[str, JsonValue] = {"name": call.name, "arguments": arguments_text(call.arguments)}
        return {"id": call.id, "type": "function", "function": function}
    if _call(call.wire) == call:
        return kept(call.wire)
    kind, field = ("custom", "input") if "custom" in call.wire else ("function", "arguments")
    inner = call.wire.get(kind)
    if not isinstance(inner, Mapping):
        raise InvalidMessages(
            f"the call {call.id!r} is of a kind that is not known; it cannot be changed, only removed"
        )
    changed = {**inner, "name": call.name, field: _as_it_came(inner.get(field), call)}
    return {**call.wire, "id": call.id, kind: changed}


def _write_legacy(call: CallPart) -> dict[str, JsonValue]:
    wire = dict(call.wire or {})
    return {**wire, "name": call.name, "arguments": _as_it_came(wire.get("arguments"), call)}


def _as_it_came(came: object, call: CallPart) -> JsonValue:
    """Returns arguments as text; as an object where they came as one."""
    if isinstance(came, Mapping) and isinstance(call.arguments, Mapping):
        return dict(call.arguments)
    return arguments_text(call.arguments)
