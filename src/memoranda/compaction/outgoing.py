"""The list as it goes out: whose wire object each message is, and how much of the beginning is as before."""

from __future__ import annotations

import copy
from collections.abc import Mapping

from memoranda.compaction.conversation import Conversation
from memoranda.compaction.draft import Draft
from memoranda.compaction.incoming import Reading, shared
from memoranda.compaction.recognizer import Mark, Seen
from memoranda.messages.formats import write_one
from memoranda.records.message import Message, WireFormat


class Outgoing:
    """What goes out with one request.

    Attributes:
        messages: the messages.
        sizes: tokens of each.
        wires: the objects to send.
        made: those objects that were made here rather than by the host, by the identity of their message.
        notes: what had to be mended of what strategies left.
    """

    def __init__(self, format: WireFormat, known: Mapping[int, Seen], notes: tuple[str, ...]) -> None:
        self.messages: list[Message] = []
        self.sizes: list[int] = []
        self.wires: list[object] = []
        self.made: dict[int, Seen] = {}
        self.notes = notes
        self._format = format
        self._known = known

    @classmethod
    def of(
        cls,
        draft: Draft,
        reading: Reading,
        past: Conversation,
        *,
        marks: Mapping[int, Mark],
        notes: tuple[str, ...] = (),
    ) -> Outgoing:
        """Returns the list of a draft; what the host gave and nobody changed goes out as the host's own object.

        Args:
            draft: the messages.
            reading: what came in.
            past: the conversation up to the request before; what was made for it is sent again as it was.
            marks: what messages of ours are, by the identity of the message.
            notes: what was mended of the draft.
        """
        out = cls(reading.recognizer.format, past.made if reading.recognizer is past.recognizer else {}, notes)
        out.messages, out.sizes = list(draft.messages), list(draft.sizes)
        came, places, given = reading.incoming.messages, reading.incoming.places, reading.given
        for message, tokens, source in zip(draft.messages, draft.sizes, draft.sources, strict=True):
            place = None if source is None or message is not came[source] or message.changed else places[source]
            out.wires.append(out._made(message, tokens, marks.get(id(message))) if place is None else given[place])
        return out

    def insert(self, place: int, message: Message, tokens: int, mark: Mark) -> None:
        """Puts a message of ours at a place."""
        self.messages.insert(place, message)
        self.sizes.insert(place, tokens)
        self.wires.insert(place, self._made(message, tokens, mark))

    def held(self, past: Conversation) -> int:
        """Returns the tokens at the beginning that are those of the request before."""
        return sum(self.sizes[: shared(self.messages, past.sent)])

    def _made(self, message: Message, tokens: int, mark: Mark | None) -> object:
        known = self._known.get(id(message))
        if known is None:
            wire = write_one(message, self._format)
            known = Seen(wire, copy.deepcopy(wire), message, tokens, mark)
        self.made[id(message)] = known
        return known.given
