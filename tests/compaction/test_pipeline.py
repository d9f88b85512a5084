"""How strategies are gone through (S4.16 to S4.18, S4.22, S4.31)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import cast

import pytest

from memoranda.compaction.budget import RequestBudget
from memoranda.compaction.draft import Draft
from memoranda.compaction.pipeline import MAX_PASSES, run
from memoranda.compaction.strategies.drop_turns import DropTurns
from memoranda.compaction.strategies.sliding_window import SlidingWindow
from memoranda.compaction.strategy import Seams
from memoranda.protocols.archive import Archive
from memoranda.records.message import Message, Role, TextPart, system_message
from tests.compaction.drafts import draft_of

pytestmark = pytest.mark.anyio


def said(count: int) -> list[Message]:
    roles = (Role.USER, Role.ASSISTANT)
    return [system_message("s"), *(Message(roles[n % 2], (TextPart(f"message {n}"),)) for n in range(count))]


def draft(count: int, budget: RequestBudget) -> Draft:
    return draft_of(said(count), budget=budget, cost=lambda message: 10)


@dataclass(frozen=True)
class Named:
    """A strategy made of a function, that notes each call."""

    name: str
    work: Callable[[Draft], Draft]
    calls: list[int]

    def shorten(self, draft: Draft) -> Draft:
        self.calls.append(len(draft.messages))
        return self.work(draft)


def dropping(count: int) -> Callable[[Draft], Draft]:
    def work(draft: Draft) -> Draft:
        edit = draft.edit("dropping")
        edit.drop([place for group in draft.removable()[:count] for place in group])
        return edit.finish()

    return work


def failing(draft: Draft) -> Draft:
    raise ValueError("it broke")


async def test_it_stops_as_soon_as_enough_was_taken() -> None:
    """S4.17: after the strategy that reached it, the next ones are not asked."""
    first, second = Named("first", dropping(5), []), Named("second", dropping(1), [])
    outcome = await run(draft(9, RequestBudget(messages=5)), [first, second], Seams())
    assert len(outcome.draft.messages) == 5
    assert (len(first.calls), len(second.calls), outcome.passes) == (1, 0, 1)


async def test_it_makes_at_most_four_passes() -> None:
    """S4.17: even when each of them makes progress."""
    slow = Named("slow", dropping(1), [])
    outcome = await run(draft(40, RequestBudget(messages=2)), [slow], Seams())
    assert (len(slow.calls), outcome.passes) == (MAX_PASSES, 4)
    assert len(outcome.draft.messages) == 41 - 4


async def test_without_progress_only_the_last_pass_is_left() -> None:
    """S4.17, C16: an action counts only when something changed."""
    idle = Named("idle", lambda draft: draft, [])
    outcome = await run(draft(40, RequestBudget(messages=2)), [idle], Seams())
    assert (len(idle.calls), outcome.passes, outcome.actions) == (2, 2, [])


async def test_without_a_bound_every_strategy_works_once() -> None:
    """S4.9."""
    first, second = Named("first", dropping(1), []), Named("second", dropping(1), [])
    outcome = await run(draft(9, RequestBudget()), [first, second], Seams())
    assert (first.calls, second.calls, outcome.passes) == ([10], [9], 1)


async def test_an_error_is_noted_and_the_next_strategy_goes_on() -> None:
    """S4.16: it never fails the request; the draft is as it was before the strategy."""
    outcome = await run(draft(9, RequestBudget(messages=5)), [Named("bad", failing, []), DropTurns(turns=5)], Seams())
    assert outcome.last_error == "bad: it broke"
    assert len(outcome.draft.messages) == 5
    assert [action.strategy for action in outcome.actions] == ["drop_turns"]


async def test_a_strategy_that_failed_is_not_asked_again_in_a_later_pass() -> None:
    bad = Named("bad", failing, [])
    await run(draft(40, RequestBudget(messages=2)), [bad, Named("slow", dropping(1), [])], Seams())
    assert len(bad.calls) == 1


async def test_the_defaults_leave_the_system_message_and_the_last_user_message() -> None:
    """S4.15, S4.30: and repeating it changes nothing more."""
    current = draft(30, RequestBudget())
    for _ in range(4):
        current = (await run(current, [SlidingWindow(), DropTurns()], Seams())).draft
    assert [message.role for message in current.messages] == [Role.SYSTEM, Role.USER]
    assert not (await run(current, [SlidingWindow(), DropTurns()], Seams())).actions


async def test_a_strategy_that_fails_once_nothing_is_archived_does_not_fail_the_request() -> None:
    """S4.16, D18: the archive fails, and so does the second try without it; both are survived."""

    class Full:
        async def keep(self, spans: object) -> None:
            raise OSError("the disk is full")

    def work(draft: Draft) -> Draft:
        return dropping(5)(draft) if draft.archived else failing(draft)

    begun = replace(draft(9, RequestBudget(messages=5)), archived=True)
    outcome = await run(begun, [Named("bad", work, []), DropTurns(turns=5)], Seams(archive=cast("Archive", Full())))
    assert outcome.last_error == "bad: it broke"
    assert not outcome.draft.archived
    assert len(outcome.draft.messages) == 5
    assert [action.strategy for action in outcome.actions] == ["drop_turns"]
