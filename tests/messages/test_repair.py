"""Lists that a provider would refuse, set right."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.formats import read, write
from memoranda.messages.placing import INTERRUPTED
from memoranda.messages.repair import NO_OUTPUT, REMOVED, Repaired, repair
from memoranda.messages.validate import problems
from memoranda.records.message import (
    CallPart,
    Message,
    OpaquePart,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
)
from tests.messages.lists import broken_lists_of, lists_of
from tests.messages.notation import wire

Json = dict[str, Any]
CHAT, RESPONSES, ANTHROPIC = WireFormat.CHAT, WireFormat.RESPONSES, WireFormat.ANTHROPIC
MADE = st.sampled_from(list(WireFormat)).flatmap(lambda format: st.tuples(st.just(format), broken_lists_of(format)))
VALID = st.sampled_from(list(WireFormat)).flatmap(lambda format: st.tuples(st.just(format), lists_of(format)))
IDS = st.sampled_from("ab")
CALLS = IDS.map(lambda id: CallPart(id, "f", "{}"))
RESULTS = IDS.map(lambda id: ResultPart(id, (TextPart("done"),)))
TEXTS = st.sampled_from([TextPart("t"), TextPart(" ")])
THOUGHTS = st.just(ThinkingPart("hm", {"type": "thinking"}))
OWN = st.sampled_from([CallPart("s", "f", "{}", server=True), ResultPart("s", server=True)])
PENDING = st.sets(st.sampled_from([f"call_{number}" for number in range(3)]))


def of(role: Role, *parts: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[Message]:
    """Messages of a role with parts of some kinds in any order."""
    return st.lists(st.one_of(parts), max_size=most).map(lambda made: Message(role, tuple(made)))


ANY = {
    CHAT: [
        of(Role.ASSISTANT, TEXTS, CALLS),
        of(Role.USER, TEXTS, most=1),
        RESULTS.map(lambda r: Message(Role.TOOL, (r,))),
    ],
    RESPONSES: [
        of(Role.ASSISTANT, TEXTS, CALLS, THOUGHTS, most=1),
        of(Role.USER, TEXTS, most=1),
        RESULTS.map(lambda r: Message(Role.TOOL, (r,))),
        st.just(Message(Role.OPAQUE, (OpaquePart("compaction", {}),))),
    ],
    ANTHROPIC: [of(Role.ASSISTANT, TEXTS, CALLS, THOUGHTS, OWN), of(Role.USER, TEXTS, RESULTS)],
}
"""What messages of a format may be made of, in any order and number; ids are few, so that they meet."""
JUMBLED = st.sampled_from(list(WireFormat)).flatmap(
    lambda format: st.tuples(
        st.just(format), st.lists(st.one_of(*ANY[format], st.just(Message(Role.SYSTEM, (TextPart("s"),)))), max_size=9)
    )
)


def says(role: str, text: str) -> Json:
    return {"r": role, "c": text}


def calls(*ids: str) -> Json:
    return {"r": "assistant", "c": "", "calls": [{"id": id, "name": "f", "args": {}} for id in ids]}


def came(id: str, text: str = "done") -> Json:
    return {"r": "tool", "id": id, "c": text}


USER = says("user", "go")
OK = says("assistant", "ok")


def mend(messages: Sequence[Json], format: WireFormat = CHAT, *pending: str, **how: bool) -> Repaired:
    given = wire(messages, format.value) if all("r" in message for message in messages) else list(messages)
    repaired = repair(read(given, format)[1], format, pending, **how)
    assert problems(repaired.messages, format, pending, **how) == []
    return repaired


def sent(repaired: Repaired, format: WireFormat = CHAT) -> list[Any]:
    return write(repaired.messages, format)


@given(MADE, PENDING, st.booleans())
def test_what_is_repaired_is_valid_and_stays_as_it_is(
    made: tuple[WireFormat, list[Json]], pending: set[str], start: bool
) -> None:
    """P01, P03, P04, P07, P08, P09, S02, S03: a second repair changes nothing; notes tell whether a first one did."""
    format, given = made
    messages = read(given, format)[1]
    repaired = repair(messages, format, pending, start_with_user=start or None)
    assert problems(repaired.messages, format, pending, start_with_user=start) == []
    again = repair(repaired.messages, format, pending, start_with_user=start or None)
    assert again.messages is repaired.messages
    assert again.notes == ()
    assert bool(repaired.notes) == bool(problems(messages, format, pending, start_with_user=start))


@given(JUMBLED, st.sets(IDS), st.booleans())
def test_any_list_at_all_is_made_valid(made: tuple[WireFormat, list[Message]], pending: set[str], start: bool) -> None:
    """P01, P04, P07, P09, S02, S03, C17, C38."""
    format, messages = made
    repaired = repair(messages, format, pending, start_with_user=start or None)
    assert problems(repaired.messages, format, pending, start_with_user=start) == []
    assert repair(repaired.messages, format, pending, start_with_user=start or None).messages is repaired.messages
    assert bool(repaired.notes) == bool(problems(messages, format, pending, start_with_user=start))


@given(VALID, PENDING)
def test_a_valid_list_comes_back_as_the_very_object(made: tuple[WireFormat, list[Json]], pending: set[str]) -> None:
    format, given = made
    messages = repair(read(given, format)[1], format, pending).messages
    repaired = repair(messages, format, pending)
    assert repaired.messages is messages
    assert repaired.notes == ()


@given(MADE)
def test_nothing_of_the_host_is_changed_and_thoughts_are_kept_whole(made: tuple[WireFormat, list[Json]]) -> None:
    """S03, P11: the stored list is not rewritten; a thought is byte for byte the same, or gone."""
    format, given = made
    before = copy.deepcopy(given)
    messages = read(given, format)[1]
    repaired = repair(messages, format)
    assert given == before
    thoughts = [part for message in messages for part in message.of_kind(ThinkingPart)]
    assert all(part in thoughts for message in repaired.messages for part in message.of_kind(ThinkingPart))


@given(MADE)
def test_what_is_kept_keeps_its_order(made: tuple[WireFormat, list[Json]]) -> None:
    """Results may move; all else that came in stands in the order in which it came."""
    format, given = made
    messages = read(given, format)[1]
    places = {id(message): place for place, message in enumerate(messages)}
    kept = [
        places[id(message)]
        for message in repair(messages, format).messages
        if id(message) in places and not message.of_kind(ResultPart)
    ]
    assert kept == sorted(kept)


@given(MADE)
def test_what_is_repaired_is_valid_as_it_is_sent(made: tuple[WireFormat, list[Json]]) -> None:
    format, given = made
    repaired = repair(read(given, format)[1], format)
    assert problems(read(write(repaired.messages, format), format)[1], format) == []


def test_a_result_without_its_call_leaves() -> None:
    """P01: the note names the message and the id."""
    repaired = mend([USER, came("c1"), OK, USER])
    assert [message.role for message in repaired.messages] == [Role.USER, Role.ASSISTANT, Role.USER]
    assert repaired.notes == ("messages[1]: removed the result of call 'c1': no such call stands before it",)


def test_an_interrupted_call_gets_a_result_that_says_so() -> None:
    """P07."""
    repaired = mend([USER, calls("z1", "z2"), came("z2"), USER])
    assert sent(repaired)[3] == {"role": "tool", "tool_call_id": "z1", "content": INTERRUPTED}
    assert repaired.messages[3].of_kind(ResultPart)[0].is_error
    assert repaired.notes == ("messages[1]: call 'z1' has no result; one was put that says so",)


def test_an_interrupted_call_of_anthropic_is_answered_in_the_next_user_message() -> None:
    """P07."""
    repaired = mend([USER, calls("z1"), says("user", "still there?")], ANTHROPIC)
    assert sent(repaired, ANTHROPIC)[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "z1", "content": INTERRUPTED, "is_error": True},
        {"type": "text", "text": "still there?"},
    ]
    split = [*wire([USER, calls("z1")], "anthropic"), {"role": "system", "content": "s"}, *wire([USER], "anthropic")]
    assert [message.role for message in mend(split, ANTHROPIC).messages][1:4] == [
        Role.ASSISTANT,
        Role.USER,
        Role.SYSTEM,
    ]


def test_interrupted_calls_of_responses_are_answered_behind_the_reply() -> None:
    """P07: the reply with its thinking is not split, and each kind of call gets its kind of result."""
    reply: list[Json] = [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
        {"type": "custom_tool_call", "call_id": "b", "name": "g", "input": "x"},
        {"type": "computer_call", "call_id": "c", "action": {"type": "screenshot"}},
    ]
    repaired = mend([{"role": "user", "content": "go"}, *reply, {"role": "user", "content": "on"}], RESPONSES)
    written = sent(repaired, RESPONSES)
    assert written[1:4] == reply[:3]
    assert written[4:6] == [
        {"type": "function_call_output", "call_id": "a", "output": INTERRUPTED},
        {"type": "custom_tool_call_output", "call_id": "b", "output": INTERRUPTED},
    ]
    assert "no text can be its result" in repaired.notes[0]


def test_an_interrupted_call_of_the_old_form_is_answered_in_the_old_form() -> None:
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    user = {"role": "user", "content": "on"}
    repaired = mend([user, call, user])
    assert sent(repaired)[2] == {"role": "function", "name": "f", "content": INTERRUPTED}


def test_calls_that_may_still_run_stay_open() -> None:
    repaired = mend([USER, calls("a", "b"), came("a")])
    assert repaired.notes == ()


def test_results_move_behind_their_call() -> None:
    """P08: for Anthropic into the one next user message, before what else it says."""
    chat = mend([calls("a"), USER, OK, came("a"), USER])
    assert [message.role for message in chat.messages][:2] == [Role.ASSISTANT, Role.TOOL]
    assert chat.notes == ("messages[3]: moved the result of call 'a' to where its call needs it",)
    claude = mend([USER, calls("a", "b"), came("a"), says("user", "and"), came("b")], ANTHROPIC)
    assert [[type(part).__name__ for part in message.parts] for message in claude.messages[2:]] == [
        ["ResultPart", "ResultPart"],
        ["TextPart"],
    ]


def test_of_several_results_the_last_stays_in_the_place_of_the_first() -> None:
    """P06: the final answer follows, whether or not the host still says that it is pending."""
    messages = [USER, calls("w"), came("w", "pending"), USER, OK, came("w", "paid")]
    for pending in ((), ("w",)):
        repaired = mend(messages, CHAT, *pending)
        assert [item["content"] for item in sent(repaired)] == ["go", "", "paid", "go", "ok"]
        assert repaired.notes == ("messages[5]: call 'w' has several results; the last stays",)


def test_of_several_results_under_an_id_that_is_used_again_the_first_stays() -> None:
    """P09: the later one may belong to a call that is lost."""
    messages = [USER, calls("c"), came("c", "1"), calls("c"), came("c", "2"), USER, came("c", "3"), USER]
    assert [item["content"] for item in sent(mend(messages))] == ["go", "", "1", "", "2", "go", "go"]


def test_two_calls_that_a_provider_would_take_for_one_are_told_apart() -> None:
    """P09: within one message of Chat; within the whole list for Anthropic, which wants ids to be unique."""
    chat = mend([USER, calls("x", "x"), came("x", "1"), came("x", "2"), calls("x"), came("x", "3")])
    assert [item["tool_call_id"] for item in sent(chat) if item["role"] == "tool"] == ["x", "x_2", "x"]
    claude = mend([USER, calls("x"), came("x", "1"), USER, calls("x"), came("x", "2"), USER], ANTHROPIC)
    assert [item["content"][0].get("id") for item in sent(claude, ANTHROPIC) if item["role"] == "assistant"] == [
        "x",
        "x_2",
    ]
    assert problems(read(sent(claude, ANTHROPIC), ANTHROPIC)[1], ANTHROPIC) == []


def test_an_open_call_keeps_the_id_by_which_it_will_be_answered() -> None:
    repaired = mend([USER, calls("x"), came("x"), USER, calls("x")], ANTHROPIC)
    assert [part.id for message in repaired.messages for part in message.of_kind(CallPart)] == ["x_2", "x"]


def test_new_ids_keep_within_the_length_that_is_taken() -> None:
    id = "i" * 60
    repaired = mend([USER, calls(id, id), came(id), came(id)])
    assert [len(part.id) for part in repaired.messages[1].of_kind(CallPart)] == [60, 40]


def test_blank_texts_leave_and_an_empty_result_says_so() -> None:
    """S03, C36."""
    blank = {"role": "assistant", "content": [{"type": "text", "text": "  \n"}]}
    messages = [*wire([USER, calls("m"), came("m", ""), says("assistant", "")]), blank, *wire([USER])]
    repaired = mend(messages)
    assert [item["content"] for item in sent(repaired)] == ["go", "", NO_OUTPUT, "go"]
    assert len(repaired.notes) == 3


def test_thinking_that_nothing_follows_leaves_whole() -> None:
    """S03: a reply of nothing but thinking is refused for ever."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "s=="}
    user = {"role": "user", "content": "go"}
    alone = mend([user, {"role": "assistant", "content": [thought, {"type": "text", "text": ""}]}, user], ANTHROPIC)
    assert [message.role for message in alone.messages] == [Role.USER, Role.USER]
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": []}
    assert len(mend([user, reasoning, user], RESPONSES).messages) == 2
    assert len(mend([user, {"role": "assistant", "content": None, "reasoning_content": "hm"}, user]).messages) == 2


