"""What a provider would refuse in a list of messages.

It plays the provider: it reads the list once from the front and knows nothing of how repair works. Tests hold repair
against it, and a host may ask it what is wrong with a list.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from memoranda.records.message import CallPart, Message, ResultPart, Role, TextPart, ThinkingPart, WireFormat

Problems = list[str]
_BY_MODEL: Final = frozenset({Role.ASSISTANT, Role.OPAQUE})


def problems(
    messages: Sequence[Message],
    format: WireFormat,
    pending: Collection[str] = (),
    *,
    start_with_user: bool = False,
) -> Problems:
    """Returns what a provider would refuse, one sentence each with the place of the message; nothing for a valid list.

    Calls of the last reply may be unanswered while nothing but results follow it, and so may pending ones.

    Args:
        messages: the list.
        format: whose rules hold.
        pending: ids of calls that wait for their answer; the last call of such an id does.
        start_with_user: whether the first message must be a user's in Chat and Responses too; Anthropic's always is.
    """
    found = _blanks(messages)
    open_calls = _may_be_open(messages, format, pending)
    if format is WireFormat.CHAT:
        found += _chat(messages, open_calls)
    elif format is WireFormat.ANTHROPIC:
        found += _anthropic(messages, open_calls)
    else:
        found += _responses(messages, open_calls)
    found += _thinking(messages, format)
    if start_with_user or format is WireFormat.ANTHROPIC:
        said = [place for place, message in enumerate(messages) if message.role not in {Role.SYSTEM, Role.OPAQUE}]
        if said and messages[said[0]].role is not Role.USER:
            found.append(f"messages[{said[0]}]: the first message that is no system message is not a user's")
    return found


def _blanks(messages: Sequence[Message]) -> Problems:
    found: Problems = []
    for place, message in enumerate(messages):
        if not message.parts and message.role is not Role.OPAQUE:
            found.append(f"messages[{place}]: it says nothing")
        texts: list[object] = []
        for part in message.parts:
            if not isinstance(part, ResultPart):
                texts.append(part)
            elif not part.server:
                texts += part.parts
                if not part.parts:
                    found.append(f"messages[{place}]: the result of call {part.id!r} is empty")
        for text in texts:
            if isinstance(text, TextPart) and not text.text.strip() and (text.wire is None or "type" in text.wire):
                found.append(f"messages[{place}]: it holds a text that is empty or blank")
    return found


def _may_be_open(
    messages: Sequence[Message], format: WireFormat, pending: Collection[str]
) -> Callable[[int, CallPart], bool]:
    """Returns what tells whether the call of a message may be unanswered."""
    end = len(messages)
    while end and messages[end - 1].parts and all(isinstance(part, ResultPart) for part in messages[end - 1].parts):
        end -= 1
    start = end
    while start and messages[start - 1].role in _BY_MODEL and (format is not WireFormat.CHAT or start == end):
        start -= 1
    last = {part.id: part for message in messages for part in message.of_kind(CallPart) if part.id in pending}

    def may_be(place: int, call: CallPart) -> bool:
        return start <= place < end or last.get(call.id) is call

    return may_be


def _chat(messages: Sequence[Message], may_be_open: Callable[[int, CallPart], bool]) -> Problems:
    """Each call is answered by one `tool` message right behind its message."""
    found: Problems = []
    asked: dict[str, CallPart] = {}
    by = 0
    for place, message in enumerate([*messages, Message(Role.OPAQUE, ())]):
        if message.role is Role.TOOL:
            for result in message.of_kind(ResultPart):
                if asked.pop(result.id, None) is None:
                    found.append(f"messages[{place}]: no open call {result.id!r} stands right before this result")
            continue
        found += [_unanswered(by, call) for call in asked.values() if not may_be_open(by, call)]
        found += [f"messages[{place}]: a result stands in no `tool` message" for _ in message.of_kind(ResultPart)]
        calls = message.of_kind(CallPart)
        asked, by = {call.id: call for call in calls}, place
        if len(asked) < len(calls):
            found.append(f"messages[{place}]: two calls have the same id")
    return found


def _anthropic(messages: Sequence[Message], may_be_open: Callable[[int, CallPart], bool]) -> Problems:
    """All results of a reply stand first in the one user message right behind it, and no id is used twice."""
    found: Problems = []
    asked: dict[str, tuple[int, CallPart]] = {}
    own: dict[str, list[tuple[int, CallPart]]] = {}
    used: set[str] = set()
    for place, message in enumerate([*messages, Message(Role.OPAQUE, ())]):
        if message.role is not Role.ASSISTANT:
            found += _first_results(place, message, asked)
            found += [_unanswered(by, call) for by, call in asked.values() if not may_be_open(by, call)]
            asked = {}
            continue
        for part in message.parts:
            if isinstance(part, CallPart) and part.server:
                own.setdefault(part.id, []).append((place, part))
            elif isinstance(part, CallPart):
                if part.id in used:
                    found.append(f"messages[{place}]: the id {part.id!r} of a call is used twice")
                used.add(part.id)
                asked[part.id] = (place, part)
            elif isinstance(part, ResultPart):
                found += _closed(place, part, own)
    left = [asker for askers in own.values() for asker in askers]
    return found + [_unanswered(by, call) for by, call in left if not may_be_open(by, call)]


def _first_results(place: int, message: Message, asked: dict[str, tuple[int, CallPart]]) -> Problems:
    """Takes the calls that the message behind a reply answers out of those that are asked."""
    found: Problems = []
    for index, part in enumerate(message.parts):
        if not isinstance(part, ResultPart):
            continue
        if message.role is not Role.USER or asked.pop(part.id, None) is None:
            found.append(f"messages[{place}]: no open call {part.id!r} stands right before this result")
        elif index and not isinstance(message.parts[index - 1], ResultPart):
            found.append(f"messages[{place}]: the result of call {part.id!r} stands behind something else")
    return found


def _responses(messages: Sequence[Message], may_be_open: Callable[[int, CallPart], bool]) -> Problems:
    """Each call has one result somewhere behind it, and no id of a call of the host's tools is used twice."""
    found: Problems = []
    asked: dict[str, list[tuple[int, CallPart]]] = {}
    used: set[str] = set()
    for place, message in enumerate(messages):
        for part in message.parts:
            if isinstance(part, CallPart):
                if part.id in used and not part.server:
                    found.append(f"messages[{place}]: the id {part.id!r} of a call is used twice")
                used.add(part.id)
                asked.setdefault(part.id, []).append((place, part))
            elif isinstance(part, ResultPart):
                found += _closed(place, part, asked)
    left = [(by, call) for calls in asked.values() for by, call in calls if not call.server]
    return found + [_unanswered(by, call) for by, call in left if not may_be_open(by, call)]


def _closed(place: int, result: ResultPart, asked: dict[str, list[tuple[int, CallPart]]]) -> Problems:
    """Closes the nearest open call of a result's id, wherever it stands before it."""
    if asked.get(result.id):
        asked[result.id].pop()
        return []
    return [f"messages[{place}]: no open call {result.id!r} stands before this result"]


def _thinking(messages: Sequence[Message], format: WireFormat) -> Problems:
    """Thinking does not end a reply; in Chat, where it is a field, a message holds something else too."""
    found: Problems = []
    for place, message in enumerate(messages):
        if message.role is not Role.ASSISTANT or not message.parts or not isinstance(message.parts[-1], ThinkingPart):
            continue
        if format is WireFormat.CHAT:
            ends = all(isinstance(part, ThinkingPart) for part in message.parts)
        else:
            ends = place + 1 == len(messages) or messages[place + 1].role not in _BY_MODEL
        if ends:
            found.append(f"messages[{place}]: thinking ends a reply")
    return found


def _unanswered(place: int, call: CallPart) -> str:
    return f"messages[{place}]: call {call.id!r} has no result"
