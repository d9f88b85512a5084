"""Vectors where several threads and processes write and recall."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from memoranda import InMemoryStore, Memory, SqliteStore
from memoranda.protocols.store import DurableStore
from memoranda.testing.embedder import HashingEmbedder
from tests.memory.embedders import PLACE, kept, texts, waiting


@pytest.mark.parametrize("make", [InMemoryStore, lambda: SqliteStore(":memory:")], ids=["in_memory", "sqlite"])
def test_threads_write_and_find_by_meaning(make: Callable[[], DurableStore]) -> None:
    store = make()
    memory = Memory(store=store, embedder=HashingEmbedder(64))
    errors: list[str] = []

    def work(name: int) -> None:
        scope = memory.scope(f"{PLACE}/{name % 2}")
        for number in range(8):
            text = f"thread{name} wrote entry{number}"
            scope.remember(text)
            if text not in texts(scope.recall(text)):
                errors.append(text)

    threads = [Thread(target=work, args=(name,)) for name in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    for place in ("0", "1"):
        assert len(kept(store, HashingEmbedder(64), f"{PLACE}/{place}")) == 24
        assert waiting(store, HashingEmbedder(64), f"{PLACE}/{place}") == 0


WRITER = """
import sys
from memoranda import Memory
from memoranda.testing.embedder import HashingEmbedder

with Memory(sys.argv[1], embedder=HashingEmbedder(64)) as memory:
    for line in sys.stdin:
        command, _, text = line.strip().partition(" ")
        scope = memory.scope("acme/alice")
        if command == "remember":
            scope.remember(text)
        print(len(scope.recall(text)), flush=True)
"""


@pytest.fixture
def other_process(tmp_path: Path) -> Callable[[str], int]:
    path = tmp_path / "memory.db"
    started: list[subprocess.Popen[str]] = []

    def tell(line: str) -> int:
        if not started:
            command = [sys.executable, "-c", WRITER, str(path)]
            started.append(
                subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
            )
        process = started[0]
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(line + "\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if line == "end":
            process.stdin.close()
            process.stdout.close()
            assert process.wait(30) == 0
        return int(answer)

    return tell


def test_what_one_process_wrote_the_next_recall_of_another_finds(
    tmp_path: Path, other_process: Callable[[str], int]
) -> None:
    """Design D6: by words and by vector, both ways, though both hold an index already."""
    with Memory(tmp_path / "memory.db", embedder=HashingEmbedder(64)) as memory:
        alice = memory.scope(PLACE)
        alice.remember("the ferry sails at dawn")
        assert texts(alice.recall("zebra crossing")) == []
        assert other_process("remember zebras live in herds") == 1
        found = alice.recall("zebras")
        assert texts(found) == ["zebras live in herds"]
        assert found[0].parts["meaning"] != 0
        alice.remember("zebras eat grass")
        assert other_process("recall zebras") == 2
        entry = found[0].entry
        alice.retract(entry.id)
        assert other_process("recall zebras") == 1
        other_process("end")
