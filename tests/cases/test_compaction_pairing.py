"""Cases from the field: calls and their results, each through a `Compactor` as a host uses it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from memoranda.compaction import (
    ClampOversizedMessages,
    ClearToolResults,
    CompactionConfig,
    Compactor,
    DropTurns,
    SlidingWindow,
)
from memoranda.compaction.report import Compacted
from memoranda.messages.formats import read
from memoranda.messages.placing import INTERRUPTED
from memoranda.messages.validate import problems
from tests.conftest import Case
from tests.messages.notation import wire

CaseOf = Callable[[str], Case]
Wires = list[Any]


def windowed(keep: int, **more: Any) -> CompactionConfig:
    """Returns what keeps so many messages, however few there are."""
    return CompactionConfig(max_messages=1, strategies=[SlidingWindow(keep_messages=keep)], **more)


def tokens(most: int, *strategies: Any) -> CompactionConfig:
    return CompactionConfig(max_tokens=most, max_fraction=None, strategies=strategies or None)


def sent(result: Compacted, format: str = "chat", pending: tuple[str, ...] = ()) -> Wires:
    """Returns what goes out, once it is known that a provider takes it."""
    found, messages = read(result.messages, format)
    assert problems(messages, found, pending) == []
    return result.messages


def called(messages: Wires) -> list[str]:
    return [call["id"] for message in messages for call in message.get("tool_calls", ())]


def answered(messages: Wires) -> list[str]:
    return [message["tool_call_id"] for message in messages if message["role"] == "tool"]


@pytest.mark.parametrize("system", [True, False])
def test_p01_a_window_keeps_no_result_alone(case: CaseOf, system: bool) -> None:
    """Case P01: every size of the window; a list without a system message, too."""
    messages = wire(case("P01")["input"]["messages"])[0 if system else 1 :]
    for keep in range(1, len(messages)):
        out = sent(Compactor(windowed(keep)).on_request(messages))
        assert called(out) == answered(out)
        assert out[-1] is messages[-1]
        assert out[0] is messages[0] or not system
        if keep > 1:
            assert len(out) <= keep


@pytest.mark.parametrize("keep", [1, 6, 11, 12])
def test_p03_ten_parallel_calls_stay_or_go_together(case: CaseOf, keep: int) -> None:
    """Case P03: the report tells of each message that left."""
    messages = wire(case("P03")["input"]["messages"])
    result = Compactor(windowed(keep)).on_request(messages)
    out = sent(result)
    assert len(called(out)) in {0, 10}
    assert answered(out) == called(out)
    assert out[-1] is messages[-1]
    left = {span.index for span in result.report.taken}
    assert left == {place for place, message in enumerate(messages) if message not in out}
    assert any(line.startswith("  sliding_window:") for line in result.report.lines())


def test_p04_a_batch_that_lost_a_result_is_whole_again(case: CaseOf) -> None:
    """Case P04: the host's stored list is broken; each request of it is valid, and says what was mended."""
    given = case("P04")["input"]
    messages = wire(given["messages"])
    del messages[given["strategy"]["drop_message_index"]]
    compactor = Compactor()
    for _ in range(2):
        result = compactor.on_request(messages)
        out = sent(result)
        assert sorted(answered(out)) == sorted(called(out)) == ["b1", "b2"]
        assert any(INTERRUPTED in str(message) for message in out)
        assert "'b1'" in result.report.repairs[0]


@pytest.mark.parametrize("dialect", ["chat", "anthropic"])
def test_p05_a_refusal_stays_an_answer(case: CaseOf, dialect: str) -> None:
    """Case P05: its text goes, its id and the flag stay. With a longer text, since what is shorter stays as it is."""
    given = case("P05")["input"]
    given["messages"][2]["c"] *= 50
    messages = wire(given["messages"], dialect)
    config = tokens(150, ClearToolResults(**given["strategy"]["clear_tool_results"]))
    out = sent(Compactor(config, format=dialect).on_request(messages), dialect)
    answer = out[2] if dialect == "chat" else out[2]["content"][0]
    assert answer["is_error"] is True
    assert answer["tool_call_id" if dialect == "chat" else "tool_use_id"] == "d1"
    assert "rejected" not in answer["content"]
    assert len(out) == len(messages)


