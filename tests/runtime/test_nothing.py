"""`Memory(None)`: no store is attached, and every call does nothing (S0.4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoranda import EntryNotFound, Memory, Outcome, Unsupported

UNKNOWN = "00000000-0000-4000-8000-000000000001"


def test_nothing_is_stored_and_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S0.4."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Memory(None) as memory:
        scope = memory.scope("acme/alice")
        receipt = scope.remember("x", key="k", idempotency_key="r1")
        assert (receipt.outcome, receipt.entry, receipt.because) == (Outcome.REJECTED, None, "no store is attached")
        assert [one.outcome for one in scope.remember_many(["a", "b"])] == [Outcome.REJECTED] * 2
        assert (len(scope.recall("x")), len(scope.recall("", also=["b"])), scope.list(), scope.get(UNKNOWN)) == (
            0,
            0,
            [],
            None,
        )
        assert (scope.count(), scope.consolidate().pruned, memory.scopes(), memory.stats().live) == (0, 0, [], 0)
        assert scope.dump(tmp_path / "dump") == 0
        assert scope.load(tmp_path / "dump").added == 0
    assert not (tmp_path / "data").exists()


def test_what_names_an_entry_finds_none() -> None:
    """S1.29: never a silent no-op where the caller means something that is not there."""
    scope = Memory(None).scope("a")
    for verb in (
        lambda: scope.update(UNKNOWN, "x"),
        lambda: scope.retract(UNKNOWN),
        lambda: scope.restore(UNKNOWN),
        lambda: scope.revisions(UNKNOWN),
        lambda: scope.list(after=UNKNOWN),
    ):
        with pytest.raises(EntryNotFound):
            verb()


def test_a_dump_is_not_swallowed(tmp_path: Path) -> None:
    with Memory(":memory:") as memory:
        memory.scope("a").remember("x")
        memory.scope("a").dump(tmp_path / "dump")
    with pytest.raises(Unsupported, match="give `Memory` a path"):
        Memory(None).scope("a").load(tmp_path / "dump")
