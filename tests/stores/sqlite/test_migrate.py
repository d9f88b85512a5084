"""Files of other formats and of other programs (case K05)."""

from __future__ import annotations

import shutil
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from memoranda.errors import ForeignFile, NewerVersion, StoreDamaged
from memoranda.protocols.store import EntryFilter
from memoranda.records.document import DocumentKind
from memoranda.records.entry import Origin
from memoranda.records.session import SessionKey
from memoranda.records.settings import Settings
from memoranda.stores.sqlite.connect import Place, open_writer, use_log
from memoranda.stores.sqlite.migrate import APPLICATION_ID, Migration, migrate, migrations
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import fact
from tests.stores.sqlite.child import hear, lines_of, say, start
from tests.stores.sqlite.files import FIXTURE, SCOPE, is_sound, make, prints, reopened, run, sql, texts

NEXT = migrations()[-1].version + 1
STEP = Migration(
    NEXT, "ALTER TABLE entries ADD COLUMN mood TEXT; CREATE INDEX entries_by_mood ON entries (scope, mood);"
)
EVERY = EntryFilter(now=datetime(2026, 6, 1, tzinfo=UTC), superseded=True)


def migrated(path: Path, *steps: Migration) -> int:
    place = Place(str(path))
    with closing(open_writer(place, Settings())) as connection:
        use_log(connection, Settings())
        return migrate(connection, place, (*migrations(), *steps))


def columns(path: Path) -> set[object]:
    return {row[1] for row in sql(path, "PRAGMA table_info(entries)")}


