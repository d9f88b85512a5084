"""Reading and counting each message once, however often a host sends it."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memoranda.compaction.handles import handle_of
from memoranda.errors import InvalidMessages
from memoranda.messages.formats import read_one, unreadable
from memoranda.records.message import Message, Role, TextPart, WireFormat


class Mark(StrEnum):
    """What a message of ours is, that was put into a request."""

    GRAPH = "graph"
    WARNING = "warning"
    SUMMARY = "summary"
    LEAD = "lead"
    """What a user is made to say where a list would begin with the model."""


@dataclass(slots=True)
class Seen:
    """A message that was read before.

    Attributes:
        given: the host's object.
        copy: what it held then; hosts do change their messages in place.
        message: as it was read.
        tokens: what it costs.
        mark: what it is, where it is one of ours.
    """

    given: object
    copy: object
    message: Message
    tokens: int
    mark: Mark | None = None


@dataclass(frozen=True, slots=True)
class Recognized:
    """A list as it was read.

    Attributes:
        seen: each message.
        counted: tokens that had to be counted.
    """

    seen: list[Seen]
    counted: int


class Recognizer:
    """Knows the messages of the last list that came in and of the last that went out, and no others.

    Attributes:
        format: the format that it reads.
        cost: counts a message.
    """

    def __init__(self, format: WireFormat, cost: Callable[[Message], int]) -> None:
        self.format = format
        self.cost = cost
        self._last: list[Seen] = []
        self._copies: list[object] = []
        self._by_identity: dict[int, Seen] = {}

    def same(self, messages: Sequence[object]) -> int:
        """Returns how many messages at the beginning are those of the list before."""
        copies = self._copies
        if list(messages[: len(copies)]) == copies:  # one comparison of two lists takes less than one for each message
            return len(copies)
        pairs = zip(copies, messages, strict=False)
        return next(
            (place for place, (one, given) in enumerate(pairs) if one != given), min(len(copies), len(messages))
        )

    def read(self, messages: Sequence[object], same: int, emitted: Collection[str]) -> Recognized:
        """Returns the messages; only those that are new or changed are read and counted.

        Args:
            messages: the list.
            same: how many messages at the beginning are those of the list before; see `same`.
            emitted: `mark_of` for the messages of ours that went into requests.

        Raises:
            InvalidMessages: one cannot be read; the error names its place.
        """
        seen, counted = self._last[:same], 0
        for place, given in enumerate(messages[same:], start=same):
            known = self._by_identity.get(id(given))
            if known is None or known.given is not given or known.copy != given:
                try:
                    message = read_one(given, self.format)
                    known = Seen(given, _copied(given), message, self.cost(message), self._mark(message, emitted))
                except InvalidMessages as error:
                    raise unreadable(place, error) from error
                except RecursionError as error:
                    raise InvalidMessages(f"messages[{place}] cannot be read: it is nested too deep") from error
                counted += known.tokens
            seen.append(known)
        return Recognized(seen, counted)

    def mark_of(self, message: Message, mark: Mark) -> str:
        """Returns by what a message of ours is known when it comes in again: a hash of role and text."""
        role = Role.USER if self.format is WireFormat.ANTHROPIC else message.role  # where it is written as a user's
        return f"{mark}:{handle_of(Message(role, (TextPart(message.text),)))}"

    def _mark(self, message: Message, emitted: Collection[str]) -> Mark | None:
        """Returns what a message is, where it is one of ours: never by a text that anybody could write (C18)."""
        if not emitted or message.role not in {Role.SYSTEM, Role.USER}:
            return None
        if not all(isinstance(part, TextPart) for part in message.parts):
            return None
        return next((mark for mark in Mark if self.mark_of(message, mark) in emitted), None)

    def remember(self, incoming: list[Seen], outgoing: Iterable[Seen]) -> None:
        """Keeps what the next list will most likely hold."""
        self._last = incoming
        self._copies = [one.copy for one in incoming]
        self._by_identity = {id(one.given): one for one in (*incoming, *outgoing)}


def _copied(given: object) -> object:
    try:
        return copy.deepcopy(given)
    except TypeError:
        if isinstance(given, Mapping):  # a view, such as `MappingProxyType`: what it shows can be copied
            return copy.deepcopy(dict(given))
        raise
