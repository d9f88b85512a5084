"""Cases from the field: restatements, contradictions, echoes, capacity, erasure.

The durable ones stand beside the store: full disks (case K03), files to be read only (case K04), versions (case K05).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from memoranda import Memory, Settings, SqliteStore
from memoranda.errors import InvalidInput, InvalidScope
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from tests.conftest import Case

CaseOf = Callable[[str], Case]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def scope(tmp_path: Path, clock: FrozenClock) -> Iterator[Scope]:
    with Memory(store=SqliteStore(tmp_path / "m.db", clock=clock), clock=clock, embedder=None) as memory:
        yield memory.scope("u1")


def test_case_M01(case: CaseOf, scope: Scope, clock: FrozenClock) -> None:  # noqa: N802
    """Exactly the same once more: one entry, seen twice, with its id and its begin."""
    first, second, asked, _ = case("M01")["input"]["steps"]
    before = scope.remember(first["text"]).entry
    clock.advance(timedelta(minutes=1))
    after = scope.remember(second["text"]).entry
    assert before is not None
    assert after is not None
    assert (scope.count(), after.seen_count) == (1, 2)
    assert after.last_seen == clock.now()
    assert (after.id, after.created_at) == (before.id, before.created_at)
    assert [hit.entry.id for hit in scope.recall(asked["query"], limit=asked["limit"])] == [before.id]


def test_case_M02(case: CaseOf, scope: Scope) -> None:  # noqa: N802
    """The same in other case, punctuation and spacing is one entry; another value is another one."""
    counts = []
    for step in case("M02")["input"]["steps"]:
        if step["op"] == "store":
            scope.remember(step["text"])
        else:
            counts.append(scope.count())
    assert counts == [1, 2]
    assert sorted(entry.seen_count for entry in scope.list()) == [1, 3]
    assert len(scope.contested()) == 1


def test_case_M04_without_a_model(case: CaseOf, scope: Scope) -> None:  # noqa: N802
    """Nothing that is said takes what was known away: never zero live rows about the subject."""
    given = case("M04")["input"]["steps"]
    known = scope.remember(given[0]["text"]).entry
    scope.remember(given[1]["new_evidence"])
    scope.consolidate()
    assert known is not None
    assert known.id in [entry.id for entry in scope.list()]
    assert any("spicy" in hit.entry.memory for hit in scope.recall("spicy food"))


def test_case_M05(case: CaseOf, scope: Scope, clock: FrozenClock) -> None:  # noqa: N802
    """What was replaced is no longer shown, not even for its own word; its history has both times."""
    stored, edited, asked, named, _ = case("M05")["input"]["steps"]
    old = scope.remember(stored["text"]).entry
    began = clock.now()
    clock.advance(timedelta(days=30))
    assert old is not None
    new = scope.update(old.id, edited["text"]).entry
    assert new is not None
    for query in (asked["query"], named["query"]):
        assert all(hit.entry.memory == edited["text"] for hit in scope.recall(query, limit=5))
    (was,) = scope.revisions(new.id)
    assert (was.entry.memory, was.entry.valid_from, was.at) == (stored["text"], began, clock.now())
    kept = scope.get(old.id)
    assert kept is not None
    assert (kept.valid_to, kept.superseded_by) == (clock.now(), new.id)
    assert [entry.memory for entry in scope.list()] == [edited["text"]]


def test_case_M06_strangers_do_not_retire_each_other(case: CaseOf, scope: Scope) -> None:  # noqa: N802
    """Facts about other things stay live, also beside new evidence and after a consolidation."""
    given = case("M06")["input"]
    receipts = scope.remember_many([*given["store"], given["fake_llm"][-1]["text"]])
    scope.consolidate()
    live = [entry.memory for entry in scope.list()]
    assert set(given["store"]) <= set(live)
    assert [receipt.outcome for receipt in receipts[:3]] == ["added"] * 3


def test_case_M07(case: CaseOf, scope: Scope) -> None:  # noqa: N802
    """What recall injected comes back from the model twenty times, and is still one entry that was said once."""
    given = case("M07")["input"]
    scope.remember(given["store"][0])
    (turn,) = given["turns"]
    for _ in range(given["repeat"]):
        block = scope.recall("pnpm").rendered()
        assert given["store"][0] in block.text
        for injected in turn["injected"]:
            receipt = scope.remember(injected, origin="model", emitted=block.hashes)
            assert receipt.outcome == "rejected"
        scope.recall(turn["user"])
    assert [(entry.memory, entry.seen_count) for entry in scope.list()] == [(given["store"][0], 1)]


def test_case_M08(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """At the bound what was just written stays, what is validated stays, and what goes is reported."""
    given = case("M08")["input"]
    stored = [step for step in given["steps"] if step["op"] == "store"]
    settings = Settings(max_entries=given["capacity"])
    with Memory(tmp_path / "m.db", embedder=None, settings=settings) as memory:
        scope = memory.scope("u1")
        ids = []
        for step in stored:
            receipt = scope.remember(step["text"], validated=step.get("validated", False))
            assert receipt.entry is not None
            assert scope.get(receipt.entry.id) is not None
            ids.append(receipt.entry.id)
        assert [hit.entry.id for hit in scope.recall("new", limit=5)] == [ids[-1]]
        before = {entry.id for entry in scope.list()}
        stats = scope.consolidate()
        live = {entry.id for entry in scope.list()}
        assert {ids[0], ids[-1]} <= live
        assert set(stats.evicted_ids) == before - live
        assert len(live) == given["capacity"]


def test_case_X02(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Erasing one scope leaves the others; without its path nothing is erased."""
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        for step in case("X02")["input"]["steps"]:
            match step["op"]:
                case "store":
                    memory.scope(step["scope"]).remember(step["text"])
                case "len":
                    assert memory.scope(step["scope"]).count() == 1
                case _ if step["scope"]:
                    assert memory.scope(step["scope"]).erase_scope(confirm=step["scope"]).counts.entries == 1
                case _:
                    with pytest.raises(InvalidScope):
                        memory.scope(step["scope"])
                    with pytest.raises(InvalidInput, match="nothing was erased"):
                        memory.scope("userB").erase_scope(confirm=step["scope"])


def test_case_X03(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """All 2,500 go, not a first page of them."""
    parts = case("X03")["input"]["steps"]
    stored = [step["text"] for part in parts if isinstance(part, list) for step in part]
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope = memory.scope("big")
        scope.remember_many(stored)
        assert scope.erase_scope(confirm="big").counts.entries == len(stored) == 2500
        assert (scope.count(), len(scope.recall("n77", limit=5)), len(scope.recall("", limit=5))) == (0, 0, 0)
