"""Ranking the entries of one scope for a query, with the reasons for each score (design D7)."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from memoranda.recall.columns import Flags, Floats
from memoranda.recall.evidence import Evidence, evidence
from memoranda.recall.explain import because
from memoranda.recall.fuse import fused, standardised
from memoranda.recall.question import Filter, Question
from memoranda.recall.view import View, micros
from memoranda.records.entry import MemoryEntry
from memoranda.records.recalled import Hit

LEAST_CONFIDENCE = 0.6
"""Confidence below this counts as this, so that doubt lowers a hit and never hides it (S1.17)."""
RECENCY_SHARE = 0.3
"""The share of a score that age can take away (design D7)."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """The answer of one scope.

    Attributes:
        hits: the best entries, best first.
        over: those that would have come next, without reasons.
        weak: where there are fewer than were asked for, the best of those
            that are no answer: under the floor and without a word of the query.
    """

    hits: tuple[Hit, ...] = ()
    over: tuple[MemoryEntry, ...] = ()
    weak: tuple[Hit, ...] = ()


def rank(view: View, question: Question, shown: Filter, most: int) -> Ranking:
    """Returns the `most` best entries among those shown that are an answer at all.

    An entry is an answer when its cosine reaches the floor, when it or a neighbour of it in the session has an
    informative word of the query, or when the query names one of its tags or its id; nothing else is returned, so an
    empty answer is an answer.

    The score is `1 / (1 + exp(-x))`, where x is the sum of the hit's parts: each channel's standardised score times its
    weight, the logarithm of the confidence (0.6 to 1), and the logarithm of `0.7 + 0.3 * 0.5 ** (age / half life)`.
    So doubt and age together move x by less than 0.87, and can never carry a loosely related entry past a good one
    (C8). Ties go to what was seen last, then by id, so that every store ranks alike.
    """
    size = len(view)
    admitted = shown.admits(view)
    found = evidence(view, question)
    answers = admitted & found.answers
    pool = _pool(admitted, answers)
    parts = {
        name: weight * standardised(values, among & pool, among & admitted)
        for name, (weight, values, among) in found.weighted.items()
    }
    parts |= found.hints
    parts["confidence"] = np.log(np.clip(view.confidence, LEAST_CONFIDENCE, 1))
    parts["recency"] = np.log(1 - RECENCY_SHARE + RECENCY_SHARE * _freshness(view, question))
    total = fused(parts, size)
    order = _best(view, total, answers, most + OVER_NAMED)
    weak = _best(view, total, admitted & ~found.answers, WEAK_NAMED) if len(order) < most else []
    return Ranking(
        hits=tuple(_hit(view, question, found, parts, slot) for slot in order[:most]),
        over=tuple(_entry(view, slot) for slot in order[most:]),
        weak=tuple(_hit(view, question, found, parts, slot) for slot in weak),
    )


def _pool(admitted: Flags, answers: Flags) -> Flags:
    """Returns the entries that scores are compared among: the answers, and as many others, at least `LEAST_OTHERS`.

    Among all entries of a large scope nearly every score would be zero, and one word would outweigh any meaning.
    """
    others = np.flatnonzero(admitted & ~answers)
    pool: Flags = answers.copy()
    pool[others[-max(LEAST_OTHERS, int(answers.sum())) :]] = True
    return pool


LEAST_OTHERS = 100
"""How many entries that are no answer, the newest, scores are compared with at least."""
OVER_NAMED = 45
"""How many entries over the limit are named."""
WEAK_NAMED = 5
"""How many entries that are no answer are named, so that a person sees what was just too weak."""


def newest(view: View, shown: Filter, most: int) -> tuple[Hit, ...]:
    """Returns the entries as a blank query does: what was seen last comes first, marked `recent` (C44)."""
    admitted = shown.admits(view)
    slots = _best(view, np.zeros(len(view), np.float32), admitted, most)
    return tuple(Hit(_entry(view, slot), 0.0, {"recent": 1.0}, "recent: the query has no words") for slot in slots)


def merged(hits: Iterable[Hit]) -> list[Hit]:
    """Returns the hits of several scopes as one ranking, in the order of `rank`."""

    def order_of(hit: Hit) -> tuple[float, float, str]:
        return -hit.score, -(hit.entry.last_seen or hit.entry.created_at).timestamp(), hit.entry.id

    return sorted(hits, key=order_of)


def _freshness(view: View, question: Question) -> Floats:
    """Returns 1 for what was seen now or later, halved with each half life since (S1.18)."""
    days = np.maximum(micros(question.now) - view.seen, 0) / 86_400e6
    fresh: Floats = np.exp2((days / -question.half_life_days).astype(np.float32))
    return fresh


def _best(view: View, total: Floats, among: Flags, most: int) -> list[int]:
    """Returns the slots with the greatest totals, best first."""
    slots = np.flatnonzero(among)
    if most <= 0 or not len(slots):
        return []
    if len(slots) > most:
        order = total[slots].astype(np.float64)
        least = np.partition(order, len(slots) - most)[len(slots) - most]
        slots = slots[order >= least]
        if len(slots) > most:  # many are equal at the edge: the newest of them are enough
            edge = np.lexsort((-view.seen[slots], -total[slots]))
            slots = slots[edge[: most + EDGE]]

    def order_of(slot: int) -> tuple[float, int, str]:
        return -float(total[slot]), -int(view.seen[slot]), _entry(view, slot).id

    return sorted((int(slot) for slot in slots), key=order_of)[:most]


EDGE = 64
"""How many entries beyond the limit are told apart by id when score and time are equal."""


ALWAYS = frozenset(("words", "meaning", "confidence", "recency"))
"""Parts that a hit names even when they count nothing for it."""


def _hit(view: View, question: Question, found: Evidence, parts: Mapping[str, Floats], slot: int) -> Hit:
    own = {name: round(float(values[slot]), 4) for name, values in parts.items() if name in ALWAYS or values[slot]}
    score = 1 / (1 + math.exp(-max(-700.0, min(700.0, sum(own.values())))))
    return Hit(_entry(view, slot), score, own, because(view, question, found, slot))


def _entry(view: View, slot: int) -> MemoryEntry:
    entry = view.entries[slot]
    assert entry is not None  # an emptied slot is never admitted
    return entry
