"""The clock that stands still and the ids that count."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from uuid import UUID

import pytest

from memoranda.errors import InvalidEntry
from memoranda.records.check import is_id
from memoranda.runtime.sync import Memory
from memoranda.testing import CountingIds, FrozenClock


def test_a_clock_moves_only_when_told() -> None:
    clock = FrozenClock()
    assert clock.now() == clock.now()
    assert clock.advance(timedelta(days=2)) == clock.now() == datetime(2026, 1, 3, 12, tzinfo=UTC)
    clock.set(datetime(2020, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))))
    assert clock.now() == datetime(2020, 1, 1, tzinfo=UTC)
    assert clock.now().tzinfo is UTC
    with pytest.raises(InvalidEntry):
        clock.set(datetime(2020, 1, 1))  # noqa: DTZ001  without a zone on purpose


def test_ids_count_and_are_valid() -> None:
    ids = CountingIds()
    found = [ids.new() for _ in range(300)]
    assert len(set(found)) == 300
    assert all(is_id(id) and UUID(id).version == 4 for id in found)
    assert found[:2] == [CountingIds().new(), "00000000-0000-4000-8000-000000000002"]


def test_a_memory_with_both_answers_the_same_each_time() -> None:
    def receipts() -> list[object]:
        with Memory(":memory:", clock=FrozenClock(), ids=CountingIds()) as memory:
            return [memory.scope("u1").remember(text) for text in ("one", "two")]

    assert receipts() == receipts()
