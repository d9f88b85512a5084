"""Putting the results of calls where the provider looks for them.

- OpenAI Chat: each in a `tool` message of its own, right behind the message with its call.
- OpenAI Responses: anywhere behind its call. New ones stand right behind the whole reply, which they must not split.
- Anthropic: all results of one reply in the one user message right behind it, before anything else that it holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from memoranda.messages.mending import Mending, Row, named
from memoranda.messages.pairs import Place, replies, tail
from memoranda.records.message import CallPart, Message, Part, ResultPart, Role, TextPart, Wire, WireFormat

INTERRUPTED: Final = "[no result: the call was interrupted]"
"""What stands for the result of a call that will never have one (case P07)."""


def place_results(mending: Mending) -> None:
    """Answers calls that were interrupted, and moves results that stand where the provider would refuse them."""
    ends = reply_ends(mending.messages, mending.format)
    homes: dict[Place, int] = {}
    for call, results in mending.pairs.results.items():
        for result in results:
            if not is_server(mending.part(result)):
                homes[result] = ends.get(call[0], call[0])
    made = _answers(mending, ends)
    astray = [] if mending.format is WireFormat.RESPONSES else _astray(mending, homes)
    if not made and not astray:
        return
    for place in astray:
        mending.note(place[0], f"moved the result of call {mending.id_of(place)} to where its call needs it")
    if mending.format is WireFormat.ANTHROPIC:
        mending.arrange(_in_user_messages(mending.rows, homes, made))
    elif mending.format is WireFormat.CHAT:
        mending.arrange(_behind_calls(mending.rows, homes, made))
    else:
        mending.arrange(_behind_calls(mending.rows, {}, made))


def reply_ends(messages: Sequence[Message], format: WireFormat) -> dict[int, int]:
    """Returns for each message of the model the place behind which the results of its calls belong.

    In Chat that is the message itself; else it is the last one of the reply, which may come in several.
    """
    if format is WireFormat.CHAT:
        return {place: place for place, message in enumerate(messages) if message.role is Role.ASSISTANT}
    return {place: last for first, last in replies(messages) for place in range(first, last + 1)}


def is_server(part: Part) -> bool:
    """Tells whether a part belongs to a call that the provider runs by itself."""
    return isinstance(part, CallPart | ResultPart) and part.server


def _answers(mending: Mending, ends: Mapping[int, int]) -> dict[int, list[Message]]:
    """Returns results for calls that were interrupted, by the place behind which they belong."""
    unanswered = mending.pairs.unanswered
    if not unanswered:
        return {}
    running = tail(mending.messages)
    waiting = mending.waiting
    made: dict[int, list[Message]] = {}
    for place in unanswered:
        call = mending.part(place)
        end = ends.get(place[0], place[0])
        if not isinstance(call, CallPart) or call.server or place in waiting or end == running:
            continue
        mending.note(place[0], f"call {named(call.id)} has no result; one was put that says so")
        made.setdefault(end, []).append(_interrupted(call, mending.format))
    return made


def _interrupted(call: CallPart, format: WireFormat) -> Message:
    """Returns a result that says that there is none, for a tool or in the form that the kind of call asks for."""
    kind = None if call.wire is None else call.wire.get("type")
    wire: Wire | None = None
    if kind == "custom_tool_call":
        wire = {"type": "custom_tool_call_output", "call_id": call.id, "output": INTERRUPTED}
    elif format is WireFormat.CHAT and call.wire is not None and "arguments" in call.wire:  # the old `function_call`
        wire = {"role": "function", "name": call.name, "content": INTERRUPTED}
    role = Role.USER if format is WireFormat.ANTHROPIC else Role.TOOL
    return Message(role, (ResultPart(call.id, (TextPart(INTERRUPTED),), is_error=True, wire=wire),), wire)


def _astray(mending: Mending, homes: Mapping[Place, int]) -> list[Place]:
    """Returns the places of results that do not stand where they belong."""
    messages = mending.messages
    if mending.format is WireFormat.ANTHROPIC:
        return [place for place, home in homes.items() if not _is_first_behind(messages, place, home)]
    before: list[int] = []  # for each message the nearest one that is no `tool` message: itself or an earlier one
    for number, message in enumerate(messages):
        before.append(before[-1] if message.role is Role.TOOL and before else number)
    return [place for place, home in homes.items() if before[place[0]] != home]


def _is_first_behind(messages: Sequence[Message], place: Place, home: int) -> bool:
    number, index = place
    message = messages[number]
    return (
        number == home + 1
        and message.role is Role.USER
        and (index == 0 or isinstance(message.parts[index - 1], ResultPart))
    )


def _behind_calls(rows: Sequence[Row], homes: Mapping[Place, int], made: Mapping[int, Sequence[Message]]) -> list[Row]:
    """Puts each result in a `tool` message of its own right behind its call."""
    behind: dict[int, list[Row]] = {}
    rest: list[tuple[int, Row]] = []
    for number, (source, message) in enumerate(rows):
        found = [index for index in range(len(message.parts)) if (number, index) in homes]
        if len(found) < len(message.parts) or not found:
            rest.append((number, (source, message)))
            continue
        for index in found:
            single = message if len(found) == 1 else message.with_parts((message.parts[index],))
            behind.setdefault(homes[number, index], []).append((source, single))
    for home, answers in made.items():
        behind.setdefault(home, []).extend((None, answer) for answer in answers)
    return [row for number, own in rest for row in (own, *behind.get(number, ()))]


def _in_user_messages(
    rows: Sequence[Row], homes: Mapping[Place, int], made: Mapping[int, Sequence[Message]]
) -> list[Row]:
    """Puts all results of a reply first in the user message right behind it, or in a new one where there is none."""
    behind: dict[int, list[Part]] = {}
    for (number, index), home in sorted(homes.items()):
        behind.setdefault(home, []).append(rows[number][1].parts[index])
    for home, answers in made.items():
        behind.setdefault(home, []).extend(part for answer in answers for part in answer.parts)
    arranged: list[Row] = []
    for number, (source, message) in enumerate(rows):
        results: tuple[Part, ...] = tuple(behind.pop(number - 1, ()))
        own = tuple(part for index, part in enumerate(message.parts) if (number, index) not in homes)
        if results and message.role is not Role.USER:
            arranged.append((None, Message(Role.USER, results)))
            results = ()
        parts = (*results, *own)
        if parts == message.parts:
            arranged.append((source, message))
        elif parts:
            arranged.append((source, message.with_parts(parts)))
    arranged.extend((None, Message(Role.USER, tuple(left))) for left in behind.values())
    return arranged
