"""Copying a file that is in use."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from memoranda import InvalidInput, Memory, Unsupported
from memoranda.stores.in_memory.store import InMemoryStore
from tests.stores.sqlite.child import hear, start
from tests.stores.sqlite.files import is_sound, prints, sql

WRITE = """
store, number = SqliteStore(sys.argv[1]), 0
say("ready")
while number < 2000:
    run(store.write(Scope("u1"), lambda s: Plan(result=None, puts=(
        MemoryEntry("fact", f"left {number}"), MemoryEntry("fact", f"right {number}")))))
    number += 1
    if number == 20:
        say("going")
store.close()
"""


def test_a_copy_holds_everything_and_is_one_file(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope = memory.scope("acme/alice")
        scope.remember_many([f"note {number}" for number in range(50)])
        scope.update(scope.list()[0].id, "said otherwise")
        memory.backup(tmp_path / "copy ü #?%.db")
        scope.remember("said after the copy")
        assert scope.dump(tmp_path / "mine") == 52
    assert sorted(file.name for file in tmp_path.iterdir()) == ["copy ü #?%.db", "m.db", "mine"]
    with Memory(tmp_path / "copy ü #?%.db", embedder=None) as copy:
        assert copy.scope("acme/alice").dump(tmp_path / "theirs") == 51
        assert copy.verify().ok
    mine, theirs = ((tmp_path / name).read_text("utf-8") for name in ("mine", "theirs"))
    assert mine.startswith(theirs)


def test_a_copy_is_one_state_while_another_process_writes(tmp_path: Path) -> None:
    with start(WRITE, tmp_path / "m.db") as child:
        assert [hear(child), hear(child)] == ["ready", "going"]
        with Memory(tmp_path / "m.db", embedder=None) as memory:
            for number in range(5):
                memory.backup(tmp_path / f"{number}.db")
        child.kill()
    counts = []
    for number in range(5):
        assert is_sound(tmp_path / f"{number}.db")
        rows = sql(tmp_path / f"{number}.db", "SELECT memory FROM entries ORDER BY place")
        assert len(rows) % 2 == 0  # both of a pair, or none
        counts.append(len(rows))
    assert counts == sorted(counts)
    assert counts[0] >= 40


def test_writers_and_readers_of_this_process_go_on(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        scope, done = memory.scope("a"), Event()

        def write() -> None:
            while not done.is_set():
                scope.remember("note", category="episode")
                scope.recall("note")

        thread = Thread(target=write)
        thread.start()
        for number in range(10):
            memory.backup(tmp_path / f"{number}.db")
        done.set()
        thread.join()
    assert all(is_sound(tmp_path / f"{number}.db") for number in range(10))


def test_what_is_there_already_is_kept_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_bytes(b"mine")
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        memory.scope("a").remember("x1")
        with pytest.raises(InvalidInput, match="already"):
            memory.backup(tmp_path / "copy.db")
        assert (tmp_path / "copy.db").read_bytes() == b"mine"
        memory.backup(tmp_path / "copy.db", force=True)
        memory.backup(str(tmp_path / "copy.db"), force=True)
    assert is_sound(tmp_path / "copy.db")


def test_a_place_where_no_copy_can_be_is_refused(tmp_path: Path) -> None:
    with (
        Memory(tmp_path / "m.db", embedder=None) as memory,
        Memory(tmp_path / "other.db", embedder=None) as other,
    ):
        for opened in (memory, other):
            opened.scope("a").remember("x1")
        (tmp_path / "link.db").symlink_to(tmp_path / "m.db")
        (tmp_path / "folder").mkdir()
        before = set(prints(tmp_path))
        for target, why in {
            "m.db": "that is to be copied",
            "link.db": "that is to be copied",
            "other.db": "in use",
            "folder": "a folder",
            "missing/copy.db": "does not exist",
            "x" * 300: "cannot be written",
        }.items():
            with pytest.raises(InvalidInput, match=why):
                memory.backup(tmp_path / target, force=True)
        assert set(prints(tmp_path)) == before
        assert memory.scope("a").count() == 1
        assert other.scope("a").count() == 1


def test_without_a_file_there_is_nothing_to_copy(tmp_path: Path) -> None:
    for memory in (Memory(":memory:", embedder=None), Memory(store=InMemoryStore()), Memory(None)):
        with memory, pytest.raises(Unsupported, match="dump"):
            memory.backup(tmp_path / "copy.db")
    assert list(tmp_path.iterdir()) == []


def test_a_copy_that_is_made_while_an_erasure_waits_holds_nothing_of_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        scope = memory.scope("a")
        entry = scope.remember("glonk vurpstadt " * 100).entry
        assert entry is not None
        memory.backup(tmp_path / "m.db.format1.bak")
        assert scope.erase(entry.id).verified == "pending"
        memory.backup(tmp_path / "copy.db")
    assert b"vurpstadt" not in (tmp_path / "copy.db").read_bytes()
