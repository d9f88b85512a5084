"""Looking at what is stored: get, list, count, scopes, stats."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from memoranda import EntryNotFound, InvalidEntry
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from tests.memory.conftest import OpenMemory


@pytest.mark.parametrize("size", [1, 3, 10, 100])
def test_pages_join_to_the_whole_list(alice: Scope, size: int) -> None:
    alice.remember_many([f"text {number}" for number in range(10)])
    found: list[str] = []
    after: str | None = None
    while page := alice.list(limit=size, after=after):
        assert len(page) <= size
        found += [entry.memory for entry in page]
        after = page[-1].id
    assert found == [f"text {number}" for number in reversed(range(10))]


def test_a_page_may_start_after_an_entry_that_is_no_longer_shown(alice: Scope) -> None:
    entries = [receipt.entry for receipt in alice.remember_many(["a", "b", "c"])]
    assert entries[1] is not None
    alice.retract(entries[1].id)
    assert [entry.memory for entry in alice.list(after=entries[1].id)] == ["a"]


def test_superseded_ones_are_shown_when_asked_for(alice: Scope, clock: FrozenClock) -> None:
    alice.remember("a", key="k")
    alice.remember("b", key="k")
    alice.remember("c", expires_at=clock.now() + timedelta(hours=1))
    clock.advance(timedelta(hours=2))
    assert [entry.memory for entry in alice.list()] == ["b"]
    assert [entry.memory for entry in alice.list(superseded=True)] == ["c", "b", "a"]
    assert alice.count() == 1


@pytest.mark.parametrize(
    "wrong",
    [{"limit": True}, {"limit": None}, {"limit": "5"}, {"tags": "x"}, {"categories": ["x"]}, {"session": "\ud800"}],
    ids=ascii,
)
def test_bad_filter_is_one_clear_error(alice: Scope, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidEntry):
        alice.list(**wrong)


def test_scopes_are_listed_in_order_and_by_page(open_memory: OpenMemory) -> None:
    memory = open_memory()
    assert memory.scopes() == []
    for path in ("b", "a/2", "a", "a/1", "é", "a-"):
        memory.scope(path).remember("x")
    everything = ["a", "a-", "a/1", "a/2", "b", "é"]
    assert memory.scopes() == everything
    assert memory.scopes("a") == ["a", "a/1", "a/2"]
    assert memory.scopes("a", limit=2) == ["a", "a/1"]
    assert memory.scopes("a", limit=2, after="a/1") == ["a/2"]
    assert memory.scopes(limit=0) == memory.scopes(limit=-1) == []
    assert memory.scopes(limit=10**30) == everything
    with pytest.raises(InvalidEntry):
        memory.scopes(limit=True)


def test_a_scope_without_entries_is_not_listed(open_memory: OpenMemory, clock: FrozenClock) -> None:
    memory = open_memory()
    scope = memory.scope("a")
    assert (scope.count(), scope.list(), len(scope.recall("x")), memory.scopes()) == (0, [], 0, [])
    scope.remember("x", expires_at=clock.now() + timedelta(hours=1))
    clock.advance(timedelta(hours=2))
    assert memory.scopes() == ["a"]
    scope.consolidate()
    assert memory.scopes() == []


def test_stats_count_the_whole_store(open_memory: OpenMemory) -> None:
    memory = open_memory()
    memory.scope("a").remember_many([{"text": "x", "key": "k"}, {"text": "y", "key": "k"}])
    entry = memory.scope("b").remember("z").entry
    assert entry is not None
    memory.scope("b").retract(entry.id)
    stats = memory.stats()
    assert (stats.scopes, stats.live, stats.superseded, stats.revisions) == (2, 1, 2, 2)


def test_a_returned_entry_is_not_the_stores_own(alice: Scope) -> None:
    """What a caller does with the metadata that it was given changes nothing that is stored."""
    given: dict[str, Any] = {"a": [1]}
    entry = alice.remember("x", metadata=given).entry
    assert entry is not None
    given["a"].append(2)
    for found in (entry, alice.get(entry.id), alice.list()[0]):
        assert found is not None
        found.metadata["a"].append(3)  # type: ignore[union-attr]  # a list, as given
    kept = alice.get(entry.id)
    assert kept is not None
    assert kept.metadata == {"a": [1]}


def test_unknown_page_start_is_an_error(alice: Scope) -> None:
    with pytest.raises(EntryNotFound):
        alice.list(after="00000000-0000-4000-8000-ffffffffffff")
