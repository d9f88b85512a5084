"""What a provider would refuse."""

from __future__ import annotations

from typing import Any

import pytest

from memoranda.messages.formats import read
from memoranda.messages.validate import problems
from memoranda.records.message import WireFormat

Json = dict[str, Any]
CHAT, RESPONSES, ANTHROPIC = WireFormat.CHAT, WireFormat.RESPONSES, WireFormat.ANTHROPIC


def chat_calls(*ids: str) -> Json:
    calls = [{"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}} for id in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def chat_result(id: str, text: str = "done") -> Json:
    return {"role": "tool", "tool_call_id": id, "content": text}


def says(role: str, text: str) -> Json:
    return {"role": role, "content": text}


def use(id: str) -> Json:
    return {"type": "tool_use", "id": id, "name": "f", "input": {}}


def came(id: str) -> Json:
    return {"type": "tool_result", "tool_use_id": id, "content": "done"}


def blocks(role: str, *content: Json) -> Json:
    return {"role": role, "content": list(content)}


def fc(id: str) -> Json:
    return {"type": "function_call", "call_id": id, "name": "f", "arguments": "{}"}


def fco(id: str) -> Json:
    return {"type": "function_call_output", "call_id": id, "output": "done"}


TEXT = {"type": "text", "text": "hello"}
THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "s=="}
REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}
USER = says("user", "go")
OWN = {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {}}
OWN_RESULT = {"type": "web_search_tool_result", "tool_use_id": "s", "content": []}


@pytest.mark.parametrize(
    ("format", "messages"),
    [
        (CHAT, []),
        (CHAT, [says("assistant", "hi"), USER, chat_calls("a", "b"), chat_result("b"), chat_result("a"), USER]),
        (CHAT, [USER, chat_calls("a", "b"), chat_result("a")]),
        (CHAT, [chat_calls("a"), chat_result("a"), chat_calls("a"), chat_result("a")]),
        (RESPONSES, [USER, REASONING, fc("a"), fc("b"), USER, fco("b"), fco("a")]),
        (RESPONSES, [USER, fc("a")]),
        (
            ANTHROPIC,
            [USER, blocks("assistant", THOUGHT, use("a"), use("b")), blocks("user", came("b"), came("a"), TEXT)],
        ),
        (ANTHROPIC, [USER, blocks("assistant", use("a")), blocks("assistant", use("b")), blocks("user", came("a"))]),
        (ANTHROPIC, [USER, blocks("assistant", OWN, OWN_RESULT, TEXT)]),
        (ANTHROPIC, [USER, blocks("assistant", OWN)]),
    ],
)
def test_a_valid_list_has_no_problems(format: WireFormat, messages: list[Json]) -> None:
    assert problems(read(messages, format)[1], format) == []


@pytest.mark.parametrize(
    ("format", "messages", "words"),
    [
        (CHAT, [USER, chat_result("a")], "messages[1]: no open call 'a'"),
        (CHAT, [USER, chat_calls("a"), USER], "messages[1]: call 'a' has no result"),
        (CHAT, [USER, chat_calls("a"), USER, chat_result("a")], "messages[3]: no open call 'a'"),
        (CHAT, [chat_calls("a"), chat_result("a"), chat_result("a")], "messages[2]: no open call 'a'"),
        (CHAT, [chat_calls("a", "a"), chat_result("a"), chat_result("a")], "two calls have the same id"),
        (CHAT, [says("user", " \n")], "messages[0]: it holds a text that is empty or blank"),
        (CHAT, [says("assistant", "")], "messages[0]: it says nothing"),
        (CHAT, [chat_calls("a"), chat_result("a", "")], "the result of call 'a' is empty"),
        (CHAT, [{"role": "assistant", "content": None, "reasoning_content": "hm"}], "thinking ends a reply"),
        (RESPONSES, [USER, fco("a"), fc("a")], "messages[1]: no open call 'a'"),
        (RESPONSES, [USER, fc("a"), USER], "messages[1]: call 'a' has no result"),
        (RESPONSES, [fc("a"), fco("a"), fc("a"), fco("a")], "the id 'a' of a call is used twice"),
        (RESPONSES, [USER, REASONING, USER], "messages[1]: thinking ends a reply"),
        (RESPONSES, [fc("a"), fco("a"), REASONING], "messages[2]: thinking ends a reply"),
        (ANTHROPIC, [says("assistant", "hi"), USER], "is not a user's"),
        (ANTHROPIC, [USER, blocks("assistant", use("a")), USER], "messages[1]: call 'a' has no result"),
        (ANTHROPIC, [USER, blocks("assistant", use("a")), blocks("user", TEXT, came("a"))], "behind something else"),
        (
            ANTHROPIC,
            [USER, blocks("assistant", use("a")), says("system", "x"), blocks("user", came("a"))],
            "no open call",
        ),
        (
            ANTHROPIC,
            [USER, blocks("assistant", use("a"), use("b")), blocks("user", came("a")), blocks("user", came("b"))],
            "messages[3]: no open call 'b'",
        ),
        (ANTHROPIC, [USER, blocks("assistant", use("a"), use("a")), blocks("user", came("a"))], "used twice"),
        (ANTHROPIC, [USER, blocks("assistant", OWN, TEXT), USER], "messages[1]: call 's' has no result"),
        (ANTHROPIC, [USER, blocks("assistant", OWN_RESULT, TEXT)], "messages[1]: no open call 's'"),
        (ANTHROPIC, [USER, blocks("assistant", TEXT, THOUGHT), USER], "messages[1]: thinking ends a reply"),
    ],
)
def test_a_problem_is_named_with_its_place(format: WireFormat, messages: list[Json], words: str) -> None:
    """P01, P03, P04, P08, P09, S02, S03."""
    found = problems(read(messages, format)[1], format)
    assert any(words in problem for problem in found), found


def test_results_of_one_reply_stand_in_one_message() -> None:
    """P08: the API wants all results of a reply in the one next user message."""
    reply = blocks("assistant", use("a"), use("b"))
    split = [USER, reply, blocks("user", came("a")), blocks("user", came("b")), USER]
    assert problems(read(split, ANTHROPIC)[1], ANTHROPIC) != []
    assert problems(read([USER, reply, blocks("user", came("a"), came("b")), USER], ANTHROPIC)[1], ANTHROPIC) == []


def test_a_pending_call_may_be_unanswered() -> None:
    """P06: the last call of its id only."""
    messages = read([chat_calls("w"), USER, chat_calls("w"), USER], CHAT)[1]
    assert problems(messages, CHAT, {"w"}) == ["messages[0]: call 'w' has no result"]


def test_a_list_begins_with_the_user_where_the_host_says_so() -> None:
    """S02, C38."""
    messages = read([says("system", "s"), says("assistant", "hi"), USER], CHAT)[1]
    assert problems(messages, CHAT) == []
    assert len(problems(messages, CHAT, start_with_user=True)) == 1
