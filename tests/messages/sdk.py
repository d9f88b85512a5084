"""What the official SDKs' own request types accept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from anthropic.types.beta import BetaMessageParam
from openai.types.chat import ChatCompletionMessageParam
from openai.types.responses import ResponseInputItemParam
from pydantic import TypeAdapter

from memoranda.records.message import WireFormat


@cache
def _types() -> dict[WireFormat, TypeAdapter[Any]]:
    return {
        WireFormat.CHAT: TypeAdapter(list[ChatCompletionMessageParam]),
        WireFormat.RESPONSES: TypeAdapter(list[ResponseInputItemParam]),
        WireFormat.ANTHROPIC: TypeAdapter(list[BetaMessageParam]),
    }


def check(messages: object, format: WireFormat) -> None:
    """Raises pydantic's ValidationError for a list that the SDK of that format would not take."""
    _walk(_types()[format].validate_python(messages))


def _walk(value: object) -> None:
    """Goes through a validated value: pydantic validates an `Iterable` only as it is read."""
    if isinstance(value, Mapping):
        for inner in value.values():
            _walk(inner)
    elif isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        for inner in value:
            _walk(inner)
