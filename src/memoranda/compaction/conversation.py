"""What a compactor remembers of a conversation between its requests."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memoranda.compaction.draft import Draft
from memoranda.compaction.incoming import Incoming, shared
from memoranda.compaction.recognizer import Recognizer, Seen
from memoranda.messages.pairs import waiting_calls
from memoranda.messages.pins import first_system, last_user
from memoranda.records.message import Message

MAX_EMITTED: Final = 1_000
"""How many messages of ours are known again: far more than a list holds at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A conversation up to its last request.

    Attributes:
        recognizer: knows the messages of the last request; None before the first.
        incoming: what came in with it; None before the first.
        draft: what went out, less the graph.
        sent: all messages that went out.
        settled: whether nothing in it had to be mended, and no call was left open because it was pending.
        made: those whose wire objects were made here, by the identity of the message.
        counted: tokens of the request that went out, what went beside its messages included, before any correction.
        warned: whether the warning was given.
        shown: the message of the graph; None for none.
        emitted: hashes of the messages of ours that went into requests, the latest `MAX_EMITTED`, oldest first.
        resting: strategies that failed or took nothing, each with the number of messages from which on it is tried
            again.
    """

    recognizer: Recognizer | None = None
    incoming: Incoming | None = None
    draft: Draft | None = None
    sent: tuple[Message, ...] = ()
    settled: bool = False
    made: Mapping[int, Seen] = field(default_factory=dict)
    counted: int = 0
    warned: bool = False
    shown: Message | None = None
    emitted: Mapping[str, None] = field(default_factory=dict)
    resting: Mapping[str, int] = field(default_factory=dict)


def continued(incoming: Incoming, past: Conversation, fresh: Draft) -> Draft:
    """Returns the draft to go on with: what went out before, and what came in since.

    So a host may send the whole conversation each time: what was taken stays taken, and what went out before is the
    beginning of what goes out now.

    Args:
        incoming: what came in.
        past: the conversation up to the request before.
        fresh: the draft of `incoming` with nothing taken, for its settings.
    """
    old = past.draft
    if old is None or past.incoming is None or not old.differs:
        return fresh
    if incoming.messages[: len(old.messages)] == list(old.messages):
        return fresh  # the host goes on with what it was given, even where that could be read as the old list cut short
    same = shared(incoming.messages, past.incoming.messages)
    if same < _taken_until(old) or same < _alike(incoming.messages, old.messages):
        return fresh
    if not _there(_must_stay(fresh), same, old):
        return fresh  # the host went back to before the message that is the last of the user's now
    kept, last = [], -1
    for row, source in enumerate(old.sources):
        last = last if source is None else source
        if last < same:
            kept.append(row)
    return replace(
        fresh,
        messages=(*(old.messages[row] for row in kept), *incoming.messages[same:]),
        sizes=(*(old.sizes[row] for row in kept), *incoming.sizes[same:]),
        sources=(*(old.sources[row] for row in kept), *range(same, len(incoming.messages))),
    )


def _alike(messages: Sequence[Message], sent: Sequence[Message]) -> int:
    """Returns how many messages at the beginning are like those that were sent."""
    number = 0
    for one, other in zip(messages, sent, strict=False):
        if one is not other and one != other:
            break
        number += 1
    return number


def _must_stay(draft: Draft) -> set[int]:
    """Returns the places of messages that no request may lack (S4.19), without what stands or falls with them."""
    held = {place for place in (first_system(draft.messages), last_user(draft.messages)) if place is not None}
    return held | {place for place, _ in waiting_calls(draft.messages, draft.pending)}


def _there(places: Collection[int], same: int, old: Draft) -> bool:
    """Tells whether those of the places that were in the list before went out with it as they came."""
    asked = {place for place in places if place < same}
    rows = zip(old.messages, old.sources, strict=True)
    return asked == {place for message, place in rows if place in asked and message is old.given[place]}


def _taken_until(draft: Draft) -> int:
    """Returns the place after the last message of the host's that left or was changed."""
    there = {source: row for row, source in enumerate(draft.sources) if source is not None}
    for number in range(len(draft.given) - 1, -1, -1):
        row = there.get(number)
        if row is None or draft.messages[row] is not draft.given[number]:
            return number + 1
    return 0


def known_again(emitted: Mapping[str, None], more: Iterable[str]) -> dict[str, None]:
    """Returns the hashes with further ones, the latest `MAX_EMITTED`."""
    new = dict.fromkeys(more)
    found = {**{one: None for one in emitted if one not in new}, **new}
    return dict.fromkeys(list(found)[-MAX_EMITTED:])
