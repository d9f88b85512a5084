"""Commands that take away for good (design D16)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.stores.sqlite.child import hear, say, start

Call = Callable[..., Any]
NOBODY = "00000000-0000-4000-8000-000000000000"
HOLD = """
import apsw
connection = apsw.Connection(sys.argv[1], flags=apsw.SQLITE_OPEN_READONLY)
connection.execute("BEGIN")
say(len(list(connection.execute("SELECT memory FROM entries"))))
hear()
connection.close()
say("ended")
hear()
"""


def test_it_asks_first_and_shows_what_it_is_about(call: Call, remember: Callable[..., str]) -> None:
    id = remember("the vault code is\x1b[31m tango")
    no = call("erase", id, input="n\n")
    assert (no.code, no.out) == (1, "")
    assert "Erase “the vault code is" in no.err
    assert "\x1b" not in no.err
    assert "the answer was no" in no.err
    assert call("count").out == "1\n"
    yes = call("erase", id, input="y\n")
    assert yes.code == 0
    assert "verified  yes" in yes.out
    assert id in yes.out
    assert call("get", id).code == 3


def test_the_receipt_as_json(call: Call, remember: Callable[..., str], tmp_path: Path) -> None:
    id = remember("the vault code is tango")
    call("update", id, "the vault code is foxtrot")
    answer = call("erase", id, "--yes", "--json")
    receipt = answer.json
    assert (answer.code, answer.err) == (0, "")
    assert (receipt["ids"], receipt["entries"], receipt["revisions"], receipt["verified"]) == ([id], 1, 1, "yes")
    assert set(receipt) == {
        "ids", "entries", "revisions", "vectors", "idempotency_keys", "documents", "verified", "because", "at"
    }  # fmt: skip
    assert not any(b"tango" in path.read_bytes() for path in tmp_path.glob("memory.db*"))


def test_reopen_brings_back_what_was_replaced(call: Call, remember: Callable[..., str]) -> None:
    old = remember("the port is 8080", "--key", "port")
    new = remember("the port is 9090", "--key", "port")
    assert call("erase", new, "--reopen", "--yes").code == 0
    assert [entry["id"] for entry in call("list", "--json").json["entries"]] == [old]


def test_a_source_goes_with_its_places(call: Call, remember: Callable[..., str]) -> None:
    remember("one onety", "--source", "notes.md#L1")
    remember("two twoty", "--source", "notes.md#L2")
    remember("three threety", "--source", "other.md")
    assert "'notes.md'" in call("erase", "--source", "notes.md", input="n\n").err
    assert call("erase", "--source", "notes.md", "--yes", "--json").json["entries"] == 2
    nothing = call("erase", "--source", "notes.md", "--yes")
    assert (nothing.code, "there was nothing to erase" in nothing.out) == (0, True)
    assert call("count").out == "1\n"


def test_a_scope_goes_when_its_path_is_given_twice(call: Call, remember: Callable[..., str]) -> None:
    """Case X02."""
    remember("A1", "--scope", "a")
    remember("B1", "--scope", "b")
    whole = ("erase", "--all-of-scope", "--scope", "a", "--confirm")
    for wrong in ("b", "", "a/"):
        refused = call(*whole, wrong, "--yes")
        assert (refused.code, "nothing was erased" in refused.err) == (1, True)
    assert "all 1 live entries of scope a" in call(*whole, "a", input="n\n").err
    assert call("scopes", "--json").json["scopes"] == ["a", "b"]
    assert call(*whole, "a", input="y\n").code == 0
    assert call("scopes", "--json").json["scopes"] == ["b"]


def test_while_somebody_reads_it_is_pending_and_finished_later(
    call: Call, remember: Callable[..., str], tmp_path: Path
) -> None:
    """Exit code 5: erased, and the proof waits."""
    id = remember("glonk vurpstadt " * 60)
    call("finish-erasures")  # the file is closed properly, so its log is empty
    with start(HOLD, tmp_path / "memory.db") as reader:
        assert hear(reader) == "1"
        answer = call("erase", id, "--yes")
        assert answer.code == 5, answer.out
        assert "pending" in answer.out
        assert "finish-erasures" in answer.err
        waiting = call("finish-erasures", "--json")
        assert (waiting.code, waiting.json["verified"], waiting.json["owed"]) == (5, "pending", 1)
        say(reader)
        assert hear(reader) == "ended"
        done = call("finish-erasures")
        assert done.code == 0, done.out
        assert done.out.startswith("done: ")
        say(reader)
    assert not any(b"vurpstadt" in path.read_bytes() for path in tmp_path.glob("memory.db*"))


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("erase",), 2, "--all-of-scope"),
        (("erase", NOBODY, "--source", "x", "--yes"), 2, "give an ID"),
        (("erase", NOBODY, "--all-of-scope", "--yes"), 2, "give an ID"),
        (("erase", "--all-of-scope", "--yes"), 2, "--confirm PATH"),
        (("erase", NOBODY, "--confirm", "a", "--yes"), 2, "--confirm belongs"),
        (("erase", "--source", "x", "--reopen", "--yes"), 2, "--reopen needs"),
        (("erase", "--source", " ", "--yes"), 1, "source"),
        (("erase", NOBODY, "--yes"), 3, NOBODY),
        (("finish-erasures", "x"), 2, "x"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int, says: str) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert says in answer.err


def test_where_nobody_answers_nothing_is_erased(call: Call, remember: Callable[..., str]) -> None:
    id = remember("the vault code is tango")
    answer = call("erase", id)
    assert answer.code == 2
    assert "nobody answers on stdin; with --yes nothing is asked" in answer.err
    assert call("count").out == "1\n"
