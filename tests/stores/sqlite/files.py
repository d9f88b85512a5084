"""Making files to open, and looking at them without our own code."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import apsw

from memoranda import Memory
from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import EntryFilter
from memoranda.records.document import Document
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.ground import NOW, fact

SCOPE = Scope("u1")
FIXTURE = Path(__file__).resolve().parents[2] / "fixtures" / "format1.db"
run = Stepper().run


def make(path: Path, texts: Sequence[str] = ("first", "second", "third")) -> list[MemoryEntry]:
    """Makes a file with these texts in the scope `u1`, and closes it."""
    store = SqliteStore(path)
    entries = [fact(text) for text in texts]
    run(store.write(SCOPE, lambda snapshot: Plan(result=None, puts=tuple(entries))))
    store.close()
    return entries


def put_documents(memory: Memory, path: str, *documents: Document) -> None:
    """Puts documents into a scope of a memory."""
    store = memory.store
    assert isinstance(store, SqliteStore)
    run(store.write(Scope(path), lambda snapshot: Plan(result=None, documents=documents)))


def texts(store: SqliteStore, scope: Scope = SCOPE) -> list[str]:
    """Returns the texts of a scope, oldest first."""
    page = run(store.page(scope, EntryFilter(now=NOW, superseded=True), 1_000_000, oldest_first=True))
    return [entry.memory for entry in page]


def reopened(path: Path, scope: Scope = SCOPE) -> list[str]:
    """Opens the file anew and returns the texts of a scope."""
    store = SqliteStore(path)
    try:
        return texts(store, scope)
    finally:
        store.close()


def sql(path: Path, *statements: str) -> list[tuple[object, ...]]:
    """Runs statements on the file, without our own code; returns the rows of the last one."""
    connection = apsw.Connection(str(path))
    try:
        rows: list[tuple[object, ...]] = []
        for statement in statements:
            rows = list(connection.execute(statement))
        return rows
    finally:
        connection.close()


def is_sound(path: Path) -> bool:
    """Tells whether SQLite finds nothing wrong with the file."""
    return sql(path, "PRAGMA integrity_check") == [("ok",)]


def prints(folder: Path) -> dict[str, str]:
    """Returns a hash of every file of a folder, by name."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir() if path.is_file()}
