"""What an entry was before it was changed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoranda.records.entry import MemoryEntry


class Change(StrEnum):
    """What happened to an entry."""

    FOLD = "fold"
    UPDATE = "update"
    REPLACE = "replace"
    RETRACT = "retract"
    RESTORE = "restore"
    REDATE = "redate"  # its end was moved, because something that began before that end was learned later


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """An entry as it stood before one change.

    Attributes:
        number: counts the revisions of one entry from 1.
        change: what happened to it.
        at: when it happened.
        entry: the entry as it was before.
        because: why, in words.
        undone: whether `restore` has taken the change back.
    """

    number: int
    change: Change
    at: datetime
    entry: MemoryEntry
    because: str
    undone: bool = False
