from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

from memoranda.records.check import ENTRY_FIELDS
from memoranda.records.codec import entry_from_json
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.erasure import ErasureProof
from memoranda.records.stats import ConsolidationStats
from memoranda.service.views import contested_view, entry_view, page_view, proof_view, stats_view

NOON = datetime(2026, 1, 1, 13, tzinfo=timezone(timedelta(hours=1)))


def test_an_entry_has_all_its_fields_in_a_form_that_can_be_read_back() -> None:
    entry = MemoryEntry(Category.FACT, "测试", created_at=NOON, tags=("a",), metadata={"x": [1]})
    view = json.loads(json.dumps(entry_view(entry)))
    assert set(view) == set(ENTRY_FIELDS)
    assert view["created_at"] == view["valid_from"] == view["last_seen"] == "2026-01-01T12:00:00Z"
    assert entry_from_json(view) == entry


def test_a_page_that_is_not_full_is_the_last() -> None:
    entries = [MemoryEntry(Category.FACT, "x", created_at=datetime(2026, 1, 1, tzinfo=UTC)) for _ in range(2)]
    assert page_view(entries, 2)["next"] == entries[-1].id
    assert page_view(entries, 3)["next"] is None
    assert page_view([], 0)["next"] is None


def test_contested_pairs_proofs_and_reports_are_plain_json() -> None:
    older, newer = MemoryEntry(Category.FACT, "the port is 8080"), MemoryEntry(Category.FACT, "the port is 9090")
    (pair,) = json.loads(json.dumps(contested_view([(older, newer)])))["pairs"]
    assert (pair["older"]["memory"], pair["newer"]["memory"]) == (older.memory, newer.memory)
    proof = ErasureProof(proved=False, because="somebody reads", settled=1, owed=2)
    assert proof_view(proof) == {"verified": "pending", "because": "somebody reads", "settled": 1, "owed": 2}
    assert stats_view(ConsolidationStats(evicted=1, evicted_ids=("x",)))["evicted_ids"] == ["x"]
