"""An acknowledged write was synced (design D5).

The kill test cannot show it: what a killed process wrote outlives it in the system's page cache. So the virtual file
system notes each write and each sync of the log, and the test notes each acknowledgement.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from threading import Thread
from typing import Literal
from uuid import UUID

import pytest

from memoranda.protocols.plan import Plan
from memoranda.records.settings import Settings
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.child import PATIENCE
from tests.stores.sqlite.files import SCOPE, run
from tests.stores.sqlite.watched_disk import NAME, Watch, watched_disk

Durability = Literal["full", "relaxed"]


def unsynced(watch: Watch) -> int:
    """Counts the acknowledgements before which the log was written after its last sync."""
    dirty, found = False, 0
    for what, _ in watch.events:
        if what == "ack":
            found += dirty
        else:
            dirty = what == "write"
    return found


def unsynced_by_id(watch: Watch) -> int:
    """Counts the acknowledgements with no sync between the last log write that holds their entry and themselves.

    For several threads, where the next commit may begin before an acknowledgement is noted. One commit syncs once,
    after all that it writes.
    """
    found = 0
    for place, (what, id) in enumerate(watch.events):
        if what == "ack":
            before = watch.events[:place]
            written = max(at for at, (kind, data) in enumerate(before) if kind == "write" and id in data)
            found += all(kind != "sync" for kind, _ in before[written:])
    return found


def write_some(store: SqliteStore, watch: Watch, name: str, count: int) -> None:
    for number in range(count):
        entry = fact(f"{name} {number}")
        run(store.store(SCOPE, entry))
        watch.note("ack", UUID(entry.id).bytes)


def opened(path: Path, durability: Durability) -> SqliteStore:
    return SqliteStore(path, settings=Settings(durability=durability), vfs=NAME)


@pytest.mark.parametrize("durability", ["full", "relaxed"])
def test_a_sync_comes_before_each_acknowledgement(tmp_path: Path, durability: Durability) -> None:
    with watched_disk() as watch, closing(opened(tmp_path / "memory.db", durability)) as store:
        write_some(store, watch, "one", 20)
        entries = tuple(fact(f"batch {number}") for number in range(200))
        run(store.write(SCOPE, lambda snapshot: Plan(result=None, puts=entries)))
        watch.note("ack", UUID(entries[-1].id).bytes)
        run(store.consolidate(SCOPE))
        run(store.retrieve(SCOPE, "batch", 5))
        write_some(store, watch, "two", 5)
    acknowledged = sum(1 for what, _ in watch.events if what == "ack")
    assert acknowledged == 26
    assert sum(1 for what, _ in watch.events if what == "write") >= 26
    if durability == "full":
        assert (unsynced(watch), unsynced_by_id(watch)) == (0, 0)
    else:
        # The proof must be able to fail: without the sync every acknowledgement is counted.
        assert (unsynced(watch), unsynced_by_id(watch)) == (acknowledged, acknowledged)


@pytest.mark.parametrize("durability", ["full", "relaxed"])
def test_a_sync_comes_before_the_acknowledgements_of_a_group(tmp_path: Path, durability: Durability) -> None:
    with watched_disk() as watch, closing(opened(tmp_path / "memory.db", durability)) as store:
        store.open()
        threads = [Thread(target=write_some, args=(store, watch, f"thread {n}", 15)) for n in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
    kinds = [what for what, _ in watch.events]
    assert kinds.count("ack") == 90
    assert (unsynced_by_id(watch) == 0) == (durability == "full")


def test_closing_keeps_what_relaxed_durability_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path, settings=Settings(durability="relaxed"))) as store:
        run(store.store(SCOPE, entry := fact("note")))
    with closing(SqliteStore(path)) as store:
        assert run(store.get(SCOPE, entry.id)) == entry
