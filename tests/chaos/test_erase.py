"""Erasing while other processes read and write the same file (design D16)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memoranda import Memory, Settings
from tests.stores.sqlite.child import hear, say, start
from tests.stores.sqlite.files import is_sound, sql
from tests.stores.sqlite.raw import holding

HOLD = """
import apsw
connection = apsw.Connection(sys.argv[1], flags=apsw.SQLITE_OPEN_READONLY)
connection.execute("BEGIN")
say(len(list(connection.execute("SELECT memory FROM entries"))))
hear()
say(len(list(connection.execute("SELECT memory FROM entries"))))
connection.close()
say("ended")
hear()
"""

WRITE = """
from memoranda import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    scope, number = memory.scope(sys.argv[2]), 0
    say("ready")
    while True:
        number += 1
        text = f"number {number} of {sys.argv[2]} " + "lorem " * (number * 7 % 300)
        scope.remember(text, key=f"k{number % 9}")
        scope.recall("lorem number", limit=3)
"""


ERASE = """
from memoranda import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    scope, number = memory.scope("a"), 0
    while True:
        number += 1
        texts = [f"vurp{number}stadt " + "lorem " * (number * 7 % 300), f"other {number} " + "ipsum " * (number % 90)]
        gone = scope.remember_many(texts)[0].entry.id
        scope.erase(gone)
        say(f"{number} {gone}")
"""


@pytest.mark.parametrize("after", [1, 7, 20])
def test_a_process_that_is_killed_while_it_erases_leaves_nothing_of_what_it_erased(tmp_path: Path, after: int) -> None:
    path = tmp_path / "m.db"
    with start(ERASE, path) as child:
        told = [hear(child) for _ in range(after)]
        child.kill()
        assert child.stdout is not None
        told += child.stdout.read().splitlines()
    with Memory(path, embedder=None) as memory:
        assert memory.finish_erasures().proved
        scope = memory.scope("a")
        for line in told:
            number, _, id = line.partition(" ")
            if len(id) == 36:
                assert scope.get(id) is None
                assert holding(tmp_path, f"vurp{number}stadt") == set()
        assert memory.verify().ok
    assert sql(path, "SELECT count(*) FROM erasures") == [(0,)]
    assert is_sound(path)


@pytest.mark.parametrize("finished_by", ["job", "next erasure", "opening"])
def test_a_reader_of_an_older_state_is_waited_for(tmp_path: Path, finished_by: str) -> None:
    path = tmp_path / "m.db"
    memory = Memory(path, embedder=None, settings=Settings(busy_timeout=0.1))
    scope = memory.scope("a")
    first, second = (receipt.entry for receipt in scope.remember_many(["glonk vurpstadt " * 60, "quibbelfax " * 60]))
    assert first is not None
    assert second is not None
    with start(HOLD, path) as reader:
        assert hear(reader) == "2"
        receipt = scope.erase(first.id)
        assert receipt.verified == "pending"
        assert "still reads" in receipt.because
        assert holding(tmp_path, "vurpstadt") != set()
        assert not memory.finish_erasures().proved
        say(reader)
        assert hear(reader) == "2"  # its own state is left to it
        assert hear(reader) == "ended"
        match finished_by:
            case "job":
                assert memory.finish_erasures().settled == 1
            case "next erasure":
                assert scope.erase(second.id).verified == "yes"
            case _:
                memory.close()
                memory = Memory(path, embedder=None)
        assert holding(tmp_path, "vurpstadt") == set()
        assert memory.finish_erasures().because == "no erasure waits for its proof"
        say(reader)
    memory.close()
    assert sql(path, "SELECT count(*) FROM erasures") == [(0,)]
    assert is_sound(path)


def test_erasures_are_proved_while_others_write_and_recall(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, embedder=None) as memory:
        scope = memory.scope("mine")
        receipts = scope.remember_many([f"vurp{number}stadt " * 30 for number in range(12)])
        with start(WRITE, path, "one") as one, start(WRITE, path, "two") as two:
            assert [hear(one), hear(two)] == ["ready", "ready"]
            for receipt in receipts:
                assert receipt.entry is not None
                erased = scope.erase(receipt.entry.id)
                if erased.verified == "pending":
                    assert memory.finish_erasures().because
            one.kill()
            two.kill()
        proof = memory.finish_erasures()
        assert proof.proved, proof.because
        for number in range(12):
            assert holding(tmp_path, f"vurp{number}stadt") == set()
        assert scope.count() == 0
        assert memory.verify().ok
    assert is_sound(path)
