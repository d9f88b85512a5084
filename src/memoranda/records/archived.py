"""What an archive keeps and tells of itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from memoranda.records.entry import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedSpan:
    """A span as the archive gives it back.

    Attributes:
        handle: its name.
        role: who spoke, such as `user` or `tool`.
        text: all that can be read of it.
        wire: the message or item in the format that it came in, for a host that wants to put it back; what an archive
            masked, such as secrets, stays masked.
        at: when it was archived.
    """

    handle: str
    role: str
    text: str
    wire: JsonValue
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveReceipt:
    """What became of spans that were given to an archive.

    Attributes:
        kept: handles that are kept now and were not before, in order.
        known: handles that were there already.
        evicted: handles of the oldest spans that had to go for them.
    """

    kept: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    evicted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveUsage:
    """How full the archive of a session is (S4.52).

    Attributes:
        entries: spans that it holds.
        capacity: most spans that it holds.
        characters: characters of the spans as they are kept.
        evicted_entries: spans that were evicted since the session began.
    """

    entries: int
    capacity: int
    characters: int
    evicted_entries: int

    @property
    def fraction(self) -> float:
        """Which share of the capacity is used."""
        return self.entries / self.capacity

    @property
    def near_cap(self) -> bool:
        """Whether nine tenths of the capacity are used."""
        return self.fraction >= 0.9
