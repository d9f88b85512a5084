"""Ageing of entries, for a store that asks for it (S0.42 to S0.45, S0.50).

Only `InMemoryStore(decay=Decay())` does; in a durable store age is a factor of rank and changes nothing (C32).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final

from memoranda.records.entry import Category, MemoryEntry

_HALF_LIFE: Final = timedelta(days=14)
_MERGE_THRESHOLD: Final = 0.6
_PRUNE_BELOW: Final = 0.05

DECAY_WEIGHTS: Final[Mapping[Category, float]] = MappingProxyType(
    {
        Category.FACT: 0.5,
        Category.PREFERENCE: 0.5,
        Category.INSTRUCTION: 0.5,
        Category.STRATEGY: 0.5,
        Category.INSIGHT: 0.75,
        Category.LEARNING: 0.75,
        Category.ERROR_PATTERN: 0.75,
        Category.EPISODE: 1.0,
        Category.TRAJECTORY: 1.0,
        Category.WORKING: 2.0,
    }
)
"""How many times the pace of decay a category ages at (S0.44). The categories that the seed does not know age like
those nearest to them: preference and instruction like a fact, learning like an insight, episode like a trajectory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """How a store ages, merges and prunes.

    A value that cannot be meant falls back to its default and is never clamped (S0.50): a threshold clamped to 0
    would merge everything, a bound clamped to 1 would prune everything. Read the fields to see what holds.

    Attributes:
        half_life: after how long relevance has halved, at a category weight of 1; at least a second. 14 days (S0.44).
        merge_threshold: from which share of common words on two entries are one, 0 to 1. 0.6 (S0.46).
        prune_below: under which relevance or quality an entry goes, 0 to 1. 0.05 (S0.49).
    """

    half_life: timedelta = _HALF_LIFE
    merge_threshold: float = _MERGE_THRESHOLD
    prune_below: float = _PRUNE_BELOW

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not isinstance(self.half_life, timedelta) or self.half_life < timedelta(seconds=1):
            put(self, "half_life", _HALF_LIFE)
        if not _is_share(self.merge_threshold):
            put(self, "merge_threshold", _MERGE_THRESHOLD)
        if not _is_share(self.prune_below):
            put(self, "prune_below", _PRUNE_BELOW)


def touched(entry: MemoryEntry, at: datetime | None) -> MemoryEntry:
    """Returns the entry with an access at `at` counted; as it is for None.

    One access counts however often it was found since the last pass, and `last_accessed` never goes back (S0.43).
    """
    if at is None:
        return entry
    latest = at if entry.last_accessed is None else max(entry.last_accessed, at)
    return replace(entry, access_count=entry.access_count + 1, last_accessed=latest)


def decayed(entry: MemoryEntry, *, now: datetime, half_life: timedelta = _HALF_LIFE) -> MemoryEntry:
    """Returns the entry with its relevance at `now`: relevance * 0.5^(age / half_life * weight) (S0.44).

    Age counts from the last decay, else from the creation, and from the last access where that is later. The moment
    is noted in `last_decayed`, so many passes come to the same as one (S0.45). An entry of the future is left as it
    is, and so is a relevance that is no number from 0 to 1.
    """
    since = max(entry.last_decayed or entry.created_at, entry.last_accessed or entry.created_at)
    if now <= since:
        return entry
    relevance = entry.relevance
    if 0.0 <= relevance <= 1.0:
        relevance *= 0.5 ** ((now - since) / half_life * DECAY_WEIGHTS[entry.category])
    return replace(entry, relevance=relevance, last_decayed=now)


def _is_share(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value <= 1.0
