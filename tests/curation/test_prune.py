"""What is worth keeping (S0.37, S0.48, S0.49, C34)."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.prune import is_irrelevant, is_worthless, quality
from memoranda.records.entry import Category, MemoryEntry

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(
    relevance: float = 1.0, *, accesses: int = 0, age: timedelta = timedelta(), validated: bool = False
) -> MemoryEntry:
    return MemoryEntry(
        Category.FACT, "x", relevance=relevance, access_count=accesses, created_at=NOW - age, validated=validated
    )


@pytest.mark.parametrize(
    ("given_entry", "expected"),
    [
        (entry(1.0), 0.45 + 0.15),
        (entry(0.5, age=30 * DAY), 0.225 + 0.15 / math.e),
        (entry(0.0, accesses=50), 0.30 + 0.15),
        (entry(0.0, accesses=5000), 0.30 + 0.15),
        (entry(0.0, accesses=6, age=90 * DAY), 0.30 * math.log(7) / math.log(51) + 0.15 * math.exp(-3)),
        (entry(1.0, accesses=50, validated=True), 1.0),
        (entry(math.nan), 0.15),
        (entry(3.0), 0.15),
        (entry(1.0, age=-DAY), 0.60),
    ],
)
def test_s0_48_quality(given_entry: MemoryEntry, expected: float) -> None:
    assert quality(given_entry, now=NOW) == pytest.approx(expected)


def test_s0_48_age_counts_from_the_last_access() -> None:
    found = MemoryEntry(Category.FACT, "x", created_at=NOW - 300 * DAY, last_accessed=NOW - 30 * DAY, relevance=0.0)
    assert quality(found, now=NOW) == pytest.approx(0.15 / math.e)


@given(st.floats(), st.integers(0, 10**6), st.timedeltas(timedelta(days=-10), timedelta(days=9999)), st.booleans())
def test_s0_48_quality_is_a_share(relevance: float, accesses: int, age: timedelta, validated: bool) -> None:
    worth = quality(entry(relevance, accesses=accesses, age=age, validated=validated), now=NOW)
    assert 0 <= worth <= 1 + 1e-9


@pytest.mark.parametrize(("relevance", "gone"), [(0.0499, True), (0.05, False), (0.0, True), (math.nan, False)])
def test_s0_37_relevance_under_005_goes(relevance: float, gone: bool) -> None:
    assert is_irrelevant(entry(relevance)) is gone


def test_s0_49_either_relevance_or_quality_under_the_bound() -> None:
    assert is_worthless(entry(0.04, accesses=50), now=NOW, below=0.05)
    assert is_worthless(entry(0.06, age=365 * DAY), now=NOW, below=0.05)
    assert not is_worthless(entry(0.06), now=NOW, below=0.05)


@given(st.floats(), st.timedeltas(timedelta(0), timedelta(days=9999)), st.floats(0, 1))
def test_c34_what_is_validated_never_goes(relevance: float, age: timedelta, below: float) -> None:
    kept = entry(relevance, age=age, validated=True)
    assert not is_irrelevant(kept)
    assert not is_worthless(kept, now=NOW, below=below)
