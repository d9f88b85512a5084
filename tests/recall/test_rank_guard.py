"""Confidence and recency settle what is close; they never carry a loosely related entry past a good one (C8)."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from memoranda.protocols.store import Changes
from memoranda.recall.index import ScopeIndex
from memoranda.recall.question import Filter, Question
from memoranda.recall.rank import rank
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.quantized import QuantizedVector
from memoranda.records.recalled import Hit
from memoranda.text.words import Analyser

NOW = datetime(2026, 6, 1, tzinfo=UTC)
MOST = 0.87
"""-log(0.6 * 0.7), rounded up: the least confidence, fully aged, against the greatest, seen now."""
WORDS = ("deploys", "blue", "cluster", "friday", "lunch", "noon", "metric", "units")

rows = st.tuples(
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
    st.floats(-1, 2),  # confidence, in range or not
    st.floats(-400, 4000),  # age in days; what was seen in the future counts as seen now
    st.tuples(st.integers(-127, 127), st.integers(-127, 127)),
)


def ranked(given: list[tuple[str, float, float, tuple[int, int]]], query: str) -> list[Hit]:
    entries, vectors = [], {}
    for text, confidence, age, values in given:
        seen = NOW - timedelta(days=age)
        entry = MemoryEntry(Category.FACT, text, confidence=confidence, created_at=seen, last_seen=seen)
        entries.append(entry)
        length = math.hypot(*values)
        if length:
            vectors[entry.id] = QuantizedVector(values=np.array(values, np.int8).tobytes(), scale=1 / length)
    changes = Changes(version=1, entries=entries, complete=True, vectors=vectors)
    view = ScopeIndex(Analyser(), 2).apply(changes).view()
    terms = Analyser().query(query)
    question = Question(terms=terms, now=NOW, vector=np.array([1, 0], np.float32), floor=0.25)
    return list(rank(view, question, Filter(now=NOW), len(given)).hits)


@given(st.lists(rows, min_size=2, max_size=8), st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join))
def test_confidence_and_recency_move_an_entry_by_less_than_087_c8(
    given: list[tuple[str, float, float, tuple[int, int]]], query: str
) -> None:
    hits = ranked(given, query)
    moved = [hit.parts.get("confidence", 0.0) + hit.parts.get("recency", 0.0) for hit in hits]
    assert all(-MOST < by <= 0 for by in moved)
    others = [sum(hit.parts.values()) - by for hit, by in zip(hits, moved, strict=True)]
    for place, other in enumerate(others):
        assert max(others[place:]) < other + MOST


def test_the_bound_is_reached_by_doubt_and_age_together_s1_17_s1_18() -> None:
    stale, fresh = ranked([("blue", 0.0, 4000, (127, 0)), ("blue", 1.0, 0, (127, 0))], "blue")[::-1]
    assert (fresh.parts.get("confidence", 0.0), fresh.parts.get("recency", 0.0)) == (0, 0)
    assert stale.parts["confidence"] + stale.parts["recency"] == round(math.log(0.6), 4) + round(math.log(0.7), 4)


def test_a_stale_and_doubted_match_stays_ahead_of_a_fresh_and_sure_loose_one_c8() -> None:
    good = ("deploys go to the blue cluster", 0.6, 4000.0, (127, 0))
    loose = [(f"lunch is at noon, {number}", 1.0, 0.0, (55, 114)) for number in range(6)]
    assert ranked([*loose, good], "blue cluster deploys")[0].entry.memory == good[0]
