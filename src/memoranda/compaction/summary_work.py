"""Summarizing messages in calls that each fit the summarizer (cases B09, B10)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from memoranda.compaction.draft import Cost, Draft
from memoranda.compaction.error_text import is_error_text
from memoranda.compaction.must_keep import kept_lines
from memoranda.compaction.summary import Summary, bounded, text_room
from memoranda.errors import SummarizerError
from memoranda.messages.readable import titled
from memoranda.protocols.summarizer import Summarizer
from memoranda.records.message import user_message
from memoranda.records.summary import SummaryRequest
from memoranda.text.clamp import clamp_chars
from memoranda.text.escape import escaped

_SHOWN: Final = 200  # characters of an error that a report shows
_LEAST_SHARE: Final = 4  # a call in which less than a fourth is left for messages would only repeat the summary


@dataclass(frozen=True, slots=True)
class _Unit:
    """A group that waits to be summarized, or what is left of it.

    Attributes:
        group: its places.
        texts: its messages as lines for the summarizer, in pieces where one did not fit a call.
        sizes: tokens of each.
    """

    group: tuple[int, ...]
    texts: tuple[str, ...]
    sizes: tuple[int, ...]

    def split(self, room: int, cost: Cost) -> tuple[tuple[str, ...], _Unit]:
        """Returns the texts that fit a call, at least a piece of one, and the rest."""
        number = 0
        while self.sizes[number] <= room:
            room -= self.sizes[number]
            number += 1
        if number:
            return self.texts[:number], _Unit(self.group, self.texts[number:], self.sizes[number:])
        text, size = self.texts[0], self.sizes[0]
        end = max(1, len(text) * room // size)
        while end > 1 and _tokens(text[:end], cost) > room:
            end = end * 3 // 4
        rest = text[end:]
        left = _Unit(self.group, (rest, *self.texts[1:]), (_tokens(rest, cost), *self.sizes[1:]))
        return (text[:end],), left


@dataclass(frozen=True, slots=True)
class _Step:
    """One call of the summarizer.

    Attributes:
        request: what it is asked.
        finished: groups that are summarized whole with it.
        waiting: what waits for the next one.
    """

    request: SummaryRequest
    finished: tuple[tuple[int, ...], ...]
    waiting: tuple[_Unit, ...]


_MOST_GROWTH = 2
"""A reply so many times as long as what it was given is no summary that only needs cutting (case B08)."""


class SummaryWork:
    """Summarizes groups step by step.

    Args:
        draft: the request.
        groups: what to summarize, oldest first.
        summarizer: what is asked.
        most_tokens: most tokens of one call's prompt.
        max_characters: longest summary as it is written.

    Attributes:
        covered: groups that the summary stands for.
        summary: what they come to, earlier summaries included. It says nothing of any other group.
    """

    def __init__(
        self,
        draft: Draft,
        groups: Iterable[tuple[int, ...]],
        summarizer: Summarizer,
        *,
        most_tokens: int,
        max_characters: int,
    ) -> None:
        earlier = [Summary.read(draft.messages[place].text) for place in sorted(draft.summaries)]
        self.covered: list[tuple[int, ...]] = []
        self.summary = Summary.joined(earlier)
        self._draft = draft
        self._most_tokens = most_tokens
        self._max_characters = max_characters
        self._summarizer = summarizer
        self._waiting = tuple(self._unit(group) for group in groups)

    async def run(self) -> None:
        """Summarizes all groups, or as many as there are answers for.

        Raises:
            SummarizerError: a step failed; `covered` and `summary` are those of the steps before it.
        """
        summary = self.summary
        while self._waiting:
            step = self._step(summary)
            reply = await self._answer(step.request)
            summary = bounded(reply, step.request.must_keep, self._max_characters)
            self._waiting = step.waiting
            self.covered += step.finished
            if step.finished:
                self.summary = summary

    def _unit(self, group: tuple[int, ...]) -> _Unit:
        texts = tuple(escaped(titled(self._draft.messages[place])) for place in group)
        return _Unit(group, texts, tuple(_tokens(text, self._draft.cost) for text in texts))

    def _step(self, summary: Summary) -> _Step:
        """Returns the next call: as many of the oldest groups as fit it, or a part of one that fits none."""
        limit = self._most_tokens
        room = limit
        while room >= limit // _LEAST_SHARE:
            step = self._filled(summary, room)
            over = _tokens(step.request.prompt, self._draft.cost) - limit
            if over <= 0:
                return step
            room -= over
        raise SummarizerError(
            f"`summarizer_tokens` = {limit:,} leaves too little room beside the summary so far; raise it, or lower "
            f"`max_characters` = {self._max_characters:,}"
        )

    def _filled(self, summary: Summary, room: int) -> _Step:
        texts: list[str] = []
        finished: list[tuple[int, ...]] = []
        waiting = self._waiting
        while waiting and (size := sum(waiting[0].sizes)) <= room:
            texts += waiting[0].texts
            finished.append(waiting[0].group)
            waiting, room = waiting[1:], room - size
        touched = list(finished)
        if waiting and not finished:
            touched = [waiting[0].group]
            head, rest = waiting[0].split(room, self._draft.cost)
            texts += head
            waiting = (rest, *waiting[1:])
        messages = (self._draft.messages[place] for group in touched for place in group)
        request = SummaryRequest(
            messages=tuple(texts),
            previous=summary.text,
            must_keep=tuple(kept_lines(summary.also, summary.text, messages)),
            max_characters=text_room(self._max_characters),
        )
        return _Step(request, tuple(finished), waiting)

    async def _answer(self, request: SummaryRequest) -> str:
        try:
            reply: object = await self._summarizer.summarize(request)
        except Exception as error:
            raise SummarizerError(
                f"the summarizer failed: {str(error) or type(error).__name__}; where a request was too long for it, "
                f"lower `summarizer_tokens` = {self._most_tokens:,}"
            ) from error
        if not isinstance(reply, str):
            raise SummarizerError(f"the summarizer gave {type(reply).__name__} in place of a text")
        if not escaped(reply):
            raise SummarizerError("the summarizer gave an empty text")
        if is_error_text(reply):
            raise SummarizerError(f"the summarizer gave the text of an error: {clamp_chars(escaped(reply), _SHOWN)}")
        given = len(request.previous) + sum(map(len, request.messages))
        if len(reply) > _MOST_GROWTH * given:
            raise SummarizerError(f"the summarizer gave {len(reply):,} characters for {given:,}; that is no summary")
        return reply


def _tokens(text: str, cost: Cost) -> int:
    return cost(user_message(text))
