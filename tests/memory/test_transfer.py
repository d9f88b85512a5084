"""Dumping a scope and loading it back."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest

from memoranda import ImportFormatError, InvalidInput, Memory, NewerVersion
from memoranda.memory.transfer import HEADER
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from tests.memory.test_remember import KEY, SECRET


def _fill(scope: Scope, clock: FrozenClock) -> None:
    scope.remember(
        "größer 会議\u2028\0\n\x1b[31m", tags=["ü"], metadata={"b": [1.5, None], "a": {"é": True}}, confidence=1
    )
    scope.remember("port 1", key="port", occurred_at=clock.now() - timedelta(days=3, microseconds=1))
    clock.advance(timedelta(minutes=1))
    changed = scope.remember("port 2", key="port").entry
    assert changed is not None
    scope.restore(changed.id)
    gone = scope.remember("wrong").entry
    assert gone is not None
    scope.retract(gone.id, because="it was wrong")


def test_second_dump_is_byte_identical(alice: Scope, clock: FrozenClock, tmp_path: Path) -> None:
    """Part 1, item 7: and nothing is lost, revisions and superseded entries included."""
    _fill(alice, clock)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    assert alice.dump(first) == 4
    with Memory(":memory:") as other:
        copy = other.scope("elsewhere/copy")
        report = copy.load(first)
        assert (report.added, report.unchanged, report.refused) == (4, 0, ())
        assert copy.dump(second) == 4
        assert second.read_bytes() == first.read_bytes()
        assert copy.list(superseded=True) == alice.list(superseded=True)
        for entry in alice.list(superseded=True):
            assert copy.revisions(entry.id) == alice.revisions(entry.id)
        assert copy.load(first).unchanged == 4


def test_a_copy_can_be_worked_on(alice: Scope, clock: FrozenClock, tmp_path: Path) -> None:
    _fill(alice, clock)
    alice.dump(tmp_path / "dump")
    with Memory(":memory:", clock=clock) as other:
        copy = other.scope("copy")
        copy.load(tmp_path / "dump")
        wrong = next(entry for entry in copy.list(superseded=True) if entry.memory == "wrong")
        copy.restore(wrong.id)
        assert len(copy.recall("port wrong")) == 2
        assert [revision.number for revision in copy.revisions(wrong.id)] == [1, 2]


def test_a_dump_replaces_a_file_whole_or_not_at_all(alice: Scope, tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_text("older")
    alice.remember("x")
    alice.dump(path)
    assert path.read_text(encoding="utf-8").startswith(HEADER)
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith("unfinished")] == []
    with pytest.raises(InvalidInput, match="cannot be written"):
        alice.dump(tmp_path / "no" / "folder")
    with pytest.raises(InvalidInput, match="cannot be written"):
        alice.dump(tmp_path)


@pytest.mark.parametrize("first", ["", "{}", "[]", "null", "not json", '{"format":"something","version":1}'])
def test_what_is_no_dump_is_refused(alice: Scope, tmp_path: Path, first: str) -> None:
    path = tmp_path / "dump"
    path.write_text(first + "\n", encoding="utf-8")
    with pytest.raises(ImportFormatError):
        alice.load(path)
    with pytest.raises(InvalidInput, match="cannot be read"):
        alice.load(tmp_path / "missing")


@pytest.mark.parametrize("version", [2, "1", None])
def test_a_dump_of_a_newer_version_says_what_to_do(alice: Scope, tmp_path: Path, version: object) -> None:
    path = tmp_path / "dump"
    path.write_text(json.dumps({"format": "memoranda dump", "version": version}), encoding="utf-8")
    with pytest.raises((ImportFormatError, NewerVersion), match="newer memoranda"):
        alice.load(path)


def test_deep_nesting_spoils_its_own_line_only(alice: Scope, tmp_path: Path) -> None:
    """Case K01."""
    path = tmp_path / "dump"
    alice.remember("good")
    alice.dump(path)
    with path.open("a", encoding="utf-8") as file:
        file.write("[" * 100_000 + "\n")
        file.write('{"entry":{"metadata":' + '{"a":' * 100_000 + "\n")
    with Memory(":memory:") as other:
        report = other.scope("copy").load(path)
    assert (report.added, [refused.line for refused in report.refused]) == (1, [3, 4])


def test_a_dump_holds_no_secret(alice: Scope, tmp_path: Path) -> None:
    """Case R03, path: export."""
    entry = alice.remember(KEY, source=KEY, metadata={"x": KEY}, tags=[KEY]).entry
    assert entry is not None
    alice.update(entry.id, f"again {KEY}")
    alice.dump(tmp_path / "dump")
    assert SECRET not in (tmp_path / "dump").read_text(encoding="utf-8")
