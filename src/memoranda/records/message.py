"""A message as memoranda sees it, whatever wire format it came in.

The wire object stays with the view. What nobody changes is written back as the very object that came in; what is not
understood is carried through as it is. So a view never has to understand everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import TypeVar

from memoranda.records.entry import JsonValue

Wire = Mapping[str, JsonValue]
"""An object of a wire format: a message, an item, or a block of one. It is never changed in place."""


class WireFormat(StrEnum):
    """In which shape messages come in and go out."""

    CHAT = "chat"
    """OpenAI Chat Completions, and all who follow it: `role`, `content`, `tool_calls`, messages of role `tool`."""
    RESPONSES = "responses"
    """OpenAI Responses: a list of items."""
    ANTHROPIC = "anthropic"
    """Anthropic Messages: `role` and blocks; results of tools stand in user messages."""


class Role(StrEnum):
    """Who speaks. `developer` is read as `system`, and written back as it came."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    """The message is nothing but results of tools (Chat and Responses). Anthropic's stand in user messages."""
    OPAQUE = "opaque"
    """An item that is nobody's message, such as a reference to one that the provider keeps."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """Text that a model reads as it is.

    Attributes:
        text: the text.
        wire: the block that it came in; None for a plain string, or where it is new.
    """

    text: str
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class MediaPart:
    """A picture, a sound or a file.

    Attributes:
        kind: `image`, `audio` or `file`.
        media_type: such as `image/png`; empty where it is not said.
        data: base64 text, where it stands in the message; else None.
        url: where it is fetched from, or the id under which the provider keeps it; else None.
        detail: how closely a model is to look at it (`low`, `high`, `auto`); empty where it is not said.
        wire: the block that it came in.
    """

    kind: str
    media_type: str = ""
    data: str | None = None
    url: str | None = None
    detail: str = ""
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class CallPart:
    """A call of a tool that a model asks for.

    Attributes:
        id: by which the result names it. Some backends use one again in a later turn: pairs are found by position.
        name: of the tool.
        arguments: what it is called with: the JSON text (Chat, Responses) or the object (Anthropic) that came in.
        server: whether the provider runs it by itself, so that no result of ours is waited for.
        wire: the call that it came in.
    """

    id: str
    name: str
    arguments: str | Mapping[str, JsonValue]
    server: bool = False
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class ResultPart:
    """What came of a call.

    Attributes:
        id: the id of the call.
        parts: what the tool gave: texts, media, or what is not understood. Empty when it gave nothing.
        is_error: whether the tool failed or was refused.
        server: whether the provider ran the call by itself.
        wire: the block or message that it came in.
    """

    id: str
    parts: tuple[TextPart | MediaPart | OpaquePart, ...] = ()
    is_error: bool = False
    server: bool = False
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class ThinkingPart:
    """What a model thought. It goes back whole or not at all: it may be signed or encrypted.

    Attributes:
        text: what can be read of it; empty where it is encrypted.
        wire: the block or item that it came in; None where it is a field of the message.
    """

    text: str
    wire: Wire | None = None


@dataclass(frozen=True, slots=True)
class OpaquePart:
    """What is not understood: carried through, in its place.

    Attributes:
        kind: what it says that it is.
        wire: the block that it came in.
    """

    kind: str
    wire: Wire


Part = TextPart | MediaPart | CallPart | ResultPart | ThinkingPart | OpaquePart
"""What a message is made of."""
_P = TypeVar("_P")


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a list, or one item of OpenAI Responses.

    Attributes:
        role: who speaks.
        parts: what it says, in order.
        wire: the object that it came in, None for a new one.
        given: what the host handed over where that is no mapping, such as an SDK's reply; it is handed back as it is.
        changed: whether `parts` no longer are those of `wire`. Such a message is written anew: fields that belong to no
            part, and parts that nobody changed, are written as they came.
    """

    role: Role
    parts: tuple[Part, ...]
    wire: Wire | None = field(default=None, compare=False)
    given: object = field(default=None, compare=False)
    changed: bool = False

    def with_part(self, place: int, part: Part) -> Message:
        """Returns the message with another part at a place."""
        return self.with_parts((*self.parts[:place], part, *self.parts[place + 1 :]))

    def with_parts(self, parts: tuple[Part, ...]) -> Message:
        """Returns the message with other parts."""
        return replace(self, parts=parts, changed=self.changed or parts != self.parts)

    def of_kind(self, kind: type[_P]) -> list[_P]:
        """Returns its parts of one class, such as `CallPart`."""
        return [part for part in self.parts if isinstance(part, kind)]

    @property
    def text(self) -> str:
        """Its texts, joined by a space (S4.10)."""
        return " ".join(part.text for part in self.parts if isinstance(part, TextPart))


def system_message(text: str) -> Message:
    """Returns a new system message."""
    return Message(Role.SYSTEM, (TextPart(text),))


def user_message(text: str) -> Message:
    """Returns a new user message."""
    return Message(Role.USER, (TextPart(text),))
