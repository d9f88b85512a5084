"""Verifying a file, and mending what can be mended without loss."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from memoranda import Memory, StoreDamaged
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.upkeep import DoctorReport, VerifyReport
from memoranda.stores.in_memory.store import InMemoryStore
from tests.stores.sqlite.files import is_sound, put_documents, sql


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "m.db", embedder=None) as opened:
        scope = opened.scope("acme/alice")
        scope.remember_many(
            [{"text": f"note {number} about w{number * 7919}", "key": f"k{number}"} for number in range(30)]
        )
        scope.remember("note 31 is new", key="k1")
        opened.scope("acme/bob").remember("👍")
        key = DocumentKey(kind=DocumentKind.BLOCK, name="about")
        named = (scope.list(limit=1)[0].id,)
        put_documents(opened, scope.path, Document(key=key, body="{}", at=datetime.now(UTC), entries=named))
        yield opened


def bad(report: VerifyReport) -> list[str]:
    return [part.what for part in report.parts if not part.ok]


def kinds(report: DoctorReport) -> dict[str, int]:
    return {finding.kind: finding.count for finding in report.findings}


def test_a_sound_file_is_verified(memory: Memory) -> None:
    report = memory.verify()
    assert report.ok, str(report)
    assert len(report.parts) == 14
    assert "31 live" in str(report)
    shown = json.loads(json.dumps(report.to_json()))
    assert (shown["ok"], len(shown["parts"])) == (True, 14)
    assert memory.doctor().healthy
    assert str(memory.doctor()) == "nothing is wrong"


@pytest.mark.parametrize(
    ("statement", "wrong"),
    [
        ("UPDATE entries SET tags = '[' WHERE place = 3", "all entries can be read and obey the rules"),
        ("UPDATE entries SET memory = ' ' WHERE place = 3", "all entries can be read and obey the rules"),
        ("UPDATE entries SET category = 'x' WHERE place = 3", "all entries can be read and obey the rules"),
        ("UPDATE entries SET id = x'00' WHERE place = 3", "all entries can be read and obey the rules"),
        ("UPDATE revisions SET entry = '{}'", "all revisions can be read and obey the rules"),
        ("UPDATE revisions SET change = 'x'", "all revisions can be read and obey the rules"),
        ("UPDATE documents SET kind = 'x'", "all documents can be read and obey the rules"),
        ("UPDATE documents SET name = ' '", "all documents can be read and obey the rules"),
        ("UPDATE document_entries SET id = x'0000'", "all documents can be read and obey the rules"),
        ("UPDATE document_entries SET document = 99", "no entry is named by a document that is gone"),
        ("UPDATE revisions SET id = x'00000000000040008000000000000001'", "no revision is without its entry"),
        (
            "UPDATE entries SET scope = 99 WHERE place = 3",
            "every row belongs to a scope and an embedder that are there",
        ),
        ("PRAGMA user_version = 0", "it is marked as memoranda's, in the newest format"),
    ],
)
def test_what_is_wrong_is_named(memory: Memory, tmp_path: Path, statement: str, wrong: str) -> None:
    sql(tmp_path / "m.db", statement)
    assert bad(memory.verify()) == [wrong]


def test_vectors_of_another_width_are_named(memory: Memory, tmp_path: Path) -> None:
    sql(
        tmp_path / "m.db",
        "INSERT INTO embedders (number, key) VALUES (1, 'e/1/-/2')",
        "INSERT INTO vectors SELECT scope, place, 1, 0.1, x'0102' FROM entries",
    )
    assert memory.verify().ok
    sql(tmp_path / "m.db", "UPDATE vectors SET numbers = x'010203' WHERE place = 3")
    assert bad(memory.verify()) == ["every vector is as wide as its embedder says"]


def test_an_index_that_does_not_agree_with_its_rows_is_found(memory: Memory, tmp_path: Path) -> None:
    scope = memory.scope("acme/alice")
    scope.recall("note")
    # Changed behind our back, so that the version of the scope does not tell.
    sql(tmp_path / "m.db", "UPDATE entries SET memory = 'something else w1' WHERE memory LIKE 'note 29%'")
    assert bad(memory.verify()) == ["entries are found by their own words"]


def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        memory.scope("a").remember_many([f"note {number} " * 50 for number in range(200)])
    data = bytearray(path.read_bytes())
    for start in range(8192 * 4, len(data), 8192):
        data[start : start + 200] = os.urandom(200)
    path.write_bytes(data)
    before = path.read_bytes()
    try:
        with Memory(path, embedder=None) as memory:
            report, finding = memory.verify(), memory.doctor(fix=True)
            assert bad(report) == ["the file is a sound database"]
            assert kinds(finding) == {"damaged": 1}
            assert not finding.healthy
            assert "backup" in str(report)
    except StoreDamaged:
        pass  # it was refused when it was opened
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["m.db"]


def test_the_doctor_says_what_is_wrong_and_mends_it_after_a_copy(memory: Memory, tmp_path: Path) -> None:
    path, scope = tmp_path / "m.db", memory.scope("acme/alice")
    old = next(entry for entry in scope.list(superseded=True) if entry.superseded_by)
    assert old.superseded_by is not None
    sql(
        path,
        "INSERT INTO embedders (number, key) VALUES (1, 'e/1/-/2')",
        "INSERT INTO vectors VALUES (1, 999, 1, 0.1, x'0102')",
        "INSERT INTO revisions SELECT scope, x'00000000000040008000000000000001', 1, change, at, because, 0, entry "
        "FROM revisions",
        "UPDATE document_entries SET document = 99",
        f"DELETE FROM entries WHERE id = x'{old.superseded_by.replace('-', '')}'",
    )
    wrong = {"orphan_vectors": 1, "orphan_revisions": 1, "orphan_names": 1, "dangling_successors": 1}
    before = sql(path, "SELECT count(*) FROM revisions")
    report = memory.doctor()
    assert kinds(report) == wrong
    assert (report.healthy, report.backup) == (False, None)
    assert sql(path, "SELECT count(*) FROM revisions") == before
    mended = memory.doctor(fix=True)
    assert (kinds(mended), mended.healthy) == (wrong, True)
    assert mended.backup == str(tmp_path / "m.db.doctor.bak")
    assert sql(Path(mended.backup), "SELECT count(*) FROM revisions") == before
    assert memory.doctor().findings == ()
    assert memory.verify().ok
    assert scope.restore(old.id).outcome == "restored"
    assert is_sound(path)
    assert json.loads(json.dumps(mended.to_json()))["healthy"] is True


def test_copies_that_were_cut_short_are_deleted_when_they_are_old(memory: Memory, tmp_path: Path) -> None:
    old, fresh = tmp_path / "m.db.format1.bak.unfinished", tmp_path / ".m.db.copy.7.unfinished"
    other = tmp_path / "other.db.bak.unfinished"
    for file in (old, fresh, other):
        file.write_bytes(b"")
    for file in (old, other):
        os.utime(file, (1_000_000_000, 1_000_000_000))
    assert kinds(memory.doctor()) == {"unfinished_files": 1}
    assert old.exists()
    assert memory.doctor(fix=True).healthy
    assert [file.exists() for file in (old, fresh, other)] == [False, True, True]


def test_an_owed_erasure_is_finished_by_the_doctor(memory: Memory, tmp_path: Path) -> None:
    entry = memory.scope("acme/bob").list()[0]
    memory.backup(tmp_path / "m.db.format1.bak")
    assert memory.scope("acme/bob").erase(entry.id).verified == "pending"
    report = memory.doctor(fix=True)
    assert (kinds(report), report.healthy) == ({"pending_erasures": 1}, False)
    assert "format1.bak" in str(report)
    (tmp_path / "m.db.format1.bak").unlink()
    assert memory.doctor(fix=True).healthy
    assert memory.doctor().findings == ()


def test_a_file_in_use_is_verified_without_holding_anyone_up(memory: Memory, tmp_path: Path) -> None:
    writer = apsw.Connection(str(tmp_path / "m.db"))
    writer.execute("BEGIN IMMEDIATE")
    assert memory.verify().ok
    assert memory.doctor().healthy
    writer.execute("ROLLBACK")
    writer.close()


def test_a_store_without_a_file_is_verified_where_that_makes_sense() -> None:
    for memory in (Memory(store=InMemoryStore()), Memory(":memory:", embedder=None)):
        with memory:
            memory.scope("a").remember("deploys go to the blue cluster")
            assert memory.verify().ok
            assert memory.doctor(fix=True).healthy
    with Memory(None) as nothing:
        assert nothing.verify().ok
        assert nothing.doctor(fix=True).healthy
