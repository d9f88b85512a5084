"""Folding and contests through the verbs, on every store (design D9, D10)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoranda import Memory, NewEntry, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.protocols.store import DurableStore
from memoranda.records.scope import Scope as ScopePath
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from memoranda.testing.embedder import HashingEmbedder
from tests.memory.conftest import OpenMemory
from tests.memory.restating import texts

ROOT = Path(__file__).resolve().parents[2]
TUESDAY, RESTATED = "The release day of the Ferry app is Tuesday", "Release day of the Ferry app: Tuesday."
WEDNESDAY = "The release day of the Ferry app is Wednesday"
run = Stepper().run


def outcomes(scope: Scope, items: Sequence[NewEntry | str]) -> list[str]:
    return [receipt.outcome.value for receipt in scope.remember_many(items)]


def test_a_restatement_folds_into_what_is_stored_and_into_its_own_batch(alice: Scope) -> None:
    assert outcomes(alice, [TUESDAY, "Ana plays the cello"]) == ["added", "added"]
    assert outcomes(alice, [RESTATED, "ana plays the CELLO!", "Bob sings", "Bob sings."]) == [
        "folded", "folded", "added", "folded"
    ]  # fmt: skip
    assert sorted(entry.seen_count for entry in alice.list()) == [2, 2, 2]


def test_a_contradiction_is_shown_with_both_dates(alice: Scope, clock: FrozenClock) -> None:
    """Design D9: in `contested`, in the reasons of hits, and in the block for a model."""
    alice.remember(TUESDAY, occurred_at=datetime(2025, 3, 4, tzinfo=UTC))
    clock.advance(timedelta(days=1))
    receipt = alice.remember(WEDNESDAY)
    assert (receipt.outcome, receipt.entry in [pair[1] for pair in alice.contested()]) == ("contested", True)
    ((older, newer),) = alice.contested()
    assert (older.memory, newer.memory) == (TUESDAY, WEDNESDAY)
    recalled = alice.recall("what is the release day of Ferry?")
    assert len(recalled) == 2
    assert all("2025-03-04" in hit.because and "2026-01-02" in hit.because for hit in recalled)
    block = recalled.block()
    assert block.count("contested") == 2
    assert "2025-03-04" in block
    assert "2026-01-02" in block


@pytest.mark.parametrize("how", ["update", "retract", "key", "erase"])
def test_a_pair_is_settled(alice: Scope, how: str) -> None:
    alice.remember(TUESDAY, key="release.day")
    rival = alice.remember(WEDNESDAY).entry
    assert rival is not None
    assert len(alice.contested()) == 1
    match how:
        case "update":
            alice.update(rival.id, TUESDAY)
        case "retract":
            alice.retract(rival.id)
        case "erase":
            alice.erase(rival.id)
        case _:
            alice.remember(WEDNESDAY, key="release.day")
    assert alice.contested() == []
    assert all(not entry.contested_with for entry in alice.list(superseded=True))


def test_what_expired_is_contested_no_more(alice: Scope, clock: FrozenClock) -> None:
    alice.remember(TUESDAY)
    alice.remember(WEDNESDAY, expires_at=clock.now() + timedelta(hours=1))
    assert len(alice.contested()) == 1
    clock.advance(timedelta(hours=2))
    assert alice.contested() == []


def test_what_recall_put_before_the_model_is_not_stored_again(alice: Scope) -> None:
    """Design D10, case M07: the echo guard knows it by the hash of what was emitted."""
    alice.remember(TUESDAY)
    emitted = alice.recall("release day").rendered().hashes
    assert emitted
    receipt = alice.remember(TUESDAY, emitted=emitted, origin="model")
    assert (receipt.outcome, receipt.entry) == ("rejected", None)
    assert "recall put this text" in receipt.because
    assert [entry.seen_count for entry in alice.list()] == [1]
    said = alice.remember(RESTATED, emitted=emitted, origin="model")
    assert said.outcome == "folded"  # other words are somebody's own
    assert alice.remember(TUESDAY, origin="model").outcome == "folded"


def test_a_less_trusted_restatement_counts_and_keeps_the_wording(alice: Scope) -> None:
    alice.remember(TUESDAY, origin="host", tags=["release"])
    entry = alice.remember(RESTATED, origin="web", tags=["spam"]).entry
    assert entry is not None
    assert (entry.memory, entry.tags, entry.seen_count, entry.origin) == (TUESDAY, ("release",), 2, "host")


def test_the_window_is_a_setting(open_memory: OpenMemory, clock: FrozenClock) -> None:
    """S1.22."""
    scope = open_memory(fold_days=2.0).scope("a")
    scope.remember(TUESDAY)
    clock.advance(timedelta(days=2))
    assert scope.remember(RESTATED).outcome == "folded"
    clock.advance(timedelta(days=2, seconds=1))
    assert scope.remember(TUESDAY).outcome == "added"


@pytest.mark.parametrize("category", ["episode", "trajectory"])
def test_messages_and_calls_never_fold_c35(alice: Scope, category: str) -> None:
    items = [NewEntry(TUESDAY, category=category, session="s1", position=number) for number in range(3)]
    assert outcomes(alice, items) == ["added"] * 3
    assert outcomes(alice, [NewEntry(WEDNESDAY, category=category, session="s1", position=3)]) == ["added"]
    assert alice.contested() == []


def test_other_scopes_neither_fold_nor_contest(open_memory: OpenMemory) -> None:
    memory = open_memory()
    assert memory.scope("a").remember(TUESDAY).outcome == "added"
    assert memory.scope("b").remember(RESTATED).outcome == "added"
    assert memory.scope("a/b").remember(WEDNESDAY).outcome == "added"


def test_the_same_request_twice_is_seen_once(alice: Scope) -> None:
    """A retry is no restatement: its idempotency key answers it."""
    alice.remember(TUESDAY)
    first = alice.remember(RESTATED, idempotency_key="r1")
    again = alice.remember(RESTATED, idempotency_key="r1")
    assert (first.outcome, again.outcome, again.repeated) == ("folded", "folded", True)
    assert [entry.seen_count for entry in alice.list()] == [2]


def test_vectors_follow_the_wording(tmp_path: Path) -> None:
    """The folded entry's vector is that of its new text; a less trusted restatement leaves the old one."""
    embedder = HashingEmbedder(64)
    with Memory(tmp_path / "m.db", embedder=embedder) as memory:
        scope = memory.scope("a")
        scope.remember_many([TUESDAY, "Ana plays the cello"])
        scope.remember(RESTATED)
        assert _meaning(scope, RESTATED) == pytest.approx(1.0, abs=0.02)
        scope.remember(TUESDAY, origin="web")
        assert _meaning(scope, RESTATED) == pytest.approx(1.0, abs=0.02)
        scope.remember_many(["Bob sings in the choir", "Bob sings in the Choir!"])
        store = memory.store
        assert isinstance(store, DurableStore)
        assert list(run(store.unembedded(ScopePath("a"), embedder.identity.key, 10))) == []


