"""One request, step by step (S4.1): read, count, observe, warn, compact, show the graph, write."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final

from memoranda.compaction.budget import RequestBudget
from memoranda.compaction.calibration import Calibration
from memoranda.compaction.config import CompactionConfig
from memoranda.compaction.conversation import Conversation, continued, known_again
from memoranda.compaction.draft import Draft
from memoranda.compaction.incoming import Incoming, Reading, is_valid_still
from memoranda.compaction.injected import place_of_context, warning
from memoranda.compaction.lead import LEAD, StartWithUser, place_of_lead
from memoranda.compaction.outgoing import Outgoing
from memoranda.compaction.pipeline import Outcome, run, step
from memoranda.compaction.recognizer import Mark, Recognizer
from memoranda.compaction.report import Compacted, CompressionReport
from memoranda.compaction.strategy import AwaitingStrategy, Seams
from memoranda.errors import InvalidInput
from memoranda.messages.cost import MessageCost, compact_json
from memoranda.messages.pins import last_user
from memoranda.messages.repair import repair
from memoranda.protocols.context import ShownContext
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.records.message import Message, WireFormat, system_message
from memoranda.records.usage import ContextUsage

_log = logging.getLogger(__name__)

REST: Final = 10
"""After so many further messages a strategy that failed or took nothing is tried again: a summarizer that cannot answer
is not asked with each request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the requests of a conversation have in common.

    Attributes:
        config: when to compact, and how.
        tokenizer: what counts.
        seams: what strategies may await.
        graph: what is shown in each request; None for nothing.
        format: the format of the messages; None to detect it.
        calibration: corrects counts by what a provider reported.
    """

    config: CompactionConfig
    tokenizer: Tokenizer
    seams: Seams
    graph: ShownContext | None = None
    format: WireFormat | None = None
    calibration: Calibration = field(default_factory=Calibration)

    def recognizer(self, format: WireFormat) -> Recognizer:
        """Returns what reads and counts messages of a format."""
        return Recognizer(format, self.counter(format))

    def weight(self, format: WireFormat) -> MessageCost | None:
        """Returns what counts all that a provider bills, where the budget counts less."""
        return None if self.config.counting == "all" else MessageCost(self.tokenizer, "all", format, self.config.model)

    def counter(self, format: WireFormat) -> MessageCost:
        """Returns what counts messages of a format, and what goes with them."""
        return MessageCost(self.tokenizer, self.config.counting, format, self.config.model)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What goes with the messages of one request.

    Attributes:
        system: the system prompt, where the format has it beside the messages.
        tools: definitions of tools.
        pending: ids of calls that wait for their answer.
        text: what the turn is about; None for the last user message.

    Raises:
        InvalidInput: `pending` is one id alone.
    """

    system: object = None
    tools: Sequence[Mapping[str, Any]] | None = ()
    pending: Collection[str] = ()
    text: str | None = None

    def __post_init__(self) -> None:
        if isinstance(self.pending, str):  # a text would be taken for the ids of its letters
            raise InvalidInput(f"`pending` is {self.pending!r}; give a list of ids, such as [{self.pending!r}]")


