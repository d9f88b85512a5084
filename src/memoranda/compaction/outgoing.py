"""The list as it goes out: whose wire object each message is, and how much of the beginning is as before."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memoranda.compaction.conversation import Conversation
from memoranda.compaction.incoming import Reading
from memoranda.compaction.recognizer import Mark, Seen
from memoranda.messages.formats import write_one
from memoranda.records.message import Message, WireFormat


@dataclass(frozen=True, slots=True)
class Row:
    """A message as it goes out.

    Attributes:
        message: the message.
        tokens: what it costs.
        wire: the object to send.
        ours: whether the object was made here rather than by the host.
    """

    message: Message
    tokens: int
    wire: object
    ours: bool


class Outgoing:
    """What goes out with one request."""

    def __init__(self, rows: list[Row], format: WireFormat, known: dict[int, object]) -> None:
        self.rows = rows
        self._format = format
        self._known = known

    @classmethod
    def of(cls, rows: Iterable[tuple[Message, int, int | None]], reading: Reading, past: Conversation) -> Outgoing:
        """Returns the list of messages; what the host gave and nobody changed goes out as the host's own object."""
        out = cls([], reading.recognizer.format, dict(past.wires))
        places, given = reading.incoming.places, reading.given
        messages = reading.incoming.messages
        for message, tokens, source in rows:
            place = None if source is None or message is not messages[source] or message.changed else places[source]
            out.rows.append(out._row(message, tokens) if place is None else Row(message, tokens, given[place], False))
        return out

    def insert(self, place: int, message: Message, tokens: int) -> None:
        """Puts a message of ours at a place."""
        self.rows.insert(place, self._row(message, tokens))

    @property
    def wires(self) -> list[object]:
        """The list to send."""
        return [row.wire for row in self.rows]

    @property
    def written(self) -> dict[int, object]:
        """The objects that were made here, by the identity of their message."""
        return {id(row.message): row.wire for row in self.rows if row.ours}

    def seen(self, marks: Mapping[int, Mark]) -> list[Seen]:
        """Returns what was made here as messages that are known when they come in again.

        Args:
            marks: what they are, by the identity of the message.
        """
        made = [row for row in self.rows if row.ours]
        return [
            Seen(row.wire, copy.deepcopy(row.wire), row.message, row.tokens, marks.get(id(row.message))) for row in made
        ]

    def held(self, past: Conversation) -> int:
        """Returns the tokens at the beginning that are those of the request before."""
        held = 0
        for row, (message, _) in zip(self.rows, past.sent, strict=False):
            if row.message is not message:
                break
            held += row.tokens
        return held

    def _row(self, message: Message, tokens: int) -> Row:
        wire = self._known.get(id(message))
        if wire is None:
            wire = write_one(message, self._format)
            self._known[id(message)] = wire
        return Row(message, tokens, wire, True)
