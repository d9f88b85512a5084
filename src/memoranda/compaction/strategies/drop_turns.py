"""Dropping the oldest messages, some at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from memoranda.compaction.draft import Draft, Edit
from memoranda.compaction.strategy import check_whole
from memoranda.records.message import Role

TURNS: Final = 10
"""The seed's `offload_turns` (S4.5)."""


@dataclass(frozen=True, slots=True)
class DropTurns:
    """Drops the oldest `turns` messages that are neither pins nor system messages (S4.20, S4.29).

    Messages leave in whole groups, so a few more may leave. Under a bound of tokens it stops as soon as the bound is
    kept. In the last pass under a bound it goes on beyond `turns` until the bound is kept. So a request fits whenever
    what must stay does. The newest group leaves last, and only where the request would not fit with it.

    Attributes:
        turns: messages that leave in one pass; None for `offload_turns` of the configuration, which is 10 by default.

    Raises:
        InvalidInput: `turns` is below 1.
    """

    turns: int | None = None
    name: ClassVar[str] = "drop_turns"

    def __post_init__(self) -> None:
        if self.turns is not None:
            check_whole("turns", self.turns, least=1)

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft without its oldest messages; the same draft where there is nothing to drop."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        unlimited = draft.budget.is_unlimited
        for group in draft.removable():
            if self._is_done(draft, edit) or (not unlimited and draft.newest in group and not edit.is_over):
                break
            if all(draft.messages[place].role is not Role.SYSTEM for place in group):
                edit.drop(group)
        return edit.finish()

    def _is_done(self, draft: Draft, edit: Edit) -> bool:
        if edit.count < (self.turns or TURNS):
            return edit.may_stop
        return draft.budget.is_unlimited or not draft.last_pass or edit.is_enough
