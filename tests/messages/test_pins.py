"""What must stay in a list."""

from __future__ import annotations

from memoranda.messages.pairs import groups
from memoranda.messages.pins import first_system, last_user, pins
from memoranda.records.message import CallPart, Message, ResultPart, Role, TextPart, system_message, user_message


def asked(*ids: str) -> Message:
    return Message(Role.ASSISTANT, tuple(CallPart(id, "tool", "{}") for id in ids))


def answered(role: Role, *ids: str, text: str = "") -> Message:
    own = (TextPart(text),) if text else ()
    return Message(role, (*(ResultPart(id, (TextPart("done"),)) for id in ids), *own))


def pinned(messages: list[Message], *pending: str) -> set[int]:
    return set(pins(messages, groups(messages, pending), pending))


SAID = Message(Role.ASSISTANT, (TextPart("ok"),))


def test_the_first_system_message_and_the_last_user_message_stay() -> None:
    """S4.19, S01: a later system message is no pin."""
    messages = [system_message("s"), user_message("a"), system_message("t"), SAID, user_message("b"), SAID]
    assert pinned(messages) == {0, 4}
    assert first_system(messages) == 0
    assert first_system([user_message("a")]) is None


def test_a_message_of_results_is_not_the_last_user_message() -> None:
    """P08: what counts is the last message in which the user says something."""
    messages = [user_message("go"), asked("a"), answered(Role.USER, "a")]
    assert last_user(messages) == 0
    assert last_user(messages[1:]) == 1
    assert last_user([SAID]) is None


def test_a_blank_message_is_not_the_last_user_message() -> None:
    assert last_user([user_message("go"), user_message(" \n")]) == 0


def test_the_call_stays_whose_result_stands_in_the_last_user_message() -> None:
    """C17: the call of a protected result is protected."""
    messages = [user_message("go"), asked("a", "b"), answered(Role.USER, "a", "b", text="and now?"), SAID]
    assert pinned(messages) == {1, 2}


def test_a_pending_call_stays_with_what_was_said_of_it() -> None:
    """P06."""
    messages = [asked("w"), answered(Role.TOOL, "w"), user_message("a"), SAID, user_message("b")]
    assert pinned(messages, "w") == {0, 1, 4}
    assert pinned(messages) == {4}


def test_of_a_pending_id_only_the_last_call_stays() -> None:
    """P09."""
    messages = [asked("w"), answered(Role.TOOL, "w"), asked("w"), answered(Role.TOOL, "w"), user_message("b")]
    assert pinned(messages, "w") == {2, 3, 4}


def test_calls_that_may_still_run_stay() -> None:
    messages = [user_message("go"), asked("x"), user_message("on"), asked("a", "b"), answered(Role.TOOL, "a")]
    assert pinned(messages) == {2, 3, 4}


def test_a_call_that_was_interrupted_long_ago_is_no_pin() -> None:
    """P07: it must not block compaction."""
    assert pinned([user_message("go"), asked("z"), user_message("on"), SAID]) == {2}


def test_answered_calls_at_the_end_are_no_pins() -> None:
    assert pinned([user_message("go"), asked("a"), answered(Role.TOOL, "a")]) == {0}
