"""What must stay in a list however much is taken from it (S4.19)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from memoranda.messages.pairs import pair_up, speaks, tail, waiting_calls
from memoranda.records.message import Message, Role


def first_system(messages: Sequence[Message]) -> int | None:
    """Returns the place of the first system message; None where there is none."""
    return next((place for place, message in enumerate(messages) if message.role is Role.SYSTEM), None)


def last_user(messages: Sequence[Message]) -> int | None:
    """Returns the place of the most recent user message that says something itself.

    Where each holds nothing but results of tools, as Anthropic's may (case P08), it is the most recent of them; None
    where there is no user message.
    """
    held = None
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        if message.role is Role.USER:
            if speaks(message):
                return place
            held = place if held is None else held
    return held


def pins(
    messages: Sequence[Message], groups: Sequence[tuple[int, ...]], pending: Collection[str] = ()
) -> frozenset[int]:
    """Returns the places that must stay, each with its whole group.

    They are the first system message, the last user message (and so the call of a result that it holds, C17), calls
    that are pending, and unanswered calls in the last reply where nothing but results follow it.

    Args:
        messages: the list.
        groups: its groups, as `memoranda.messages.pairs.groups` gives them.
        pending: ids of calls that wait for their answer.
    """
    held = {place for place in (first_system(messages), last_user(messages)) if place is not None}
    held.update(number for number, _ in waiting_calls(messages, pending))
    held.update(_running(messages))
    return frozenset(place for group in groups if not held.isdisjoint(group) for place in group)


def _running(messages: Sequence[Message]) -> set[int]:
    """Returns the messages of the last reply whose calls may still be running."""
    end = tail(messages)
    if end is None:
        return set()
    start = end
    while start > 0 and messages[start - 1].role in {Role.ASSISTANT, Role.OPAQUE}:
        start -= 1
    unanswered = pair_up(messages[start:]).unanswered
    return {start + number for number, _ in unanswered}