def test_a_file_of_format_1_opens_with_its_ids_and_times(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    shutil.copyfile(FIXTURE, path)
    assert FIXTURE.stat().st_size < 150_000
    for round in range(2):
        with closing(SqliteStore(path)) as store:
            first, second, third = run(store.page(SCOPE, EVERY, 3, oldest_first=True))
            assert [first.id[-4:], second.id[-4:], third.id[-4:]] == ["0001", "0002", "0003"]
            assert first.created_at == datetime(2026, 3, 1, 10, 0, 0, 123456, tzinfo=UTC)
            assert (first.memory, first.tags, first.key) == ("Deploys go to the blue cluster", ("infra",), "deploys")
            assert (second.memory, second.superseded_by) == ("Standup is at nine", third.id)
            assert (third.memory, third.origin) == ("Standup is at ten \U0001f680", Origin.HOST)
            assert run(store.retrieve(SCOPE, "blue cluster", 5))[0].id == first.id
            assert [revision.entry.memory for revision in run(store.revisions(SCOPE, second.id))] == [second.memory]
            (block,) = run(store.documents(SCOPE, DocumentKind.BLOCK))
            (span,) = run(store.documents(SCOPE, DocumentKind.SPAN, SessionKey("s-1", agent="helper").path))
            assert (block.key.name, block.body) == ("about", '{"value":"Prefers the blue cluster \U0001f680"}')
            assert (span.key.name, span.at, span.entries) == ("h-1", first.created_at, (third.id, second.id))
            run(store.store(SCOPE, fact(f"new {round}")))
            assert run(store.count(SCOPE)) == 3 + round
    assert is_sound(path)


def test_a_file_made_by_the_code_of_today_has_the_newest_format(tmp_path: Path) -> None:
    make(tmp_path / "memory.db")
    found = sql(tmp_path / "memory.db", "PRAGMA user_version")
    assert found == [(migrations()[-1].version,)]
    assert [step.version for step in migrations()] == list(range(1, len(migrations()) + 1))


def test_a_migration_runs_once_and_leaves_a_copy_of_the_file_before(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    entries = make(path)
    assert migrated(path, STEP) == NEXT
    copy = tmp_path / f"memory.db.format{NEXT - 1}.bak"
    before = copy.read_bytes()
    assert migrated(path, STEP) == NEXT
    assert "mood" in columns(path)
    assert copy.read_bytes() == before
    assert reopened(copy) == [entry.memory for entry in entries]
    assert "mood" not in columns(copy)
    assert [row[0] for row in sql(path, "SELECT memory FROM entries ORDER BY place")] == ["first", "second", "third"]
    assert is_sound(path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["memory.db", copy.name]


def test_a_migration_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    broken = Migration(NEXT, STEP.statements + "CREATE INDEX broken ON entries (no_such_column);")
    with pytest.raises(apsw.SQLError, match="no_such_column"):
        migrated(path, broken)
    assert "mood" not in columns(path)
    assert sql(path, "PRAGMA user_version") == [(NEXT - 1,)]
    assert reopened(path) == ["first", "second", "third"]
    assert migrated(path, STEP) == NEXT


def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    migrated(path, STEP)
    before = prints(tmp_path)
    for _ in range(2):
        with closing(SqliteStore(path)) as store:
            with pytest.raises(NewerVersion, match="install a newer memoranda") as caught:
                run(store.store(SCOPE, fact("x")))
            assert str(path) in str(caught.value)
            with pytest.raises(NewerVersion):
                run(store.retrieve(SCOPE, "first", 5))
    assert prints(tmp_path) == before


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('mine')"],
        ["CREATE TABLE entries (id)", "CREATE TABLE scopes (id)"],
        ["PRAGMA user_version = 1"],
        ["PRAGMA application_id = 7"],
        ["PRAGMA journal_mode = WAL", "CREATE TABLE notes (text)"],
    ],
    ids=["table", "tables of our names", "version", "mark", "log"],
)
def test_a_file_of_another_program_is_refused_and_left_as_it_is(tmp_path: Path, statements: list[str]) -> None:
    path = tmp_path / "theirs.db"
    sql(path, *statements)
    before = prints(tmp_path)
    for work in ("store", "retrieve"):
        with closing(SqliteStore(path)) as store, pytest.raises(ForeignFile, match="another program"):
            run(store.store(SCOPE, fact("x")) if work == "store" else store.retrieve(SCOPE, "x", 5))
    assert prints(tmp_path) == before


def test_a_file_marked_as_ours_without_its_tables_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    sql(path, f"PRAGMA application_id = {APPLICATION_ID}", "PRAGMA user_version = 1", "CREATE TABLE entries (id)")
    before = prints(tmp_path)
    with closing(SqliteStore(path)) as store, pytest.raises(StoreDamaged, match="tables are missing"):
        store.open()
    assert prints(tmp_path) == before


OPEN_AT_ONCE = """
for path in sys.argv[1:]:
    say("ready")
    hear()
    store = SqliteStore(path)
    run(store.store("u1", MemoryEntry("fact", f"from {os.getpid()}")))
    store.close()
say("done")
"""


def test_two_processes_may_make_the_same_file_at_once(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.db" for number in range(8)]
    with start(OPEN_AT_ONCE, *paths) as one, start(OPEN_AT_ONCE, *paths) as other:
        for _ in paths:
            assert [hear(one), hear(other)] == ["ready", "ready"]
            say(one)
            say(other)
        assert [hear(one), hear(other)] == ["done", "done"]
    for path in paths:
        assert sorted(reopened(path)) == sorted(f"from {child.pid}" for child in (one, other))
        assert is_sound(path)


MIGRATE = """
from memoranda.records.settings import Settings
from memoranda.stores.sqlite.connect import Place, open_writer, use_log
from memoranda.stores.sqlite.migrate import Migration, migrate, migrations

def pause():
    say("within")
    hear()
    return 1

place = Place(sys.argv[1])
connection = open_writer(place, Settings())
connection.create_scalar_function("pause", pause, 0)
use_log(connection, Settings())
say("ready")
hear()
say(migrate(connection, place, (*migrations(), Migration(int(sys.argv[2]), sys.argv[3]))))
connection.close()
"""


def test_two_processes_may_migrate_the_same_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    arguments = (path, NEXT, STEP.statements)
    with start(MIGRATE, *arguments) as one, start(MIGRATE, *arguments) as other:
        assert [hear(one), hear(other)] == ["ready", "ready"]
        say(one)
        say(other)
        assert [hear(one), hear(other)] == [str(NEXT), str(NEXT)]
    assert "mood" in columns(path)
    assert len(sql(path, "SELECT memory FROM entries")) == 3
    assert is_sound(path)


def test_a_process_killed_within_a_migration_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    halves = STEP.statements.split(" CREATE")
    with start(MIGRATE, path, NEXT, f"{halves[0]} SELECT pause(); CREATE{halves[1]}") as child:
        assert hear(child) == "ready"
        say(child)
        assert hear(child) == "within"
        child.kill()
    assert "mood" not in columns(path)
    assert reopened(path) == ["first", "second", "third"]
    assert migrated(path, STEP) == NEXT
    assert {"mood"} <= columns(path)
    assert is_sound(path)


def test_a_file_being_migrated_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    make(path)
    with start(MIGRATE, path, NEXT, f"SELECT pause(); {STEP.statements}") as child:
        assert hear(child) == "ready"
        say(child)
        assert hear(child) == "within"
        # Readers still see the file as it was; only who writes must wait.
        with closing(SqliteStore(path)) as store:
            assert texts(store) == ["first", "second", "third"]
        say(child)
        assert hear(child) == str(NEXT)
    assert lines_of("attempt(lambda: SqliteStore(sys.argv[1]).count('u1'))", path)[0].startswith("NewerVersion")
