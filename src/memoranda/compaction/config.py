"""What compaction is told to do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memoranda.compaction.budget import RequestBudget
from memoranda.compaction.strategies.clamp_oversized_messages import ClampOversizedMessages
from memoranda.compaction.strategies.clear_tool_inputs import ClearToolInputs
from memoranda.compaction.strategies.clear_tool_results import ClearToolResults
from memoranda.compaction.strategies.deduplicate_file_reads import DeduplicateFileReads
from memoranda.compaction.strategies.degrade_media import DegradeMedia
from memoranda.compaction.strategies.drop_observations import LIMIT, DropObservations
from memoranda.compaction.strategies.drop_turns import TURNS, DropTurns
from memoranda.compaction.strategies.offload import Offload
from memoranda.compaction.strategies.sliding_window import SlidingWindow
from memoranda.compaction.strategies.summarize import Summarize
from memoranda.compaction.strategy import AwaitingStrategy, CompactionStrategy
from memoranda.errors import InvalidInput
from memoranda.protocols.usage import ContextUsageObserver, ContextWindowResolver
from memoranda.records.graph import GraphContextConfig

Strategy = CompactionStrategy | AwaitingStrategy


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """When a request is compacted, and how. Names and defaults are the seed's (S4.5); what is ours is marked.

    Of the triggers `max_messages` comes first, then `max_tokens`, then `max_fraction` (S4.7).

    Attributes:
        encoder_name: an encoding such as `o200k_base`, or a model such as `gpt-4o`, whose tokens are counted. Without
            the extra `tokens` they are estimated, and reports say so.
        context_window_tokens: the window, where no resolver tells another.
        max_messages: a list longer than this is compacted.
        max_tokens: a request of this many tokens is compacted. Set `max_fraction=None` with it.
        max_fraction: a request of this share of the window is compacted.
        reserve_output_tokens: tokens of the window that the answer needs; `max_fraction` is a share of the rest. (ours)
        low_fraction: compaction that has begun goes down to this share of a bound in tokens, then leaves the list alone
            until it is over again; 1 for no further than needed. (ours)
        warn_fraction: from this share of the window on the model is told once that it is nearly full; None for never.
        strategies: what to try, in order; None for all ten with their defaults (`default_strategies`).
        offload_turns: messages that a `DropTurns` without a number of its own removes in a pass.
        max_drop_system_observations: system messages that such a `DropObservations` removes in a pass.
        observers: told the size of each request.
        resolver: knows the windows of models; `ModelWindows()` has a table.
        model: the model that requests go to, for the resolver and for what pictures cost. (ours)
        counting: `all` counts everything that a provider bills: calls, results, thoughts, pictures, framing; `text`
            only the role and the texts, as the seed does (S4.10). (ours)
        graph_context: how the working graph is shown; None to leave it out.
        markers: `memoranda` for our own wording of what is injected, `seed` for the seed's (C45). (ours)
        start_with_user: whether the first message that is no system message must be the user's (C38). Anthropic's
            format always demands it. (ours)

    Raises:
        InvalidInput: `max_tokens` and `max_fraction` are both set, or a value is out of its range.
    """

    encoder_name: str = "cl100k_base"
    context_window_tokens: int = 128_000
    max_messages: int | None = None
    max_tokens: int | None = None
    max_fraction: float | None = 0.8
    reserve_output_tokens: int = 0
    low_fraction: float = 0.75
    warn_fraction: float | None = None
    strategies: Sequence[Strategy] | None = None
    offload_turns: int = TURNS
    max_drop_system_observations: int = LIMIT
    observers: Sequence[ContextUsageObserver] = ()
    resolver: ContextWindowResolver | None = None
    model: str | None = None
    counting: Literal["all", "text"] = "all"
    graph_context: GraphContextConfig | None = None
    markers: Literal["memoranda", "seed"] = "memoranda"
    start_with_user: bool = False

    def __post_init__(self) -> None:
        if self.max_tokens is not None and self.max_fraction is not None:
            raise InvalidInput(
                "`max_tokens` and `max_fraction` are both set; with `max_tokens` pass `max_fraction=None` as well"
            )
        _check_counts(self)
        for name in ("max_fraction", "warn_fraction", "low_fraction"):
            _check_fraction(name, getattr(self, name))
        if self.reserve_output_tokens >= self.context_window_tokens:
            raise InvalidInput("`reserve_output_tokens` leaves nothing of `context_window_tokens` for the request")
        _check_choices(self)

    def window(self) -> tuple[int, bool]:
        """Returns the window in tokens, and whether the resolver told it (S4.4).

        What is no whole number above 0 tells none.
        """
        told: object = self.resolver.window(self.model) if self.resolver is not None else None
        if isinstance(told, int) and not isinstance(told, bool) and told > 0:
            return told, True
        return self.context_window_tokens, False

    def budget(self, window: int) -> RequestBudget:
        """Returns the bound of a request for a model of that window (S4.7)."""
        if self.max_messages is not None:
            return RequestBudget(messages=self.max_messages)
        if self.max_tokens is None and self.max_fraction is None:
            return RequestBudget()
        tokens = self.max_tokens or int(max(1, window - self.reserve_output_tokens) * (self.max_fraction or 1.0))
        return RequestBudget(
            tokens=max(1, tokens), low_mark=int(max(1, tokens) * self.low_fraction) if self.low_fraction < 1 else None
        )

    def chosen(self) -> tuple[Strategy, ...]:
        """Returns the strategies that are tried, in order."""
        if self.strategies is not None:
            return tuple(map(self._with_numbers, self.strategies))
        return default_strategies(self.offload_turns, self.max_drop_system_observations)

    def _with_numbers(self, strategy: Strategy) -> Strategy:
        """Returns a strategy that takes its number from here where it has none, as the seed's do."""
        match strategy:
            case DropTurns(turns=None):
                return replace(strategy, turns=self.offload_turns)
            case DropObservations(limit=None):
                return replace(strategy, limit=self.max_drop_system_observations)
        return strategy


