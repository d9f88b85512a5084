"""Making a list of messages valid: what ends every path that shortens a list or loads one.

A list that a provider refuses once is refused for ever (cases P01 to P09, S02, S03). Repair takes as little as it can,
and says what it did. It is for whole lists: items that continue a response which the provider keeps
(`previous_response_id`) hold results of calls that are not among them, and would lose them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final

from memoranda.messages.distinct import tell_apart
from memoranda.messages.mending import Mending, named
from memoranda.messages.pairs import Place, groups, is_blank, replies, speaks, tail
from memoranda.messages.pins import pins
from memoranda.messages.placing import is_server, place_results
from memoranda.records.message import (
    CallPart,
    Message,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
    user_message,
)

NO_OUTPUT: Final = "(no output)"
"""What stands for a result that is empty (C36, case S03)."""
REMOVED: Final = "(earlier messages were removed)"
"""What a user is made to say where a list would begin with the model (C38, case S02)."""
_ANSWERED_BY_TEXT: Final = frozenset({"function_call", "custom_tool_call"})
_BESIDE: Final = frozenset({Role.SYSTEM, Role.OPAQUE})
"""Roles that may come before a user's first message."""
_WHY_USER: Final = "the provider refuses a list that begins with the model"


@dataclass(frozen=True, slots=True)
class Repaired:
    """A list that is valid.

    Attributes:
        messages: the messages; the very object that came in where nothing was wrong.
        notes: what was done, one sentence each, with the place of the message in the list that came in, from 0.
    """

    messages: Sequence[Message]
    notes: tuple[str, ...] = ()


def repair(
    messages: Sequence[Message],
    format: WireFormat,
    pending: Collection[str] = (),
    *,
    start_with_user: bool | None = None,
) -> Repaired:
    """Returns the list with what a provider would refuse set right. A second repair changes nothing more.

    - Blank texts leave, and messages that say nothing; an empty result says `(no output)`.
    - A result without its call leaves. Of several results of one call one stays: the last, in the place of the first,
      so that an answer follows what was said while it was pending (case P06); the first where the id is used again,
      since the later one may belong to a call that is lost (case P09).
    - A call that was interrupted gets a result that says so, or leaves where a text cannot be its result. Those that
      are pending stay open, and those of the last reply while nothing but results follow it.
    - Thinking that nothing follows in its reply leaves, whole.
    - Where the provider would take two calls for one, the later gets another id, and so does its result.
    - Results stand where the provider looks for them.
    - The first message that is no system message is a user's: earlier groups leave. What must stay, or holds a user's
      words, stays behind a short message that says what happened.

    Args:
        messages: the list; neither it nor what the host gave is changed.
        format: whose rules hold.
        pending: ids of calls that wait for their answer, such as a person's consent.
        start_with_user: whether the first message must be a user's; None for what the format demands: Anthropic's does.
    """
    mending = Mending(messages, format, pending)
    _fill_blanks(mending)
    _pair(mending)
    _finish_replies(mending)
    tell_apart(mending)
    place_results(mending)
    if start_with_user or (start_with_user is None and format is WireFormat.ANTHROPIC):
        _start_with_user(mending)
    return Repaired(mending.messages, tuple(mending.notes)) if mending.notes else Repaired(messages)


def _fill_blanks(mending: Mending) -> None:
    """Takes out blank texts and messages that say nothing, and fills empty results."""
    changes: dict[Place, Part | None] = {}
    bare: set[int] = set()
    for number, message in enumerate(mending.messages):
        if not message.parts and message.role is not Role.OPAQUE:
            bare.add(number)
            mending.note(number, "removed a message that says nothing")
        for index, part in enumerate(message.parts):
            if isinstance(part, ResultPart):
                if not part.server and (not part.parts or any(map(is_blank, part.parts))):
                    kept = tuple(inner for inner in part.parts if not is_blank(inner))
                    changes[number, index] = replace(part, parts=kept or (TextPart(NO_OUTPUT),))
                    mending.note(number, f"filled in the empty result of call {named(part.id)}")
            elif is_blank(part):
                changes[number, index] = None
                mending.note(number, "removed a blank text")
    mending.change(changes, bare)


def _pair(mending: Mending) -> None:
    """Takes out results without a call, and all but one result of each call."""
    pairs = mending.pairs
    changes: dict[Place, Part | None] = {}
    for place in pairs.orphans:
        changes[place] = None
        mending.note(place[0], f"removed the result of call {mending.id_of(place)}: no such call stands before it")
    repeated = [(call, results) for call, results in pairs.results.items() if len(results) > 1]
    if repeated:
        calls = Counter(part.id for part in map(mending.part, pairs.results) if isinstance(part, CallPart))
        waiting = mending.waiting
        for call, results in repeated:
            part = mending.part(call)
            is_last = call in waiting or (isinstance(part, CallPart) and calls[part.id] == 1)
            for place in results[1:]:
                changes[place] = None
                what = "the last" if is_last else "the first"
                mending.note(place[0], f"call {mending.id_of(call)} has several results; {what} stays")
            if is_last:
                changes |= _swapped(mending, results[0], results[-1])
    mending.change(changes)


