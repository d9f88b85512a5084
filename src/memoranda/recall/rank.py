"""Ranking entries by the words of a query, with the reasons for each score."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from memoranda.recall.index import ScopeIndex
from memoranda.records.entry import MemoryEntry
from memoranda.records.recalled import Hit
from memoranda.text.words import QueryTerms

SATURATION = 1.2
"""BM25's k1: how soon repeating a term stops helping. The value that Robertson and Zaragoza (2009) report as usual."""
LENGTH_NORM = 0.75
"""BM25's b: how far a long text is held against itself. From the same source."""
LEAST_CONFIDENCE = 0.6
"""Confidence below this counts as this, so that doubt lowers a hit and never hides it (S1.17)."""
RECENCY_SHARE = 0.3
"""The share of a score that age can take away (S1, rank formula)."""

Admits = Callable[[MemoryEntry], bool]


@dataclass(frozen=True, slots=True)
class _Match:
    """The words that one entry has of the query, as a share of all that the query could score."""

    share: float
    terms: tuple[str, ...]


def rank(
    index: ScopeIndex, query: QueryTerms, admits: Admits, *, now: datetime, half_life_days: float = 30.0
) -> list[Hit]:
    """Returns the admitted entries that have an informative word of the query, best first (design D7).

    The score is `words * confidence * recency`: the BM25 score as a share of the greatest that this query could reach,
    the confidence from 0.6 to 1, and `0.7 + 0.3 * 0.5 ** (age / half life)` (S1.17, S1.18). Ties go to what was
    seen last, then by id, so that every store ranks alike.
    """
    hits = [
        _hit(entry, match, len(query.informative), now, half_life_days)
        for slot, match in _matches(index, query).items()
        if (entry := index.entry(slot)) is not None and admits(entry)
    ]
    return sorted(hits, key=_order)


def newest(index: ScopeIndex, admits: Admits) -> list[Hit]:
    """Returns the admitted entries as an empty query does: what was seen last comes first, marked `recent` (C44)."""
    found = [entry for entry in index.entries() if admits(entry)]
    hits = [Hit(entry, 0.0, {"recent": 1.0}, "recent: the query has no words") for entry in found]
    return sorted(hits, key=_order)


def merged(hits: list[Hit]) -> list[Hit]:
    """Returns the hits of several scopes as one ranking."""
    return sorted(hits, key=_order)


def _order(hit: Hit) -> tuple[float, float, str]:
    seen = hit.entry.last_seen or hit.entry.created_at
    return -hit.score, -seen.timestamp(), hit.entry.id


def _matches(index: ScopeIndex, query: QueryTerms) -> dict[int, _Match]:
    scores: dict[int, float] = {}
    terms: dict[int, list[str]] = {}
    mean = index.mean_length
    greatest = 0.0
    for term in query.informative:
        postings = index.postings(term)
        rarity = _rarity(len(postings) // 2, len(index))
        greatest += rarity * (SATURATION + 1)
        for slot, count in zip(postings[::2], postings[1::2], strict=True):
            norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * index.length(slot) / mean)
            scores[slot] = scores.get(slot, 0.0) + rarity * count * (SATURATION + 1) / (count + norm)
            terms.setdefault(slot, []).append(term)
    return {slot: _Match(score / greatest, tuple(terms[slot])) for slot, score in scores.items()}


def _rarity(having: int, all_entries: int) -> float:
    """BM25's inverse document frequency in the form that is never negative."""
    return math.log(1 + (max(all_entries, having) - having + 0.5) / (having + 0.5))


def _hit(entry: MemoryEntry, match: _Match, asked: int, now: datetime, half_life_days: float) -> Hit:
    confidence = min(1.0, max(LEAST_CONFIDENCE, entry.confidence))
    recency = 1 - RECENCY_SHARE + RECENCY_SHARE * freshness(entry, now, half_life_days)
    parts = {"words": match.share, "confidence": confidence, "recency": recency}
    tagged = [tag for tag in entry.tags if any(term in tag.casefold() for term in match.terms)]
    words = ", ".join(f'"{term}"' for term in match.terms[:6]) + (", ..." if len(match.terms) > 6 else "")
    because = f"has {words} ({len(match.terms)} of {asked} words)"
    if tagged:
        because += f"; tagged {', '.join(tagged[:3])}"
    return Hit(entry, match.share * confidence * recency, parts, because)


def freshness(entry: MemoryEntry, now: datetime, half_life_days: float) -> float:
    """Returns 1 for what was seen now or later, halved with each half life since (S1.18)."""
    age = (now - (entry.last_seen or entry.created_at)).total_seconds() / 86_400
    return 1.0 if age <= 0 else 0.5 ** (age / half_life_days)
