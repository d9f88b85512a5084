"""A compactor over a whole conversation: what it keeps stable, what it counts, what it survives."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

import anyio
import pytest

from memoranda import InMemoryStore, InsideEventLoop, Memory
from memoranda.compaction import (
    AsyncCompactor,
    CompactionConfig,
    Compactor,
    ContextUsage,
    Draft,
    DropTurns,
    Seams,
    SlidingWindow,
    Summarize,
)
from memoranda.errors import InvalidInput, InvalidMessages
from memoranda.messages.formats import read
from memoranda.messages.validate import problems
from memoranda.testing.summarizer import ScriptedSummarizer
from tests.compaction.chats import chat, contents, tool_loop


def small(tokens: int = 1_000, **more: Any) -> CompactionConfig:
    return CompactionConfig(max_tokens=tokens, max_fraction=None, **more)


def valid(messages: list[Any]) -> bool:
    format, found = read(messages)
    return not problems(found, format)


def test_under_the_budget_the_hosts_own_objects_go_out() -> None:
    messages = chat(3)
    request = Compactor(small()).on_request(messages)
    assert all(one is other for one, other in zip(request.messages, messages, strict=True))
    assert not request.report.compacted
    assert request.report.tokens_before == request.report.tokens_after


def test_over_the_budget_it_goes_down_to_the_low_mark_and_then_leaves_the_list_alone() -> None:
    """D12: hysteresis. After a compaction the next requests only add."""
    compactor = Compactor(small(2_000, low_fraction=0.5))
    messages, compactions, prefixes = chat(1), 0, []
    for turn in range(120):
        messages += chat(1)[1:]
        messages.append({"role": "user", "content": f"next {turn}"})
        request = compactor.on_request(messages)
        assert request.report.tokens_after < 2_000
        compactions += request.report.compacted
        if not request.report.compacted and turn > 9:
            prefixes.append(request.report.prefix_tokens / request.report.tokens_after)
    assert 1 < compactions < 20
    assert min(prefixes) > 0.8


@pytest.mark.parametrize("adopts", [True, False])
def test_what_went_out_is_the_beginning_of_what_goes_out_next(adopts: bool) -> None:
    """D12, case D08: byte for byte, whether the host sends all of it again or what it was given."""
    compactor = Compactor(small(1_500, low_fraction=0.5))
    messages: list[Any] = chat(2)
    last = ""
    for turn in range(60):
        messages = [*messages, {"role": "user", "content": f"say more of {turn} " + "word " * 30}]
        request = compactor.on_request(messages)
        sent = json.dumps(request.messages)
        if last and not request.report.compacted:
            assert sent.startswith(last[:-1])
        last = sent
        messages = [*(request.messages if adopts else messages), {"role": "assistant", "content": "word " * 30}]


def test_only_new_messages_are_counted() -> None:
    """Case B03's kind: what is there is never counted again, even when the host made its list anew from JSON."""
    compactor = Compactor(CompactionConfig())
    messages = chat(30)
    whole = compactor.on_request(messages).report.counted_tokens
    assert whole > 500
    assert compactor.on_request(messages).report.counted_tokens == 0
    messages.append({"role": "user", "content": "one more"})
    assert 0 < compactor.on_request(json.loads(json.dumps(messages))).report.counted_tokens < 12


def test_a_message_that_the_host_changed_in_place_is_read_again() -> None:
    compactor = Compactor(CompactionConfig())
    messages = chat(3)
    before = compactor.on_request(messages).report.tokens_after
    messages[2]["content"] += "more and more " * 20
    report = compactor.on_request(messages).report
    assert report.tokens_after > before + 30
    assert report.prefix_tokens < report.tokens_after / 2


def test_neither_the_list_nor_its_messages_are_touched() -> None:
    """S03: the stored transcript is not rewritten."""
    messages = tool_loop(20)
    before = copy.deepcopy(messages)
    Compactor(small(800)).on_request(messages)
    assert messages == before


def test_a_long_tool_loop_fits_and_the_newest_result_can_still_be_read() -> None:
    """Case P10."""
    messages = tool_loop(12, lines=600)
    request = Compactor(small(3_000)).on_request(messages)
    assert request.report.tokens_after < 3_000
    assert request.report.unmet == ""
    assert "review this" in contents(request.messages)
    newest = request.messages[-1]
    assert newest["tool_call_id"] == "k11"  # type: ignore[index]
    assert "line of output" in newest["content"]  # type: ignore[index]
    assert valid(request.messages)


