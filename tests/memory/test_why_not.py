"""Why an entry is not among the hits, in words (issue part 2, point 5)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from memoranda import InvalidEntry, Memory
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from memoranda.testing.embedder import HashingEmbedder
from tests.memory.conftest import OpenMemory

DAY = timedelta(days=1)


def _remembered(scope: Scope, text: str, **given: object) -> str:
    entry = scope.remember(text, **given).entry  # type: ignore[arg-type]  # what `remember` takes
    assert entry is not None
    return entry.id


def test_an_id_of_another_scope_reads_like_an_unknown_one(open_memory: OpenMemory) -> None:
    """Design D4."""
    memory = open_memory()
    id = _remembered(memory.scope("a"), "blue cluster")
    other = memory.scope("b")
    assert other.why_not("cluster", id).replace(id, "x") == other.why_not("cluster", "x")
    assert "no entry" in other.why_not("cluster", id)
    assert "it is a hit" in other.why_not("cluster", id, also=["a"])


def test_what_is_live_no_more(alice: Scope, clock: FrozenClock) -> None:
    old = _remembered(alice, "the port is 8080", key="port")
    clock.advance(DAY)
    new = _remembered(alice, "the port is 9090", key="port")
    assert alice.why_not("port", old) == f"it was superseded by {new}"
    assert "it is a hit" in alice.why_not("port", old, as_of=clock.now() - DAY / 2)
    assert "did not hold" in alice.why_not("port", new, as_of=clock.now() - DAY / 2)
    alice.retract(new)
    assert "retracted" in alice.why_not("port", new)
    gone = _remembered(alice, "the port is closed", expires_at=clock.now() + DAY)
    clock.advance(2 * DAY)
    assert "expired" in alice.why_not("port", gone)


def test_what_a_filter_keeps_out(alice: Scope) -> None:
    id = _remembered(alice, "blue cluster", tags=["infra"], session="s-1")
    assert "`categories`" in alice.why_not("cluster", id, categories=["insight"])
    assert "lacks 'y', 'z'" in alice.why_not("cluster", id, tags=["infra", "z", "y"])
    assert "'s-1', not of 's-2'" in alice.why_not("cluster", id, session="s-2")
    scratch = _remembered(alice, "cluster draft", category="working", session="s-1")
    assert "scratch" in alice.why_not("cluster", scratch)
    assert "it is a hit" in alice.why_not("cluster", scratch, session="s-1")


def test_what_is_no_answer_by_words(alice: Scope) -> None:
    id = _remembered(alice, "blue cluster")
    why = alice.why_not("which giraffes sleep?", id)
    assert '("giraffes", "sleep")' in why
    assert "no embedder is in use" in why
    assert "no informative word" in alice.why_not("?!", id)


def test_places_follow_the_ranking(alice: Scope, clock: FrozenClock) -> None:
    for number in range(100):
        _remembered(alice, f"cluster {number}")
        clock.advance(DAY)
    ranked = [hit.entry.id for hit in alice.recall("cluster", limit=100)]
    assert alice.why_not("cluster", ranked[2]).startswith("it is a hit, at place 3 (score 0.")
    assert "place 9, below the limit of 8" in alice.why_not("cluster", ranked[8])
    assert "place 100, below the limit of 8" in alice.why_not("cluster", ranked[99])
    assert "place 1, below the limit of 0" in alice.why_not("cluster", ranked[0], limit=0)
    assert "below min_score 0.999" in alice.why_not("cluster", ranked[0], min_score=0.999)
    newest = alice.recall("")[0].entry.id
    assert alice.why_not("", newest) == "it is a hit, at place 1 (recent: the query has no words)"


def test_meaning_is_told_with_cosine_and_floor(tmp_path: Path) -> None:
    """Design D14: each embedder has its own floor."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None) as memory:
        bare = _remembered(memory.scope("a"), "a text without a vector")
    with Memory(path, embedder=HashingEmbedder(floor=0.25)) as memory:
        scope = memory.scope("a")
        id = _remembered(scope, "blue cluster")
        assert "under the embedder's floor of 0.250" in scope.why_not("giraffe", id)
        assert "no vector" in scope.why_not("giraffe", bare)
        memory.reembed("a")
        assert "under the embedder's floor" in scope.why_not("giraffe", bare)
        assert scope.why_not("clusters", id).startswith("it is a hit")


def test_arguments_are_checked_as_those_of_recall(alice: Scope) -> None:
    with pytest.raises(InvalidEntry, match="categories"):
        alice.why_not("x", "y", categories=["none"])
