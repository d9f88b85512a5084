"""What one compaction of a long list takes, and how much of that each strategy."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import median
from time import perf_counter
from typing import Final

from memoranda.bench.compaction.counters import Row
from memoranda.bench.compaction.texts import long_chat
from memoranda.bridge.drive import Stepper
from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig, Strategy, default_strategies
from memoranda.compaction.draft import Draft
from memoranda.compaction.report import CompressionReport
from memoranda.compaction.strategy import AwaitingStrategy, CompactionStrategy, Seams

LOW: Final = (0.75, 0.25)
"""Down to which shares of the list: the default of `low_fraction`, and far enough that most strategies have work."""
_LAST: Final = {"role": "user", "content": "That is the last straw. " * 20}


@dataclass(slots=True)
class _Watch:
    """Seconds that each strategy took."""

    spent: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @contextmanager
    def on(self, name: str) -> Iterator[None]:
        began = perf_counter()
        try:
            yield
        finally:
            self.spent[name] += perf_counter() - began


@dataclass(frozen=True, slots=True)
class _Timed:
    """A strategy whose time is taken."""

    strategy: CompactionStrategy
    watch: _Watch

    @property
    def name(self) -> str:
        return self.strategy.name

    def shorten(self, draft: Draft) -> Draft:
        with self.watch.on(self.name):
            return self.strategy.shorten(draft)


@dataclass(frozen=True, slots=True)
class _TimedAwaiting:
    """A strategy that awaits something, whose time is taken."""

    strategy: AwaitingStrategy
    watch: _Watch

    @property
    def name(self) -> str:
        return self.strategy.name

    async def shorten_awaiting(self, draft: Draft, seams: Seams) -> Draft:
        with self.watch.on(self.name):
            return await self.strategy.shorten_awaiting(draft, seams)


def compaction_rows(messages: int, repeats: int) -> list[Row]:
    """Measures the request with which a list of so many messages gets over its budget, with the default strategies.

    All messages but the last were counted with the request before, so what is left is compaction. Without a summarizer
    and an archive `Summarize` and `Offload` do nothing.
    """
    return [_row(messages, low, repeats) for low in LOW]


def _row(messages: int, low: float, repeats: int) -> Row:
    done = [_compact(messages, low) for _ in range(repeats)]
    report = done[0][1]
    whole = median(seconds for seconds, _, _ in done)
    own = {name: median(watch.spent[name] for _, _, watch in done) for name in done[0][2].spent}
    return {
        "messages": report.messages_before,
        "low_fraction": low,
        "ms": _milliseconds(whole),
        "strategies_ms": _milliseconds(sum(own.values())),
        "by_strategy_ms": {name: _milliseconds(seconds) for name, seconds in own.items()},
        "tokens_before": report.tokens_before,
        "tokens_after": report.tokens_after,
        "messages_after": report.messages_after,
        "passes": report.passes,
        "unmet": report.unmet,
    }


def _compact(messages: int, low: float) -> tuple[float, CompressionReport, _Watch]:
    chat, watch = long_chat(messages), _Watch()
    config = CompactionConfig(
        max_tokens=Compactor().count_tokens([*chat, _LAST]),
        max_fraction=None,
        low_fraction=low,
        strategies=[_timed(strategy, watch) for strategy in default_strategies()],
    )
    compactor = Compactor(config, driver=Stepper())  # the timed ones wait for nothing either
    compactor.on_request(chat)
    began = perf_counter()
    compacted = compactor.on_request([*chat, _LAST])
    return perf_counter() - began, compacted.report, watch


def _timed(strategy: Strategy, watch: _Watch) -> Strategy:
    return _TimedAwaiting(strategy, watch) if isinstance(strategy, AwaitingStrategy) else _Timed(strategy, watch)


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1000, 3)
