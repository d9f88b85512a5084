"""A list as it comes in: recognised, mended, and compared with the one before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from memoranda.compaction.draft import Cost
from memoranda.compaction.recognizer import Mark, Recognizer, Seen
from memoranda.errors import InvalidMessages
from memoranda.messages.formats import detect, listed
from memoranda.messages.pins import last_user
from memoranda.messages.repair import repair
from memoranda.records.message import CallPart, Message, ResultPart, Role, WireFormat

_BY_MODEL: Final = frozenset({Role.ASSISTANT, Role.OPAQUE})


@dataclass(frozen=True, slots=True)
class Incoming:
    """A list as it came in, mended.

    Attributes:
        messages: the messages.
        sizes: tokens of each.
        places: for each its place in the host's list; None for one that mending made.
        notes: what was mended.
        settled: whether nothing was mended, and no call was left open because it was pending.
    """

    messages: list[Message]
    sizes: list[int]
    places: list[int | None]
    notes: tuple[str, ...] = ()
    settled: bool = True

    @property
    def latest(self) -> int | None:
        """The place of what stood last in the host's list, where something was mended; else None."""
        if not self.notes:
            return None
        came = [(place, number) for number, place in enumerate(self.places) if place is not None]
        return max(came)[1] if came else None


class Before(Protocol):
    """What is known of the request before; see `Conversation`."""

    @property
    def recognizer(self) -> Recognizer | None:
        """What read it."""
        ...

    @property
    def incoming(self) -> Incoming | None:
        """What came in with it."""
        ...

    @property
    def emitted(self) -> Collection[str]:
        """Marks of the messages of ours that went into requests."""
        ...


@dataclass(slots=True)
class Reading:
    """A list of a host's, read.

    Attributes:
        given: the host's list.
        recognizer: what read it.
        seen: its messages, those that were put in by us included.
        marks: what those that were put in by us are, by their places in `seen`.
        incoming: its messages without what each request gets anew, mended.
        counted: tokens that had to be counted for it.
        behind: the message that the graph of an earlier request stood behind; None where the list holds none.
    """

    given: Sequence[object]
    recognizer: Recognizer
    seen: list[Seen]
    marks: dict[int, Mark]
    incoming: Incoming
    counted: int
    behind: Message | None

    @classmethod
    def of(
        cls,
        messages: Sequence[object],
        past: Before,
        *,
        format: WireFormat | None,
        make: Callable[[WireFormat], Recognizer],
        pending: Collection[str],
    ) -> Reading:
        """Reads a list, what is new of it.

        Args:
            messages: the host's list.
            past: what is known of the request before.
            format: the format; None to detect it.
            make: makes a recognizer for a format.
            pending: ids of calls that wait for their answer.

        Raises:
            InvalidMessages: it cannot be read.
        """
        messages = listed(messages)
        same = 0 if past.recognizer is None else past.recognizer.same(messages)
        recognizer = _recognizer(messages, same, past.recognizer, format, make)
        found = recognizer.read(messages, same if recognizer is past.recognizer else 0, past.emitted)
        marks = {place: one.mark for place, one in enumerate(found.seen) if one.mark is not None}
        last = last_user([one.message for one in found.seen]) if marks else None
        if last is not None and marks.get(last) is Mark.GRAPH:
            del marks[last]  # a user may say what we said; what a user said last is the user's, whatever it says
        anew = {place for place, mark in marks.items() if mark in {Mark.GRAPH, Mark.LEAD}}  # what each request gets
        places = [place for place in range(len(found.seen)) if place not in anew]
        seen = [found.seen[place] for place in places] if anew else found.seen
        incoming = mended(
            [one.message for one in seen],
            [one.tokens for one in seen],
            places,
            before=past.incoming if recognizer is past.recognizer else None,
            format=recognizer.format,
            cost=recognizer.cost,
            pending=pending,
        )
        first = min((place for place, mark in marks.items() if mark is Mark.GRAPH), default=0)
        behind = found.seen[first - 1].message if first else None
        return cls(messages, recognizer, found.seen, marks, incoming, found.counted, behind)

    @property
    def holds_warning(self) -> bool:
        """Whether the list holds a warning of ours."""
        return Mark.WARNING in self.marks.values()

    def summaries(self) -> frozenset[int]:
        """Returns the places in `incoming` of summaries that compaction made for earlier requests."""
        ours = {id(self.seen[place].message) for place, mark in self.marks.items() if mark is Mark.SUMMARY}
        if not ours:
            return frozenset()
        return frozenset(place for place, one in enumerate(self.incoming.messages) if id(one) in ours)

    def remember(self, outgoing: Iterable[Seen]) -> None:
        """Keeps what the next list will most likely hold."""
        self.recognizer.remember(self.seen, outgoing)


