"""Cases of summaries and of the archive, each through a `Compactor` as a host uses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

import anyio
import pytest

from memoranda import InMemoryStore
from memoranda.compaction.compactor import AsyncCompactor
from memoranda.compaction.config import CompactionConfig
from memoranda.compaction.report import Compacted
from memoranda.compaction.strategies.drop_turns import DropTurns
from memoranda.compaction.strategies.offload import Offload
from memoranda.compaction.strategies.summarize import Summarize
from memoranda.compaction.summary import MARK
from memoranda.errors import StoreBusy
from memoranda.memory.archive import StoreArchive
from memoranda.memory.context import Context
from memoranda.records.archived import ArchiveReceipt
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.records.span import Span
from memoranda.testing.summarizer import ScriptedSummarizer
from tests.messages.notation import wire

pytestmark = pytest.mark.anyio
CaseOf = Callable[[str], dict[str, Any]]
Chat = list[dict[str, Any]]


def compactor(*strategies: Any, **given: Any) -> AsyncCompactor:
    bounds = {name: given.pop(name) for name in ("max_tokens", "max_messages") if name in given}
    config = CompactionConfig(strategies=strategies, max_fraction=None, **bounds)
    return AsyncCompactor(config, **given)


def archive() -> StoreArchive:
    return StoreArchive(Context(store=InMemoryStore()), Scope("acme/alice"), SessionKey("s1"))


def listed(result: Compacted) -> Chat:
    return [cast("dict[str, Any]", message) for message in result.messages]


def contents(messages: Any) -> list[str]:
    return [message["content"] for message in messages]


def summaries(messages: Any) -> list[int]:
    return [place for place, text in enumerate(contents(messages)) if text.startswith(MARK)]


async def test_s04_one_summary_after_three_compactions(case: CaseOf) -> None:
    """Case S04: a host goes on with the list that it was given."""
    given = case("S04")["input"]
    messages, tail = wire(given["messages"]), wire(given["messages"])[-1]
    mine = compactor(Summarize(**given["strategy"]["summarize"]), max_messages=4, summarizer=ScriptedSummarizer("SUM"))
    for _ in range(given["times"]):
        result = await mine.on_request(messages)
        assert result.report.last_error is None
        messages = listed(result)
        assert summaries(messages) == [1]
        assert messages[0]["role"] == "system"
        assert messages[1]["role"] == "user"
        assert messages[-1] == tail
    assert messages[1]["content"].startswith(f"{MARK} SUM")


async def test_b05_no_picture_reaches_the_summarizer(case: CaseOf) -> None:
    """Case B05."""
    given = case("B05")["input"]
    summarizer = ScriptedSummarizer(lambda request: f"{len(request.prompt)} characters")
    mine = compactor(Summarize(turns=2), summarizer=summarizer)
    await mine.compress(_pictured(given["messages"]))
    (request,) = summarizer.requests
    assert "c-7" in request.prompt
    assert "[image image/png]" in request.prompt
    assert len(request.prompt) < 4000


def _pictured(messages: Any) -> Chat:
    """Writes the case's picture as OpenAI Chat has it."""
    made = wire(messages)
    for message in made:
        blocks = message["content"] if isinstance(message["content"], list) else []
        for number, block in enumerate(blocks):
            if block["type"] == "image":
                url = f"data:{block['media_type']};base64,{block['data']}"
                blocks[number] = {"type": "image_url", "image_url": {"url": url}}
    return made


async def test_b08_a_bad_summary_is_refused_and_the_next_strategy_runs(case: CaseOf) -> None:
    """Case B08."""
    given = case("B08")["input"]
    messages = wire(given["messages"])
    for reply in given["fake_summaries"]:
        summarize = Summarize(**given["strategy"]["summarize"])
        alone = await compactor(summarize, summarizer=ScriptedSummarizer([reply])).compress(messages)
        assert list(alone.messages) == messages
        assert "summarize: the summar" in str(alone.report.last_error)
        both = await compactor(summarize, DropTurns(turns=2), summarizer=ScriptedSummarizer([reply])).compress(messages)
        assert both.report.last_error == alone.report.last_error
        assert list(both.messages) == [messages[0], *messages[3:]]


