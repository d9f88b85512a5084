"""What the tests of the store in memory stand on: a scope, entries, and calls without an event loop."""

from __future__ import annotations

from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

import pytest

from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope
from memoranda.stores.in_memory.store import InMemoryStore

T = TypeVar("T")
NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
SCOPE = Scope("acme/alice")


def entry(memory: str, category: Category = Category.FACT, **fields: Any) -> MemoryEntry:
    return MemoryEntry(category, memory, **({"created_at": NOW} | fields))


def step(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends, in this thread and without an event loop."""
    with pytest.raises(StopIteration) as ended:
        work.send(None)
    result: T = ended.value.value
    return result


def fill(store: InMemoryStore, *entries: MemoryEntry, scope: Scope = SCOPE) -> None:
    for each in entries:
        step(store.store(scope, each))