def test_what_must_stay_is_returned_though_it_is_too_large() -> None:
    """Case B06: no error; the report says why."""
    messages = [{"role": "system", "content": "rule " * 5000}, {"role": "user", "content": "hi"}]
    request = Compactor(small()).on_request(messages)
    assert request.messages == messages
    assert "must stay" in request.report.unmet
    assert any("still over" in line for line in request.report.lines())


def test_the_answer_has_its_share_of_the_window() -> None:
    """Case B11."""
    messages = [{"role": "user", "content": "w " * 990}]
    gauge = CompactionConfig(context_window_tokens=1_000, max_fraction=1.0, reserve_output_tokens=64)
    assert Compactor(gauge).on_request(messages).report.unmet


def test_the_system_prompt_and_the_tools_beside_the_messages_are_counted() -> None:
    """D11, C24: one budget for all of it."""
    compactor = Compactor(small(400, strategies=[DropTurns()]))
    messages = [{"role": "user", "content": "old " * 100}, *chat(1)[1:], {"role": "user", "content": "new"}]
    tools = [{"name": "search", "description": "find things " * 60, "input_schema": {"type": "object"}}]
    alone = compactor.on_request(messages)
    assert not alone.report.compacted
    beside = Compactor(small(400, strategies=[DropTurns()])).on_request(messages, system="rule " * 150, tools=tools)
    assert beside.report.compacted
    assert beside.report.usage is not None
    assert alone.report.usage is not None
    assert beside.report.usage.used_tokens > alone.report.usage.used_tokens + 250


def test_an_observer_that_raises_fails_the_request_and_nothing_is_remembered() -> None:
    """S4.2, C41: before anything of it is changed."""

    class Refusing:
        def observe(self, usage: ContextUsage) -> None:
            raise RuntimeError(f"no room: {usage.used_tokens}")

    compactor = Compactor(small(observers=[Refusing()]))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="no room"):
            compactor.on_request(chat(3))
    assert compactor.emitted == frozenset()


def test_the_resolver_tells_the_window_and_the_given_one_is_used_where_it_does_not() -> None:
    """S4.4."""

    class Known:
        def window(self, model: str | None) -> int | None:
            return 4_000 if model == "small-model" else None

    told = [
        Compactor(CompactionConfig(context_window_tokens=9_000, resolver=Known(), model=model)).on_request(chat(1))
        for model in ("small-model", "other")
    ]
    assert [(one.report.usage.window_tokens, one.report.usage.resolved) for one in told if one.report.usage] == [
        (4_000, True),
        (9_000, False),
    ]


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"max_tokens": 5}, "max_fraction=None"),
        ({"max_messages": 0}, "max_messages"),
        ({"warn_fraction": 2}, "warn_fraction"),
        ({"counting": "words"}, "counting"),
        ({"encoder_name": "no-such-encoder"}, "no-such-encoder"),
        ({"strategies": ["sliding_window"]}, "no strategy"),
        ({"reserve_output_tokens": 128_000}, "reserve_output_tokens"),
    ],
)
def test_wrong_settings_are_refused_at_construction(settings: dict[str, Any], named: str) -> None:
    """S4.6."""
    with pytest.raises(InvalidInput, match=named):
        Compactor(CompactionConfig(**settings))


def test_wrong_messages_are_refused_and_the_next_request_works() -> None:
    compactor = Compactor(small())
    with pytest.raises(InvalidMessages):
        compactor.on_request([{"role": "user", "content": "a"}, 7])
    assert compactor.on_request(chat(1)).messages


def test_an_empty_list_is_a_request() -> None:
    assert Compactor(small()).on_request([]).messages == []


def test_it_works_inside_a_running_event_loop() -> None:
    """Nothing is waited for, so a synchronous handler may call it."""

    async def handler() -> int:
        return len(Compactor(small()).on_request(chat(2)).messages)

    assert anyio.run(handler) == 5


@dataclass(frozen=True)
class Waiting:
    """A strategy of a host's that waits for something before it drops the oldest messages."""

    name: ClassVar[str] = "waiting"

    async def shorten_awaiting(self, draft: Draft, seams: Seams) -> Draft:
        await anyio.lowlevel.checkpoint()
        return DropTurns().shorten(draft)


def test_a_strategy_that_waits_is_waited_for() -> None:
    """Outside an event loop it gets one; inside, the call says what to do instead."""
    config = CompactionConfig(max_messages=3, strategies=[Waiting()])
    report = Compactor(config).on_request(chat(4)).report
    assert ([action.strategy for action in report.actions], report.last_error) == (["waiting"], None)
    with Memory(store=InMemoryStore()) as memory:
        report = memory.scope("a").session("s").compactor(config).on_request(chat(4)).report
        assert ([action.strategy for action in report.actions], report.last_error) == (["waiting"], None)

    async def handler() -> None:
        Compactor(config).on_request(chat(4))

    with pytest.raises(InsideEventLoop, match="AsyncCompactor"):
        anyio.run(handler)


