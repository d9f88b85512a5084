"""Moving the oldest messages to the archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategy import Seams, check_whole
from memoranda.records.message import Role
from memoranda.records.span import Fate


@dataclass(frozen=True, slots=True)
class Offload:
    """Moves the oldest `turns` messages to the archive, where a handle and recall find them again (S4.20, S4.22).

    System messages, pins and summaries stay. Messages leave in whole groups, so a few more may leave (S4.21). Under a
    bound of tokens no more leave than the bound asks for. Without an archive it does nothing (S4.16).

    Attributes:
        turns: messages that leave in one pass.

    Raises:
        InvalidInput: `turns` is below 1.
    """

    turns: int = 10
    name: ClassVar[str] = "offload"

    def __post_init__(self) -> None:
        check_whole("turns", self.turns, least=1)

    async def shorten_awaiting(self, draft: Draft, seams: Seams) -> Draft:
        """Returns the draft without its oldest messages, once the archive has them; the same draft for nothing to do.

        Raises:
            Exception: what the archive raised; each message is where it was.
        """
        if seams.archive is None or draft.is_enough:
            return draft
        edit = draft.edit(self.name)
        for group in draft.removable():
            if edit.count >= self.turns or edit.may_stop:
                break
            if not any(draft.messages[place].role is Role.SYSTEM or place in draft.summaries for place in group):
                edit.drop(group, Fate.OFFLOADED)
        shorter = edit.finish()
        spans = shorter.taken[len(draft.taken) :]
        if spans:
            await seams.archive.keep(spans)
        return shorter
