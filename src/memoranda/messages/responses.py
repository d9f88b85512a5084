"""OpenAI Responses: reading an item, and writing one that is new or changed.

Shapes: `openai.types.responses.ResponseInputItemParam` of the openai package. Each item is one message.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from memoranda.errors import InvalidMessages
from memoranda.messages.blocks import (
    arguments_object,
    arguments_text,
    given_of,
    holds_text,
    kept,
    misplaced,
    object_of,
    read_content,
    string,
    unknown_role,
    write_content,
)
from memoranda.messages.media import read_media
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

_ROLES: Final = {"system": Role.SYSTEM, "developer": Role.SYSTEM, "user": Role.USER, "assistant": Role.ASSISTANT}


class _Call(NamedTuple):
    """How an item says what it calls: the tool's name (None where it stands in `name`), and the field of arguments."""

    name: str | None
    arguments: str
    server: bool = False


_CALLS: Final = {
    "function_call": _Call(None, "arguments"),
    "custom_tool_call": _Call(None, "input"),
    "computer_call": _Call("computer", "action"),
    "shell_call": _Call("shell", "action"),
    "local_shell_call": _Call("local_shell", "action"),
    "apply_patch_call": _Call("apply_patch", "operation"),
    "tool_search_call": _Call("tool_search", "arguments"),
    "program": _Call("program", "code", server=True),
    # The provider runs the tool: the host only consents, in an `mcp_approval_response`.
    "mcp_approval_request": _Call(None, "arguments", server=True),
    "mcp_call": _Call(None, "arguments", server=True),
}
_RESULTS: Final = {
    "function_call_output": "output",
    "custom_tool_call_output": "output",
    "local_shell_call_output": "output",
    "apply_patch_call_output": "output",
    "shell_call_output": "output",
    "computer_call_output": "output",
    "program_output": "result",
    "tool_search_output": "",
    "mcp_approval_response": "",
}
"""Items that are results, and the field with what the tool gave; empty where that is no text and no media."""
_SERVER_RESULTS: Final = frozenset({"program_output", "mcp_approval_response"})
_BY_MODEL: Final = frozenset(
    {
        "web_search_call",
        "file_search_call",
        "code_interpreter_call",
        "image_generation_call",
        "mcp_list_tools",
        "compaction",
    }
)
"""Further items that a model, or the provider on its behalf, adds to a list."""
_BY_NOBODY: Final = frozenset({"item_reference", "compaction_trigger", "configuration_update", "additional_tools"})


def is_item(wire: Wire) -> bool:
    """Tells whether an object can only be an item of this format."""
    kind = wire.get("type")
    if kind is None:
        return "role" not in wire and set(wire) == {"id"}  # a reference may leave out its type
    if not isinstance(kind, str) or kind == "message":
        return False
    return kind in _CALLS or kind in _RESULTS or kind in _BY_MODEL or kind in _BY_NOBODY or _is_alike(wire, kind)


def _is_alike(wire: Wire, kind: str) -> bool:
    """Whether an object looks like an item, of a kind that came later than this was written."""
    return kind == "reasoning" or ("role" not in wire and ("call_id" in wire or kind.endswith(("_call", "_output"))))


def read_item(item: object) -> Message:
    """Reads an item.

    What a model adds (messages, thoughts, calls) has the role `assistant`, results have `tool`, and items that are
    nobody's message have `opaque`. A call that holds its own result (`mcp_call`) is both in one message.

    Raises:
        InvalidMessages: it has neither a type nor a known role, its content is neither text nor blocks, or it is no
            object at all.
    """
    wire = object_of(item)
    kind = wire.get("type")
    if kind is None or kind == "message":
        role, parts = _message(wire)
    elif isinstance(kind, str):
        role, parts = _other(wire, kind)
    else:
        raise InvalidMessages(f"its type is a {type(kind).__name__}; give a string")
    return Message(role, parts, wire, given_of(item, wire))


def write_item(message: Message) -> dict[str, JsonValue]:
    """Writes an item that is new or changed.

    Raises:
        InvalidMessages: its parts cannot stand in one item.
    """
    wire = message.wire
    if wire is None:
        return _new_item(message)
    kind = string(wire, "type")
    if kind in {"", "message"} and "role" in wire:
        return _write_message(wire, message)
    changed = dict(wire)
    for part in message.parts:
        if isinstance(part, CallPart) and kind in _CALLS:
            _put_call(changed, part, _CALLS[kind])
        elif isinstance(part, ResultPart):
            _put_id(changed, part)
            if holds_text(part):
                _put_result(changed, part, _RESULTS.get(kind) or "output")
    return changed


def _message(wire: Wire) -> tuple[Role, tuple[Part, ...]]:
    said = wire.get("role")
    role = _ROLES.get(said) if isinstance(said, str) else None
    if role is not None:
        return role, read_content(wire.get("content"))
    if said is None and is_item(wire):
        return Role.OPAQUE, (OpaquePart("item_reference", wire),)
    raise unknown_role(said, list(_ROLES))


def _other(wire: Wire, kind: str) -> tuple[Role, tuple[Part, ...]]:
    if kind == "reasoning":
        return Role.ASSISTANT, (ThinkingPart(_thought(wire), wire),)
    if kind in _CALLS:
        return Role.ASSISTANT, _call_parts(wire, kind)
    if kind in _RESULTS:
        return Role.TOOL, (_result(wire, kind),)
    if kind == "image_generation_call":
        return Role.ASSISTANT, (_picture(wire) or OpaquePart(kind, wire),)
    if "call_id" in wire and kind.endswith("_output"):
        return Role.TOOL, (ResultPart(string(wire, "call_id"), (OpaquePart(kind, wire),), wire=wire),)
    if "call_id" in wire and kind.endswith("_call"):
        return Role.ASSISTANT, (CallPart(string(wire, "call_id"), kind.removesuffix("_call"), "", wire=wire),)
    by_model = kind in _BY_MODEL or kind.endswith("_call")
    return Role.ASSISTANT if by_model else Role.OPAQUE, (OpaquePart(kind, wire),)


