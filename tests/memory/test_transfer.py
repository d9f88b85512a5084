"""Dumping a scope and loading it back."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoranda import ImportFormatError, InMemoryStore, InvalidInput, Memory, NewerVersion, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.memory import transfer
from memoranda.memory.transfer import HEADER
from memoranda.protocols.plan import Plan
from memoranda.records.document import Document, DocumentKind
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey
from memoranda.records.stats import LoadReport
from memoranda.runtime.files import read_lines
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from memoranda.testing.documents import made
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


def _put_documents(scope: Scope, memory: Memory) -> list[Document]:
    session = SessionKey("s%", agent="größer 会議").path
    named = tuple(entry.id for entry in scope.list(limit=2))
    documents = [
        made("z", 'a\u2028b\0\n"é\U0001f680', kind=DocumentKind.SPAN, session=session, entries=named),
        made("b", "{}"),
        made("a", ""),
        made("a", "x" * 200_000, kind=DocumentKind.GRAPH, session=session),
        replace(made("a", "was", kind=DocumentKind.BLOCK_REVISION), at=datetime(2020, 1, 1, 0, 0, 0, 7, tzinfo=UTC)),
    ]
    store = memory.store
    assert isinstance(store, InMemoryStore | SqliteStore)
    plan = Plan(result=None, documents=tuple(documents))
    Stepper().run(store.write(ScopePath("acme/alice"), lambda snapshot: plan))
    return documents


def _load_unread(scope: Scope, path: Path) -> LoadReport:
    """Loads a dump whatever its documents say: how they are read is for the rooms that wrote them."""
    awaited = scope._awaited
    return Stepper().run(transfer.load(awaited._context, awaited._scope, read_lines(path)))


def test_a_document_that_nobody_could_read_is_refused(open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    """A dump that was changed by hand: a block over its limit, a graph that is none, a span without its message."""
    memory = open_memory()
    alice = memory.scope("acme/alice")
    alice.core.put_block("a", "12345", limit=5)
    alice.session("s").graph.upsert_node("n")
    _put_documents(memory.scope("acme/bob"), memory)
    path = tmp_path / "dump"
    alice.dump(path)
    spoiled = path.read_text(encoding="utf-8").replace("12345", "1234567").replace("nodes", "nodez")
    path.write_text(spoiled, encoding="utf-8")
    report = memory.scope("copy").load(path)
    assert (report.added, [one.line for one in report.refused]) == (0, [2, 3, *range(4, len(spoiled.split("\n")))])
    assert memory.scope("copy").core.blocks() == []


def test_documents_are_dumped_after_the_entries(
    open_memory: Callable[..., Memory], clock: FrozenClock, tmp_path: Path
) -> None:
    """Part 5: a second dump is byte-identical, and nothing of a document is lost."""
    memory = open_memory()
    alice = memory.scope("acme/alice")
    _fill(alice, clock)
    documents = _put_documents(alice, memory)
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    alice.dump(first)
    lines = first.read_text(encoding="utf-8").split("\n")
    assert [next(iter(json.loads(line))) for line in lines[1:-1]] == ["entry"] * 4 + ["document"] * 5
    with Memory(":memory:", embedder=None) as other:
        copy = other.scope("copy")
        report = _load_unread(copy, first)
        assert (report.added, report.unchanged, report.refused) == (9, 0, ())
        copy.dump(second)
        assert second.read_bytes() == first.read_bytes()
        assert isinstance(other.store, SqliteStore)
        loaded = Stepper().run(other.store.whole(ScopePath("copy"))).documents
        assert sorted(loaded, key=lambda one: one.key) == sorted(documents, key=lambda one: one.key)
        assert _load_unread(copy, first).unchanged == 9


def test_a_document_that_differs_is_refused(open_memory: Callable[..., Memory], tmp_path: Path) -> None:
    """Nothing is overwritten, and a line that is no document spoils only itself."""
    memory = open_memory()
    alice = memory.scope("acme/alice")
    _put_documents(alice, memory)
    path = tmp_path / "dump"
    alice.dump(path)
    changed = (
        path.read_text(encoding="utf-8").replace('"name":"b"', '"name":"b2"').replace('"body":""', '"body":"other"')
    )
    bad = ['{"document":[]}', '{"document":{"kind":"x","name":"n","at":"2026-01-01T00:00:00Z","body":""}}', "7"]
    path.write_text(changed + "\n".join(bad) + "\n", encoding="utf-8")
    report = _load_unread(alice, path)
    assert (report.added, report.unchanged) == (1, 3)
    assert [one.line for one in report.refused] == [3, 7, 8, 9]
    assert report.refused[0].reason == "the block 'a' is stored already and differs"
    assert "unknown kind" in report.refused[2].reason


class KeepsNoDocuments(InMemoryStore):
    """A store of someone else's, who knew only entries."""

    document = None  # type: ignore[assignment]


def test_a_store_without_documents_loads_the_entries(
    open_memory: Callable[..., Memory], clock: FrozenClock, tmp_path: Path
) -> None:
    memory = open_memory()
    alice = memory.scope("acme/alice")
    _fill(alice, clock)
    _put_documents(alice, memory)
    alice.dump(tmp_path / "dump")
    with Memory(store=KeepsNoDocuments(), embedder=None) as other:
        report = other.scope("copy").load(tmp_path / "dump")
        assert (report.added, [one.line for one in report.refused]) == (4, [6, 7, 8, 9, 10])
        assert report.refused[0].reason == "KeepsNoDocuments keeps no documents"
        assert other.scope("copy").dump(tmp_path / "again") == 4


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
