"""Tells what was said in one message of a ChatGPT export."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memoranda.service.importing.times import read_time

_SPOKEN_TYPES = frozenset({"text", "multimodal_text"})
_UNSPOKEN_TYPES = frozenset(
    {
        "code",
        "computer_output",
        "execution_output",
        "model_editable_context",
        "reasoning_recap",
        "sonic_webpage",
        "system_error",
        "tether_browsing_code",
        "tether_browsing_display",
        "tether_quote",
        "thoughts",
        "user_editable_context",
    }
)
_UNSPOKEN_ROLES = frozenset({"system", "developer", "tool"})


@dataclass(frozen=True, slots=True)
class Said:
    """What one message says.

    Attributes:
        text: its words; never blank.
        speaker: `user` or `assistant`.
        at: when it was sent; None when the export does not say.
        other_parts: the kinds of its parts that are no text, such as `image_asset_pointer`, in order.
    """

    text: str
    speaker: str
    at: datetime | None
    other_parts: tuple[str, ...] = ()


def read_message(message: Mapping[str, object]) -> Said | None:
    """Returns what a message says; None for one that is left out by rule.

    Left out by rule, without a report: messages of system, developer and tools; hidden ones; calls of tools (code,
    or a recipient other than `all`); thoughts and their recaps; what tools gave back; the profile that is
    sent along with each conversation; messages without any part.

    Of a spoken message the texts are kept, and the transcript of what was spoken aloud; other parts are named only.

    Raises:
        ValueError: the role or the type of content is not known, a field has the wrong shape, or the message
            consists of other parts alone and has no word to remember.
    """
    role = _role(message)
    if role in _UNSPOKEN_ROLES or _is_hidden(message):
        return None
    if role not in ("user", "assistant"):
        raise ValueError(f"the role {role!r} is not known")
    content = message.get("content")
    if content is None:
        return None
    if not isinstance(content, Mapping):
        raise ValueError("`content` is not a JSON object")
    kind = content.get("content_type", "text")
    if isinstance(kind, str) and kind in _UNSPOKEN_TYPES:
        return None
    if not isinstance(kind, str) or kind not in _SPOKEN_TYPES:
        raise ValueError(f"the content type {kind!r} is not known")
    text, others = _read_parts(content)
    if text:
        return Said(text, role, read_time(message.get("create_time"), "create_time"), others)
    if others:
        raise ValueError(f"has no text, only {', '.join(others)}")
    return None


def _role(message: Mapping[str, object]) -> str:
    author = message.get("author")
    role = author.get("role") if isinstance(author, Mapping) else None
    if not isinstance(role, str):
        raise ValueError("has no `author` with a `role`")
    return role


def _is_hidden(message: Mapping[str, object]) -> bool:
    """Tells whether the message was never shown: marked as hidden, or addressed to a tool."""
    metadata = message.get("metadata")
    if isinstance(metadata, Mapping) and metadata.get("is_visually_hidden_from_conversation") is True:
        return True
    return message.get("recipient") not in (None, "all")


def _read_parts(content: Mapping[str, object]) -> tuple[str, tuple[str, ...]]:
    """Returns the texts of the parts, one below the other, and the kinds of the other parts."""
    parts = content.get("parts")
    if parts is None:
        parts = [content.get("text")]
    if not isinstance(parts, list):
        raise ValueError("`parts` is not a list")
    texts, others = list[str](), list[str]()
    for part in parts:
        if isinstance(part, Mapping):
            spoken = part.get("text") if part.get("content_type") == "audio_transcription" else None
            if spoken is None:
                others.append(str(part.get("content_type", "unknown"))[:100])
                continue
            part = spoken
        if isinstance(part, str):
            texts.append(part)
        elif part is not None:
            raise ValueError(f"a part is neither text nor a JSON object but {type(part).__name__}")
    return "\n".join(text for text in texts if text.strip()).strip(), tuple(others)
