"""When a request is compacted: defaults, triggers, and the order of the steps."""

from __future__ import annotations

from typing import Any

import pytest

from memoranda import Memory
from memoranda.compaction import (
    Budget,
    CompactionConfig,
    Compactor,
    ContextUsage,
    DropObservations,
    DropTurns,
    SlidingWindow,
    default_strategies,
)
from memoranda.errors import InvalidInput, MemorandaError
from tests.compaction.chats import chat


def test_the_defaults_are_those_of_the_seed() -> None:
    """S4.5: and ours beside them."""
    config = CompactionConfig()
    assert (config.encoder_name, config.context_window_tokens) == ("cl100k_base", 128_000)
    assert (config.max_messages, config.max_tokens, config.max_fraction) == (None, None, 0.8)
    assert (config.warn_fraction, config.offload_turns, config.max_drop_system_observations) == (None, 10, 3)
    assert config.graph_context is None
    names = [strategy.name for strategy in config.chosen()]
    assert names == [
        "offload",
        "summarize",
        "deduplicate_file_reads",
        "clear_tool_results",
        "clear_tool_inputs",
        "degrade_media",
        "clamp_oversized_messages",
        "sliding_window",
        "drop_observations",
        "drop_turns",
    ]


def test_what_is_set_for_all_strategies_reaches_the_default_ones() -> None:
    chosen = CompactionConfig(offload_turns=3, max_drop_system_observations=7).chosen()
    assert chosen == default_strategies(3, 7)
    assert [getattr(chosen[-1], "turns", 0), getattr(chosen[-2], "limit", 0)] == [3, 7]


@pytest.mark.parametrize(
    ("settings", "budget"),
    [
        ({"max_messages": 6}, Budget(messages=6)),
        ({"max_messages": 6, "max_tokens": 50, "max_fraction": None}, Budget(messages=6)),
        ({"max_tokens": 50, "max_fraction": None, "low_fraction": 1.0}, Budget(tokens=50)),
        ({"max_tokens": 100, "max_fraction": None}, Budget(tokens=100, low_mark=75)),
        ({"max_fraction": 0.5, "low_fraction": 1.0}, Budget(tokens=500)),
        ({"max_fraction": 0.5, "reserve_output_tokens": 200, "low_fraction": 1.0}, Budget(tokens=400)),
        ({"max_fraction": None}, Budget()),
    ],
)
def test_messages_come_before_tokens_and_tokens_before_the_share(settings: dict[str, Any], budget: Budget) -> None:
    """S4.7, case B11."""
    assert CompactionConfig(context_window_tokens=1_000, **settings).budget(1_000) == budget


def test_a_budget_in_messages_is_over_above_it_and_one_in_tokens_from_it_on() -> None:
    """S4.8."""
    assert [Budget(messages=6).is_over(count, 0) for count in (6, 7)] == [False, True]
    assert [Budget(tokens=50).is_over(0, tokens) for tokens in (49, 50)] == [False, True]
    assert not Budget().is_over(10**9, 10**9)


@pytest.mark.parametrize("wrong", [{"messages": 0}, {"tokens": True}, {"messages": 1, "tokens": 1}, {"low_mark": 1}])
def test_a_budget_that_cannot_be_kept_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Budget(**wrong)


def test_the_steps_come_in_the_order_of_the_seed() -> None:
    """S4.1, S4.3: the size is told before the warning is put in, and the warning is there when messages are counted."""
    told: list[ContextUsage] = []

    class Gauge:
        def observe(self, usage: ContextUsage) -> None:
            told.append(usage)

    config = CompactionConfig(
        context_window_tokens=100,
        max_messages=5,
        warn_fraction=0.1,
        strategies=[SlidingWindow(keep_messages=3)],
        observers=[Gauge()],
        counting="text",
    )
    messages = [*chat(1, words=3), {"role": "user", "content": "go"}, {"role": "assistant", "content": "went"}]
    compactor = Compactor(config)
    report = compactor.on_request(messages).report
    assert told[0].used_tokens == compactor.count_tokens(messages)
    assert report.warned
    assert (report.messages_before, report.messages_after) == (6, 3)


def test_every_error_of_compaction_is_one_of_the_tree() -> None:
    """S4.46: one kind to catch."""
    for wrong in (lambda: Compactor(CompactionConfig(encoder_name="?")), lambda: Compactor().on_request([7])):
        with pytest.raises(MemorandaError):
            wrong()


def test_an_archive_that_need_not_be_awaited_serves_as_well() -> None:
    """C52: `Session.archive` may be given to a compactor of one's own."""
    with Memory(":memory:", embedder=None) as memory:
        archive = memory.scope("acme/alice").session("s").archive
        config = CompactionConfig(max_messages=3, strategies=[SlidingWindow(keep_messages=2)])
        request = Compactor(config, archive=archive).on_request([*chat(3), {"role": "user", "content": "now"}])
        assert request.report.last_error is None
        assert archive.expand(request.report.taken[0].handle).text.startswith("question 0")


def test_a_session_knows_again_what_it_put_in_before() -> None:
    """C18, C20: the warning is not given twice, in another process either."""
    config = CompactionConfig(context_window_tokens=600, warn_fraction=0.1)
    with Memory(":memory:", embedder=None) as memory:
        session = memory.scope("acme/alice").session("s")
        first = session.compactor(config)
        kept = first.on_request(chat(2)).messages
        again = [*kept, {"role": "user", "content": "go on"}]
        assert not session.compactor(config, emitted=first.emitted).on_request(again).report.warned
        assert session.compactor(config).on_request(again).report.warned


@pytest.mark.parametrize("strategies", [[DropTurns()], [DropTurns(turns=4)]])
def test_drop_turns_takes_its_number_from_the_configuration_unless_it_has_its_own(strategies: list[DropTurns]) -> None:
    """Seed 4: `offload_turns` is how many turns `DropTurns` removes per pass."""
    request = Compactor(CompactionConfig(offload_turns=2, strategies=strategies)).compress(chat(8))
    assert len(request.report.taken) == (strategies[0].turns or 2)


def test_drop_observations_does_so_too() -> None:
    """S4.28."""
    config = CompactionConfig(max_drop_system_observations=1, strategies=[DropObservations()])
    messages = [{"role": role, "content": f"{place}"} for place, role in enumerate(["system", "user"] * 4)]
    assert len(Compactor(config).compress(messages).report.taken) == 1


@pytest.mark.parametrize(
    "wrong", [{"strategies": SlidingWindow()}, {"observers": [object()]}, {"observers": print}, {"resolver": object()}]
)
def test_what_cannot_do_its_work_is_refused_at_construction(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        CompactionConfig(**wrong)