async def test_b09_a_history_larger_than_the_summarizers_window(case: CaseOf) -> None:
    """Case B09."""
    given = case("B09")["input"]
    messages = wire(given["messages"])
    summarizer = ScriptedSummarizer(given["fake_summary"])
    window = given["summarizer_window_tokens"]
    mine = compactor(
        Summarize(turns=20, summarizer_tokens=window), summarizer=summarizer, max_tokens=given["budget_tokens"]
    )
    result = await mine.on_request(messages)
    assert len(summarizer.requests) > 1
    assert all(mine.count_tokens([_user(request.prompt)]) <= window for request in summarizer.requests)
    assert result.report.tokens_after < given["budget_tokens"]
    covered = sum(len(request.messages) for request in summarizer.requests)
    (place,) = summaries(result.messages)
    assert list(result.messages[place + 1 :]) == messages[place + covered :]
    assert len(result.report.taken) >= covered


def _user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


async def test_b10_what_no_call_covered_is_there(case: CaseOf) -> None:
    """Case B10: the first call fails; nothing leaves for it."""
    given = case("B10")["input"]
    replies = [RuntimeError(one["error"]) if "error" in one else one["reply"] for one in given["fake_llm"]]
    summarizer = ScriptedSummarizer(replies)
    mine = compactor(Summarize(turns=20), summarizer=summarizer)
    messages = wire(given["messages"])
    failed = await mine.compress(messages)
    assert list(failed.messages) == messages
    assert "context_length_exceeded" in str(failed.report.last_error)
    done = await mine.compress(messages)
    sent = "".join(summarizer.requests[1].messages)
    assert all(f"code {1000 + n}" in sent for n in range(20))
    assert len(done.messages) == 3


async def test_d01_the_cap_of_a_summary_holds_in_every_round(case: CaseOf) -> None:
    """Case D01."""
    given = case("D01")["input"]
    summarizer = ScriptedSummarizer(lambda request: request.previous + "It grew a little. " * 112)
    strategy = Summarize(**given["strategy"]["summarize"], max_characters=4000)
    mine = compactor(strategy, summarizer=summarizer, max_messages=8)
    messages: Chat = [{"role": "system", "content": "s"}]
    for round in range(given["rounds"]):
        for turn in range(4):
            messages += [
                _user(f"question {round}.{turn} " + "word " * 200),
                {"role": "assistant", "content": "a " * 900},
            ]
        messages = listed(await mine.on_request([*messages, _user("now")]))
        (place,) = summaries(messages)
        assert len(messages[place]["content"]) <= 4000
    assert len(summarizer.requests) >= given["rounds"]


async def test_d02_facts_named_early_are_found(case: CaseOf) -> None:
    """Case D02: in the request, and by recall of the archive."""
    given = case("D02")["input"]
    kept = archive()
    summarizer = ScriptedSummarizer(lambda request: "\n".join(request.must_keep) or "Nothing.")
    mine = compactor(Summarize(turns=10), summarizer=summarizer, archive=kept, max_messages=12)
    messages: Chat = [{"role": "system", "content": "s"}, *map(_user, given["facts"])]
    for _ in range(given["filler_turns"]):
        messages += [{"role": "assistant", "content": "It is done as you said. " * 8}, _user("Now go on with it. " * 8)]
        messages = listed(await mine.on_request(messages))
    for probe in given["probes"]:
        assert probe in "".join(contents(messages))
        assert probe in (await kept.recall(probe))[0].entry.memory
    assert len(summarizer.requests) > 3


async def test_d03_rules_are_never_summarized(case: CaseOf) -> None:
    """Case D03."""
    given = case("D03")["input"]
    summarizer = ScriptedSummarizer(given["fake_summary"])
    mine = compactor(Summarize(**given["strategy"]["summarize"]), summarizer=summarizer, max_messages=20)
    messages = wire(given["messages"])
    for _ in range(3):
        messages = listed(await mine.on_request(messages))
        assert messages[0]["content"] == given["messages"][0]["c"]
        assert "rules" not in "".join(text for request in summarizer.requests for text in request.messages)
    assert summarizer.requests


