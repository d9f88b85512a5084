"""Cases from the field: budgets, counts, pictures and the structure of a list, each through a `Compactor`."""

from __future__ import annotations

import copy
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from memoranda import InMemoryStore, Memory
from memoranda.compaction import ClearToolResults, CompactionConfig, Compactor, DropTurns, SlidingWindow, Summarize
from memoranda.compaction.report import Compacted
from memoranda.messages.formats import read
from memoranda.messages.repair import NO_OUTPUT
from memoranda.messages.validate import problems
from memoranda.records.graph import GraphContextConfig
from memoranda.testing import ScriptedSummarizer
from memoranda.text.encodings import ENCODINGS
from tests.conftest import Case
from tests.messages.notation import wire

CaseOf = Callable[[str], Case]
Wires = list[Any]


def tokens(most: int, *strategies: Any, **more: Any) -> CompactionConfig:
    return CompactionConfig(max_tokens=most, max_fraction=None, strategies=strategies or None, **more)


def sent(result: Compacted) -> Wires:
    """Returns what goes out, once it is known that a provider takes it."""
    format, messages = read(result.messages)
    assert problems(messages, format) == []
    return result.messages


def test_s01_the_rules_and_the_request_of_a_long_run_stay(case: CaseOf) -> None:
    """Case S01: later system messages do not come first either."""
    given = case("S01")["input"]
    messages = wire(given["messages"])
    messages.insert(6, {"role": "system", "content": "Be quick."})
    keep = given["strategy"]["sliding_window"]["keep_messages"]
    for config in (
        CompactionConfig(max_messages=keep, strategies=[SlidingWindow(keep_messages=keep)]),
        tokens(100),
    ):
        result = Compactor(config).on_request(messages)
        out = sent(result)
        assert result.report.compacted
        assert out[0] is messages[0]
        assert messages[1] in out


@pytest.mark.parametrize("keep", range(1, 8))
def test_s02_a_user_speaks_first(case: CaseOf, keep: int) -> None:
    """Case S02: and speakers alternate as they did."""
    messages = wire(case("S02")["input"]["messages"])
    config = CompactionConfig(max_messages=1, strategies=[SlidingWindow(keep_messages=keep)], start_with_user=True)
    roles = [message["role"] for message in sent(Compactor(config).on_request(messages))]
    assert roles[:2] == ["system", "user"]
    assert all(one != other for one, other in pairwise(roles))


def test_s03_nothing_blank_goes_out(case: CaseOf) -> None:
    """Case S03: the stored list stays as it is, and each request of it is mended alike."""
    messages = wire(case("S03")["input"]["messages"])
    before = copy.deepcopy(messages)
    compactor = Compactor()
    for _ in range(3):
        out = sent(compactor.on_request(messages))
        assert [message.get("content") for message in out] == ["mkdir x", "", NO_OUTPUT, "ok?"]
        assert out[1]["tool_calls"]
    assert messages == before