@pytest.mark.anyio
async def test_compressing_takes_its_turn() -> None:
    """A request that came meanwhile is not forgotten: what it put in is known again."""
    gate = anyio.Event()
    summarizer = ScriptedSummarizer(["ONE", "TWO"], gate=gate)
    compactor = AsyncCompactor(small(700, strategies=[Summarize(turns=30)]), summarizer=summarizer)
    messages = [*chat(15), {"role": "user", "content": "now"}]
    async with anyio.create_task_group() as group:
        group.start_soon(compactor.compress, messages)
        while not summarizer.requests:
            await anyio.lowlevel.checkpoint()
        group.start_soon(compactor.on_request, messages)
        await anyio.wait_all_tasks_blocked()
        gate.set()
    assert len(compactor.emitted) == 2


def test_the_count_of_the_provider_corrects_later_estimates() -> None:
    """Item 3: calibration from the usage that a provider reports."""
    compactor = Compactor(small(100_000), tokenizer=Words())
    messages = chat(40)
    first = last = compactor.on_request(messages).report.tokens_after
    for _ in range(12):
        compactor.record_usage(int(first * 1.5))
        messages.append({"role": "user", "content": "more"})
        last = compactor.on_request(messages).report.tokens_after
    assert first * 1.3 < last < first * 1.7


class Words:
    """Counts words."""

    name = "words"
    exact = False

    def count(self, text: str) -> int:
        return len(text.split())


def test_pending_calls_stay() -> None:
    """Case P06."""
    call = {"id": "w1", "type": "function", "function": {"name": "pay", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "pay the invoice"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "w1", "content": '{"status":"pending"}'},
        *chat(4)[1:],
        {"role": "user", "content": "4+4?"},
    ]
    config = CompactionConfig(max_messages=4, strategies=[SlidingWindow(keep_messages=3)])
    request = Compactor(config).on_request(messages, pending=["w1"])
    assert call in [one for message in request.messages for one in message.get("tool_calls", ())]  # type: ignore[attr-defined]
    answered = [*request.messages, {"role": "tool", "tool_call_id": "w1", "content": '{"status":"paid"}'}]
    assert valid(Compactor(config).on_request(answered).messages)


@pytest.mark.anyio
async def test_five_compactions_at_once_ask_the_summarizer_once() -> None:
    """Case D06: the others see that there is room by now."""
    summarizer = ScriptedSummarizer(["SUM"] * 5)
    compactor = AsyncCompactor(small(700, strategies=[Summarize(turns=30)]), summarizer=summarizer)
    messages, results = [*chat(15), {"role": "user", "content": "now"}], []

    async def one() -> None:
        results.append(await compactor.on_request(messages))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(one)
    assert len(summarizer.requests) == 1
    assert len({json.dumps(result.messages) for result in results}) == 1
    assert sum("SUM" in str(message) for message in results[0].messages) == 1


@pytest.mark.anyio
async def test_a_compaction_that_is_cancelled_leaves_nothing_behind() -> None:
    """Case D07: the next one starts from what was there."""
    gate = anyio.Event()
    summarizer = ScriptedSummarizer(["SUM", "SUM"], gate=gate)
    compactor = AsyncCompactor(small(700, strategies=[Summarize(turns=30)]), summarizer=summarizer)
    messages = [*chat(15), {"role": "user", "content": "now"}]
    async with anyio.create_task_group() as group:
        group.start_soon(compactor.on_request, messages)
        while not summarizer.requests:
            await anyio.lowlevel.checkpoint()
        group.cancel_scope.cancel()
    gate.set()
    request = await compactor.on_request(messages)
    assert sum("SUM" in str(message) for message in request.messages) == 1
    assert request.report.last_error is None


def test_a_summarizer_that_fails_is_not_asked_with_every_request() -> None:
    """The kind of case B08: 211 compactions in one session. It is asked again when ten more messages are there."""
    summarizer = ScriptedSummarizer([ValueError("overloaded")] * 50)
    compactor = Compactor(small(300, strategies=[Summarize(turns=4)]), summarizer=summarizer)
    messages = [*chat(10), {"role": "user", "content": "now"}]
    for turn in range(20):
        request = compactor.on_request(messages)
        assert request.report.unmet
        messages += [{"role": "assistant", "content": "ok"}, {"role": "user", "content": f"turn {turn}"}]
    assert 2 <= len(summarizer.requests) <= 5


