"""Where a file may be: odd paths, paths that cannot be, and files that can only be read (case K04)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from memoranda.errors import StoreUnavailable
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.child import hear, lines_of, start
from tests.stores.sqlite.files import SCOPE, make, prints, reopened, run

ODD_NAMES = [
    "with spaces.db", "#hash.db", "what?.db", "mode=memory?.db", "100%.db", "%41.db", "a&b=c.db", "file:x.db",
    "\u00fc \U0001f680.db", "it's.db", "semi;colon.db", "-dash.db", ".hidden", "no extension", "a" * 200, "x.db-wal",
    ":memory: ",
]  # fmt: skip

READ_AND_WRITE = """
give_up_root()
store = SqliteStore(sys.argv[1])
attempt(lambda: store.count("u1"))
async def found():
    return [entry.memory for entry in await store.retrieve("u1", "first", 5)]
attempt(found)
attempt(lambda: store.store("u1", MemoryEntry("fact", "new")))
store.close()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user may enter; those of `tmp_path` are closed to others."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    path.chmod(0o755)
    shutil.rmtree(path)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_path_is_taken_literally(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    make(path, ["kept"])
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert reopened(path) == ["kept"]


@pytest.mark.parametrize("name", ["#?%.db", ":memory:.db", "file:x.db?mode=memory"])
def test_a_relative_path_is_taken_literally(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    make(Path(name), ["kept"])
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert reopened(Path(name)) == ["kept"]


@pytest.mark.parametrize("place", ["missing/memory.db", ".", "file.txt/memory.db", "", "n" * 300, "nul\0.db"])
def test_a_path_where_no_file_can_be_is_refused_and_nothing_is_made(tmp_path: Path, place: str) -> None:
    (tmp_path / "file.txt").write_text("mine", encoding="utf-8")
    path = f"{tmp_path}/{place}" if place else ""
    with closing(SqliteStore(path)) as store, pytest.raises(StoreUnavailable):
        run(store.store(SCOPE, fact("x")))
    assert prints(tmp_path).keys() == {"file.txt"}


def test_a_store_that_was_not_used_makes_no_file(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "memory.db").close()
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_may_only_be_read_is_read_and_writing_says_so(folder: Path) -> None:
    make(folder / "memory.db")
    (folder / "memory.db").chmod(0o444)
    before = prints(folder)
    count, found, written = lines_of(READ_AND_WRITE, folder / "memory.db")
    assert (count, found) == ("3", "['first']")
    assert written.startswith("StoreReadOnly")
    assert prints(folder) == before


def test_a_read_only_file_in_a_folder_that_may_be_written(folder: Path) -> None:
    make(folder / "memory.db")
    (folder / "memory.db").chmod(0o444)
    folder.chmod(0o777)
    count, found, written = lines_of(READ_AND_WRITE, folder / "memory.db")
    assert (count, found) == ("3", "['first']")
    assert written.startswith("StoreReadOnly")


def test_a_file_that_may_be_written_in_a_folder_that_may_not(folder: Path) -> None:
    make(folder / "memory.db")
    (folder / "memory.db").chmod(0o666)
    folder.chmod(0o555)
    before = prints(folder)
    count, found, written = lines_of(READ_AND_WRITE, folder / "memory.db")
    assert (count, found) == ("3", "['first']")
    assert written.startswith("StoreReadOnly")
    assert prints(folder) == before


def test_a_log_in_a_folder_that_may_not_be_written_is_never_passed_over(folder: Path) -> None:
    """What was acknowledged stands in the log: it is read, or the call fails; the older state is no answer."""
    path = folder / "memory.db"
    crash_with_log(path)
    folder.chmod(0o555)
    before = prints(folder)
    count, found, written = lines_of(READ_AND_WRITE, path)
    assert count == "4" or count.startswith("Store")
    assert found == "['first']" or found.startswith("Store")
    assert written.startswith("Store")
    assert prints(folder).keys() >= {"memory.db", "memory.db-wal"}
    assert prints(folder)["memory.db-wal"] == before["memory.db-wal"]


def test_a_log_beside_a_live_writer_is_read_without_the_right_to_write(folder: Path) -> None:
    path = folder / "memory.db"
    make(path)
    with closing(SqliteStore(path)) as store:
        run(store.store(SCOPE, fact("in the log")))
        count, _, written = lines_of(READ_AND_WRITE, path)
        assert count == "4" or count.startswith("Store")
        assert written.startswith("StoreReadOnly")


@pytest.mark.parametrize("hidden", ["file", "folder"])
def test_a_file_that_may_not_be_read_is_refused(folder: Path, hidden: str) -> None:
    make(folder / "memory.db")
    (folder / "memory.db" if hidden == "file" else folder).chmod(0)
    for line in lines_of(READ_AND_WRITE, folder / "memory.db"):
        assert line.startswith("StoreUnavailable"), line
    folder.chmod(0o755)


def test_a_folder_that_may_not_be_written_takes_no_new_file(folder: Path) -> None:
    for line in lines_of(READ_AND_WRITE, folder / "memory.db"):
        assert line.startswith("StoreUnavailable"), line
    assert list(folder.iterdir()) == []


def crash_with_log(path: Path) -> None:
    """Leaves a file whose newest entry stands in its log alone, as a killed process does."""
    make(path)
    code = """
store = SqliteStore(sys.argv[1])
run(store.store("u1", MemoryEntry("fact", "in the log")))
say("stored")
hear()
"""
    with start(code, path) as child:
        assert hear(child) == "stored"
        child.kill()
    assert Path(f"{path}-wal").stat().st_size > 0
    Path(f"{path}-shm").unlink()
    assert os.path.exists(path)
