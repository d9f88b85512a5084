"""A request that must begin with a user (C38, S02)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memoranda.compaction import CompactionConfig, Compactor, DropTurns, SlidingWindow
from memoranda.messages.formats import read
from memoranda.messages.repair import REMOVED
from memoranda.messages.validate import problems
from memoranda.records.message import WireFormat


def loop(steps: int) -> list[dict[str, Any]]:
    """Returns an Anthropic list of one question and a long loop of tool calls."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "audit the repository"}]
    for step in range(steps):
        call = {"type": "tool_use", "id": f"t{step}", "name": "read", "input": {"path": f"{step}.py"}}
        messages.append({"role": "assistant", "content": [call]})
        result = {"type": "tool_result", "tool_use_id": f"t{step}", "content": f"text {step} " + "line " * 30}
        messages.append({"role": "user", "content": [result]})
    return [*messages, {"role": "assistant", "content": "It is sound."}, {"role": "user", "content": "sure?"}]


def tokens(bound: int) -> CompactionConfig:
    return CompactionConfig(max_tokens=bound, max_fraction=None, strategies=[DropTurns()], low_fraction=1.0)


def test_under_a_bound_in_tokens_a_line_stands_before_what_is_left() -> None:
    """No more is taken than the budget asks for, though one question is all that the user said."""
    messages = loop(40)
    whole = Compactor(format="anthropic").count_tokens(messages)
    bound = whole * 9 // 10
    request = Compactor(tokens(bound), format="anthropic").on_request(messages)
    assert request.messages[0] == {"role": "user", "content": REMOVED}
    assert bound * 8 // 10 < request.report.tokens_after < bound
    assert problems(read(request.messages, "anthropic")[1], WireFormat.ANTHROPIC) == []


@pytest.mark.parametrize("adopts", [True, False])
def test_there_is_never_more_than_one(adopts: bool) -> None:
    compactor = Compactor(tokens(1_500), format="anthropic")
    messages: list[Any] = loop(40)
    for turn in range(10):
        request = compactor.on_request(messages)
        assert sum(message["content"] == REMOVED for message in request.messages) <= 1  # type: ignore[index]
        assert request.report.tokens_after < 1_500
        tail = loop(4)[1:]
        for message in tail:
            for block in message["content"] if isinstance(message["content"], list) else ():
                for name in ("id", "tool_use_id"):
                    if name in block:
                        block[name] = f"{turn}-{block[name]}"
        messages = [*(request.messages if adopts else messages), *tail]


def test_under_a_bound_in_messages_the_cut_moves_to_where_a_user_speaks() -> None:
    """S02: the list has no message of ours in it, and what went has a handle."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "x"}]
    for number in range(1, 5):
        messages += [{"role": "user", "content": f"{number}"}, {"role": "assistant", "content": f"r{number}"}]
    config = CompactionConfig(max_messages=5, strategies=[SlidingWindow(keep_messages=5)], start_with_user=True)
    request = Compactor(config).on_request([*messages, {"role": "user", "content": "5"}])
    assert [message["content"] for message in request.messages] == ["x", "4", "r4", "5"]  # type: ignore[index]
    assert [span.message.text for span in request.report.taken] == ["1", "r1", "2", "r2", "3", "r3"]


def test_a_list_that_would_only_grow_is_left_as_it_is() -> None:
    """D13: never larger than before."""
    messages = [
        {"role": "user", "content": "ok"},
        {"role": "assistant", "content": "x"},
        {"role": "user", "content": "?"},
    ]
    whole = Compactor(format="anthropic").count_tokens(messages)
    request = Compactor(tokens(whole), format="anthropic").on_request(messages)
    assert request.report.tokens_after <= request.report.tokens_before
    assert json.dumps(request.messages) in {json.dumps(messages), json.dumps(messages[2:])}


def test_a_list_that_is_sent_again_is_not_reported_as_larger_than_before() -> None:
    """D13: what stands before the model's message counts before and after."""
    messages = [*[{"role": "user", "content": "go on " * 30}, {"role": "assistant", "content": "done"}] * 3]
    messages.append({"role": "user", "content": "now"})
    compactor = Compactor(tokens(80), format="anthropic")
    first = compactor.on_request(messages)
    assert first.messages[0] == {"role": "user", "content": REMOVED}
    again = compactor.on_request(messages)
    assert again.messages == first.messages
    assert again.report.tokens_before == again.report.tokens_after == first.report.tokens_after
    assert again.report.messages_before == again.report.messages_after
