"""What is put into a request beside the host's messages: a warning once, and a working graph each time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memoranda.compaction.config import CompactionConfig
from memoranda.messages.pins import first_system
from memoranda.records.message import Message, system_message
from memoranda.records.usage import ContextUsage

_WARNINGS: Final = {
    "seed": (
        "CUCA context warning: The conversation is at {percent:.0f}% of the {window}-token context window; "
        "wrap up soon."
    ),
    "memoranda": (
        "Note on the context window: this conversation fills {percent:.0f}% of its {window} tokens; finish soon."
    ),
}


def warning(config: CompactionConfig, usage: ContextUsage) -> Message | None:
    """Returns the message that the window is nearly full; None while it is not (S4.11)."""
    if config.warn_fraction is None or usage.fraction < config.warn_fraction:
        return None
    text = _WARNINGS[config.markers].format(percent=usage.fraction * 100, window=usage.window_tokens)
    return system_message(text)


def place_of_context(messages: Sequence[Message], after: Message | None) -> int:
    """Returns where the working graph goes: behind the message that it stood behind, else after the system message.

    So a list that holds the graph of the request before gets the new one in its place (S4.44).
    """
    if after is not None:
        for place, message in enumerate(messages):
            if message is after:
                return place + 1
    first = first_system(messages)
    return 0 if first is None else first + 1