@pytest.mark.parametrize("adopts", [True, False])
def test_there_is_one_summary_however_often_it_is_made(adopts: bool) -> None:
    """S04, D01: a later summary takes up the earlier one, whichever list the host goes on with."""
    summarizer = ScriptedSummarizer([f"SUM{number}" for number in range(99)])
    compactor = Compactor(small(700, strategies=[Summarize(turns=12)]), summarizer=summarizer)
    messages: list[Any] = chat(2)
    request = compactor.on_request(messages)
    for turn in range(60):
        messages = [*messages, {"role": "user", "content": f"say more of {turn} " + "word " * 20}]
        request = compactor.on_request(messages)
        assert sum("SUM" in str(message) for message in request.messages) <= 1
        messages = list(request.messages) if adopts else messages
        messages.append({"role": "assistant", "content": "word " * 20})
    assert 3 < len(summarizer.requests) < 30
    assert "SUM" in str(request.messages[1])
    assert all(one.previous for one in summarizer.requests[1:])


def test_a_summary_is_known_again_by_a_compactor_that_is_told_what_was_emitted() -> None:
    """C18: by its hash, never by its text; a user who writes the same words is not taken for it."""
    first = Compactor(small(700, strategies=[Summarize(turns=12)]), summarizer=ScriptedSummarizer(["SUM0"] * 9))
    kept = json.loads(json.dumps(first.on_request([*chat(20), {"role": "user", "content": "go"}]).messages))
    assert "SUM0" in str(kept[1])
    later = [*kept, *chat(20)[1:], {"role": "user", "content": "go on"}]
    for emitted, previous in ((first.emitted, True), ((), False)):
        summarizer = ScriptedSummarizer(["SUM1"] * 9)
        config = small(700, strategies=[Summarize(turns=12)])
        Compactor(config, summarizer=summarizer, emitted=emitted).on_request(later)
        assert bool(summarizer.requests[0].previous) is previous


def test_what_goes_beside_the_messages_is_no_error_of_the_count() -> None:
    """Item 3: a provider counts the system prompt and the tools too."""
    compactor = Compactor(small(100_000), format="anthropic")
    beside: dict[str, Any] = {"system": "be brief " * 500, "tools": [{"name": "f", "description": "long " * 500}]}
    first = compactor.on_request(chat(10)[1:], **beside).report.tokens_after
    for _ in range(5):
        compactor.record_usage(first)
        assert compactor.on_request(chat(10)[1:], **beside).report.tokens_after == first


@pytest.mark.parametrize("wrong", [None, 1.5, True])
def test_what_is_no_number_of_tokens_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="input_tokens"):
        Compactor().record_usage(wrong)


def test_the_gauge_is_what_the_triggers_count() -> None:
    """S4.8, S4.10, S4.47."""
    messages = chat(6)
    whole = Compactor().count_tokens(messages)
    report = Compactor(CompactionConfig(max_tokens=whole + 1, max_fraction=None)).on_request(messages).report
    assert report.tokens_before == whole
    assert not report.compacted
    assert Compactor(CompactionConfig(max_tokens=whole, max_fraction=None)).on_request(messages).report.compacted


def test_an_item_of_a_new_type_may_come_later_in_a_conversation() -> None:
    """Item 1: what is not understood is carried through in order."""
    compactor = Compactor()
    messages: list[Any] = [{"role": "user", "content": "go"}, {"type": "reasoning", "id": "rs_1", "summary": []}]
    messages.append({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "done"}]})
    compactor.on_request(messages)
    messages += [{"type": "hologram", "beam": "x9"}]
    assert compactor.on_request(messages).messages == messages
    messages += [{"role": "user", "content": "more"}]
    assert compactor.on_request(messages).messages == messages


def test_views_of_mappings_and_no_tools_are_taken() -> None:
    messages = [MappingProxyType(message) for message in chat(3)]
    compactor = Compactor(CompactionConfig(max_messages=2))
    assert len(compactor.on_request(messages, tools=None).messages) == 2


def test_a_message_that_is_nested_too_deep_is_refused_by_its_place() -> None:
    deep: Any = "x"
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises(InvalidMessages, match=r"messages\[1\] .* nested too deep"):
        Compactor().on_request(
            [{"role": "user", "content": "a"}, {"role": "user", "content": [{"type": "x", "y": deep}]}]
        )
