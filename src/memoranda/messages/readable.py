"""What of a message can be read as text: for archives, for summarizers, and for embedding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from memoranda.messages.blocks import arguments_text
from memoranda.messages.pairs import is_results_only
from memoranda.records.message import CallPart, MediaPart, Message, OpaquePart, Part, ResultPart, Role, TextPart

_READABLE: Final = (
    *("title", "url", "query", "queries", "code", "text", "stdout", "stderr", "logs"),
    *("content", "source", "action", "results", "outputs"),
)
"""Fields of a block that is not understood whose texts a person can read. Encrypted text and base64 are in others."""
_DEEPEST: Final = 8


def readable(message: Message, *, media: bool = True) -> str:
    """Returns all that can be read of a message, a line or more for each part.

    Texts stand as they are, calls as `name(arguments as JSON)`, results as what the tool gave, media as
    `[image image/png]` and never as their data (case B05), and what is not understood as the texts in it, else as
    `[its kind]`. What a model thought is left out. It is the text
    by which an archived message is found: that of S4.50, with the arguments of calls beside their names.

    Args:
        message: the message.
        media: whether media are named.
    """
    return "\n".join(text for part in message.parts for text in _lines(part, media) if text)


def titled(message: Message) -> str:
    """Returns the readable text with who says it in front, such as `user: hello`.

    Results that travel in a user's message are no user's words (case P08): a message of nothing else is titled `tool`.
    """
    return f"{Role.TOOL if is_results_only(message) else message.role}: {readable(message)}"


def _lines(part: Part, media: bool) -> Iterator[str]:
    match part:
        case TextPart():
            yield part.text
        case MediaPart():
            yield f"[{part.kind} {part.media_type}".rstrip() + "]" if media else ""
        case CallPart():
            yield f"{part.name}({arguments_text(part.arguments)})"
        case ResultPart():
            for inner in part.parts:
                yield from _lines(inner, media)
        case OpaquePart():
            yield "\n".join(_texts(part.wire, 0)) or (f"[{part.kind}]" if part.kind else "")


def _texts(value: object, depth: int) -> Iterator[str]:
    """Yields the texts in an object that is not understood, in the order of its readable fields."""
    if isinstance(value, str):
        if value and not value.startswith("data:"):
            yield value
    elif depth < _DEEPEST and isinstance(value, (list, tuple)):
        for inner in value:
            yield from _texts(inner, depth + 1)
    elif depth < _DEEPEST and isinstance(value, Mapping):
        for name in _READABLE:
            yield from _texts(value.get(name), depth + 1)
