"""A list while it is repaired."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from memoranda.messages.pairs import Pairs, Place, pair_up, waiting_calls
from memoranda.records.message import CallPart, Message, Part, ResultPart, WireFormat

Row = tuple[int | None, Message]
"""A message with the place at which it stood in the list that came in; None for one that repair made."""
_ID_CHARACTERS = 60


class Mending:
    """The messages of a list on their way to be valid, and what was done to them. The list that came in stays as it is.

    Attributes:
        rows: the messages as they stand now.
        format: the format whose rules they must keep.
        pending: ids of calls that wait for their answer.
        notes: what was done, in order.
    """

    def __init__(self, messages: Sequence[Message], format: WireFormat, pending: Collection[str]) -> None:
        self.rows: list[Row] = list(enumerate(messages))
        self.messages: Sequence[Message] = messages
        self.format = format
        self.pending = frozenset(pending)
        self.notes: list[str] = []
        self._pairs: Pairs | None = None

    @property
    def pairs(self) -> Pairs:
        """Which result answers which call, as the messages stand now."""
        if self._pairs is None:
            self._pairs = pair_up(self.messages, self.pending)
        return self._pairs

    @property
    def waiting(self) -> frozenset[Place]:
        """Calls that are pending."""
        return waiting_calls(self.messages, self.pending)

    def part(self, place: Place) -> Part:
        """Returns the part at a place."""
        return self.messages[place[0]].parts[place[1]]

    def id_of(self, place: Place) -> str:
        """Returns the id of the call or result at a place, as a note shows it."""
        part = self.part(place)
        return named(part.id) if isinstance(part, CallPart | ResultPart) else "?"

    def note(self, number: int, what: str) -> None:
        """Notes what is done to the message at a number, by the place where it stood in the list that came in."""
        self.notes.append(f"messages[{self.rows[number][0]}]: {what}")

    def arrange(self, rows: list[Row]) -> None:
        """Puts other rows in the place of all."""
        self.rows = rows
        self.messages = [message for _, message in rows]
        self._pairs = None

    def change(self, parts: Mapping[Place, Part | None], leaving: Collection[int] = ()) -> None:
        """Puts other parts into messages, and lets messages go.

        Args:
            parts: new parts by their place. One that is None leaves, and so does a message that has none left.
            leaving: messages that leave.
        """
        if not (parts or leaving):
            return
        touched = {number for number, _ in parts}
        rows: list[Row] = []
        for number, (source, message) in enumerate(self.rows):
            if number in leaving:
                continue
            if number in touched:
                new = (parts.get((number, index), part) for index, part in enumerate(message.parts))
                kept = tuple(part for part in new if part is not None)
                if not kept:
                    continue
                message = message.with_parts(kept)
            rows.append((source, message))
        self.arrange(rows)


def named(id: str) -> str:
    """Returns the id of a call as a note shows it."""
    return repr(id if len(id) <= _ID_CHARACTERS else f"{id[:_ID_CHARACTERS]}…")
