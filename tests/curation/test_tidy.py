"""What consolidation makes of a scope of `InMemoryStore` (S0.21, S0.37, S0.42 to S0.51, C32 to C34)."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.decay import Decay
from memoranda.curation.tidy import drop_irrelevant, tidy
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.stats import ConsolidationStats

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)


def entry(memory: str, category: Category = Category.FACT, **fields: Any) -> MemoryEntry:
    return MemoryEntry(category, memory, **({"created_at": NOW} | fields))


def test_s0_37_the_seeds_way_drops_by_relevance_and_touches_nothing_else() -> None:
    low, edge, twin = entry("low", relevance=0.049), entry("edge", relevance=0.05), entry("edge", relevance=0.05)
    sure = entry("sure", relevance=0.0, validated=True)
    plan = drop_irrelevant([low, edge, twin, sure], now=NOW)
    assert plan.removals == (low.id,)
    assert plan.puts == ()
    assert plan.result == ConsolidationStats(entries_before=4, entries_after=3, pruned=1, bytes_saved=3)


def test_what_has_expired_goes_and_history_stays() -> None:
    ended = entry("ended", expires_at=NOW)
    ended_sure = entry("ended, sure", expires_at=NOW, validated=True)
    successor = entry("new")
    old = entry("old", relevance=0.0, superseded_by=successor.id)
    entries = [ended, ended_sure, successor, old]
    expected = ConsolidationStats(entries_before=2, entries_after=1, pruned=1, bytes_saved=5)
    for plan in (drop_irrelevant(entries, now=NOW), tidy(entries, now=NOW, decay=Decay(), accessed={})):
        assert plan.removals == (ended.id,)
        assert plan.result == expected


def test_s0_43_accesses_are_counted_before_decay() -> None:
    old = entry("x", Category.TRAJECTORY, created_at=NOW - 14 * DAY)
    (found,) = tidy([old], now=NOW, decay=Decay(), accessed={old.id: NOW}).puts
    assert (found.access_count, found.last_accessed, found.relevance) == (1, NOW, 1.0)


def test_s0_44_to_s0_51_one_pass() -> None:
    stale = entry("älter", Category.WORKING, relevance=0.3, created_at=NOW - 365 * DAY)
    one = entry("run the checks before every commit", relevance=0.6)
    two = entry("run the checks before every commit!", relevance=0.5, tags=("ci",))
    sure = entry("the build is green", relevance=0.001, created_at=NOW - 365 * DAY, validated=True)
    plan = tidy([stale, one, two, sure], now=NOW, decay=Decay(), accessed={})
    assert set(plan.removals) == {stale.id, two.id}
    saved = len(stale.memory.encode()) + len(two.memory.encode())
    assert plan.result == ConsolidationStats(entries_before=4, entries_after=2, pruned=1, merged=1, bytes_saved=saved)
    kept = {put.id: put for put in plan.puts}
    assert kept[one.id].tags == ("ci",)
    assert kept[one.id].relevance == pytest.approx(0.7)
    assert kept[sure.id].validated


def test_s0_49_decay_comes_before_pruning() -> None:
    fading = entry("x", Category.WORKING, relevance=0.06, created_at=NOW - 7 * DAY)
    assert tidy([fading], now=NOW, decay=Decay(), accessed={}).removals == (fading.id,)


def test_nothing_to_do_changes_nothing() -> None:
    plan = tidy([entry("x")], now=NOW, decay=Decay(), accessed={})
    assert not plan.changes_entries
    assert tidy([], now=NOW, decay=Decay(), accessed={}).result == ConsolidationStats()


def test_history_follows_what_its_successor_was_merged_into() -> None:
    canonical, joined = entry("the same words", relevance=0.9), entry("the same words", relevance=0.5)
    old = entry("other words then", superseded_by=joined.id)
    plan = tidy([old, joined, canonical], now=NOW, decay=Decay(), accessed={})
    assert next(put for put in plan.puts if put.id == old.id) == replace(old, superseded_by=canonical.id)
    assert plan.removals == (joined.id,)


ENTRIES = st.lists(
    st.builds(
        entry,
        st.sampled_from(["a b c", "a b c d", "x y z", "port 1", "port 2", ""]),
        st.sampled_from(Category),
        relevance=st.floats(),
        validated=st.booleans(),
        created_at=st.sampled_from([NOW, NOW - 90 * DAY, NOW + DAY]),
        expires_at=st.sampled_from([None, NOW, NOW + DAY]),
    ),
    max_size=10,
)


@given(ENTRIES, st.booleans())
def test_stats_add_up_and_validated_entries_all_stay(entries: list[MemoryEntry], with_decay: bool) -> None:
    plan = tidy(entries, now=NOW, decay=Decay(), accessed={}) if with_decay else drop_irrelevant(entries, now=NOW)
    stats, gone = plan.result, set(plan.removals)
    assert len(gone) == len(plan.removals) == stats.pruned + stats.merged
    assert not gone & {put.id for put in plan.puts}
    assert not gone & {each.id for each in entries if each.validated}
    assert stats.entries_before - stats.entries_after == stats.pruned + stats.merged
    left = [each for each in entries if each.id not in gone and each.is_live(NOW)]
    assert stats.entries_after == len(left)
