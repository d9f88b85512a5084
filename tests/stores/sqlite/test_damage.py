"""Files that were cut, emptied or overwritten (case K01): a clear error that names the file, never a fresh start."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from memoranda.errors import StoreDamaged
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.files import SCOPE, is_sound, make, prints, reopened, run
from tests.stores.sqlite.test_connect import crash_with_log

MANY = [f"note {number} " + "lorem ipsum " * 40 for number in range(300)]


def cut_to_half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def zero_first_page(path: Path) -> None:
    path.write_bytes(bytes(4096) + path.read_bytes()[4096:])


def zero_a_page_within(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[4096 : len(data) - 4096] = bytes(len(data) - 8192)
    path.write_bytes(data)


def overwrite_with_text(path: Path) -> None:
    path.write_text("these are not the pages you are looking for\n" * 500, encoding="utf-8")


def cut_within_the_header(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:50])


@pytest.mark.parametrize(
    "harm", [cut_to_half, zero_first_page, zero_a_page_within, overwrite_with_text, cut_within_the_header]
)
def test_a_damaged_file_is_named_and_left_as_it_is(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    path = tmp_path / "memory.db"
    make(path, MANY)
    harm(path)
    before = prints(tmp_path)
    for work in ("retrieve", "store"):
        with closing(SqliteStore(path)) as store:
            with pytest.raises(StoreDamaged, match="restore it from a backup") as caught:
                run(store.retrieve(SCOPE, "note", 5) if work == "retrieve" else store.store(SCOPE, fact("y")))
            assert str(path) in str(caught.value)
    assert prints(tmp_path) == before


def test_an_empty_file_is_an_empty_store(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    with closing(SqliteStore(path)) as store:
        assert run(store.retrieve(SCOPE, "x", 5)) == []
        run(store.store(SCOPE, fact("y")))
    assert reopened(path) == ["y"]


def test_a_missing_log_takes_what_stood_in_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    crash_with_log(path)
    Path(f"{path}-wal").unlink()
    assert reopened(path) == ["first", "second", "third"]
    assert is_sound(path)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.5, 0.9, 0.999])
def test_a_log_that_was_cut_gives_its_whole_commits(tmp_path: Path, share: float) -> None:
    path = tmp_path / "memory.db"
    crash_with_log(path)
    log = Path(f"{path}-wal")
    data = log.read_bytes()
    log.write_bytes(data[: int(len(data) * share)])
    with closing(SqliteStore(path)) as store:
        run(store.store(SCOPE, fact("y")))
    assert reopened(path) in (["first", "second", "third", "y"], ["first", "second", "third", "in the log", "y"])
    assert is_sound(path)


def test_a_log_with_a_damaged_commit_gives_those_before_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    crash_with_log(path)
    log = Path(f"{path}-wal")
    data = bytearray(log.read_bytes())
    data[-2000:-1000] = b"\xff" * 1000
    log.write_bytes(data)
    assert reopened(path) == ["first", "second", "third"]
    assert is_sound(path)
