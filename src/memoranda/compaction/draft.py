"""A request that is being shortened: its messages, what they cost, what must stay, and what was taken so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from memoranda.compaction.budget import RequestBudget
from memoranda.compaction.handles import alone, handle_of, line
from memoranda.messages.pairs import groups
from memoranda.messages.pins import pins
from memoranda.records.message import Message, Part, Role
from memoranda.records.span import Fate, Span

Cost = Callable[[Message], int]
"""Tells how many tokens a message has in a request, its framing included."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """One state of a request on its way to fit. Strategies take one and return another, or the same one.

    Attributes:
        messages: the messages as they stand.
        sizes: tokens of each.
        sources: for each the place in `given` that it came from; None for one that compaction made.
        given: the messages as they came in, whatever was done since.
        budget: what must be kept.
        cost: counts a message that is new or changed, as the budget counts.
        weight: counts what a provider bills for a message, however the budget counts; `cost` when it is None.
        pending: ids of calls that still wait for their answer, such as a person's consent.
        archived: whether what is taken stays readable under its handle.
        last_pass: whether there will be no further pass over the strategies.
        taken: what was taken so far, in order.
        troubles: what strategies could not do, where they did the rest; in order.
        latest: the place in `given` of what came in last, where mending moved it, as it does the answer to a pending
            call; None where it is the last message.
        summarized: places in `given` of summaries that were made for earlier requests.
    """

    messages: tuple[Message, ...]
    sizes: tuple[int, ...]
    sources: tuple[int | None, ...]
    given: tuple[Message, ...]
    budget: RequestBudget
    cost: Cost
    weight: Cost | None = None
    pending: frozenset[str] = frozenset()
    archived: bool = False
    last_pass: bool = False
    taken: tuple[Span, ...] = ()
    troubles: tuple[str, ...] = ()
    latest: int | None = None
    summarized: frozenset[int] = frozenset()

    @cached_property
    def tokens(self) -> int:
        """Tokens of the whole request."""
        return sum(self.sizes)

    @property
    def is_enough(self) -> bool:
        """Whether nothing more needs to be taken."""
        return self.budget.is_enough(len(self.messages), self.tokens)

    @property
    def differs(self) -> bool:
        """Whether something of what came in was taken, or something put in."""
        if len(self.messages) != len(self.given):
            return True
        return any(one is not other for one, other in zip(self.messages, self.given, strict=True))

    @cached_property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """Places of messages that stand or fall together, such as a call and its results; in order of the first."""
        return tuple(groups(self.messages, self.pending))

    @cached_property
    def newest(self) -> int:
        """The place of what came in last; of the last message where that has left; -1 where there is none."""
        if self.latest is not None and self.latest in self.sources:
            return self.sources.index(self.latest)
        return len(self.messages) - 1

    @cached_property
    def summaries(self) -> frozenset[int]:
        """Places of summaries that `Summarize` made, now or for an earlier request; never found by their text."""
        return frozenset(
            place
            for place, (message, source) in enumerate(zip(self.messages, self.sources, strict=True))
            if source in self.summarized or (source is None and message.role is Role.USER)
        )

    @cached_property
    def pins(self) -> frozenset[int]:
        """Places that must stay: the first system message, the last user message, pending calls, and their groups.

        A summary is in the user's role, but it is no message of the user's: it never takes the place of the last one.
        """
        messages = [
            replace(message, parts=()) if place in self.summaries else message
            for place, message in enumerate(self.messages)
        ]
        return pins(messages, self.groups, self.pending)

    def removable(self) -> list[tuple[int, ...]]:
        """Returns the groups that may leave, oldest first, and behind them an earlier summary.

        A summary stands for messages that have left already: it leaves only where nothing else is left to (case D02).
        Under a bound the newest group is not among them before the last pass, and in the last pass it comes last: a
        model that cannot see what its last call gave would call again (case P10).
        """
        free = [group for group in self.groups if self.pins.isdisjoint(group)]
        free.sort(key=lambda group: not self.summaries.isdisjoint(group))
        if self.budget.is_unlimited:
            return free
        older = [group for group in free if self.newest not in group]
        return [*older, *(group for group in free if self.newest in group)] if self.last_pass else older

    def part_tokens(self, place: int, part: Part) -> int:
        """Returns what a provider bills for a part in the message at a place, in tokens; framing is left out."""
        message, weigh = self.messages[place], self.weight or self.cost
        frame = weigh(Message(message.role, (), message.wire))
        if self.weight is None and len(message.parts) == 1 and message.parts[0] is part:
            return self.sizes[place] - frame  # the usual case: it was counted before
        return weigh(Message(message.role, (part,), message.wire)) - frame

    def original(self, place: int) -> Message:
        """Returns the message at a place as it came in."""
        source = self.sources[place]
        return self.messages[place] if source is None else self.given[source]

    def edit(self, by: str) -> Edit:
        """Begins a change of this draft by the strategy of that name."""
        return Edit(self, by)


class Edit:
    """Gathers the changes of one strategy and applies them at once, so that each costs what it changes.

    Attributes:
        saved: tokens that the changes save so far.
        count: messages that leave so far.
    """

    def __init__(self, draft: Draft, by: str) -> None:
        self.saved = 0
        self.count = 0
        self._draft = draft
        self._by = by
        self._rewritten: dict[int, tuple[Message, int]] = {}
        self._dropped: set[int] = set()
        self._inserted: dict[int, Message] = {}
        self._taken: list[Span] = []

    @property
    def is_enough(self) -> bool:
        """Whether the request would keep its budget with the changes so far."""
        return self._draft.budget.is_enough(*self._size)

    @property
    def may_stop(self) -> bool:
        """Whether the strategy may end here: a bound of tokens is kept with the changes so far.

        A bound of messages does not end a strategy early, nor does it without a bound (S4.15, S4.27).
        """
        return self._draft.budget.tokens is not None and self.is_enough

    @property
    def is_over(self) -> bool:
        """Whether the request would still be over its budget with the changes so far."""
        return self._draft.budget.is_over(*self._size)

    @property
    def _size(self) -> tuple[int, int]:
        """Messages and tokens with the changes so far."""
        return len(self._draft.messages) - self.count + len(self._inserted), self._draft.tokens - self.saved

    def line(self, place: int, part: int, what: str, tokens: int | None = None) -> str:
        """Returns the line that may stand for the part at a place, or for some of it.

        Args:
            place: the message's place.
            part: the part's place in the message.
            what: what it was, and what became of it; its size and handle are added.
            tokens: how large that is; None for the part as it came in.
        """
        if tokens is None:
            tokens = self._draft.part_tokens(place, self._draft.original(place).parts[part])
        return line(what, tokens, self.handle(place, part))

    def handle(self, place: int, part: int) -> str | None:
        """Returns the handle under which the part at a place will be readable; None where nothing keeps it."""
        return handle_of(alone(self._draft.original(place), part)) if self._draft.archived else None

    def rewrite(self, place: int, parts: Mapping[int, tuple[Part, Fate]]) -> bool:
        """Puts other parts into one message, and notes what they take the place of.

        A part that would not be smaller than the one in its place is left out; so are all where the message would not
        get smaller.

        Args:
            place: the message's place.
            parts: new parts by their place in the message, each with what became of the old one.

        Returns:
            Whether anything was done.
        """
        draft = self._draft
        message, size = self._rewritten.get(place, (draft.messages[place], draft.sizes[place]))
        smaller = {
            number: new for number, new in parts.items() if self._is_smaller(place, new[0], message.parts[number])
        }
        if not smaller:
            return False
        changed = message.with_parts(
            tuple(smaller[number][0] if number in smaller else part for number, part in enumerate(message.parts))
        )
        cost = draft.cost(changed)
        if cost > size or (cost == size and draft.weight is None):
            return False
        self._rewritten[place] = (changed, cost)
        self.saved += size - cost
        original = draft.original(place)
        self._taken += [self._span(alone(original, number), place, fate) for number, (_, fate) in smaller.items()]
        return True

    def drop(self, places: Collection[int], fate: Fate = Fate.DROPPED) -> None:
        """Lets messages leave. The caller sees to it that whole groups leave, and no pin."""
        for place in sorted(set(places) - self._dropped):
            _, size = self._rewritten.get(place, (None, self._draft.sizes[place]))
            self._dropped.add(place)
            self.saved += size
            self.count += 1
            self._taken.append(self._span(self._draft.original(place), place, fate))

    def insert(self, place: int, message: Message) -> None:
        """Puts a new message before the one at a place."""
        self._inserted[place] = message
        self.saved -= self._draft.cost(message)

    def finish(self) -> Draft:
        """Returns the draft with the changes; the same draft when there are none."""
        if not (self._rewritten or self._dropped or self._inserted):
            return self._draft
        draft = self._draft
        rows: list[tuple[Message, int, int | None]] = []
        for place, old in enumerate(zip(draft.messages, draft.sizes, draft.sources, strict=True)):
            if place in self._inserted:
                rows.append((self._inserted[place], draft.cost(self._inserted[place]), None))
            if place not in self._dropped:
                message, size = self._rewritten.get(place, old[:2])
                rows.append((message, size, old[2]))
        return replace(
            draft,
            messages=tuple(row[0] for row in rows),
            sizes=tuple(row[1] for row in rows),
            sources=tuple(row[2] for row in rows),
            taken=(*draft.taken, *self._taken),
        )

    def _is_smaller(self, place: int, new: Part, old: Part) -> bool:
        return self._draft.part_tokens(place, new) < self._draft.part_tokens(place, old)

    def _span(self, message: Message, place: int, fate: Fate) -> Span:
        draft = self._draft
        return Span(
            handle=handle_of(message),
            message=message,
            fate=fate,
            tokens=draft.sizes[place]
            if len(message.parts) == len(draft.messages[place].parts)
            else draft.cost(message),
            index=None if place in draft.summaries else draft.sources[place],
            by=self._by,
        )
