"""From the messages of one conversation to records: what was said, and what tools did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from memoranda.messages.blocks import arguments_text
from memoranda.messages.pairs import Place, pair_up
from memoranda.messages.readable import readable
from memoranda.records.entry import JsonValue
from memoranda.records.message import CallPart, MediaPart, Message, OpaquePart, Part, ResultPart, Role, TextPart
from memoranda.service.importing.item import ImportItem, Skipped, checked
from memoranda.text.clamp import clamp_chars

FIELD_CHARACTERS: Final = 500
"""Most characters of a call's input, and of its result, that a record shows (S0.7)."""
_SPEAKERS: Final = {Role.USER: "user", Role.ASSISTANT: "assistant"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """One message of a conversation, and where it stands in the file.

    Attributes:
        message: the message.
        where: its place in words, such as `line 12`.
        source: the file's name and the place in it, the same at every import.
        at: when it was sent; None when the file does not say.
        others: what was sent along with it that is no text, by kind or name.
    """

    message: Message
    where: str
    source: str
    at: datetime | None = None
    others: tuple[str, ...] = ()


class Conversation:
    """One conversation of a file.

    Args:
        session: its id.
        placed: its messages, in order.
        metadata: what each of its records says besides, such as the title.
        first: the position of its first record.
    """

    def __init__(
        self,
        session: str,
        placed: Sequence[Placed],
        *,
        metadata: Mapping[str, JsonValue] | None = None,
        first: int = 0,
    ) -> None:
        self.session = session
        self._placed = placed
        self._metadata = dict(metadata or {})
        self.position = first
        self._left_out: Counter[str] = Counter()

    def read(self) -> Iterator[ImportItem | Skipped]:
        """Yields an `episode` for each message of the user and the assistant, and a `trajectory` for each call.

        A trajectory says what a tool was called with and what it gave (S0.6), right behind the message with the call.
        Calls without a result, and those that failed (S0.5), are counted and reported. Left out by rule, without a
        report: messages of the system, and what a model thought.
        """
        pairs = pair_up([placed.message for placed in self._placed])
        for number, placed in enumerate(self._placed):
            yield from self._said(placed)
            for index, part in enumerate(placed.message.parts):
                if isinstance(part, CallPart):
                    yield from self._called(placed, part, pairs.results[number, index])
        if pairs.orphans:
            self._left_out["results of calls that the file does not hold"] = len(pairs.orphans)
        for reason, count in self._left_out.items():
            yield Skipped(f"conversation {self.session}", f"{reason}: {count}")

    def _said(self, placed: Placed) -> Iterator[ImportItem | Skipped]:
        speaker = _SPEAKERS.get(placed.message.role)
        if speaker is None:
            return
        texts = [part.text.strip() for part in placed.message.parts if isinstance(part, TextPart)]
        text = "\n".join(text for text in texts if text)
        others = (*(kind for part in placed.message.parts if (kind := _kind(part))), *placed.others)
        if text:
            also: dict[str, JsonValue] = {"other_parts": list(others)} if others else {}
            metadata = {**self._metadata, **also}
            yield self._record(placed, ImportItem(text, speaker=speaker, metadata=metadata or None))
        elif others:
            yield Skipped(placed.where, f"has no text, only {', '.join(dict.fromkeys(others))}")

    def _called(self, placed: Placed, call: CallPart, results: Sequence[Place]) -> Iterator[ImportItem | Skipped]:
        result = self._result(results[-1]) if results else None
        if result is None:
            self._left_out["calls of tools without a result"] += 1
        elif result.is_error:
            self._left_out["calls of tools that failed"] += 1
        else:
            text = trajectory_text(call, result)
            yield self._record(placed, ImportItem(text, category="trajectory", metadata=self._metadata or None))

    def _result(self, place: Place) -> ResultPart | None:
        part = self._placed[place[0]].message.parts[place[1]]
        return part if isinstance(part, ResultPart) else None

    def _record(self, placed: Placed, item: ImportItem) -> ImportItem | Skipped:
        found = checked(
            ImportItem(
                item.memory,
                category=item.category,
                speaker=item.speaker,
                session=self.session,
                position=self.position,
                occurred_at=placed.at,
                source=placed.source,
                metadata=item.metadata,
            ),
            placed.where,
        )
        self.position += isinstance(found, ImportItem)
        return found


def trajectory_text(call: CallPart, result: ResultPart) -> str:
    """Returns the text by which a call is remembered (S0.6); input and result are cut, the name is not (S0.7)."""
    input = clamp_chars(arguments_text(call.arguments), FIELD_CHARACTERS)
    gave = clamp_chars(readable(Message(Role.TOOL, (result,))), FIELD_CHARACTERS)
    return f"tool={call.name}; input={input}; result={gave}"


def _kind(part: Part) -> str:
    """Returns the kind of a part that is no text, no call, no result and no thought; else nothing."""
    return (part.kind or "part of no known kind")[:100] if isinstance(part, MediaPart | OpaquePart) else ""