def test_a_restored_wording_is_not_found_by_the_vector_of_the_other(tmp_path: Path) -> None:
    """After a fold was undone the entry has its own vector, or none until `reembed`."""
    with Memory(tmp_path / "m.db", embedder=HashingEmbedder(64)) as memory:
        scope = memory.scope("a")
        entry = scope.remember(TUESDAY).entry
        assert entry is not None
        scope.remember(RESTATED)
        scope.restore(entry.id)
        memory.reembed("a")
        assert _meaning(scope, TUESDAY) == pytest.approx(1.0, abs=0.02)


def _meaning(scope: Scope, text: str) -> float:
    (hit,) = [hit for hit in scope.recall(text) if hit.entry.memory == text]
    return float(hit.because.split("meaning ")[1].split(";")[0])


@pytest.mark.parametrize(("count", "batch"), [(100, 1), (100, 25), pytest.param(1000, 1, marks=pytest.mark.slow)])
def test_two_processes_remember_the_same_at_once(tmp_path: Path, count: int, batch: int) -> None:
    """Each text becomes one entry that was seen twice, whoever comes first."""
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        memory.scope("shared").remember("Ana plays the cello")
    command = [sys.executable, "-m", "tests.memory.restating", str(path), str(count), str(batch)]
    children = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")
        for _ in range(2)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        child.communicate(timeout=300)
        assert child.returncode == 0
    store = SqliteStore(path)
    with Memory(store=store, embedder=None, settings=Settings()) as memory:
        kept = [entry for entry in memory.scope("shared").list(limit=5_000) if entry.memory != "Ana plays the cello"]
    assert sorted(entry.memory for entry in kept) == sorted(texts(count))
    assert {entry.seen_count for entry in kept} == {2}