class Request:
    """One request of a conversation, on its way through."""

    def __init__(
        self, around: Surroundings, past: Conversation, messages: Sequence[object], beside: Beside | None = None
    ) -> None:
        self._around = around
        self._config = around.config
        self._past = past
        self._beside = beside or Beside()
        self._reading = Reading.of(
            messages,
            past,
            format=around.format,
            make=around.recognizer,
            pending=self._pending,
        )
        self._cost = self._reading.recognizer.cost
        self._trouble: str | None = None

    @property
    def _pending(self) -> Collection[str]:
        return self._beside.pending

    @property
    def _incoming(self) -> Incoming:
        return self._reading.incoming

    async def answer(self) -> tuple[Conversation, Compacted]:
        """Returns the conversation with this request, and the request as it is to be sent.

        Raises:
            Exception: what an observer raised.
        """
        shown = await self._shown()
        fixed = self._fixed
        if shown is not None and self._config.counting == "all":
            fixed += self._cost(shown)
        draft = continued(self._incoming, self._past, self._fresh())
        usage = self._observed(fixed + draft.tokens)
        told = None if self._past.warned or self._reading.holds_warning else warning(self._config, usage)
        if told is not None:
            draft = _with(draft, told, self._cost(told))
        draft = replace(draft, budget=self._budget(usage.window_tokens, fixed))
        outcome = await self._compacted(draft)
        ours = _ours(outcome.draft, shown, told)
        out = self._written(outcome.draft, ours)
        if shown is not None:
            out.insert(place_of_context(out.messages, self._reading.behind), shown, self._cost(shown), Mark.GRAPH)
        report = self._report(draft, outcome, out, usage)
        if told is not None:
            report = replace(report, warned=True)
        return self._remembered(outcome, out, shown, ours), Compacted(out.wires, report)

    async def compress(self) -> tuple[dict[str, None], Compacted]:
        """Returns the hashes of what is ours, and the list after one pass of every strategy without a bound (S4.9)."""
        draft = self._fresh()
        outcome = await self._led(draft, await run(draft, self._config.chosen(), self._around.seams))
        ours = _ours(outcome.draft, None, None)
        out = self._written(outcome.draft, ours)
        return self._emitted(ours), Compacted(out.wires, self._report(draft, outcome, out, None))

    def count(self) -> int:
        """Returns the tokens of the list that came in."""
        return self._around.calibration.apply(self._fixed + sum(self._incoming.sizes))

    def _fresh(self) -> Draft:
        return Draft(
            messages=tuple(self._incoming.messages),
            sizes=tuple(self._incoming.sizes),
            sources=tuple(range(len(self._incoming.messages))),
            given=tuple(self._incoming.messages),
            budget=RequestBudget(),
            cost=self._cost,
            weight=self._around.weight(self._reading.recognizer.format),
            pending=frozenset(self._pending),
            archived=self._around.seams.archive is not None,
            latest=self._incoming.latest,
            summarized=self._reading.summaries(),
        )

    def _observed(self, counted: int) -> ContextUsage:
        window, resolved = self._config.window()
        usage = ContextUsage(
            used_tokens=self._around.calibration.apply(counted), window_tokens=window, resolved=resolved
        )
        for observer in self._config.observers:
            observer.observe(usage)
        return usage

    def _budget(self, window: int, fixed: int) -> RequestBudget:
        """Returns what the budget leaves for the messages, in tokens as they are counted here."""
        budget = self._config.budget(window)
        if budget.tokens is None:
            return budget
        if self._leads:
            fixed += self._cost(LEAD)  # there is room for it, should it be needed
        left = max(1, self._around.calibration.undo(budget.tokens) - fixed)
        low = None
        if budget.low_mark is not None:
            low = min(left - 1, max(0, self._around.calibration.undo(budget.low_mark) - fixed))
        return RequestBudget(tokens=left, low_mark=low)

    @cached_property
    def _fixed(self) -> int:
        """Tokens of what goes with the messages: a system prompt, tools, framing; the seed counts none of it."""
        if self._config.counting == "text":
            return 0
        counter = self._around.counter(self._reading.recognizer.format)
        system = self._beside.system
        told = counter(system_message(system if isinstance(system, str) else compact_json(system))) if system else 0
        return counter.request_overhead() + told + counter.tools(self._beside.tools or ())

    async def _shown(self) -> Message | None:
        graph = self._around.graph
        if graph is None or self._config.graph_context is None:
            return None
        text = self._beside.text
        if text is None:
            place = last_user(self._incoming.messages)
            text = "" if place is None else self._incoming.messages[place].text
        try:
            rendering = graph.render(text, self._config.graph_context)
            rendered = rendering if isinstance(rendering, str) else await rendering
        except Exception as error:  # noqa: BLE001  # whatever it is: memory never fails the request (C41)
            self._trouble = f"graph: {str(error) or type(error).__name__}"
            _log.warning("a request goes out without the working graph: %s", error)
            return None
        if not rendered:
            return None
        old = self._past.shown
        return old if old is not None and old.text == rendered else system_message(rendered)

    async def _compacted(self, draft: Draft) -> Outcome:
        if not draft.budget.is_over(len(draft.messages), draft.tokens):
            return Outcome(draft)
        outcome = await run(draft, self._config.chosen(), self._around.seams, self._resting())
        return await self._led(draft, outcome)

    async def _led(self, before: Draft, outcome: Outcome) -> Outcome:
        """Returns what a pipeline came to, with a list that begins with a user."""
        if not self._leads or place_of_lead(outcome.draft.messages) is None:
            return outcome
        if before.budget.tokens is None:
            await step(outcome, StartWithUser(), self._around.seams)
        elif outcome.draft.tokens + self._cost(LEAD) > before.tokens:
            # What was taken was shorter than what has to stand in its place, and too little either way.
            return replace(outcome, draft=before, actions=[])
        return outcome

    @property
    def _leads(self) -> bool:
        """Whether the request must begin with a user."""
        return self._config.start_with_user or self._reading.recognizer.format is WireFormat.ANTHROPIC

    def _written(self, draft: Draft, ours: Sequence[tuple[Message, Mark]]) -> Outgoing:
        left, notes = self._mended(draft)
        marks = {id(message): mark for message, mark in ours}
        out = Outgoing.of(left, self._reading, self._past, marks=marks, notes=notes)
        place = place_of_lead(out.messages) if self._leads else None
        if place is not None:
            out.insert(place, LEAD, self._cost(LEAD), Mark.LEAD)
        return out

    def _mended(self, draft: Draft) -> tuple[Draft, tuple[str, ...]]:
        """Returns what is left with its pairs mended; nothing is wrong unless a strategy broke one."""
        format, past = self._reading.recognizer.format, self._past
        settled = past.draft if past.settled and not self._pending else None
        if not draft.differs or (settled and is_valid_still(draft.messages, settled.messages, format)):
            return draft, ()
        result = repair(draft.messages, format, self._pending, start_with_user=False)
        if not result.notes:
            return draft, ()
        rows = zip(draft.messages, draft.sizes, draft.sources, strict=True)
        there = {id(message): (size, source) for message, size, source in rows}
        found = [there.get(id(message)) or (self._cost(message), None) for message in result.messages]
        sizes, sources = tuple(size for size, _ in found), tuple(source for _, source in found)
        return replace(draft, messages=tuple(result.messages), sizes=sizes, sources=sources), tuple(result.notes)

    def _report(
        self,
        draft: Draft,
        outcome: Outcome,
        out: Outgoing,
        usage: ContextUsage | None,
    ) -> CompressionReport:
        apply = self._around.calibration.apply
        fixed = self._fixed
        after = outcome.draft
        # A list that the model begins goes out behind `LEAD`, whether something is taken or not.
        led = int(self._leads and place_of_lead(draft.messages) is not None)
        tokens_after = apply(fixed + sum(out.sizes))
        budget = RequestBudget() if usage is None else self._config.budget(usage.window_tokens)
        over = budget.is_over(len(out.messages), tokens_after)
        places = self._incoming.places
        taken = tuple(replace(span, index=None if span.index is None else places[span.index]) for span in after.taken)
        return CompressionReport(
            usage=usage,
            budget=budget,
            tokens_before=apply(fixed + draft.tokens + led * self._cost(LEAD)),
            tokens_after=tokens_after,
            messages_before=len(draft.messages) + led,
            messages_after=len(out.messages),
            actions=tuple(outcome.actions),
            taken=taken,
            archived=after.archived,
            passes=outcome.passes,
            last_error=outcome.last_error or self._trouble,
            repairs=(*self._incoming.notes, *out.notes),
            unmet=_unmet(
                after, budget, tokens_after - apply(after.tokens), apply(self._cost(LEAD)) if self._leads else 0
            )
            if over
            else "",
            prefix_tokens=apply(out.held(self._past)),
            counted_tokens=self._reading.counted,
            counter=self._around.tokenizer.name,
        )

    def _remembered(
        self, outcome: Outcome, out: Outgoing, shown: Message | None, ours: Sequence[tuple[Message, Mark]]
    ) -> Conversation:
        resting = {name: self._past.resting[name] for name in self._resting()}
        resting |= dict.fromkeys(self._tired(outcome), len(self._incoming.messages) + REST)
        self._reading.remember(out.made.values())
        return Conversation(
            recognizer=self._reading.recognizer,
            incoming=self._incoming,
            draft=outcome.draft,
            sent=tuple(out.messages),
            settled=not out.notes and not self._pending,
            made=out.made,
            counted=self._fixed + sum(out.sizes),
            warned=self._past.warned or self._reading.holds_warning or any(mark is Mark.WARNING for _, mark in ours),
            shown=shown,
            emitted=self._emitted(ours),
            resting=resting,
        )

    def _emitted(self, ours: Iterable[tuple[Message, Mark]]) -> dict[str, None]:
        mark_of = self._reading.recognizer.mark_of
        return known_again(self._past.emitted, (mark_of(message, mark) for message, mark in ours))

    def _tired(self, outcome: Outcome) -> set[str]:
        """Returns the strategies that need not be tried with the next request: they failed, or nothing helped."""
        if outcome.passes and not outcome.actions:
            idle = {one.name for one in self._config.chosen() if isinstance(one, AwaitingStrategy)}
            return (idle - self._resting()) | outcome.failed
        return outcome.failed

    def _resting(self) -> set[str]:
        here = len(self._incoming.messages)
        return {name for name, until in self._past.resting.items() if here < until}


