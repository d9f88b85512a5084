"""Importing the same again adds nothing; see the docstring of `service.operations` for when a record is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memoranda.errors import ImportFormatError, InvalidInput
from memoranda.runtime.sync import Memory, Scope
from memoranda.service import operations
from memoranda.service.operations import Importer, check_replaceable, import_file
from memoranda.testing import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock(datetime(2026, 1, 1, tzinfo=UTC))


@pytest.fixture
def scope(clock: FrozenClock) -> Iterator[Scope]:
    with Memory(":memory:", clock=clock) as memory:
        yield memory.scope("a")


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return path


def test_long_after_the_idempotency_keys_are_gone(scope: Scope, clock: FrozenClock, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", {"text": "one"}, {"text": "password=hunter2-Zq81LmPx9"})
    assert import_file(scope, file).imported == 2
    clock.advance(timedelta(days=400))
    report = import_file(scope, file)
    assert (report.imported, report.unchanged) == (0, 2)


def test_a_record_that_stands_twice_is_kept_twice(scope: Scope, tmp_path: Path) -> None:
    file = tmp_path / "n.txt"
    file.write_text("again\n\nagain\n", "utf-8")
    assert import_file(scope, file).imported == 2
    assert import_file(scope, file).imported == 0


def test_a_value_that_comes_back_is_kept(scope: Scope, tmp_path: Path) -> None:
    rows = [{"text": "port 1", "key": "p"}, {"text": "port 2", "key": "p"}, {"text": "port 1", "key": "p"}]
    file = write(tmp_path / "f.jsonl", *rows)
    report = import_file(scope, file)
    assert report.outcomes == {"added": 1, "replaced": 2}
    assert [entry.memory for entry in scope.list()] == ["port 1"]
    assert import_file(scope, file).imported == 0


def test_an_edited_file_adds_only_what_is_new(scope: Scope, tmp_path: Path) -> None:
    file = tmp_path / "n.md"
    file.write_text("- one\n- two\n", "utf-8")
    import_file(scope, file)
    file.write_text("- zero\n- one\n- two\n", "utf-8")
    assert import_file(scope, file).imported == 1


def test_the_same_text_at_another_time_is_another_record(scope: Scope, tmp_path: Path) -> None:
    rows = [{"text": "login", "timestamp": moment, "source": "log"} for moment in (1, 2)]
    assert import_file(scope, write(tmp_path / "f.jsonl", *rows)).imported == 2


def test_what_was_taken_back_does_not_come_back(scope: Scope, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", {"text": "a joke"}, {"text": "old"})
    import_file(scope, file)
    old, joke = scope.list()
    scope.retract(joke.id)
    scope.update(old.id, "new")
    assert import_file(scope, file).imported == 0
    assert [entry.memory for entry in scope.list()] == ["new"]


def test_one_importer_serves_many_files(scope: Scope, tmp_path: Path) -> None:
    importer = Importer(scope)
    file = write(tmp_path / "f.jsonl", {"text": "one"})
    assert [importer.run(file).imported, importer.run(file).imported] == [1, 0]


def test_two_imports_at_the_same_moment(scope: Scope, tmp_path: Path) -> None:
    file = write(tmp_path / "f.jsonl", {"text": "one"}, {"text": "one"})
    empty = write(tmp_path / "empty.jsonl")
    first, second = Importer(scope), Importer(scope)
    second.run(empty)  # both have looked before either writes
    first.run(empty)
    assert first.run(file).imported == 2
    report = second.run(file)
    assert (report.imported, report.unchanged) == (0, 2)
    assert [(entry.memory, entry.seen_count) for entry in scope.list()] == [("one", 2)]


def test_a_record_that_the_store_refuses_is_skipped_alone(scope: Scope, tmp_path: Path) -> None:
    rows = [{"text": f"n {i}", "session": "s"} if i != 3 else {"text": "n 3", "source": "x"} for i in range(7)]
    report = import_file(scope, write(tmp_path / "f.jsonl", *rows), category="working")
    assert report.imported == 6
    assert [(one.where, "session" in one.reason) for one in report.skipped] == [("x", True)]


def test_batches_and_progress(scope: Scope, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operations, "BATCH", 3)
    monkeypatch.setattr(operations, "PAGE", 2)
    file = write(tmp_path / "f.jsonl", *({"text": f"n {i}"} for i in range(7)))
    told = list[tuple[int, int]]()
    assert import_file(scope, file, progress=lambda done, total: told.append((done, total))).imported == 7
    assert told == [(3, 7), (6, 7), (7, 7)]
    assert import_file(scope, file).unchanged == 7


def test_what_cannot_be_read_at_all(scope: Scope, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_text("x", "utf-8")
    with pytest.raises(ImportFormatError):
        import_file(scope, tmp_path / "x.bin")
    with pytest.raises(ImportFormatError):
        import_file(scope, tmp_path / "x.bin", format="word")
    with pytest.raises(FileNotFoundError):
        import_file(scope, tmp_path / "none.txt")


def test_only_a_dump_may_be_replaced(scope: Scope, tmp_path: Path) -> None:
    scope.dump(tmp_path / "d.jsonl")
    check_replaceable(tmp_path / "d.jsonl")
    check_replaceable(tmp_path / "none.jsonl")
    (tmp_path / "t").write_text("x", "utf-8")
    with pytest.raises(InvalidInput, match="--force"):
        check_replaceable(tmp_path / "t")
