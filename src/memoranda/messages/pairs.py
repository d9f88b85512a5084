"""Which result answers which call, and which messages therefore stand or fall together.

Pairs are found by position, not by id alone: some backends number their calls anew in each turn (case P09).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memoranda.records.message import CallPart, Message, Part, ResultPart, Role, TextPart, ThinkingPart

Place = tuple[int, int]
"""Where a part stands: the number of its message and its number in the message, both from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """The calls of a list with their results.

    Attributes:
        results: for the place of each call, in order, the places of its results: none where it is unanswered, several
            where results were repeated or a pending call was told of more than once.
        orphans: places of results before which no call of their id stands.
    """

    results: Mapping[Place, tuple[Place, ...]]
    orphans: tuple[Place, ...]

    @property
    def unanswered(self) -> list[Place]:
        """Places of calls that have no result."""
        return [call for call, results in self.results.items() if not results]


def pair_up(messages: Sequence[Message], pending: Collection[str] = ()) -> Pairs:
    """Finds the call of each result.

    It is the nearest earlier call of its id that no other result has closed; of several in one message the first. Where
    all are closed, the result repeats that of the nearest earlier call. Calls that the provider runs pair alike.

    Args:
        messages: the list.
        pending: ids of calls that wait for their answer: a result in between does not close them (case P06).
    """
    results: dict[Place, list[Place]] = {}
    orphans: list[Place] = []
    newest: dict[str, Place] = {}
    waiting: dict[str, list[deque[Place]]] = {}
    for number, message in enumerate(messages):
        for index, part in enumerate(message.parts):
            if isinstance(part, CallPart):
                place = (number, index)
                results[place] = []
                newest[part.id] = place
                queues = waiting.setdefault(part.id, [])
                if queues and queues[-1][0][0] == number:
                    queues[-1].append(place)
                else:
                    queues.append(deque((place,)))
            elif isinstance(part, ResultPart):
                call = _taken(waiting.get(part.id), part.id in pending) or newest.get(part.id)
                if call is None:
                    orphans.append((number, index))
                else:
                    results[call].append((number, index))
    return Pairs(results={call: tuple(found) for call, found in results.items()}, orphans=tuple(orphans))


def _taken(queues: list[deque[Place]] | None, stays_open: bool) -> Place | None:
    """Returns the call that the next result answers, and closes it unless it stays open."""
    if not queues:
        return None
    queue = queues[-1]
    call = queue[0]
    if stays_open:
        queue.rotate(-1)
    else:
        queue.popleft()
        if not queue:
            queues.pop()
    return call


def waiting_calls(messages: Sequence[Message], pending: Collection[str]) -> frozenset[Place]:
    """Returns the calls that are pending: of each such id the last one, since ids may have been used before."""
    if not pending:
        return frozenset()
    last = {
        part.id: (number, index)
        for number, message in enumerate(messages)
        for index, part in enumerate(message.parts)
        if isinstance(part, CallPart) and part.id in pending
    }
    return frozenset(last.values())


def replies(messages: Sequence[Message]) -> Iterator[tuple[int, int]]:
    """Yields the model's replies: first and last place of each longest run of messages that are not another's.

    An item that is not understood counts as the model's own, so that no reply is split beside it.
    """
    start = -1
    for place, message in enumerate(messages):
        if message.role is Role.ASSISTANT or message.role is Role.OPAQUE:
            if start < 0:
                start = place
        elif start >= 0:
            yield start, place - 1
            start = -1
    if start >= 0:
        yield start, len(messages) - 1


def tail(messages: Sequence[Message]) -> int | None:
    """Returns the place of the model's last message where nothing but results follow it; None where anything else does.

    Calls there may still be running, so that they need no result yet.
    """
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.role is Role.ASSISTANT or message.role is Role.OPAQUE:
            return place
        if not is_results_only(message):
            return None
    return None


def is_results_only(message: Message) -> bool:
    """Tells whether a message is nothing but results of tools, such as a `tool` message."""
    return bool(message.parts) and all(isinstance(part, ResultPart) for part in message.parts)


def is_blank(part: Part) -> bool:
    """Tells whether a part is a text that is empty or whitespace only, which providers refuse (case S03).

    What a shell printed, with its exit code, is no text of a message and may be empty: its object has no type.
    """
    if not isinstance(part, TextPart) or (part.text and not part.text.isspace()):
        return False
    return part.wire is None or "type" in part.wire


def speaks(message: Message) -> bool:
    """Tells whether a message says something itself: it has a part that is neither a result nor a blank text."""
    return any(not isinstance(part, ResultPart) and not is_blank(part) for part in message.parts)


def groups(messages: Sequence[Message], pending: Collection[str] = ()) -> list[tuple[int, ...]]:
    """Parts a list into what stands or falls together.

    One group are a message with calls and every message that holds a result of them: parallel calls and their results
    are one group, however many messages they are spread over (cases P03, P08). One group is also a reply that comes in
    several items (OpenAI Responses) where one of them ends in thinking, which belongs to what follows it, or several of
    them hold calls, which the model made as one batch. Other messages in a row stay separate.

    Args:
        messages: the list.
        pending: ids of calls that wait for their answer; all that was said of them so far belongs to their group.

    Returns:
        Groups of places, each in order, ordered by their first place. Each place is in exactly one.
    """
    leader = list(range(len(messages)))
    for call, results in pair_up(messages, pending).results.items():
        for result in results:
            _join(leader, call[0], result[0])
    for first, last in replies(messages):
        if last > first and _is_whole(messages[first : last + 1]):
            for place in range(first + 1, last + 1):
                _join(leader, first, place)
    found: dict[int, list[int]] = {}
    for place in range(len(messages)):
        found.setdefault(_led_by(leader, place), []).append(place)
    return [tuple(group) for group in found.values()]


def _is_whole(reply: Sequence[Message]) -> bool:
    calling = sum(1 for message in reply if any(isinstance(part, CallPart) for part in message.parts))
    return calling > 1 or any(message.parts and isinstance(message.parts[-1], ThinkingPart) for message in reply)


def _led_by(leader: list[int], place: int) -> int:
    while leader[place] != place:
        leader[place] = leader[leader[place]]
        place = leader[place]
    return place


def _join(leader: list[int], one: int, other: int) -> None:
    """Joins two groups; the smaller place leads, so that groups come out ordered by their first."""
    first, second = _led_by(leader, one), _led_by(leader, other)
    if first < second:
        leader[second] = first
    else:
        leader[first] = second
