"""What an explicit consolidation of a durable scope removes."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memoranda.records.stats import ConsolidationStats
from tests.curation.ground import Ground

HOUR = timedelta(hours=1)


def test_age_alone_removes_nothing() -> None:
    """C32, design D9."""
    ground = Ground()
    ground.put("old")
    ground.clock.advance(timedelta(days=40_000))
    stats = ground.run(ground.store.consolidate(ground.scope))
    assert stats == ConsolidationStats(entries_before=1, entries_after=1)
    assert ground.live() == ["old"]


def test_what_has_expired_goes_with_its_revisions() -> None:
    """S0.21, S0.51: what was done is counted; bytes are those of UTF-8."""
    ground = Ground()
    soon = ground.clock.now() + HOUR
    first = ground.put("größer", key="k", expires_at=soon)
    second = ground.put("x", key="k", expires_at=soon)
    ground.put("stays", expires_at=soon + HOUR)
    ground.clock.set(soon)
    stats = ground.run(ground.store.consolidate(ground.scope))
    assert stats == ConsolidationStats(entries_before=2, entries_after=1, pruned=2, bytes_saved=9)
    assert [entry.memory for entry in ground.all()] == ["stays"]
    assert ground.revisions(first.id) == ground.revisions(second.id) == []


def test_validated_is_no_longer_shown_but_stays() -> None:
    """C34."""
    ground = Ground()
    soon = ground.clock.now() + HOUR
    ground.remember(replace(ground.entry("confirmed", expires_at=soon), validated=True))
    ground.clock.set(soon)
    assert ground.run(ground.store.consolidate(ground.scope)).pruned == 0
    assert (ground.live(), len(ground.all())) == ([], 1)


def test_an_entry_comes_back_though_its_successor_has_gone() -> None:
    ground = Ground()
    old = ground.put("a", key="k")
    ground.put("b", key="k", expires_at=ground.clock.now() + HOUR)
    ground.clock.advance(2 * HOUR)
    ground.run(ground.store.consolidate(ground.scope))
    ground.restore(old.id)
    assert ground.live() == ["a"]