def default_strategies(offload_turns: int = TURNS, max_drop_system_observations: int = LIMIT) -> tuple[Strategy, ...]:
    """Returns the seed's eight strategies in its order, with ours beside those that they are like."""
    return (
        Offload(turns=10),
        Summarize(turns=10),
        DeduplicateFileReads(tool_name="read_file"),
        ClearToolResults(keep_pairs=3),
        ClearToolInputs(keep_pairs=3),
        DegradeMedia(),
        ClampOversizedMessages(max_part_tokens=4096),
        SlidingWindow(keep_messages=40),
        DropObservations(limit=max_drop_system_observations),
        DropTurns(turns=offload_turns),
    )


def _check_counts(config: CompactionConfig) -> None:
    for name in (
        "context_window_tokens",
        "max_messages",
        "max_tokens",
        "offload_turns",
        "max_drop_system_observations",
    ):
        value = getattr(config, name)
        optional = name in {"max_messages", "max_tokens"}
        if (value is None and optional) or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
            continue
        raise InvalidInput(f"`{name}` is {value!r}; it must be a whole number above 0{', or None' if optional else ''}")
    reserve = config.reserve_output_tokens
    if isinstance(reserve, bool) or not isinstance(reserve, int) or reserve < 0:
        raise InvalidInput(f"`reserve_output_tokens` is {reserve!r}; it must be a whole number of 0 or more")


def _check_fraction(name: str, value: object) -> None:
    if value is None and name != "low_fraction":
        return
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
        raise InvalidInput(f"`{name}` is {value!r}; it must be a share above 0 and at most 1")


def _check_choices(config: CompactionConfig) -> None:
    for name, allowed in (("counting", ("all", "text")), ("markers", ("memoranda", "seed"))):
        if getattr(config, name) not in allowed:
            raise InvalidInput(f"`{name}` is {getattr(config, name)!r}; it must be {' or '.join(map(repr, allowed))}")
    for name in ("strategies", "observers"):
        given: object = getattr(config, name)
        if given is not None and not isinstance(given, Sequence):
            raise InvalidInput(f"`{name}` is {given!r}; it must be a list")
    for observer in config.observers:
        if not isinstance(observer, ContextUsageObserver):
            raise InvalidInput(f"{observer!r} is no observer; it has no `observe`")
    if config.resolver is not None and not isinstance(config.resolver, ContextWindowResolver):
        raise InvalidInput(f"{config.resolver!r} is no resolver; it has no `window`")
    for strategy in config.strategies or ():
        if not isinstance(strategy, CompactionStrategy | AwaitingStrategy):
            raise InvalidInput(f"{strategy!r} is no strategy; it has neither `shorten` nor `shorten_awaiting`")