def _ours(draft: Draft, shown: Message | None, told: Message | None) -> list[tuple[Message, Mark]]:
    """Returns the messages of a request that are ours, each with what it is."""
    ours = [(message, mark) for message, mark in ((shown, Mark.GRAPH), (told, Mark.WARNING)) if message is not None]
    return [*ours, *((draft.messages[place], Mark.SUMMARY) for place in draft.summaries)]


def _with(draft: Draft, message: Message, tokens: int) -> Draft:
    return replace(
        draft,
        messages=(*draft.messages, message),
        sizes=(*draft.sizes, tokens),
        sources=(*draft.sources, None),
    )


def _unmet(draft: Draft, budget: RequestBudget, beside: int, lead: int) -> str:
    """Says why a request is still over its budget; `lead` tokens may be needed to begin it with a user."""
    held = sum(draft.sizes[place] for place in draft.pins)
    if budget.messages is not None:
        return f"{len(draft.messages)} messages are left of at most {budget.messages}; {len(draft.pins)} must stay"
    if budget.tokens is not None and held + beside + lead >= budget.tokens:
        return (
            f"what must stay has {held + beside:,} tokens of {budget.tokens:,}: {held:,} in the first system message, "
            f"the last user message and pending calls, {beside:,} beside the messages; shorten it, or widen the budget"
        )
    left = draft.tokens + beside
    return f"{left:,} tokens are left of {budget.tokens:,}, and no strategy takes more; add `DropTurns()`"
