"""Cases from the field: calls and their results, and the structure of a list, by pairs and repair alone."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from memoranda.messages.formats import read, write
from memoranda.messages.pairs import groups, pair_up
from memoranda.messages.pins import first_system, last_user, pins
from memoranda.messages.placing import INTERRUPTED
from memoranda.messages.repair import NO_OUTPUT, repair
from memoranda.messages.validate import problems
from memoranda.records.message import CallPart, Message, ResultPart, Role, TextPart, WireFormat
from tests.conftest import Case
from tests.messages.notation import wire

CaseOf = Callable[[str], Case]
CHAT, ANTHROPIC = WireFormat.CHAT, WireFormat.ANTHROPIC


def messages_of(case: Case) -> tuple[WireFormat, list[Message]]:
    """Returns the messages of a case, in its format."""
    format = WireFormat(case["input"].get("dialect", "chat"))
    return read(wire(case["input"]["messages"], format.value), format)


def window(messages: Sequence[Message], keep: int, pending: Sequence[str] = ()) -> list[Message]:
    """Drops the oldest groups that no pin holds until at most `keep` messages are left beside the system's."""
    found = groups(messages, pending)
    held = pins(messages, found, pending)
    left = set(range(len(messages)))
    for group in found:
        if sum(1 for place in left if messages[place].role is not Role.SYSTEM) <= keep:
            break
        if held.isdisjoint(group) and messages[group[0]].role is not Role.SYSTEM:
            left.difference_update(group)
    return [messages[place] for place in sorted(left)]


def texts(messages: Sequence[Message]) -> list[str]:
    return [message.text for message in messages]


def test_case_P01(case: CaseOf) -> None:  # noqa: N802
    """A window keeps no result whose call was cut away; every possible cut, repaired, is valid too."""
    _, messages = messages_of(case("P01"))
    kept = window(messages, 5)
    assert problems(kept, CHAT) == []
    assert repair(kept, CHAT).notes == ()
    assert kept[0] is messages[0]
    assert kept[-1] is messages[-1]
    assert len(kept) - 1 <= 5
    for cut in range(1, len(messages)):
        broken = [messages[0], *messages[cut:]]
        assert problems(repair(broken, CHAT).messages, CHAT) == []


@pytest.mark.parametrize("keep", range(1, 13))
def test_case_P03(case: CaseOf, keep: int) -> None:  # noqa: N802
    """Ten parallel calls and their results stay together, whatever the size of the window."""
    _, messages = messages_of(case("P03"))
    kept = window(messages, keep)
    assert kept[-1] is messages[-1]
    batch = [message for message in kept if any(isinstance(part, CallPart | ResultPart) for part in message.parts)]
    assert len(batch) in {0, 11}
    assert repair(kept, CHAT).notes == ()


@pytest.mark.parametrize("dropped", [1, 2, 3])
def test_case_P04(case: CaseOf, dropped: int) -> None:  # noqa: N802
    """A batch that lost a result, or its call, is whole again or gone."""
    _, messages = messages_of(case("P04"))
    repaired = repair([message for place, message in enumerate(messages) if place != dropped], CHAT)
    assert problems(repaired.messages, CHAT) == []
    ids = {part.id for message in repaired.messages for part in message.of_kind(ResultPart)}
    assert ids == (set() if dropped == 1 else {"b1", "b2"})
    assert repaired.notes


def test_case_P05(case: CaseOf) -> None:  # noqa: N802
    """A refusal answers its call; clearing its text keeps its id and the flag."""
    given = case("P05")["input"]["messages"]
    for format in (CHAT, ANTHROPIC):
        _, messages = read(wire(given, format.value), format)
        assert pair_up(messages).unanswered == []
        assert repair(messages, format).notes == ()
        cleared = _cleared(messages, "d1")
        assert repair(cleared, format).messages is cleared
        assert problems(cleared, format) == []
        written: Any = write(cleared, format)[2]
        answer = written if format is CHAT else written["content"][0]
        assert answer["is_error"] is True
        assert answer["content"] == "[cleared]"
        assert answer["tool_call_id" if format is CHAT else "tool_use_id"] == "d1"


def _cleared(messages: Sequence[Message], id: str) -> list[Message]:
    """Puts one line in the place of what a tool gave."""
    cleared = []
    for message in messages:
        parts = tuple(
            replace(part, parts=(TextPart("[cleared]"),)) if isinstance(part, ResultPart) and part.id == id else part
            for part in message.parts
        )
        cleared.append(message.with_parts(parts) if parts != message.parts else message)
    return cleared