def _thought(wire: Wire) -> str:
    texts: list[str] = []
    for name in ("summary", "content"):
        blocks = wire.get(name)
        if isinstance(blocks, (list, tuple)):
            texts += [string(block, "text") for block in blocks if isinstance(block, Mapping)]
    return "\n".join(text for text in texts if text)


def _call_parts(wire: Wire, kind: str) -> tuple[Part, ...]:
    how = _CALLS[kind]
    id = string(wire, "call_id", "id")
    server = how.server or wire.get("execution") == "server"
    call = CallPart(id, how.name or string(wire, "name"), _arguments(wire, how.arguments), server, wire)
    if kind != "mcp_call":
        return (call,)
    error = bool(wire.get("error"))
    return (call, ResultPart(id, read_content(wire.get("output")), error, server=True, wire=wire))


def _arguments(wire: Wire, field: str) -> str | Mapping[str, JsonValue]:
    value = wire.get(field)
    if isinstance(value, (str, Mapping)):
        return value
    several = wire.get("actions")  # what a computer is told to do may be a list
    return {"actions": several} if isinstance(several, list) else ""


def _result(wire: Wire, kind: str) -> ResultPart:
    id = string(wire, "call_id", "approval_request_id", "id")
    server = kind in _SERVER_RESULTS or wire.get("execution") == "server"
    given = wire.get(_RESULTS[kind])
    parts: tuple[TextPart | MediaPart | OpaquePart, ...]
    if not _RESULTS[kind]:
        parts = (OpaquePart(kind, wire),)
    elif kind == "shell_call_output" and isinstance(given, (list, tuple)):
        parts = tuple([_chunk(object_of(chunk)) for chunk in given])
    else:
        parts = read_content(given)
    return ResultPart(id, parts, wire.get("status") == "failed", server, wire)


def _chunk(wire: Wire) -> TextPart:
    texts = (string(wire, "stdout"), string(wire, "stderr"))
    return TextPart("\n".join(text for text in texts if text), wire)


def _picture(wire: Wire) -> MediaPart | None:
    data = string(wire, "result")
    found = read_media({"type": "image", "data": data}, "image") if data else None
    return MediaPart("image", f"image/{string(wire, 'output_format') or 'png'}", data, wire=wire) if found else None


def _write_message(wire: Wire, message: Message) -> dict[str, JsonValue]:
    for part in message.parts:
        if not isinstance(part, (TextPart, MediaPart, OpaquePart)):
            raise misplaced(message, "message of Responses")
    by_model = message.role is Role.ASSISTANT
    content = write_content(message.parts, wire.get("content"), WireFormat.RESPONSES, by_model=by_model)
    return {**wire, "content": content}


def _put_call(wire: dict[str, JsonValue], call: CallPart, how: _Call) -> None:
    if how.name is None and call.name != string(wire, "name"):
        wire["name"] = call.name
    if call.id != string(wire, "call_id", "id"):
        wire["call_id"] = call.id
    if call.arguments == _arguments(wire, how.arguments):
        return
    came = wire.get(how.arguments)
    if isinstance(came, str) or how.name is None:
        wire[how.arguments] = arguments_text(call.arguments)
    elif came is None and "actions" in wire:
        wire.update(arguments_object(call.arguments))
    else:
        wire[how.arguments] = arguments_object(call.arguments)


def _put_id(wire: dict[str, JsonValue], result: ResultPart) -> None:
    """Writes which call a result is of, where repair gave the call another id."""
    field = next((name for name in ("call_id", "approval_request_id", "id") if name in wire), "call_id")
    if wire.get(field) != result.id:
        wire[field] = result.id


def _put_result(wire: dict[str, JsonValue], result: ResultPart, field: str) -> None:
    came = wire.get(field)
    if string(wire, "type") == "shell_call_output" and not isinstance(came, str):
        wire[field] = [_write_chunk(part) for part in result.parts if not isinstance(part, MediaPart)]
    elif result.parts or came:
        wire[field] = write_content(result.parts, came, WireFormat.RESPONSES)


def _write_chunk(part: TextPart | OpaquePart) -> JsonValue:
    if part.wire is not None and (isinstance(part, OpaquePart) or _chunk(part.wire) == part):
        return kept(part.wire)
    outcome: dict[str, JsonValue] = {"type": "exit", "exit_code": 0}
    return {**(part.wire or {"outcome": outcome}), "stdout": part.text, "stderr": ""}


def _new_item(message: Message) -> dict[str, JsonValue]:
    match message.role, message.parts:
        case Role.ASSISTANT, (CallPart() as call,):
            arguments = arguments_text(call.arguments)
            return {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": arguments}
        case Role.TOOL, (ResultPart() as result,):
            output = write_content(result.parts, "", WireFormat.RESPONSES)
            return {"type": "function_call_output", "call_id": result.id, "output": output}
        case Role.SYSTEM | Role.USER | Role.ASSISTANT, _:
            return _write_message({"role": message.role.value, "content": ""}, message)
        case _:
            raise misplaced(message, "item of Responses")
