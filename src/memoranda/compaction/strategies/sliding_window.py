"""Keeping the newest messages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategy import check_whole


@dataclass(frozen=True, slots=True)
class SlidingWindow:
    """Drops the oldest messages until `keep_messages` are left (S4.27). No message takes their place (C37).

    Pins stay; system messages after the first may leave. Messages leave in whole groups, so that fewer than
    `keep_messages` may be left, or more where pins are many. Under a bound of tokens no more is dropped than the bound
    asks for, and never so much that fewer than `keep_messages` are left.

    Attributes:
        keep_messages: messages to keep.

    Raises:
        InvalidInput: `keep_messages` is below 1.
    """

    keep_messages: int = 40
    name: ClassVar[str] = "sliding_window"

    def __post_init__(self) -> None:
        check_whole("keep_messages", self.keep_messages, least=1)

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft without its oldest messages; the same draft where there is nothing to drop."""
        surplus = len(draft.messages) - self.keep_messages
        if surplus <= 0 or draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        bounded = draft.budget.tokens is not None
        for group in draft.removable():
            if edit.count >= surplus or edit.may_stop or (bounded and edit.count + len(group) > surplus):
                break
            edit.drop(group)
        return edit.finish()
