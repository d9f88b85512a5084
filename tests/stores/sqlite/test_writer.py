"""Writes that wait together share one commit, and keep to themselves."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import Event, Thread

import apsw
import pytest

from memoranda.errors import StoreBusy
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.settings import Settings
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.stores.sqlite.writer import MAX_GROUP
from memoranda.testing.ground import fact
from tests.stores.sqlite.child import PATIENCE, hear, lines_of, say, start
from tests.stores.sqlite.files import SCOPE, make, reopened, run, sql, texts


class Held:
    """A write that is held open, while others queue behind it."""

    def __init__(self, store: SqliteStore) -> None:
        self.within, self.go_on = Event(), Event()
        self.store = store
        self.threads = [Thread(target=lambda: run(store.write(SCOPE, self.decide)))]
        self.threads[0].start()
        assert self.within.wait(PATIENCE)

    def decide(self, snapshot: Snapshot) -> Plan[None]:
        self.within.set()
        assert self.go_on.wait(PATIENCE)
        return Plan(result=None, puts=(fact("held"),))

    def queue(self, work: Callable[[], None]) -> None:
        """Starts a write in a thread of its own and waits until it stands in the queue."""
        writer = self.store._engine._writing()
        before = len(writer._queue)
        thread = Thread(target=work)
        thread.start()
        self.threads.append(thread)
        deadline = Event()
        for _ in range(int(PATIENCE * 1000)):
            if len(writer._queue) > before:
                return
            deadline.wait(0.001)
        raise AssertionError("the write did not queue")

    def release(self) -> None:
        self.go_on.set()
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def commits(store: SqliteStore) -> list[int]:
    """Counts the commits of the writer from now on."""
    counted: list[int] = []

    def count() -> bool:
        counted.append(1)
        return False

    store._engine.write(lambda connection: connection.set_commit_hook(count))
    counted.clear()
    return counted


def test_writes_that_wait_together_share_one_commit(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        counted = commits(store)
        held = Held(store)
        for number in range(20):
            held.queue(lambda n=number: run(store.store(SCOPE, fact(f"note {n}"))))  # type: ignore[misc]
        held.release()
        assert len(counted) == 2  # that of the write that was held, and that of the twenty
        assert len(texts(store)) == 21


def test_a_group_has_a_bound(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        counted = commits(store)
        held = Held(store)
        for number in range(MAX_GROUP + 1):
            held.queue(lambda n=number: run(store.store(SCOPE, fact(f"note {n}"))))  # type: ignore[misc]
        held.release()
        assert len(counted) == 3
        assert len(texts(store)) == MAX_GROUP + 2


def test_one_failing_write_of_a_group_harms_no_other(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    failed: list[BaseException] = []

    def refuse(snapshot: Snapshot) -> Plan[None]:
        raise LookupError("refused")

    def attempt(work: Callable[[], object]) -> None:
        try:
            work()
        except (LookupError, UnicodeEncodeError) as error:
            failed.append(error)

    def store_one(text: str) -> None:
        run(store.store(SCOPE, fact(text)))

    with closing(SqliteStore(path)) as store:
        # The second entry cannot be written, so the first must be undone.
        unwritable = Plan(result=None, puts=(fact("undone"), fact("lone \ud800")))
        held = Held(store)
        for number in range(4):
            held.queue(partial(store_one, f"note {number}"))
            held.queue(lambda: attempt(lambda: run(store.write(SCOPE, refuse))))
            held.queue(lambda: attempt(lambda: run(store.write(SCOPE, lambda snapshot: unwritable))))
        held.release()
        assert texts(store) == ["held", "note 0", "note 1", "note 2", "note 3"]
    assert [type(error) for error in failed].count(LookupError) == 4
    assert len(failed) == 8
    assert reopened(path) == ["held", "note 0", "note 1", "note 2", "note 3"]


def test_a_later_write_of_a_group_sees_the_earlier_ones(tmp_path: Path) -> None:
    seen: list[int] = []

    def look(snapshot: Snapshot) -> Plan[None]:
        seen.append(snapshot.live(fact("x").created_at))
        return Plan(result=None, puts=(fact(f"note {len(seen)}"),))

    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        held = Held(store)
        for _ in range(5):
            held.queue(lambda: run(store.write(SCOPE, look)))
        held.release()
    assert seen == [1, 2, 3, 4, 5]


class Interrupted(BaseException):
    """What Ctrl-C is to the thread that it hits."""


def test_an_interrupted_leader_leaves_the_others_work_to_the_next(tmp_path: Path) -> None:
    """The thread that commits for all is hit: its own write is undone, the others are carried out."""
    hit: list[str] = []
    interrupted: list[str] = []

    def write(text: str) -> None:
        def decide(snapshot: Snapshot) -> Plan[None]:
            if text == "note 2" and not hit:
                hit.append(text)
                raise Interrupted
            return Plan(result=None, puts=(fact(text),))

        try:
            run(store.write(SCOPE, decide))
        except Interrupted:
            interrupted.append(text)

    notes = [f"note {number}" for number in range(5)]
    with closing(SqliteStore(tmp_path / "memory.db")) as store:
        held = Held(store)
        for note in notes:
            held.queue(partial(write, note))
        held.release()
        assert len(interrupted) == 1
        assert sorted(texts(store)) == sorted(["held", *(note for note in notes if note not in interrupted)])
        run(store.store(SCOPE, fact("after")))
        assert texts(store)[-1] == "after"


HOLD = """
import apsw
connection = apsw.Connection(sys.argv[1])
connection.execute("BEGIN IMMEDIATE")
say("holding")
hear()
connection.execute("COMMIT")
"""


def test_another_process_that_holds_the_file_too_long_is_said(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with start(HOLD, path) as child:
        assert hear(child) == "holding"
        with closing(SqliteStore(path, settings=Settings(busy_timeout=0.05))) as store:
            with pytest.raises(StoreBusy, match="busy_timeout"):
                run(store.store(SCOPE, fact("x")))
            assert texts(store) == ["first", "second", "third"]
            say(child)
            child.wait(PATIENCE)
            run(store.store(SCOPE, fact("after")))
            assert texts(store)[-1] == "after"


def test_another_process_that_holds_the_file_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with start(HOLD, path) as child:
        assert hear(child) == "holding"
        with closing(SqliteStore(path)) as store:
            waiting = Thread(target=lambda: run(store.store(SCOPE, fact("after"))))
            waiting.start()
            say(child)
            waiting.join(PATIENCE)
            assert texts(store)[-1] == "after"


def test_what_another_process_writes_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with closing(SqliteStore(path)) as store:
        assert run(store.retrieve(SCOPE, "elsewhere", 5)) == []
        lines_of("run(SqliteStore(sys.argv[1]).store('u1', MemoryEntry('fact', 'written elsewhere')))", path)
        assert [entry.memory for entry in run(store.retrieve(SCOPE, "elsewhere", 5))] == ["written elsewhere"]
        assert run(store.count(SCOPE)) == 4


def test_what_was_deleted_is_not_left_in_the_file(tmp_path: Path) -> None:
    """`secure_delete` is on from birth (design D5)."""
    path = tmp_path / "memory.db"
    secret = "launch code 0042"
    entries = make(path, [secret, "other"])
    with closing(SqliteStore(path)) as store:
        run(store.write(SCOPE, lambda snapshot: Plan(result=None, removals=(entries[0].id,))))
    assert secret.encode() not in path.read_bytes()
    assert sql(path, "SELECT memory FROM entries") == [("other",)]


def test_the_file_has_a_log_and_full_sync(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "memory.db")) as store:

        def look(connection: apsw.Connection) -> list[object]:
            names = ("journal_mode", "synchronous", "secure_delete", "foreign_keys")
            return [connection.execute(f"PRAGMA {name}").fetchall()[0][0] for name in names]

        assert store._engine.write(look) == ["wal", 2, 1, 1]