@pytest.mark.parametrize("adopts", [True, False])
def test_p06_the_final_answer_reaches_the_model(case: CaseOf, adopts: bool) -> None:
    """Case P06: whether the host goes on with what it was given or sends all again."""
    given = case("P06")["input"]
    messages, pending = wire(given["messages"]), tuple(given["pending_ids"])
    compactor = Compactor(windowed(3))
    out = sent(compactor.on_request(messages, pending=pending), pending=pending)
    assert called(out) == answered(out) == ["w1"]
    more = [*(out if adopts else messages), *wire(given["then_append"])]
    last = sent(compactor.on_request(more))
    assert [message["content"] for message in last if message["role"] == "tool"] == ['{"status":"paid"}']


def test_p06_the_answer_that_came_last_is_not_dropped_as_the_oldest(case: CaseOf) -> None:
    """The kind of case P06: the answer moves to its old call, and is the newest all the same."""
    given = case("P06")["input"]
    for message in given["messages"][3:]:
        message["c"] += " word" * 40
    messages = wire(given["messages"])
    compactor = Compactor(tokens(150))
    compactor.on_request(messages, pending=given["pending_ids"])
    result = compactor.on_request([*messages, *wire(given["then_append"])])
    assert result.report.compacted
    assert result.report.unmet == ""
    assert '{"status":"paid"}' in [message.get("content") for message in sent(result)]


def test_p07_a_call_that_nobody_answers_blocks_nothing(case: CaseOf) -> None:
    """Case P07: request after request fits, and the report names the call."""
    messages = wire(case("P07")["input"]["messages"])
    compactor = Compactor(tokens(400))
    for turn in range(5):
        result = compactor.on_request(messages)
        out = sent(result)
        assert result.report.tokens_after < 400
        assert "z1" not in called(out) or INTERRUPTED in str(out)
        assert "'z1'" in result.report.repairs[0]
        messages += [{"role": "assistant", "content": "so"}, {"role": "user", "content": f"go on {turn} " + "w " * 40}]


@pytest.mark.parametrize("strategy", [DropTurns(turns=1), SlidingWindow(keep_messages=3)])
def test_p08_results_in_user_messages_are_no_turns(case: CaseOf, strategy: Any) -> None:
    """Case P08: the exchange leaves as one, or stays as one."""
    given = case("P08")["input"]
    messages = wire(given["messages"], given["dialect"])
    for most in range(1, 12):
        config = CompactionConfig(max_messages=most, strategies=[strategy])
        out = sent(Compactor(config, format=given["dialect"]).on_request(messages), "anthropic")
        assert out[-1] == {"role": "user", "content": "done?"}
        assert str(out).count("tool_use_id") in {0, 7}
        assert out[0]["content"] in ("import 7 images", "done?")


@pytest.mark.parametrize("keep", range(1, 9))
def test_p09_an_id_used_again_is_paired_by_its_place(case: CaseOf, keep: int) -> None:
    """Case P09."""
    messages = wire(case("P09")["input"]["messages"])
    out = sent(Compactor(windowed(keep)).on_request(messages))
    for place, message in enumerate(out):
        if message["role"] == "tool":
            name = out[place - 1]["tool_calls"][0]["function"]["name"]
            assert (name, message["content"]) in {("ls", "first"), ("pwd", "second")}


@pytest.mark.parametrize("most", [300, 800, 3_000])
def test_p10_a_long_chain_of_one_request_fits(case: CaseOf, most: int) -> None:
    """Case P10: the request stays, and some of the newest result."""
    messages = wire(case("P10")["input"]["messages"])
    result = Compactor(tokens(most)).on_request(messages)
    out = sent(result)
    assert result.report.tokens_after < most
    assert (result.report.unmet, result.report.last_error) == ("", None)
    assert messages[0] in out
    assert out[-1]["tool_call_id"] == messages[-1]["tool_call_id"]
    assert "line of output" in out[-1]["content"]


@pytest.mark.parametrize("most", [50, 500, 2_000])
def test_p11_a_signed_thought_is_whole_or_gone(case: CaseOf, most: int) -> None:
    """Case P11: also beside a block that nobody knows, whatever is tried."""
    given = case("P11")["input"]
    messages = wire(given["messages"], given["dialect"])
    strange = {"type": "hologram", "beam": [1]}
    messages[1]["content"].insert(1, strange)
    before = copy.deepcopy(messages)
    limit = given["strategy"]["clamp_oversized"]["max_part_tokens"]
    for strategies in ([ClampOversizedMessages(max_part_tokens=limit)], []):
        out = sent(Compactor(tokens(most, *strategies), format="anthropic").on_request(messages), "anthropic")
        replies = [message for message in out if message["role"] == "assistant"]
        assert all(message["content"] == before[1]["content"] for message in replies)
        assert bool(replies) or not strategies
    assert messages == before
