"""Seeing to it that a request begins with a user, where its format demands that (C38, case S02)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from memoranda.compaction.draft import Draft
from memoranda.messages.repair import REMOVED, first_said, leading
from memoranda.records.message import Message, Role, user_message

LEAD: Final = user_message(REMOVED)
"""What stands before a model's message that would come first; each request gets it anew."""


def place_of_lead(messages: Sequence[Message]) -> int | None:
    """Returns where `LEAD` must stand; None where a user speaks first, or nobody does."""
    first = first_said(messages)
    return None if first is None or messages[first].role is Role.USER else first


@dataclass(frozen=True, slots=True)
class StartWithUser:
    """Moves the cut on to where a user speaks, so that the list needs no message of ours to be valid.

    Only for bounds in messages, where one more message would count as much as any other: under a bound in tokens `LEAD`
    costs less than all that the model did between two messages of a user.
    """

    name: ClassVar[str] = "start_with_user"

    def shorten(self, draft: Draft) -> Draft:
        """Returns the draft without what stands before the first user message, pins excepted."""
        if place_of_lead(draft.messages) is None:
            return draft
        edit = draft.edit(self.name)
        edit.drop(leading(draft.messages, draft.pending))
        return edit.finish()