def test_a_call_of_the_provider_without_a_result_leaves_unless_it_goes_on() -> None:
    own = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
    user = {"role": "user", "content": "go"}
    reply = {"role": "assistant", "content": [{"type": "text", "text": "let me look"}, own]}
    assert mend([user, reply], ANTHROPIC).notes == ()
    assert len(mend([user, reply, user], ANTHROPIC).messages[1].parts) == 1


def test_a_list_begins_with_the_user() -> None:
    """S02, C38: whole groups leave until the user speaks; always for Anthropic, elsewhere where the host says so."""
    messages = [says("system", "s"), OK, calls("a"), came("a"), USER, OK]
    assert mend(messages).notes == ()
    repaired = mend(messages, CHAT, start_with_user=True)
    assert [message.role for message in repaired.messages] == [Role.SYSTEM, Role.USER, Role.ASSISTANT]
    assert len(mend(messages[1:], ANTHROPIC).messages) == 2


def test_what_must_stay_stays_behind_a_message_of_the_user() -> None:
    """S02, C17: a pending call, the user's own words beside results, or all there is."""
    for messages, pending in (
        ([calls("w"), USER, OK], ("w",)),
        ([calls("a"), {**came("a"), "more": True}, OK], ()),
        ([OK], ()),
    ):
        given = wire(messages, "anthropic")
        if "more" in messages[1 % len(messages)]:
            given[1]["content"].append({"type": "text", "text": "my own words"})
        repaired = mend(given, ANTHROPIC, *pending)
        assert sent(repaired, ANTHROPIC)[0] == {"role": "user", "content": REMOVED}
        assert [message.parts for message in repaired.messages[1:]] == [
            message.parts for message in read(given, ANTHROPIC)[1]
        ]


def test_messages_of_the_hosts_own_classes_come_back_as_they_are() -> None:
    """S03: what nobody changed is handed back as the very object."""
    given = wire([USER, calls("a"), USER])
    messages: list[Message] = read(given, CHAT)[1]
    back = sent(repair(messages, CHAT))
    assert back[0] is given[0]
    assert back[1] is given[1]
    assert back[3] is given[2]
