"""What is left of an entry that was removed to tidy a scope."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """The note that an entry was removed by a consolidation or for `Settings.max_entries`. It holds no text.

    Attributes:
        id: the entry's id.
        at: when it was removed.
        because: why, in words.
    """

    id: str
    at: datetime
    because: str
