"""What a strategy is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from memoranda.compaction.draft import Draft
from memoranda.errors import InvalidInput
from memoranda.protocols.archive import Archive
from memoranda.protocols.summarizer import Summarizer


@dataclass(frozen=True, slots=True, kw_only=True)
class Seams:
    """What a strategy may await.

    Attributes:
        archive: where spans stay readable; None for none.
        summarizer: what writes summaries; None for none.
    """

    archive: Archive | None = None
    summarizer: Summarizer | None = None


@runtime_checkable
class CompactionStrategy(Protocol):
    """One way to shorten a request; a frozen value with its settings.

    Attributes:
        name: what reports call it, such as `sliding_window`.
    """

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def shorten(self, draft: Draft) -> Draft:
        """Returns a shorter draft, or the same object when there is nothing for it to do.

        Pure: the same draft gives the same answer. It works from the oldest message on, and under a bound stops as soon
        as `draft.is_enough`. Calls and results leave together; pins stay.
        """
        ...


@runtime_checkable
class AwaitingStrategy(Protocol):
    """A strategy that needs something from outside; without it, it does nothing (S4.16)."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    async def shorten_awaiting(self, draft: Draft, seams: Seams) -> Draft:
        """Returns a shorter draft, or the same object when there is nothing for it to do.

        What it raises leaves the draft as it was and is reported.
        """
        ...


def check_whole(name: str, value: object, *, least: int) -> None:
    """Checks a strategy's setting that is a number.

    Raises:
        InvalidInput: it is no whole number, or below `least`.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise InvalidInput(f"`{name}` is {value!r}; it must be a whole number of {least} or more")


def check_names(name: str, value: object, *, least: int = 1) -> tuple[str, ...]:
    """Returns a strategy's setting that is a name or several, as a tuple.

    Raises:
        InvalidInput: one is no text or empty, or there are fewer than `least`.
    """
    names = (value,) if isinstance(value, str) else tuple(value) if isinstance(value, Collection) else (None,)
    if len(names) < least or not all(isinstance(one, str) and one for one in names):
        raise InvalidInput(f"`{name}` is {value!r}; it must be a name or a collection of names")
    return tuple(str(one) for one in names)
