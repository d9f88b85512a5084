"""Putting a summary in the place of the oldest messages."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import ClassVar

import anyio

from memoranda.bridge.offload import in_event_loop
from memoranda.compaction.draft import Draft
from memoranda.compaction.strategy import Seams, check_whole
from memoranda.compaction.summary import Summary
from memoranda.compaction.summary_work import SummaryWork
from memoranda.errors import InvalidInput, SummarizerError
from memoranda.messages.pins import first_system
from memoranda.records.message import Role, user_message
from memoranda.records.span import Fate

_LEAST_CHARACTERS = 400  # of a summary: its frame, a goal, and a sentence or two


@dataclass(frozen=True, slots=True)
class Summarize:
    """Puts one user message with a summary in the place of the oldest `turns` messages (S4.20, S4.23).

    System messages and pins stay and are not shown to the summarizer (case D03), nor is anything that stays (D04).
    Messages leave in whole groups, so a few more may leave. An earlier summary is taken up into the new one, so that
    there is never more than one (S04, D01). Without a summarizer it does nothing (S4.16).

    What does not fit one call is summarized in steps, oldest first, each with the summary so far (B09). When a step
    fails or the time is up, what the steps before it covered leaves, all else stays as it is (B10), and
    `Draft.troubles` says why.

    Attributes:
        turns: messages that leave in one pass, an earlier summary not counted.
        max_characters: longest summary as it stands in the request. What is longer is cut (D01). Under a bound in
            tokens at most as many characters as the bound has tokens, which is about a quarter of it.
        summarizer_tokens: most tokens of one call's prompt, as requests are counted: less than the window of the
            summarizer's model, so that there is room for its answer.
        timeout: seconds that all calls of one pass may take.

    Raises:
        InvalidInput: a setting is out of its range.
    """

    turns: int = 10
    max_characters: int = 8_000
    summarizer_tokens: int = 8_000
    timeout: float = 60.0
    name: ClassVar[str] = "summarize"

    def __post_init__(self) -> None:
        check_whole("turns", self.turns, least=1)
        check_whole("max_characters", self.max_characters, least=_LEAST_CHARACTERS)
        check_whole("summarizer_tokens", self.summarizer_tokens, least=1)
        if isinstance(self.timeout, bool) or not isinstance(self.timeout, int | float) or not self.timeout > 0:
            raise InvalidInput(f"`timeout` is {self.timeout!r}; it must be a number of seconds above 0")

    async def shorten_awaiting(self, draft: Draft, seams: Seams) -> Draft:
        """Returns the draft with a summary; the same draft where there is nothing to summarize.

        Raises:
            SummarizerError: the summarizer failed, or gave nothing that is shorter than what it stands for.
        """
        groups = self._chosen(draft)
        if seams.summarizer is None or draft.is_enough or not groups:
            return draft
        work = SummaryWork(
            draft, groups, seams.summarizer, most_tokens=self.summarizer_tokens, max_characters=self._room(draft)
        )
        error: SummarizerError | None = None
        try:
            with _deadline(self.timeout):
                await work.run()
        except TimeoutError as late:
            error = SummarizerError(f"the summarizer took longer than `timeout` = {self.timeout:g} seconds")
            error.__cause__ = late
        except SummarizerError as failed:
            error = failed
        if error is not None and not work.covered:
            raise error
        shorter = _replaced(draft, work.covered, work.summary, self.name)
        return shorter if error is None else replace(shorter, troubles=(*shorter.troubles, str(error)))

    def _room(self, draft: Draft) -> int:
        bound = draft.budget.tokens
        return self.max_characters if bound is None else min(self.max_characters, max(_LEAST_CHARACTERS, bound))

    def _chosen(self, draft: Draft) -> list[tuple[int, ...]]:
        found: list[tuple[int, ...]] = []
        for group in draft.removable():
            if sum(map(len, found)) >= self.turns:
                break
            if not any(draft.messages[place].role is Role.SYSTEM or place in draft.summaries for place in group):
                found.append(group)
        return found


def _replaced(draft: Draft, covered: Iterable[tuple[int, ...]], summary: Summary, by: str) -> Draft:
    """Returns the draft with a summary in the place of some groups and of earlier summaries.

    Raises:
        SummarizerError: the request would not get smaller (case B08).
    """
    places = sorted({*draft.summaries, *(place for group in covered for place in group)})
    before = sum(draft.sizes[place] for place in places)
    message = user_message(summary.written())
    while (size := draft.cost(message)) >= before and summary.also:
        # A few short messages leave no room for what the summary lost; the archive still has it.
        summary = replace(summary, also=summary.also[:-1])
        message = user_message(summary.written())
    if size >= before:
        raise SummarizerError(
            f"the summary has {size:,} tokens, and the {len(places)} messages that it would stand for have {before:,}"
        )
    edit = draft.edit(by)
    edit.drop(places, Fate.SUMMARIZED)
    first = first_system(draft.messages)
    edit.insert(next((place for place in places if first is None or place > first), places[0]), message)
    return edit.finish()


def _deadline(seconds: float) -> AbstractContextManager[object]:
    """Returns what ends a wait. What never suspends runs without an event loop, and is never waited for."""
    return anyio.fail_after(seconds) if in_event_loop() else nullcontext()
