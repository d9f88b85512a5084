"""What an entry is worth, and which entries are worth too little to keep (S0.37, S0.48, S0.49)."""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import Final

from memoranda.records.entry import MemoryEntry

MIN_RELEVANCE: Final = 0.05
"""Under this relevance an entry goes when the seed's built-in store is consolidated (S0.37)."""

_SATURATION: Final = math.log(51)  # the 50th access adds nothing more
_RECENCY_SCALE: Final = timedelta(days=30)


def quality(entry: MemoryEntry, *, now: datetime) -> float:
    """Returns what an entry is worth apart from any query, 0 to 1 (S0.48).

    0.45 * relevance + 0.30 * min(1, ln(1 + accesses) / ln(51)) + 0.15 * exp(-age / 30 days) + 0.10 if validated.
    Age counts from the last access, else from the creation. A relevance that is no number from 0 to 1 counts as 0.
    """
    relevance = entry.relevance if 0.0 <= entry.relevance <= 1.0 else 0.0
    access = min(1.0, math.log1p(max(entry.access_count, 0)) / _SATURATION)
    age = max(timedelta(), now - (entry.last_accessed or entry.created_at))
    recency = math.exp(-(age / _RECENCY_SCALE))
    return 0.45 * relevance + 0.30 * access + 0.15 * recency + 0.10 * entry.validated


def is_irrelevant(entry: MemoryEntry, below: float = MIN_RELEVANCE) -> bool:
    """Tells whether an entry goes for its relevance alone (S0.37). What is validated never does (C34)."""
    return not entry.validated and entry.relevance < below


def is_worthless(entry: MemoryEntry, *, now: datetime, below: float) -> bool:
    """Tells whether an entry goes for its relevance or its quality (S0.49). What is validated never does (C34)."""
    return is_irrelevant(entry, below) or (not entry.validated and quality(entry, now=now) < below)
