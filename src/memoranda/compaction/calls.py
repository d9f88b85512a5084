"""Calls of tools and their results, as strategies go through them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from itertools import groupby

from memoranda.compaction.draft import Draft, Edit
from memoranda.compaction.handles import is_line
from memoranda.messages.blocks import holds_text
from memoranda.messages.pairs import pair_up
from memoranda.records.message import CallPart, Part, ResultPart, TextPart
from memoranda.records.span import Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call.

    Attributes:
        place: the place of its message.
        part: its place in the message.
        call: the call.
    """

    place: int
    part: int
    call: CallPart


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One result.

    Attributes:
        place: the place of its message.
        part: its place in the message.
        result: the result.
        call: the call that it answers; None where that is not in the list.
    """

    place: int
    part: int
    result: ResultPart
    call: CallPart | None

    @property
    def name(self) -> str:
        """The tool's name; `tool` where the call is not in the list."""
        return self.call.name if self.call is not None else "tool"

    @property
    def is_cleared(self) -> bool:
        """Whether one line of ours stands in its place already."""
        match self.result.parts:
            case (TextPart(text=text),):
                return is_line(text)
        return False


def calls(draft: Draft, exclude: Collection[str] = ()) -> list[Call]:
    """Returns the calls that the host runs, oldest first; those that the provider runs by itself are left out."""
    return [
        Call(place=place, part=number, call=part)
        for place, message in enumerate(draft.messages)
        for number, part in enumerate(message.parts)
        if isinstance(part, CallPart) and not part.server and part.name not in exclude
    ]


def results(draft: Draft, exclude: Collection[str] = ()) -> list[Result]:
    """Returns the results of calls that the host ran and that may say something else, oldest first."""
    called = {
        place: _part(draft, call)
        for call, places in pair_up(draft.messages, draft.pending).results.items()
        for place in places
    }
    found = []
    for place, message in enumerate(draft.messages):
        for number, part in enumerate(message.parts):
            if isinstance(part, ResultPart) and not part.server and holds_text(part):
                call = called.get((place, number))
                result = Result(
                    place=place, part=number, result=part, call=call if isinstance(call, CallPart) else None
                )
                if result.name not in exclude:
                    found.append(result)
    return found


def _part(draft: Draft, place: tuple[int, int]) -> Part:
    return draft.messages[place[0]].parts[place[1]]


def clear(draft: Draft, edit: Edit, found: Iterable[Result], what: Callable[[Result], str]) -> None:
    """Puts one line in place of what tools gave, in the order given, until the strategy may stop.

    Id and error flag stay (case P05). Pins stay, and so does what is no longer than the line.

    Args:
        draft: the draft that `edit` changes.
        edit: takes the changes.
        found: the results to clear; those of one message stand together.
        what: says what a line stands for.
    """
    for place, of_message in groupby(found, key=lambda result: result.place):
        if edit.may_stop:
            return
        if place not in draft.pins:
            lines = {
                one.part: replace(one.result, parts=(TextPart(edit.line(place, one.part, what(one))),))
                for one in of_message
                if not one.is_cleared
            }
            edit.rewrite(place, {number: (part, Fate.CLEARED) for number, part in lines.items()})