async def test_d04_the_tail_is_not_in_the_summary(case: CaseOf) -> None:
    """Case D04."""
    given = case("D04")["input"]
    summarizer = ScriptedSummarizer(lambda request: request.prompt[-20:])
    mine = compactor(Summarize(**given["strategy"]["summarize"]), summarizer=summarizer)
    result = await mine.compress(wire(given["messages"]))
    assert "LAST-INSTR-77" not in summarizer.requests[0].prompt
    assert "".join(contents(result.messages)).count("LAST-INSTR-77") == 1


async def test_d06_several_compactions_at_once_are_one(case: CaseOf) -> None:
    """Case D06: one call, one summary; the others see that there is room."""
    count = len(case("D06")["input"]["parallel"])
    gate = anyio.Event()
    summarizer = ScriptedSummarizer("SUM", gate=gate)
    mine = compactor(Summarize(turns=6), summarizer=summarizer, max_messages=8)
    messages: Chat = [{"role": "system", "content": "s"}, *[_user(f"question {n} " + "word " * 30) for n in range(10)]]
    results: list[Any] = []

    async def work() -> None:
        results.append(await mine.on_request(messages))

    async with anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(work)
        await anyio.wait_all_tasks_blocked()
        gate.set()
    assert len(summarizer.requests) == 1
    assert [summaries(result.messages) for result in results] == [[1]] * count
    assert all(result.report.last_error is None for result in results)


async def test_d07_aborted_half_way_nothing_is_left_of_it(case: CaseOf) -> None:
    """Case D07: the next request is as if the first had never been."""
    assert case("D07")["input"]["op"] == "compact"
    gate, kept = anyio.Event(), archive()
    mine = compactor(Summarize(turns=6), summarizer=ScriptedSummarizer("SUM", gate=gate), archive=kept, max_messages=8)
    messages: Chat = [{"role": "system", "content": "s"}, *[_user(f"question {n} " + "word " * 30) for n in range(10)]]
    before = [dict(message) for message in messages]
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(mine.on_request, messages)
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert (messages, mine.emitted) == (before, frozenset())
    assert (await kept.usage()).entries == 0
    gate.set()
    assert summaries((await mine.on_request(messages)).messages) == [1]


class BusyAtFirst(StoreArchive):
    """An archive whose store is held by others when it is first asked."""

    busy = True

    async def keep(self, spans: Sequence[Span]) -> ArchiveReceipt:
        if self.busy:
            self.busy = False
            raise StoreBusy("the store was busy for 10 seconds")
        return await super().keep(spans)


async def test_s4_31_offload_fails_and_summarize_goes_on() -> None:
    """S4.22, S4.31: the messages are summarized, and the error is told."""
    messages: Chat = [{"role": "system", "content": "s"}, *[_user(f"question {n} " + "word " * 100) for n in range(4)]]
    kept = BusyAtFirst(Context(store=InMemoryStore()), Scope("acme/alice"), SessionKey("s1"))
    mine = compactor(Offload(turns=2), Summarize(turns=2), summarizer=ScriptedSummarizer("SUM"), archive=kept)
    result = await mine.compress(messages)
    assert result.report.last_error == "offload: the store was busy for 10 seconds"
    assert summaries(result.messages) == [1]
    assert list(result.messages[2:]) == messages[3:]
    assert (await kept.usage()).entries == 2


async def test_c52_the_answer_that_was_compacted_away_is_found() -> None:
    """C52, design D13: what the request lost, recall of the archive and of the scope finds."""
    kept = archive()
    mine = compactor(Offload(turns=2), archive=kept)
    messages: Chat = [
        {"role": "system", "content": "s"},
        _user("My sister Ann lives in Lisbon."),
        {"role": "assistant", "content": "Noted."},
        _user("Where does my sister live?"),
    ]
    result = await mine.compress(messages)
    assert "Lisbon" not in "".join(contents(result.messages))
    (span, _) = result.report.taken
    assert (await kept.recall(messages[-1]["content"]))[0].entry.source == f"archive/{span.handle}"
    assert (await kept.expand(span.handle)).wire == messages[1]
