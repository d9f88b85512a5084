"""Dropping system messages that were put in on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategy import check_whole
from memoranda.records.message import Role

LIMIT: Final = 3
"""The seed's `max_drop_system_observations` (S4.5)."""


@dataclass(frozen=True, slots=True)
class DropObservations:
    """Drops system messages after the first, oldest first (S4.28).

    Under a bound of tokens it stops as soon as the bound is kept.

    Attributes:
        limit: the most that leave in one pass; None for `max_drop_system_observations` of the configuration, which is 3
            by default.

    Raises:
        InvalidInput: `limit` is below 1.
    """

    limit: int | None = None
    name: ClassVar[str] = "drop_observations"

    def __post_init__(self) -> None:
        if self.limit is not None:
            check_whole("limit", self.limit, least=1)

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft without its oldest later system messages; the same draft where there are none."""
        if draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        for group in draft.removable():
            if edit.count >= (self.limit or LIMIT) or edit.may_stop:
                break
            if all(draft.messages[place].role is Role.SYSTEM for place in group):
                edit.drop(group)
        return edit.finish()