def _swapped(mending: Mending, first: Place, last: Place) -> dict[Place, Part | None]:
    """Returns the changes that put the last result of a call in the place of the first."""
    old, new = mending.part(first), mending.part(last)
    if not (isinstance(old, ResultPart) and isinstance(new, ResultPart)):
        return {}
    if (old.parts, old.is_error) == (new.parts, new.is_error):
        return {}
    if len(mending.messages[first[0]].parts) == len(mending.messages[last[0]].parts) == 1:
        rows = list(mending.rows)  # the whole message, with whatever else its wire object says
        rows[first[0]] = rows[last[0]]
        mending.arrange(rows)
        return {}
    return {first: new}


def _finish_replies(mending: Mending) -> None:
    """Takes out calls that no text can answer, and thinking that nothing follows in its reply."""
    changes: dict[Place, Part | None] = dict.fromkeys(_unanswerable(mending))
    for place in changes:
        mending.note(place[0], f"removed call {mending.id_of(place)}: it has no result, and no text can be its result")
    for first, last in replies(mending.messages):
        for place in _lone_thinking(mending, first, last, changes):
            changes[place] = None
            mending.note(place[0], "removed thinking that nothing follows")
    mending.change(changes)


def _unanswerable(mending: Mending) -> list[Place]:
    """Returns calls without a result, less those that may still get one, which a text cannot answer.

    They are Anthropic's own calls, and in Responses those of a screen or a shell.
    """
    unanswered = [place for place in mending.pairs.unanswered if not _takes_text(mending, place)]
    if not unanswered:
        return []
    end = tail(mending.messages)
    running = next((first for first, last in replies(mending.messages) if last == end), len(mending.messages))
    waiting = mending.waiting
    return [place for place in unanswered if place[0] < running and place not in waiting]


def _takes_text(mending: Mending, place: Place) -> bool:
    """Tells whether a text can be the result of a call. A call that Responses runs by itself needs none."""
    call = mending.part(place)
    if is_server(call) or not isinstance(call, CallPart):
        return mending.format is not WireFormat.ANTHROPIC
    return mending.format is not WireFormat.RESPONSES or call.wire is None or call.wire.get("type") in _ANSWERED_BY_TEXT


def _lone_thinking(mending: Mending, first: int, last: int, gone: Collection[Place]) -> list[Place]:
    """Returns the thinking at the end of a reply. In Chat it is a field, and a message of nothing else is broken."""
    messages = mending.messages
    found: list[Place] = []
    for number in range(last, first - 1, -1):
        left = [(number, index) for index in range(len(messages[number].parts)) if (number, index) not in gone]
        thinking = 0
        while thinking < len(left) and isinstance(mending.part(left[-1 - thinking]), ThinkingPart):
            thinking += 1
        is_all = thinking == len(left) and (thinking > 0 or bool(messages[number].parts))
        if mending.format is WireFormat.CHAT:
            found += left if is_all else []
        else:
            found += left[len(left) - thinking :]
            if not is_all:
                break
    return found


def _start_with_user(mending: Mending) -> None:
    """Sees to it that the first message that is no system message, and no item of nobody's, is a user's."""
    messages = mending.messages
    first = first_said(messages)
    if first is None or messages[first].role is Role.USER:
        return
    leaving = leading(messages, mending.pending)
    for number in sorted(leaving):
        mending.note(number, f"removed: {_WHY_USER}")
    rows = [row for number, row in enumerate(mending.rows) if number not in leaving]
    stays = first_said([message for _, message in rows])
    if stays is not None and rows[stays][1].role is not Role.USER:
        mending.notes.append(f"messages[{rows[stays][0]}]: put a user message before it: {_WHY_USER}")
        rows.insert(stays, (None, user_message(REMOVED)))
    mending.arrange(rows)


def first_said(messages: Sequence[Message]) -> int | None:
    """Returns the place of the first message that is no system message, and no item of nobody's."""
    return next((number for number, message in enumerate(messages) if message.role not in _BESIDE), None)


def leading(messages: Sequence[Message], pending: Collection[str]) -> set[int]:
    """Returns the places of the messages before a user's first words that may leave, in whole groups."""
    first = first_said(messages) or 0
    spoken = (number for number, message in enumerate(messages) if message.role is Role.USER and speaks(message))
    end = next(spoken, first)
    found = groups(messages, pending)
    held = pins(messages, found, pending)
    held |= {number for number in range(end) if messages[number].role in _BESIDE}
    return {place for group in found if group[-1] < end and held.isdisjoint(group) for place in group}