@pytest.mark.parametrize("encoder", ENCODINGS)
def test_b01_special_tokens_in_a_conversation_are_text(case: CaseOf, encoder: str) -> None:
    """Case B01: in each place where a text may stand."""
    for text in case("B01")["input"]["count"]:
        call = {"id": text, "type": "function", "function": {"name": text, "arguments": text}}
        messages: Wires = [
            {"role": "system", "content": text},
            {"role": "user", "content": text * 30},
            {"role": "assistant", "content": text, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": text, "content": text * 30},
            {"role": "user", "content": text},
        ]
        compactor = Compactor(tokens(80, encoder_name=encoder))
        result = compactor.on_request(messages)
        assert result.report.tokens_before > 300
        assert result.report.tokens_after < 80
        assert sent(result)[0] is messages[0]


def test_b03_the_arguments_of_a_call_are_seen(case: CaseOf) -> None:
    """Case B03."""
    given = case("B03")["input"]
    messages = wire(given["messages"])
    result = Compactor(tokens(given["budget_tokens"])).on_request(messages)
    assert result.report.usage is not None
    assert result.report.usage.used_tokens > 12_000
    assert result.report.tokens_after < given["budget_tokens"]
    assert sent(result)[-1] is messages[-1]


def pictured(message: dict[str, Any]) -> dict[str, Any]:
    """Writes the case's picture as OpenAI Chat has it."""
    text, image = message["content"]
    url = f"data:{image['media_type']};base64,{image['data']}"
    return {"role": "user", "content": [text, {"type": "image_url", "image_url": {"url": url}}]}


def test_b04_a_picture_neither_fills_the_window_nor_is_free(case: CaseOf) -> None:
    """Case B04: a new chat with one is left alone; of 45 the last user's is kept."""
    given = case("B04")["input"]
    system, asked = wire(given["messages"])
    asked = pictured(asked)
    config = CompactionConfig(context_window_tokens=given["window"], max_fraction=given["max_fraction"])
    first = Compactor(config).on_request([system, asked])
    assert first.messages == [system, asked]
    assert not first.report.compacted
    turns = [one for _ in range(44) for one in (asked, {"role": "assistant", "content": "a cat"})]
    many = Compactor(tokens(20_000)).on_request([system, *turns, asked])
    assert many.report.tokens_before > 44 * (first.report.tokens_before - 30)
    assert many.report.tokens_after < 20_000
    assert sent(many)[-1] is asked


def test_b06_what_must_stay_is_sent_though_it_is_too_large(case: CaseOf) -> None:
    """Case B06: turn after turn, and with a summarizer that could be asked."""
    given = case("B06")["input"]
    messages = wire(given["messages"])
    summarizer = ScriptedSummarizer("SUM")
    compactor = Compactor(tokens(given["budget_tokens"]), summarizer=summarizer)
    for _ in range(3):
        result = compactor.on_request(messages)
        assert result.messages == messages
        assert "must stay" in result.report.unmet
    assert summarizer.requests == []


def test_b11_the_answer_has_its_share_and_no_error_text_is_stored(case: CaseOf) -> None:
    """Case B11: retries do not grow."""
    given = case("B11")["input"]
    messages = wire(given["messages"])
    config = CompactionConfig(
        context_window_tokens=given["window"], max_fraction=1.0, reserve_output_tokens=given["reserve_output_tokens"]
    )
    compactor = Compactor(config)
    old = [{"role": "user", "content": "w " * 300}, {"role": "assistant", "content": "w " * 300}]
    whole = [*old, {"role": "user", "content": "w " * 340}]
    assert Compactor(config).on_request(whole).report.budget.tokens == 1_000 - 64
    assert Compactor(config).on_request(whole).report.compacted
    sizes = set()
    for _ in range(4):
        result = compactor.on_request(messages)
        assert result.messages == messages
        sizes.add(result.report.tokens_after)
    assert len(sizes) == 1


def test_d02_a_summary_stays_while_messages_are_left_to_drop() -> None:
    """The kind of case D02: the default strategies do not drop what a summarizer was just paid for."""
    summarizer = ScriptedSummarizer(lambda request: "The bucket is zebra-archive. " + request.previous[:100])
    compactor = Compactor(tokens(1_500), summarizer=summarizer)
    messages: Wires = [{"role": "system", "content": "s"}]
    compactions = 0
    for turn in range(60):
        messages.append({"role": "user", "content": f"question {turn} " + "word " * 30})
        result = compactor.on_request(messages)
        compactions += result.report.compacted
        assert not compactions or "zebra-archive" in str(sent(result)[1])
        messages.append({"role": "assistant", "content": f"answer {turn} " + "word " * 30})
    assert compactions > 3
    assert len(summarizer.requests) <= compactions + 1


def test_d03_rules_of_the_core_are_sent_word_for_word(case: CaseOf) -> None:
    """Case D03: rendered from the session's core each time, they are never shown to the summarizer."""
    given = case("D03")["input"]
    summarizer = ScriptedSummarizer(given["fake_summary"])
    with Memory(store=InMemoryStore(), embedder=None) as memory:
        session = memory.scope("acme/alice").session("s1")
        for block in given["core_blocks"]:
            session.core.put_block(block["label"], block["value"], limit=block["limit"])
        config = CompactionConfig(max_messages=20, strategies=[Summarize(**given["strategy"]["summarize"])])
        compactor = session.compactor(config, summarizer=summarizer)
        messages = wire(given["messages"])[1:]
        for turn in range(4):
            system = {"role": "system", "content": session.core.render()}
            out = sent(compactor.on_request([system, *messages]))
            assert out[0] == {"role": "system", "content": given["messages"][0]["c"]}
            messages += [{"role": "assistant", "content": "r"}, {"role": "user", "content": f"more {turn}"}]
        assert summarizer.requests
        assert not any("push to main" in request.prompt for request in summarizer.requests)


def test_d09_what_is_shown_of_core_and_graph_is_the_same_each_time(case: CaseOf) -> None:
    """Case D09: core blocks, the working graph and the archive's hits, each rendered again and again."""
    given = case("D09")["input"]
    with Memory(store=InMemoryStore(), embedder=None) as memory:
        session = memory.scope("acme/alice").session("s1")
        for number, text in enumerate(given["store"]):
            session.core.put_block(f"m{number}", text)
            session.graph.upsert_node(f"n{number} {text}")
        config = tokens(60, DropTurns(), graph_context=GraphContextConfig())
        compactor = session.compactor(config)
        old = [{"role": "user", "content": f"{text} " * 30} for text in given["store"]]
        messages = [*old, {"role": "user", "content": given["retrieve"]["query"]}]
        seen = set()
        for _ in range(given["repeat"]):
            request = str(compactor.on_request(messages).messages)
            hits = session.archive.recall(given["retrieve"]["query"], limit=3)
            seen.add((session.core.render(), request, str([hit.entry.source for hit in hits])))
        assert len(seen) == 1


def test_d08_clearing_leaves_the_beginning_of_the_next_requests_alone() -> None:
    """The kind of case D08: after a compaction of a tool loop each request begins with the one before."""
    compactor = Compactor(tokens(2_000, ClearToolResults(keep_pairs=2), DropTurns(), low_fraction=0.5))
    messages: Wires = [{"role": "user", "content": "review"}]
    last: Wires = []
    compactions = 0
    for step in range(40):
        call = {"id": f"k{step}", "type": "function", "function": {"name": "get", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"k{step}", "content": "line of output " * 30})
        result = compactor.on_request(messages)
        out = sent(result)
        compactions += result.report.compacted
        if not result.report.compacted:
            assert out[: len(last)] == last
        last = out
    assert 1 < compactions < 15
