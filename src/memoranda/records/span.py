"""What compaction took from a request."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memoranda.records.message import Message


class Fate(StrEnum):
    """What became of a span."""

    DROPPED = "dropped"
    """The message left the request."""
    OFFLOADED = "offloaded"
    """The message left the request for the archive."""
    SUMMARIZED = "summarized"
    """The message left the request for a summary."""
    CLEARED = "cleared"
    """One line stands in its place."""
    CLAMPED = "clamped"
    """Its middle was cut out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One message, or one part of a message, that a request no longer shows whole.

    Attributes:
        handle: its name in the archive; made from its content, so the same content has the same handle everywhere.
        message: the message as it was; for a part, a message of its role that holds nothing else.
        fate: what became of it.
        tokens: tokens that it had in the request.
        index: where its message stood in the list that came in, from 0; None for one that was not in it, such as an
            earlier summary.
        by: the strategy that took it.
    """

    handle: str
    message: Message
    fate: Fate
    tokens: int
    index: int | None
    by: str