def _recognizer(
    messages: Sequence[object],
    same: int,
    known: Recognizer | None,
    format: WireFormat | None,
    make: Callable[[WireFormat], Recognizer],
) -> Recognizer:
    """Returns what reads the list: the one of the request before, unless the format is another by now."""
    if format is not None:
        return known if known is not None and known.format is format else make(format)
    if known is None:
        return make(detect(messages))
    new = messages[same:]
    told = _told(messages, new) if new else known.format
    if told is known.format or told is WireFormat.CHAT:  # a plain text says nothing of its format: it is read as Chat
        return known
    told = detect(messages)
    return known if told is known.format else make(told)


def _told(messages: Sequence[object], new: Sequence[object]) -> WireFormat:
    """Returns the format that the new messages tell, or the whole list where they alone tell none."""
    try:
        return detect(new)
    except InvalidMessages:
        return detect(messages)


def mended(
    messages: list[Message],
    sizes: list[int],
    places: list[int],
    *,
    before: Incoming | None,
    format: WireFormat,
    cost: Cost,
    pending: Collection[str],
) -> Incoming:
    """Returns a list with its pairs mended; what was valid in the request before is not looked at again."""
    if before is not None and before.settled and not pending and is_valid_still(messages, before.messages, format):
        return Incoming(messages, sizes, list(places))
    result = repair(messages, format, pending, start_with_user=False)
    if not result.notes:
        return Incoming(messages, sizes, list(places), settled=not pending)
    numbered: defaultdict[int, list[int]] = defaultdict(list)
    for number in range(len(messages) - 1, -1, -1):
        numbered[_key(messages[number])].append(number)
    costs: list[int] = []
    where: list[int | None] = []
    for message in result.messages:
        numbers = numbered[_key(message)]
        came = numbers.pop() if numbers else None
        where.append(None if came is None else places[came])
        costs.append(sizes[came] if came is not None and message is messages[came] else cost(message))
    return Incoming(list(result.messages), costs, where, tuple(result.notes), settled=False)


def _key(message: Message) -> int:
    """Returns what a message and its mended form have in common: the wire object that both came from."""
    return id(message) if message.wire is None else id(message.wire)


def is_valid_still(messages: Sequence[Message], before: Sequence[Message], format: WireFormat) -> bool:
    """Tells whether a list that begins like a valid one is valid, from a look at its end alone.

    The look begins at the last place of that beginning where a person speaks or a reply of the model begins. All calls
    before it are answered before it, unless a result behind it has no call there. Where the id of a call may stand only
    once, a new call may have one of before. In both cases the answer is no: the whole list is to be mended.

    Args:
        messages: the list.
        before: a list that needed no mending and has no call that is pending.
        format: whose rules hold.
    """
    start = _last_beginning(messages, shared(messages, before))
    if not start or repair(messages[start:], format, start_with_user=False).notes:
        return False
    new = set() if format is WireFormat.CHAT else _called(messages[start:])
    return not new or new.isdisjoint(_called(messages[:start]))


def _last_beginning(messages: Sequence[Message], end: int) -> int:
    """Returns the last place before `end` where a person speaks or a reply of the model begins; 0 for none."""
    for place in range(end - 1, 0, -1):
        message = messages[place]
        if message.role in _BY_MODEL:
            if messages[place - 1].role not in _BY_MODEL:
                return place
        elif message.role is Role.USER and not message.of_kind(ResultPart):
            return place
    return 0


def _called(messages: Sequence[Message]) -> set[str]:
    return {part.id for message in messages for part in message.parts if isinstance(part, CallPart)}


def shared(messages: Sequence[Message], before: Sequence[Message]) -> int:
    """Returns how many messages at the beginning are the same objects."""
    number = 0
    for one, other in zip(messages, before, strict=False):
        if one is not other:
            break
        number += 1
    return number
