"""Ageing (S0.42 to S0.45, S0.50)."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.decay import DECAY_WEIGHTS, Decay, decayed, touched
from memoranda.records.entry import Category, MemoryEntry

START = datetime(2026, 1, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(category: Category = Category.TRAJECTORY, relevance: float = 1.0) -> MemoryEntry:
    return MemoryEntry(category, "x", created_at=START, relevance=relevance)


def test_s0_44_relevance_halves_in_a_half_life() -> None:
    assert decayed(entry(relevance=0.8), now=START + 14 * DAY).relevance == pytest.approx(0.4)
    assert decayed(entry(relevance=0.8), now=START + DAY, half_life=DAY / 2).relevance == pytest.approx(0.2)


def test_s0_44_weights_of_the_categories() -> None:
    weights = {"fact": 0.5, "strategy": 0.5, "insight": 0.75, "error_pattern": 0.75, "trajectory": 1.0, "working": 2.0}
    for name, weight in weights.items():
        left = decayed(entry(Category(name)), now=START + 14 * DAY).relevance
        assert left == pytest.approx(0.5**weight)
    assert set(DECAY_WEIGHTS) == set(Category)


@pytest.mark.parametrize(("category", "days"), [("fact", 121), ("trajectory", 60.5), ("working", 30.3)])
def test_c32_how_long_full_relevance_stays_above_005(category: str, days: float) -> None:
    assert decayed(entry(Category(category)), now=START + days * 0.99 * DAY).relevance > 0.05
    assert decayed(entry(Category(category)), now=START + days * 1.01 * DAY).relevance < 0.05


def test_s0_44_an_access_later_than_the_last_decay_shields_what_lies_before() -> None:
    found = replace(entry(), last_accessed=START + 14 * DAY)
    assert decayed(found, now=START + 28 * DAY).relevance == pytest.approx(0.5)
    before = replace(entry(), last_accessed=START + 2 * DAY, last_decayed=START + 14 * DAY)
    assert decayed(before, now=START + 28 * DAY).relevance == pytest.approx(0.5)


def test_s0_45_ten_hourly_passes_are_one_pass_over_ten_hours() -> None:
    hour = timedelta(hours=1)
    many = entry()
    for step in range(1, 11):
        many = decayed(many, now=START + step * hour, half_life=hour)
    assert many.relevance == pytest.approx(decayed(entry(), now=START + 10 * hour, half_life=hour).relevance, abs=1e-5)
    assert many.relevance == pytest.approx(0.5**10, abs=1e-5)


@given(
    st.sampled_from(Category), st.floats(0, 1), st.lists(st.timedeltas(timedelta(0), timedelta(days=400)), max_size=8)
)
def test_s0_45_any_cadence(category: Category, relevance: float, steps: list[timedelta]) -> None:
    many, now = entry(category, relevance), START
    for step in steps:
        now += step
        many = decayed(many, now=now)
    assert many.relevance == pytest.approx(decayed(entry(category, relevance), now=now).relevance, abs=1e-5)
    assert 0 <= many.relevance <= relevance


@pytest.mark.parametrize("relevance", [math.nan, 7.0, -1.0])
def test_an_impossible_relevance_is_left_as_it_is(relevance: float) -> None:
    after = decayed(entry(relevance=relevance), now=START + 14 * DAY)
    assert after.relevance == relevance or (math.isnan(after.relevance) and math.isnan(relevance))


def test_an_entry_of_the_future_is_left_as_it_is() -> None:
    later = entry()
    assert decayed(later, now=START - DAY) is later


def test_a_long_time_leaves_0_and_no_error() -> None:
    assert decayed(entry(), now=START + 700_000 * DAY, half_life=timedelta(seconds=1)).relevance == 0


def test_s0_43_an_access_counts_once_and_never_goes_back() -> None:
    once = touched(entry(), START + DAY)
    assert (once.access_count, once.last_accessed) == (1, START + DAY)
    again = touched(once, START)
    assert (again.access_count, again.last_accessed) == (2, START + DAY)
    assert touched(once, None) is once


@pytest.mark.parametrize("value", [math.nan, math.inf, -0.01, 1.01, -1, 2, True, "0.5", None])
def test_s0_50_a_bad_threshold_falls_back_to_its_default(value: Any) -> None:
    assert Decay(merge_threshold=value, prune_below=value) == Decay()


@pytest.mark.parametrize("value", [timedelta(0), timedelta(seconds=-5), timedelta(microseconds=999_999), 3600, None])
def test_s0_50_a_bad_half_life_falls_back_to_its_default(value: Any) -> None:
    assert Decay(half_life=value).half_life == timedelta(days=14)


def test_s0_50_what_can_be_meant_is_kept_and_never_clamped() -> None:
    decay = Decay(half_life=timedelta(seconds=1), merge_threshold=0, prune_below=1.0)
    assert (decay.half_life, decay.merge_threshold, decay.prune_below) == (timedelta(seconds=1), 0, 1.0)
    assert (Decay().half_life, Decay().merge_threshold, Decay().prune_below) == (timedelta(days=14), 0.6, 0.05)
