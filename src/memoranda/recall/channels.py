"""The channels of recall: each gives every slot a number that says how well it answers, by one kind of evidence.

What each one is worth was measured on conversations, chats with an assistant, and paragraphs in four languages; see
docs/decisions/0005-ranking.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import simsimd

from memoranda.recall.columns import Flags, Floats, Slots
from memoranda.recall.segment import postings
from memoranda.recall.view import NOBODY, View

SATURATION = 1.2
"""BM25's k1: how soon repeating a term stops helping. The value that Robertson and Zaragoza (2009) report as usual."""
LENGTH_NORM = 0.75
"""BM25's b: how far a long text is held against itself. From the same source."""
NEIGHBOUR_SHARE = 0.6
"""How much of a neighbour's meaning counts in the meaning of the passage around an entry."""
RESCORED = 256
"""How many of the nearest entries get their cosine with the query as it is, not rounded to whole numbers."""


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of a query say.

    Attributes:
        entry: BM25 of each entry.
        passage: BM25 of each entry together with its neighbours in the session.
        session: BM25 of each entry's session; 0 without a session.
        has: whether the entry has a word of the query.
        near: whether it or a neighbour has one.
    """

    entry: Floats
    passage: Floats
    session: Floats
    has: Flags
    near: Flags


def words(view: View, terms: Iterable[str]) -> Words:
    """Returns the BM25 scores of the entries, of their passages, and of their sessions."""
    size = len(view)
    entry: Floats = np.zeros(size, np.float32)
    passage: Floats = np.zeros(size, np.float32)
    session: Floats = np.zeros(len(view.session_length), np.float32)
    has, near = np.zeros(size, np.bool_), np.zeros(size, np.bool_)
    of_entries, of_passages, of_sessions = _Units(view.length), _Units(view.passage_length), _Units(view.session_length)
    for term in terms:
        slots, counts = postings(view.segments, term)
        if view.has_holes:  # what stood in an emptied slot counts in nothing
            filled = view.length[slots] > 0
            slots, counts = slots[filled], counts[filled]
        if not len(slots):
            continue
        has[slots] = True
        entry[slots] += of_entries.score(slots, counts)
        wide, wide_counts = _passages(view, slots, counts)
        near[wide] = True
        passage[wide] += of_passages.score(wide, wide_counts)
        talks, talk_counts = _by_session(view, slots, counts)
        session[talks] += of_sessions.score(talks, talk_counts)
    return Words(entry, passage, view.per_entry(session), has, near)


class _Units:
    """BM25 over one kind of unit: entries, passages, or sessions."""

    def __init__(self, length: Floats) -> None:
        filled = length[length > 0]
        self._count = max(1, len(filled))
        mean = float(filled.mean()) if len(filled) else 1.0
        self._norm: Floats = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * length / mean)

    def score(self, units: Slots, counts: Floats) -> Floats:
        """Returns what one term adds to the score of each unit that has it."""
        having = len(units)
        rarity = math.log(1 + (max(self._count, having) - having + 0.5) / (having + 0.5))
        found: Floats = rarity * counts * (SATURATION + 1) / (counts + self._norm[units])
        return found


def _passages(view: View, slots: Slots, counts: Floats) -> tuple[Slots, Floats]:
    """Returns the entries that have a term themselves or beside them, and how often it stands there."""
    if not view.has_neighbours:
        return slots, counts
    if len(slots) * SPARSE < len(view):
        return _few_passages(view, slots, counts)
    total: Floats = np.zeros(len(view), np.float32)
    total[slots] = counts
    for beside in (view.previous[slots], view.following[slots]):
        there = beside != NOBODY
        total[beside[there]] += counts[there]  # no two slots have the same neighbour on one side
    wide = np.flatnonzero(total)
    return wide, total[wide]


def _few_passages(view: View, slots: Slots, counts: Floats) -> tuple[Slots, Floats]:
    """Does the same for a rare term, without going through all slots."""
    beside = np.concatenate((slots, view.previous[slots], view.following[slots]))
    there = beside != NOBODY
    wide, places = np.unique(beside[there], return_inverse=True)
    total: Floats = np.bincount(places, weights=np.tile(counts, 3)[there]).astype(np.float32)
    return wide, total


SPARSE = 64
"""A term that at most one slot in so many has is rare: sorting its passages then costs less than a pass over all."""


def _by_session(view: View, slots: Slots, counts: Floats) -> tuple[Slots, Floats]:
    if not len(view.session_length):
        return _NO_SLOTS, _NO_FLOATS
    codes = view.session[slots]
    known = codes != NOBODY
    total = np.bincount(codes[known], weights=counts[known], minlength=len(view.session_length)).astype(np.float32)
    talks = np.flatnonzero(total)
    found: Floats = total[talks].astype(np.float32)
    return talks, found


@dataclass(frozen=True, slots=True)
class Meaning:
    """What the vectors say.

    Attributes:
        entry: cosine of each entry with the query; 0 without a vector.
        passage: mean of it and its neighbours' in the session, which count `NEIGHBOUR_SHARE` each.
        session: the greatest within its session; its own without a session.
    """

    entry: Floats
    passage: Floats
    session: Floats


def meaning(view: View, query: Floats) -> Meaning:
    """Returns the cosines of the entries with a query vector of length 1: an exact scan over whole numbers.

    The nearest `RESCORED` entries are then compared with the query as it is, so that rounding it does not reorder them.
    """
    assert view.vectors is not None
    size = len(view)
    if not size:
        return Meaning(_NO_FLOATS, _NO_FLOATS, _NO_FLOATS)
    greatest = float(np.abs(query).max()) or 1.0
    rounded = np.rint(query * (127 / greatest)).astype(np.int8)
    dots = np.asarray(simsimd.cdist(rounded[None, :], np.ascontiguousarray(view.vectors), metric="dot"))[0]
    cosines = (dots * view.scales * (greatest / 127)).astype(np.float32)
    nearest = min(size, RESCORED)
    best = np.argpartition(cosines, size - nearest)[size - nearest :] if nearest < size else np.arange(size)
    cosines[best] = (view.vectors[best].astype(np.float32) @ query) * view.scales[best]
    return Meaning(cosines, _beside(view, cosines), _best_of_session(view, cosines))


_NO_SLOTS: Slots = np.empty(0, np.intp)
_NO_FLOATS: Floats = np.empty(0, np.float32)


def _beside(view: View, cosines: Floats) -> Floats:
    if not view.has_neighbours:
        return cosines
    padded = np.append(cosines, np.float32(0))  # NOBODY is -1 and reads the 0 at the end
    neighbours = (view.previous != NOBODY).astype(np.float32) + (view.following != NOBODY)
    total = cosines + NEIGHBOUR_SHARE * (padded[view.previous] + padded[view.following])
    mean: Floats = total / (1 + NEIGHBOUR_SHARE * neighbours)
    return mean


def _best_of_session(view: View, cosines: Floats) -> Floats:
    if not len(view.session_length):
        return cosines
    best = np.full(len(view.session_length) + 1, -1.0, np.float32)
    np.maximum.at(best, view.session, cosines)  # NOBODY is -1 and writes to the value at the end
    return np.where(view.session == NOBODY, cosines, best[view.session])


def asked_about(view: View, speakers: Sequence[int]) -> Flags:
    """Returns which entries were said by the one speaker whom the query names; none when it names several."""
    if len(speakers) != 1:
        return np.zeros(len(view), np.bool_)
    found: Flags = view.speaker == speakers[0]
    return found


def happened(view: View, ranges: Sequence[tuple[int, int]]) -> Flags:
    """Returns which entries happened within one of the ranges, in microseconds, the end left out."""
    found = np.zeros(len(view), np.bool_)
    for start, end in ranges:
        found |= (view.occurred >= start) & (view.occurred < end)
    return found


def named(view: View, ids: Iterable[str]) -> Flags:
    """Returns which entries have one of the ids."""
    found = np.zeros(len(view), np.bool_)
    for id in ids:
        slot = view.slots.get(id)
        if slot is not None and slot < len(view):
            found[slot] = True
    return found


def tagged(view: View, tags: Iterable[str]) -> Flags:
    """Returns which entries have one of the tags."""
    found = np.zeros(len(view), np.bool_)
    for tag in tags:
        found[view.slots_tagged(tag)] = True
    return found
