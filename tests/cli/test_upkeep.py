from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


def test_consolidate_removes_what_has_expired(call: Call, remember: Callable[..., str]) -> None:
    remember("gone", "--expires-at", "2020-01-01T00:00Z")
    remember("stays")
    answer = call("consolidate", "--json").json
    assert (answer["pruned"], answer["expired"], answer["dry_run"]) == (1, 1, False)
    assert "pruned" in call("consolidate").out


def test_a_dry_run_says_the_same_and_changes_nothing(call: Call, remember: Callable[..., str]) -> None:
    for text in ("the red kettle is in the kitchen", "a gardener came on Monday", "Ana plays the cello"):
        remember(text)
    remember("gone", "--expires-at", "2020-01-01T00:00Z")
    before = call("list", "--superseded", "--json").json
    dry = call("consolidate", "--dry-run", "--json", "--set", "max_entries=2")
    assert call("list", "--superseded", "--json").json == before
    assert call("consolidate", "--dry-run").err == "nothing was changed; this is what would be done\n"
    done = call("consolidate", "--json", "--set", "max_entries=2")
    assert dry.json == {**done.json, "dry_run": True}
    assert (done.json["evicted"], len(done.json["evicted_ids"])) == (1, 1)
    assert call("count").out == "2\n"


def test_evicted_entries_are_named(call: Call, remember: Callable[..., str]) -> None:
    """C34: what is validated stays."""
    kept = remember("the red kettle is in the kitchen", "--validated")
    gone = remember("a gardener came on Monday")
    out = call("consolidate", "--set", "max_entries=1").out
    assert gone in out
    assert kept not in out


def test_a_backup_is_opened_like_the_original(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    id = remember("the red kettle is in the kitchen")
    answer = call("backup", "copy.db", "--json")
    assert answer.json == {"file": "copy.db", "bytes": (tmp_path / "copy.db").stat().st_size}
    assert call("get", id, "--store", "copy.db").code == 0
    again = call("backup", "copy.db")
    assert (again.code, again.out, "copy.db" in again.err) == (1, "", True)
    forced = call("backup", "copy.db", "--force")
    assert forced.out.startswith("the store was copied to copy.db")


def test_verify(call: Call, remember: Callable[..., str]) -> None:
    remember("the red kettle is in the kitchen")
    answer = call("verify", "--json")
    assert (answer.code, answer.json["ok"]) == (0, True)
    assert all(part["ok"] for part in answer.json["parts"])
    people = call("verify")
    assert (people.code, people.out.startswith("ok ")) == (0, True)


@pytest.fixture
def orphaned(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    """Leaves a store with a revision of an entry that is not there."""
    id = remember("the red kettle is in the kitchen")
    call("retract", id)
    remember("a gardener came on Monday")
    with closing(sqlite3.connect(tmp_path / "memory.db")) as connection, connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DELETE FROM entries WHERE memory LIKE 'the red%'")


def test_doctor_finds_nothing_in_a_healthy_store(call: Call, remember: Callable[..., str]) -> None:
    remember("the red kettle is in the kitchen")
    answer = call("doctor")
    assert (answer.code, answer.out) == (0, "nothing is wrong\n")
    fixed = call("doctor", "--fix", "--json")
    assert (fixed.code, fixed.json) == (0, {"healthy": True, "findings": [], "backup": None})


@pytest.mark.usefixtures("orphaned")
def test_doctor_asks_before_it_mends(call: Call, tmp_path: Path) -> None:
    found = call("doctor")
    assert (found.code, "doctor --fix" in found.err) == (1, True)
    refused = call("doctor", "--fix", input="n\n")
    assert refused.code == 1
    assert "Mend " in refused.err
    assert "the answer was no" in refused.err
    assert call("doctor", "--fix", "--json").code == 2
    assert call("doctor", "--json").json["healthy"] is False
    mended = call("doctor", "--fix", input="y\n")
    assert mended.code == 0, mended.out
    assert "a copy of what was before is in " in mended.out
    assert call("doctor").code == 0
    assert call("verify").code == 0


@pytest.mark.usefixtures("orphaned")
def test_doctor_mends_without_a_question(call: Call) -> None:
    mended = call("doctor", "--fix", "--yes", "--json")
    assert (mended.code, mended.err, mended.json["healthy"]) == (0, "", True)
    assert Path(mended.json["backup"]).is_file()
    assert call("count").out == "1\n"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("consolidate", "--scope", " "), 1),
        (("backup",), 2),
        (("backup", "no/such/folder/copy.db"), 1),
        (("backup", "copy.db", "--store", ":memory:"), 1),
        (("verify", "--store", "no/such/folder/x.db"), 4),
        (("doctor", "--yes"), 2),
        (("doctor", "--store", "nowhere://x"), 4),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
