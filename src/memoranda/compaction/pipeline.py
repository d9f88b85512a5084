"""Going through the strategies until a request fits (S4.16 to S4.18)."""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from memoranda.compaction.draft import Draft
from memoranda.compaction.report import CompressionAction, action_of
from memoranda.compaction.strategy import AwaitingStrategy, CompactionStrategy, Seams
from memoranda.records.span import Fate

MAX_PASSES: Final = 4
"""How often the strategies are gone through at most (seed 4, compaction pipeline)."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Outcome:
    """What a pipeline came to.

    Attributes:
        draft: the request now.
        actions: what changed it, in order.
        passes: how often the strategies were gone through.
        last_error: what went wrong last; None when nothing did.
        failed: names of strategies that failed.
    """

    draft: Draft
    actions: list[CompressionAction] = field(default_factory=list)
    passes: int = 0
    last_error: str | None = None
    failed: set[str] = field(default_factory=set)


async def run(
    draft: Draft,
    strategies: Sequence[CompactionStrategy | AwaitingStrategy],
    seams: Seams,
    resting: Collection[str] = (),
) -> Outcome:
    """Goes through the strategies in order, again and again, and stops as soon as enough was taken.

    Without a bound there is one pass (S4.9). Under a bound there are at most `MAX_PASSES`; after a pass without
    progress only the last one is left, in which strategies go to their limits.

    Args:
        draft: the request.
        strategies: what to try, in order.
        seams: what strategies may await.
        resting: names of strategies to leave out, since they failed or took nothing a moment ago.
    """
    outcome = Outcome(draft)
    last = 1 if draft.budget.is_unlimited else MAX_PASSES
    number = 1
    while number <= last and not outcome.draft.is_enough:
        outcome.draft = replace(outcome.draft, last_pass=number == last)
        before = len(outcome.actions)
        await _pass(outcome, strategies, seams, resting)
        outcome.passes += 1
        if not draft.budget.is_over(len(outcome.draft.messages), outcome.draft.tokens):
            break
        number = number + 1 if len(outcome.actions) > before or number == last else last
    return outcome


async def _pass(
    outcome: Outcome,
    strategies: Sequence[CompactionStrategy | AwaitingStrategy],
    seams: Seams,
    resting: Collection[str],
) -> None:
    for strategy in strategies:
        if strategy.name in outcome.failed or strategy.name in resting:
            continue
        before = outcome.draft
        await step(outcome, strategy, seams)
        if outcome.draft is not before and outcome.draft.is_enough:
            return


async def step(outcome: Outcome, strategy: CompactionStrategy | AwaitingStrategy, seams: Seams) -> None:
    """Lets one strategy work, archives what it took, and notes what it did."""
    before = outcome.draft
    await _step(outcome, strategy, seams)
    after = outcome.draft
    if len(after.taken) > len(before.taken):
        taken = after.taken[len(before.taken) :]
        outcome.actions.append(action_of(strategy.name, taken, before.tokens - after.tokens))


async def _step(outcome: Outcome, strategy: CompactionStrategy | AwaitingStrategy, seams: Seams) -> None:
    """Lets one strategy work, and archives what it took. An error leaves the draft as it was (S4.22)."""
    try:
        after = await _shortened(outcome.draft, strategy, seams)
    except Exception as error:  # noqa: BLE001  # a strategy may raise anything; it must not fail the request (S4.16)
        _note(outcome, strategy.name, error)
        outcome.failed.add(strategy.name)
        return
    try:
        await _archive(outcome.draft, after, seams)
    except Exception as error:  # noqa: BLE001  # an archive may raise anything, too
        _note(outcome, f"archive of {strategy.name}", error)
        # Nothing keeps what is taken from here on, so no line may name a handle. A summary names none: it was paid for.
        if isinstance(strategy, CompactionStrategy):
            outcome.draft = replace(outcome.draft, archived=False)
            await _step(outcome, strategy, seams)
            return
        after = replace(after, archived=False)
    if len(after.troubles) > len(outcome.draft.troubles):
        outcome.last_error = f"{strategy.name}: {after.troubles[-1]}"
    outcome.draft = after


async def _shortened(draft: Draft, strategy: CompactionStrategy | AwaitingStrategy, seams: Seams) -> Draft:
    if isinstance(strategy, AwaitingStrategy):
        return await strategy.shorten_awaiting(draft, seams)
    return strategy.shorten(draft)


async def _archive(before: Draft, after: Draft, seams: Seams) -> None:
    spans = [span for span in after.taken[len(before.taken) :] if span.fate is not Fate.OFFLOADED]  # those it has
    if spans and after.archived and seams.archive is not None:
        await seams.archive.keep(spans)


def _note(outcome: Outcome, what: str, error: Exception) -> None:
    outcome.last_error = f"{what}: {str(error) or type(error).__name__}"
    _log.warning("compaction went on without %s: %s", what, error)
