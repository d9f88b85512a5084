"""The seed's built-in store (S0.1 to S0.3, S0.33 to S0.39, S0.43, C9, C34)."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from memoranda.curation.decay import Decay
from memoranda.errors import InvalidEntry, StoreClosed
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import Closable, DurableStore, Stepped
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.testing.fakes import FrozenClock
from tests.stores.in_memory.ground import DAY, NOW, SCOPE, entry, fill, step


def texts(found: list[MemoryEntry]) -> list[str]:
    return [each.memory for each in found]


def test_it_has_every_power_and_never_suspends() -> None:
    store = InMemoryStore()
    assert isinstance(store, DurableStore)
    assert isinstance(store, Closable)
    assert isinstance(store, Stepped)
    assert store.never_suspends is True


def test_s0_1_bound_to_a_scope_it_has_exactly_the_seeds_verbs() -> None:
    bound = InMemoryStore().bind("acme/alice")
    assert (bound.len(), bound.is_empty()) == (0, True)
    step(bound.store(entry("blue cluster")))
    assert (bound.len(), bound.is_empty()) == (1, False)
    assert texts(step(bound.retrieve("blue", 3))) == ["blue cluster"]
    assert step(bound.consolidate()) == ConsolidationStats(entries_before=1, entries_after=1)


def test_s0_3_s0_33_s0_36_best_first_ties_in_order_and_the_rest_fills_up() -> None:
    store = InMemoryStore()
    fill(store, entry("green 1"), entry("blue"), entry("green 2"))
    assert texts(step(store.retrieve(SCOPE, "blue", 10))) == ["blue", "green 1", "green 2"]
    assert texts(step(store.retrieve(SCOPE, "blue", 2))) == ["blue", "green 1"]
    assert step(InMemoryStore().retrieve(SCOPE, "blue", 5)) == []


def test_q10_limits(case: Callable[[str], dict[str, Any]]) -> None:
    """Case Q10: negative limits give nothing, never everything; what is no whole number is refused."""
    store, asked = InMemoryStore(), case("Q10")["input"]
    fill(store, *(entry(f"row {number}") for number in range(asked["store_n"])))
    for limit in asked["limits"]:
        if isinstance(limit, bool) or not isinstance(limit, int):
            with pytest.raises(InvalidEntry, match="limit"):
                step(store.retrieve(SCOPE, "row", limit))
        else:
            assert len(step(store.retrieve(SCOPE, "row", limit))) == max(0, min(limit, asked["store_n"]))


def test_bad_input_is_refused_in_words() -> None:
    store: Any = InMemoryStore()
    with pytest.raises(InvalidEntry, match="query"):
        step(store.retrieve(SCOPE, None, 3))
    with pytest.raises(InvalidEntry, match="MemoryEntry"):
        step(store.store(SCOPE, "blue"))
    with pytest.raises(InvalidEntry, match="JSON"):
        step(store.store(SCOPE, entry("x", metadata={"a": object()})))
    assert step(store.count(SCOPE)) == 0


@pytest.mark.parametrize("relevance", [math.nan, -1.0, 7.0])
def test_s0_34_an_impossible_relevance_is_kept_and_disturbs_nothing(relevance: float) -> None:
    store = InMemoryStore()
    odd = entry("blue", relevance=relevance)
    fill(store, odd, entry("blue", relevance=0.1))
    first, last = step(store.retrieve(SCOPE, "blue", 5))
    assert (first.relevance, last.id) == (0.1, odd.id)
    assert step(store.get(SCOPE, odd.id)) is not None


def test_the_same_id_again_takes_the_place_of_the_first() -> None:
    store = InMemoryStore()
    first, second = entry("one"), entry("two")
    fill(store, first, second, replace(first, memory="uno"))
    assert texts(step(store.retrieve(SCOPE, "", 5))) == ["uno", "two"]
    assert step(store.count(SCOPE)) == 2


def test_only_live_entries_of_the_scope_are_shown() -> None:
    store = InMemoryStore(clock=FrozenClock(NOW))
    live = entry("live", expires_at=NOW + DAY)
    fill(store, live, entry("ended", expires_at=NOW), entry("old", superseded_by=live.id))
    fill(store, entry("hers"), scope=Scope("acme/bob"))
    assert texts(step(store.retrieve(SCOPE, "", 5))) == ["live"]
    assert step(store.count(SCOPE)) == store.bind(SCOPE).len() == 1


def test_s0_37_the_seeds_consolidate() -> None:
    """S0.37 with C34: validated entries stay whatever their relevance."""
    store = InMemoryStore(clock=FrozenClock(NOW))
    fill(store, entry("blue", relevance=0.049), entry("blue", relevance=0.05), entry("blue", relevance=0.05))
    fill(store, entry("sure", relevance=0.0, validated=True))
    step(store.retrieve(SCOPE, "blue", 5))
    expected = ConsolidationStats(entries_before=4, entries_after=3, pruned=1, bytes_saved=4)
    assert step(store.consolidate(SCOPE)) == expected
    left = step(store.retrieve(SCOPE, "blue", 5))
    assert sorted(texts(left)) == ["blue", "blue", "sure"]
    assert {(each.access_count, each.last_accessed, each.last_decayed) for each in left} == {(0, None, None)}


def test_s0_43_only_what_matched_and_was_returned_is_stamped_and_once_a_pass() -> None:
    clock = FrozenClock(NOW)
    store = InMemoryStore(decay=Decay(), clock=clock)
    word, tag, miss = entry("the blue cluster"), entry("unlike", tags=("blue",)), entry("green")
    unreturned = entry("blue too", relevance=0.1)
    fill(store, word, tag, miss, unreturned)
    for _ in range(3):
        clock.advance(timedelta(hours=1))
        assert len(step(store.retrieve(SCOPE, "blue", 3))) == 3
    seen = step(store.get(SCOPE, word.id))
    assert seen is not None
    assert (seen.access_count, seen.last_accessed) == (0, None)
    step(store.consolidate(SCOPE))
    after = {each.id: each for each in step(store.retrieve(SCOPE, "nothing like it", 9))}
    counts = {name: after[each.id].access_count for name, each in (("word", word), ("tag", tag), ("miss", miss))}
    assert counts == {"word": 1, "tag": 1, "miss": 0}
    assert after[word.id].last_accessed == NOW + timedelta(hours=3)
    assert after[unreturned.id].access_count == 0
    step(store.consolidate(SCOPE))
    again = step(store.get(SCOPE, word.id))
    assert again is not None
    assert again.access_count == 1


def test_s0_45_decay_through_the_store_does_not_depend_on_cadence() -> None:
    def relevance(passes: int) -> float:
        clock = FrozenClock(NOW)
        store = InMemoryStore(decay=Decay(half_life=timedelta(hours=10)), clock=clock)
        kept = entry("x", Category.TRAJECTORY)
        fill(store, kept)
        for _ in range(passes):
            clock.advance(timedelta(hours=10) / passes)
            step(store.consolidate(SCOPE))
        found = step(store.get(SCOPE, kept.id))
        assert found is not None
        return found.relevance

    assert relevance(10) == pytest.approx(relevance(1), abs=1e-5) == pytest.approx(0.5, abs=1e-5)


def test_s0_46_s0_49_with_decay_it_merges_and_prunes() -> None:
    clock = FrozenClock(NOW)
    store = InMemoryStore(decay=Decay(), clock=clock)
    one, two = entry("run all checks before each commit"), entry("Run all checks before each commit.")
    fill(store, one, two, entry("port is 8080"), entry("port is 9090"), entry("scratch", Category.WORKING))
    stats = step(store.consolidate(SCOPE))
    assert (stats.entries_before, stats.entries_after, stats.merged, stats.pruned) == (5, 4, 1, 0)
    clock.advance(40 * DAY)
    assert step(store.consolidate(SCOPE)).pruned == 1
    assert step(store.count(SCOPE)) == 3
    assert step(store.consolidate(Scope("never/seen"))) == ConsolidationStats()


def test_metadata_belongs_to_the_store_alone() -> None:
    store = InMemoryStore()
    given: dict[str, Any] = {"b": [1], "a": 2}
    kept = entry("x", metadata=given)
    fill(store, kept)
    given["b"].append(2)
    (found,) = step(store.retrieve(SCOPE, "x", 1))
    assert dict(found.metadata) == {"a": 2, "b": [1]}
    found.metadata["b"].append(3)  # type: ignore[union-attr]
    again = step(store.get(SCOPE, kept.id))
    assert again is not None
    assert dict(again.metadata) == {"a": 2, "b": [1]}


def test_a_scorer_of_ones_own_ranks() -> None:
    store = InMemoryStore(scorer=lambda each, query: float(len(each.memory)))
    fill(store, entry("a"), entry("abc"), entry("ab"))
    assert texts(step(store.retrieve(SCOPE, "a", 2))) == ["abc", "ab"]


def test_s0_38_closed_it_holds_nothing() -> None:
    store = InMemoryStore()
    store.open()
    fill(store, entry("x"))
    store.close()
    store.close()
    for call in (store.count(SCOPE), store.retrieve(SCOPE, "x", 1), store.store(SCOPE, entry("y"))):
        with pytest.raises(StoreClosed, match="make a new one"):
            call.send(None)
    with pytest.raises(StoreClosed):
        store.open()


def test_a_decision_that_fails_changes_nothing() -> None:
    store = InMemoryStore()
    kept = entry("kept")
    fill(store, kept)
    bad: Plan[None] = Plan(result=None, removals=(kept.id,), puts=(entry("x", metadata={"a": math.nan}),))
    with pytest.raises(InvalidEntry):
        store.write(SCOPE, lambda snapshot: bad).send(None)
    assert step(store.get(SCOPE, kept.id)) == kept
    assert step(store.changes(SCOPE, 0)).version == 1


def test_s0_2_several_event_loops_use_one_store() -> None:
    store = InMemoryStore()

    async def use(name: str) -> int:
        await asyncio.gather(*(store.store(SCOPE, entry(f"{name} {number}")) for number in range(20)))
        return len(await store.retrieve(SCOPE, name, 100))

    assert asyncio.run(use("first")) == 20
    assert asyncio.run(use("second")) == 40