@pytest.mark.parametrize("still_pending", [True, False])
def test_case_P06(case: CaseOf, still_pending: bool) -> None:  # noqa: N802
    """A pending call survives; the final answer takes the place of the interim one."""
    given = case("P06")["input"]
    pending = given["pending_ids"]
    _, messages = messages_of(case("P06"))
    kept = window(messages, 3, pending)
    assert [part.id for message in kept for part in message.of_kind(CallPart)] == ["w1"]
    assert repair(kept, CHAT, pending).notes == ()
    kept += read(wire(given["then_append"]), CHAT)[1]
    repaired = repair(kept, CHAT, pending if still_pending else ())
    assert problems(repaired.messages, CHAT) == []
    results = [part.parts for message in repaired.messages for part in message.of_kind(ResultPart)]
    assert results == [(TextPart('{"status":"paid"}'),)]
    assert repaired.messages[-1] is messages[-1]


def test_case_P07(case: CaseOf) -> None:  # noqa: N802
    """A call that nobody will answer blocks nothing: it may leave, or is answered; the note names it."""
    _, messages = messages_of(case("P07"))
    found = groups(messages)
    assert pins(messages, found).isdisjoint({1})
    repaired = repair(messages, CHAT)
    assert problems(repaired.messages, CHAT) == []
    assert repaired.messages[2].of_kind(ResultPart)[0].parts == (TextPart(INTERRUPTED),)
    assert repaired.notes == ("messages[1]: call 'z1' has no result; one was put that says so",)
    assert repair(window(messages, 10), CHAT).notes == ()


def test_case_P08(case: CaseOf) -> None:  # noqa: N802
    """Results in user messages are no user turns: the exchange is one group, and goes out in one message."""
    format, messages = messages_of(case("P08"))
    last = len(messages) - 1
    assert groups(messages) == [(0,), tuple(range(1, last)), (last,)]
    assert last_user(messages) == last
    assert texts([messages[last]]) == ["done?"]
    repaired = repair(messages, format)
    assert problems(repaired.messages, format) == []
    assert [len(message.parts) for message in repaired.messages] == [1, 7, 7, 1]
    assert texts(repair(window(messages, 2), format).messages) == ["done?"]


@pytest.mark.parametrize("keep", range(1, 9))
def test_case_P09(case: CaseOf, keep: int) -> None:  # noqa: N802
    """An id used again is paired by position: each result stays with its own call, or goes with it."""
    _, messages = messages_of(case("P09"))
    kept = window(messages, keep)
    assert repair(kept, CHAT).notes == ()
    pairs = {
        _call(kept, call).name: [_text(kept, result) for result in results]
        for call, results in pair_up(kept).results.items()
    }
    assert pairs.items() <= {"ls": ["first"], "pwd": ["second"]}.items()
    assert repair(messages, CHAT).messages is messages


def _call(messages: Sequence[Message], place: tuple[int, int]) -> CallPart:
    return messages[place[0]].of_kind(CallPart)[place[1]]


def _text(messages: Sequence[Message], place: tuple[int, int]) -> str:
    part = messages[place[0]].of_kind(ResultPart)[place[1]].parts[0]
    return part.text if isinstance(part, TextPart) else ""


def test_case_P11(case: CaseOf) -> None:  # noqa: N802
    """A signed thought is the very block that came in, also in a message that was changed."""
    given = case("P11")
    blocks = wire(given["input"]["messages"], "anthropic")
    blocks[1]["content"][1:1] = [{"type": "text", "text": " "}, {"type": "hologram", "beam": [1]}]
    format, messages = read(blocks, ANTHROPIC)
    repaired = repair(messages, format)
    assert problems(repaired.messages, format) == []
    written: Any = write(repaired.messages, format)[1]
    assert written["content"][0] == blocks[1]["content"][0]
    assert [block["type"] for block in written["content"]] == ["thinking", "hologram", "text", "tool_use"]


def test_case_S01(case: CaseOf) -> None:  # noqa: N802
    """The system message and the request that started a long run of tools stay."""
    _, messages = messages_of(case("S01"))
    assert (first_system(messages), last_user(messages)) == (0, 1)
    kept = window(messages, 8)
    assert kept[0] is messages[0]
    assert kept[1] is messages[1]
    assert repair(kept, CHAT, start_with_user=True).notes == ()


@pytest.mark.parametrize("keep", range(1, 8))
def test_case_S02(case: CaseOf, keep: int) -> None:  # noqa: N802
    """The first message after the system's is the user's, and speakers alternate as before."""
    _, messages = messages_of(case("S02"))
    repaired = repair(window(messages, keep), CHAT, start_with_user=True).messages
    roles = [message.role for message in repaired[1:]]
    assert roles[0] is Role.USER
    assert all(one is not other for one, other in pairwise(roles))
    assert repaired[-1] is messages[-1]


def test_case_S03(case: CaseOf) -> None:  # noqa: N802
    """No blank text is sent; the silent command is answered visibly; the stored list stays as it was."""
    stored = wire(case("S03")["input"]["messages"])
    before = copy.deepcopy(stored)
    sent = write(repair(read(stored, CHAT)[1], CHAT).messages, CHAT)
    assert stored == before
    assert sent == [stored[0], stored[1], {**stored[2], "content": NO_OUTPUT}, stored[5]]
