"""What a message costs in a request, in tokens."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Final, Literal

from memoranda.errors import InvalidInput
from memoranda.messages.media_cost import UNKNOWN_IMAGE, media_tokens
from memoranda.protocols.tokenizer import Tokenizer
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

Counting = Literal["all", "text"]

MESSAGE_FRAME: Final = 3
"""Tokens around each message beside its role (OpenAI Cookbook, "How to count tokens with tiktoken")."""
NAME_FRAME: Final = 1
"""Tokens beside the name of a message's speaker (the same)."""
REPLY_FRAME: Final = 3
"""Tokens with which the reply is begun, once in a request (the same)."""
CALL_FRAME: Final = 3
"""Tokens around each call and each result. No provider says; a call is framed as a message is."""
_TOOLS_FRAME: Final = {WireFormat.CHAT: 12, WireFormat.RESPONSES: 12, WireFormat.ANTHROPIC: 346}
"""Tokens beside the definitions of tools, once in a request: OpenAI Cookbook (the end of the functions), and
Anthropic's page on tool use (the system prompt that it adds, for Claude 4)."""

_SECRET_FIELDS: Final = ("data", "encrypted_content", "signature", "thought_signature")
_DATA_CHARACTERS: Final = 2_000
_BLANK: Final = re.compile(r"[^!-~]")
"""A longer string with nothing in it but ASCII letters, digits and marks is data and no text, such as base64."""


class MessageCost:
    """Tells how many tokens a message has in a request: `MessageCost(tokenizer)(message)`.

    What a message costs is the sum over its parts, so what one part costs is the difference that it makes:

    * texts, names, ids, arguments and results as the tokenizer counts them (case B03); an object as compact JSON
    * pictures, sounds and files by their provider's rule (`media_cost`), never by their bytes (case B04)
    * thoughts by their text; where that is shortened or missing by the length of what is encrypted: base64 of the
      whole thought, so three bytes for four characters, and four bytes a token
    * what is not understood by its JSON text; data in it, such as base64, counts as a picture of unknown size
    * framing for each message, name, call and result

    Args:
        tokenizer: what counts texts.
        counting: `all`, or `text` for exactly what seed 4 counts (S4.10): for each message the tokens of
            `<role> <text>`, its text blocks joined by a space; calls, results, thoughts and media are 0.
        format: the format of the messages, which tells the provider.
        model: the model that the request goes to, for what pictures cost; None where it is not known.

    Raises:
        InvalidInput: `counting` is neither of the two.
    """

    def __init__(
        self,
        tokenizer: Tokenizer,
        counting: Counting = "all",
        format: WireFormat = WireFormat.CHAT,
        model: str | None = None,
    ) -> None:
        if counting not in {"all", "text"}:
            raise InvalidInput(f"`counting` is {counting!r}; it must be 'all' or 'text'")
        self.tokenizer = tokenizer
        self.counting = counting
        self.format = format
        self.model = model
        self._count = tokenizer.count

    def __call__(self, message: Message) -> int:
        """Returns the tokens of a message, its framing included; 0 or more."""
        if self.counting == "text":
            return 0 if message.role is Role.OPAQUE else self._count(f"{message.role.value} {message.text}")
        return self._frame(message) + sum(map(self.part, message.parts))

    def part(self, part: Part) -> int:
        """Returns the tokens of one part, however `counting` is set; those of its message's framing are left out."""
        match part:
            case TextPart():
                return self._count(part.text)
            case CallPart():
                arguments = part.arguments if isinstance(part.arguments, str) else compact_json(part.arguments)
                return CALL_FRAME + self._count(part.id) + self._count(part.name) + self._count(arguments)
            case ResultPart():
                return CALL_FRAME + self._count(part.id) + sum(map(self.part, part.parts))
            case MediaPart():
                return media_tokens(part, self.format, self.model)
            case ThinkingPart():
                return max(self._count(part.text), _encrypted(part.wire))
            case OpaquePart():
                return self._unknown(part.wire)

    def request_overhead(self) -> int:
        """Returns the tokens that a request has beside its messages and tools."""
        return 0 if self.counting == "text" else REPLY_FRAME

    def tools(self, tools: Iterable[Mapping[str, object]]) -> int:
        """Returns the tokens of the definitions of tools, which are counted as compact JSON; 0 without tools.

        What a provider makes of them is shorter than JSON by a tenth to a third, so this is on the safe side. With
        `counting="text"` they are 0, as in the seed.
        """
        definitions = [compact_json(tool) for tool in tools]
        if self.counting == "text" or not definitions:
            return 0
        return _TOOLS_FRAME[self.format] + sum(map(self._count, definitions))

    @cached_property
    def _roles(self) -> dict[Role, int]:
        return {role: MESSAGE_FRAME + self._count(role.value) for role in Role if role is not Role.OPAQUE}

    def _frame(self, message: Message) -> int:
        if message.role is Role.OPAQUE:
            return 0
        name = message.wire.get("name") if message.wire is not None and self.format is WireFormat.CHAT else None
        return self._roles[message.role] + (NAME_FRAME + self._count(name) if isinstance(name, str) and name else 0)

    def _unknown(self, wire: Wire) -> int:
        """Returns the tokens of an object that is not understood."""
        blobs = 0

        def shown(value: object) -> object:
            nonlocal blobs
            if isinstance(value, Mapping):
                return {str(key): shown(inner) for key, inner in value.items()}
            if isinstance(value, (list, tuple)):
                return [shown(inner) for inner in value]
            if isinstance(value, str) and len(value) > _DATA_CHARACTERS and not _BLANK.search(value):
                blobs += 1
                return ""
            return value

        text = compact_json(shown(wire))
        return self._count(text) + blobs * UNKNOWN_IMAGE


def _encrypted(wire: Wire | None) -> int:
    """Returns the tokens of a thought by what is encrypted of it; 0 where nothing is."""
    fields = [] if wire is None else [wire.get(name) for name in _SECRET_FIELDS]
    return max((len(value) for value in fields if isinstance(value, str)), default=0) * 3 // 16


def compact_json(value: object) -> str:
    """Returns a value as the JSON in which it is counted; what is no JSON, as its text."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
