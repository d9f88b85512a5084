"""A full disk (case K03): one clear error, a valid file, and writes again once there is room."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import anyio
import pytest

from memoranda.bridge.offload import offload
from memoranda.errors import StoreFull
from memoranda.protocols.plan import Plan
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.files import SCOPE, is_sound, make, reopened, run, texts

LONG = "lorem ipsum dolor sit amet " * 150


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 2 MiB; needs the right to mount."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if mount is None or os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this process may not mount a small file system; `max_page_count` stands for it in another test")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def fill(store: SqliteStore) -> list[str]:
    """Stores until the disk is full and returns the texts that were acknowledged."""
    acknowledged: list[str] = []

    def store_more() -> None:
        for number in range(5000):
            text = f"note {number} {LONG}"
            run(store.store(SCOPE, fact(text)))
            acknowledged.append(text)

    with pytest.raises(StoreFull, match="free some space"):
        store_more()
    return acknowledged


def test_a_full_disk_is_said_and_nothing_is_lost(small_disk: Path) -> None:
    path = small_disk / "memory.db"
    ballast = small_disk / "ballast"
    ballast.write_bytes(bytes(600_000))
    with closing(SqliteStore(path)) as store:
        acknowledged = fill(store)
        assert acknowledged
        for _ in range(3):
            with pytest.raises(StoreFull):
                run(store.store(SCOPE, fact(f"more {LONG * 20}")))
        assert texts(store) == acknowledged
        assert len(run(store.retrieve(SCOPE, "note", 5))) == 5
        ballast.unlink()
        run(store.store(SCOPE, fact("after")))
        assert texts(store) == [*acknowledged, "after"]
    assert reopened(path) == [*acknowledged, "after"]
    assert is_sound(path)


def test_a_full_disk_at_the_first_write_leaves_nothing_half_made(small_disk: Path) -> None:
    ballast = small_disk / "ballast"
    with ballast.open("wb", buffering=0) as out, suppress(OSError):
        while out.write(bytes(4096)):
            pass
    path = small_disk / "memory.db"
    with closing(SqliteStore(path)) as store, pytest.raises(StoreFull):
        run(store.store(SCOPE, fact("x")))
    ballast.unlink()
    make(path, ["after"])
    assert reopened(path) == ["after"]
    assert is_sound(path)


def limit_pages(store: SqliteStore, pages: int) -> None:
    store._engine.write(lambda connection: connection.execute(f"PRAGMA max_page_count = {pages}").fetchall())


def test_a_full_quota_is_said_and_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        store.open()
        limit_pages(store, 100)
        acknowledged = fill(store)
        assert texts(store) == acknowledged
        assert len(run(store.retrieve(SCOPE, "note", 5))) == 5
        limit_pages(store, 100_000)
        run(store.store(SCOPE, fact("after")))
        assert texts(store) == [*acknowledged, "after"]
    assert reopened(path) == [*acknowledged, "after"]
    assert is_sound(path)


def test_a_batch_that_does_not_fit_leaves_nothing_of_itself(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        run(store.store(SCOPE, fact("before")))
        limit_pages(store, 60)
        batch = tuple(fact(f"note {number} {LONG}") for number in range(200))
        with pytest.raises(StoreFull):
            run(store.write(SCOPE, lambda snapshot: Plan(result=None, puts=batch)))
        assert texts(store) == ["before"]
        run(store.store(SCOPE, fact("after")))
    assert reopened(path) == ["before", "after"]


def test_what_fits_is_written_beside_what_does_not(tmp_path: Path) -> None:
    """A write that fills the disk takes the whole group's transaction down; the others are told, none is half there."""
    path = tmp_path / "memory.db"
    told: list[str] = []

    async def small(store: SqliteStore, number: int) -> None:
        try:
            await store.store(SCOPE, fact(f"small {number}"))
            told.append(f"small {number}")
        except StoreFull:
            pass

    async def large(store: SqliteStore) -> None:
        batch = tuple(fact(f"note {number} {LONG}") for number in range(200))
        with pytest.raises(StoreFull):
            await store.write(SCOPE, lambda snapshot: Plan(result=None, puts=batch))

    async def together() -> None:
        with closing(SqliteStore(path)) as store:
            await offload(store.open)
            await offload(lambda: limit_pages(store, 60))
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(large, store)
                for number in range(10):
                    tasks.start_soon(small, store, number)
                tasks.start_soon(large, store)

    anyio.run(together)
    assert sorted(reopened(path)) == sorted(told)
    assert is_sound(path)
