"""The messages of the cases (`r`, `c`, `calls`, `id`) as wire lists of OpenAI Chat or Anthropic."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

Wire = dict[str, Any]


def wire(messages: Sequence[Mapping[str, Any]], dialect: str = "chat") -> list[Wire]:
    """Returns the wire list that a case's messages stand for.

    Args:
        messages: as the case has them, its shorthand spelled out (the fixture `case` does that).
        dialect: `chat` or `anthropic`; a case names it under `dialect` where it is not `chat`.
    """
    make = {"chat": _chat, "anthropic": _anthropic}[dialect]
    return [make(message) for message in messages]


def _chat(message: Mapping[str, Any]) -> Wire:
    made: Wire = {"role": message["r"], "content": message["c"]}
    if message["r"] == "tool":
        made = {"role": "tool", "tool_call_id": message["id"], "content": message["c"]}
    if "is_error" in message:
        made["is_error"] = message["is_error"]
    if "calls" in message:
        made["tool_calls"] = [
            {
                "id": call["id"],
                "type": "function",
                "function": {"name": call["name"], "arguments": json.dumps(call["args"])},
            }
            for call in message["calls"]
        ]
    return made


def _anthropic(message: Mapping[str, Any]) -> Wire:
    said = message["c"]
    if message["r"] == "tool":
        block: Wire = {"type": "tool_result", "tool_use_id": message["id"], "content": said}
        if "is_error" in message:
            block["is_error"] = message["is_error"]
        return {"role": "user", "content": [block]}
    if "calls" not in message:
        return {"role": message["r"], "content": said}
    blocks = [{"type": "text", "text": said}] if isinstance(said, str) and said else list(said)
    blocks += [
        {"type": "tool_use", "id": call["id"], "name": call["name"], "input": call["args"]} for call in message["calls"]
    ]
    return {"role": message["r"], "content": blocks}
