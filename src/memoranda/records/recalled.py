"""What an answer of recall is made of: hits with their score parts, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memoranda.records.entry import MemoryEntry


@dataclass(frozen=True, slots=True)
class Hit:
    """One entry that recall found.

    Attributes:
        entry: the entry.
        score: how well it answers, 0 to 1; what hits are ordered by. 0 for an empty query.
        parts: what the score is made of, by name: `words` and `meaning`, the same of the passage around it and of its
            session, `length`, the hints `speaker`, `user`, `question`, `time`, `tag` and `id`, then `confidence` and
            `recency`. The score is `1 / (1 + exp(-x))`, where x is their sum. `recent` alone for an empty query.
        because: the same in words that a person understands.
    """

    entry: MemoryEntry
    score: float
    parts: Mapping[str, float]
    because: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """An entry that matched and was left out, and why."""

    entry: MemoryEntry
    reason: str


MAX_DROPPED = 50
"""How many left-out entries an answer names. The rest would be noise: a limit leaves out all the others."""
