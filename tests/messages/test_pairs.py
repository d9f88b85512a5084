"""Which result answers which call, and what stands or falls together."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.formats import read
from memoranda.messages.pairs import groups, pair_up, replies, tail, waiting_calls
from memoranda.messages.pins import pins
from memoranda.messages.repair import repair
from memoranda.records.message import CallPart, Message, ResultPart, Role, TextPart, ThinkingPart, WireFormat
from tests.messages.lists import broken_lists_of, lists_of

FORMATS = st.sampled_from(list(WireFormat))


def call(id: str, *, server: bool = False) -> CallPart:
    return CallPart(id, "tool", "{}", server)


def result(id: str, text: str = "done", *, server: bool = False) -> ResultPart:
    return ResultPart(id, (TextPart(text),), server=server)


def asked(*ids: str) -> Message:
    return Message(Role.ASSISTANT, tuple(call(id) for id in ids))


def tool(id: str, text: str = "done") -> Message:
    return Message(Role.TOOL, (result(id, text),))


def user(text: str) -> Message:
    return Message(Role.USER, (TextPart(text),))


def said(text: str) -> Message:
    return Message(Role.ASSISTANT, (TextPart(text),))


THOUGHT = Message(Role.ASSISTANT, (ThinkingPart("hm"),))


def test_a_result_belongs_to_the_nearest_earlier_open_call_of_its_id() -> None:
    """P09: ids may be used again in a later turn."""
    pairs = pair_up([asked("a"), tool("a"), user("next"), asked("a"), tool("a")])
    assert pairs.results == {(0, 0): ((1, 0),), (3, 0): ((4, 0),)}
    assert pairs.orphans == ()


def test_of_two_open_calls_the_nearest_is_closed_first() -> None:
    """P09."""
    pairs = pair_up([asked("a"), user("next"), asked("a"), tool("a"), tool("a")])
    assert pairs.results == {(0, 0): ((4, 0),), (2, 0): ((3, 0),)}


def test_of_two_open_calls_in_one_message_the_first_is_closed_first() -> None:
    pairs = pair_up([asked("a", "a"), tool("a"), tool("a")])
    assert pairs.results == {(0, 0): ((1, 0),), (0, 1): ((2, 0),)}


def test_a_result_before_its_call_is_an_orphan() -> None:
    pairs = pair_up([tool("a"), asked("a")])
    assert pairs.orphans == ((0, 0),)
    assert pairs.unanswered == [(1, 0)]


def test_a_second_result_repeats_that_of_its_call() -> None:
    pairs = pair_up([asked("a"), tool("a"), tool("a"), user("x"), tool("a")])
    assert pairs.results == {(0, 0): ((1, 0), (2, 0), (4, 0))}


def test_a_pending_call_stays_open() -> None:
    """P06: an older open call of the same id does not take the final result."""
    messages = [asked("w"), user("x"), asked("w"), tool("w", "pending"), user("y"), tool("w", "paid")]
    assert pair_up(messages, {"w"}).results == {(0, 0): (), (2, 0): ((3, 0), (5, 0))}
    assert pair_up(messages).results == {(0, 0): ((5, 0),), (2, 0): ((3, 0),)}


def test_several_pending_calls_of_one_message_and_id_are_told_of_in_turn() -> None:
    pairs = pair_up([asked("w", "w"), tool("w"), tool("w"), tool("w")], {"w"})
    assert pairs.results == {(0, 0): ((1, 0), (3, 0)), (0, 1): ((2, 0),)}


def test_calls_of_the_provider_pair_within_a_message_and_across_two() -> None:
    ran = call("s", server=True)
    came = result("s", server=True)
    assert pair_up([Message(Role.ASSISTANT, (ran, came))]).results == {(0, 0): ((0, 1),)}
    split = [Message(Role.ASSISTANT, (ran,)), Message(Role.ASSISTANT, (came, TextPart("so")))]
    assert groups([user("x"), *split]) == [(0,), (1, 2)]


def test_only_the_last_call_of_a_pending_id_waits() -> None:
    messages = [asked("w"), tool("w"), user("x"), asked("w"), asked("v")]
    assert waiting_calls(messages, {"w"}) == {(3, 0)}
    assert waiting_calls(messages, ()) == frozenset()


def test_replies_are_the_longest_runs_of_the_model() -> None:
    messages = [said("a"), user("b"), THOUGHT, asked("c"), tool("c"), said("d")]
    assert list(replies(messages)) == [(0, 0), (2, 3), (5, 5)]
    assert list(replies([])) == []


@pytest.mark.parametrize(
    ("messages", "place"),
    [
        ([user("x"), asked("a", "b"), tool("a")], 1),
        ([user("x"), asked("a")], 1),
        ([asked("a"), tool("a"), user("x")], None),
        ([user("x")], None),
        ([], None),
    ],
)
def test_the_tail_is_the_last_reply_while_only_results_follow(messages: list[Message], place: int | None) -> None:
    assert tail(messages) == place


def test_parallel_calls_and_their_results_are_one_group() -> None:
    """P03, P04."""
    messages = [user("x"), asked("a", "b"), tool("a"), tool("b"), said("done"), user("next")]
    assert groups(messages) == [(0,), (1, 2, 3), (4,), (5,)]


def test_results_in_several_user_messages_are_one_group() -> None:
    """P08."""
    given_back = [Message(Role.USER, (result(id),)) for id in "ab"]
    assert groups([user("x"), asked("a", "b"), *given_back, user("done?")]) == [(0,), (1, 2, 3), (4,)]


def test_thinking_stays_with_its_reply_and_the_results_of_it() -> None:
    """Items of Responses: thinking, two calls, two outputs, then thinking and an answer."""
    messages = [user("x"), THOUGHT, asked("a"), asked("b"), tool("a"), tool("b"), THOUGHT, said("so")]
    assert groups(messages) == [(0,), (1, 2, 3, 4, 5), (6, 7)]


def test_a_batch_of_calls_in_several_items_is_one_group() -> None:
    assert groups([asked("a"), asked("b"), tool("a"), tool("b")]) == [(0, 1, 2, 3)]


def test_messages_of_the_model_in_a_row_stay_separate() -> None:
    assert groups([user("x"), said("a"), said("b"), asked("c"), tool("c")]) == [(0,), (1,), (2,), (3, 4)]


def test_what_was_said_of_a_pending_call_belongs_to_its_group() -> None:
    """P06."""
    messages = [asked("w"), tool("w", "pending"), user("x"), said("y"), tool("w", "paid")]
    assert groups(messages, {"w"}) == [(0, 1, 4), (2,), (3,)]


@given(FORMATS.flatmap(lambda format: st.tuples(st.just(format), broken_lists_of(format))), st.booleans())
def test_groups_are_a_partition_in_order(made: tuple[WireFormat, list[Any]], pending: bool) -> None:
    _, messages = read(made[1], made[0])
    found = groups(messages, {"call_0"} if pending else ())
    assert sorted(place for group in found for place in group) == list(range(len(messages)))
    assert all(list(group) == sorted(group) for group in found)
    assert [group[0] for group in found] == sorted(group[0] for group in found)


@given(FORMATS.flatmap(lambda format: st.tuples(st.just(format), lists_of(format))), st.data())
def test_whole_groups_may_leave(made: tuple[WireFormat, list[Any]], data: st.DataObject) -> None:
    """S4.21, C17: a valid list without some groups that are not pinned needs no repair.

    It may begin with the model afterwards, which Anthropic refuses; that is the one thing left to repair.
    """
    format, wire = made
    pending = data.draw(st.sets(st.sampled_from(["call_0", "call_1"])))
    messages = repair(read(wire, format)[1], format, pending).messages
    found = groups(messages, pending)
    held = pins(messages, found, pending)
    removable = [group for group in found if held.isdisjoint(group)]
    dropped = {place for group in removable if data.draw(st.booleans()) for place in group}
    left = [message for place, message in enumerate(messages) if place not in dropped]
    begins = next((message.role for message in left if message.role is not Role.SYSTEM), Role.USER)
    again = repair(left, format, pending)
    if format is not WireFormat.ANTHROPIC or begins is Role.USER:
        assert again.notes == ()
        assert again.messages is left
    else:
        assert all("begins with the model" in note for note in again.notes)
