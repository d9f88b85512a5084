"""The answer of one recall."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from memoranda.recall.render import HEADING, RenderedBlock, rendered
from memoranda.records.budget import Budget, TokenCounter
from memoranda.records.recalled import Dropped, Hit


@dataclass(frozen=True, slots=True)
class Recalled:
    """The answer of one recall, best hit first. Iterating and indexing give its hits; `len` counts them.

    Attributes:
        query: the query as it was given.
        hits: the hits, best first.
        dropped: entries that matched and were left out, best first, at most `MAX_DROPPED`.
    """

    query: str
    hits: tuple[Hit, ...] = ()
    dropped: tuple[Dropped, ...] = ()

    def __iter__(self) -> Iterator[Hit]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, index: int) -> Hit:
        return self.hits[index]

    def block(
        self, budget: Budget | int | None = None, *, count_tokens: TokenCounter | None = None, heading: str = HEADING
    ) -> str:
        """Returns the hits as one text for a model, within a budget; empty where there is nothing to show (S1.8).

        Args:
            budget: what the text may cost, heading included; a number is tokens; None for the default budget.
            count_tokens: how tokens are counted; None for a guess from bytes.
            heading: the first line.

        Raises:
            InvalidInput: a budget that is none, or a heading of several lines.
        """
        return self.rendered(budget, count_tokens=count_tokens, heading=heading).text

    def rendered(
        self, budget: Budget | int | None = None, *, count_tokens: TokenCounter | None = None, heading: str = HEADING
    ) -> RenderedBlock:
        """Returns the same as `block`, with what is shown, what was left out and why, and what it costs.

        `recall.render.rendered` says how the text is made.

        Raises:
            InvalidInput: as `block`.
        """
        entries = [hit.entry for hit in self.hits]
        contested = [entry.id for entry in entries if entry.contested_with]
        return rendered(entries, budget, count_tokens=count_tokens, heading=heading, contested=contested)
