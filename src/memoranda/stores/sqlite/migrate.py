"""Bringing a file to this version's format, once, whole, and never a file that is not ours (case K05)."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import apsw

from memoranda.errors import ForeignFile, NewerVersion, StoreDamaged
from memoranda.stores.sqlite.connect import Place

APPLICATION_ID = 0x6D656D6F
"""`memo` in ASCII, in the file's header: marks a file as ours."""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from a format to the next.

    Attributes:
        version: the format that it leads to.
        statements: what it does.
    """

    version: int
    statements: str


@cache
def migrations() -> tuple[Migration, ...]:
    """Returns the steps of the schema folder, in order: `0001_entries.sql` leads to format 1."""
    folder = files(__package__).joinpath("schema")
    found = [
        Migration(int(file.name[:4]), file.read_text(encoding="utf-8"))
        for file in folder.iterdir()
        if file.name.endswith(".sql")
    ]
    return tuple(sorted(found, key=lambda step: step.version))


def check_format(connection: apsw.Connection, place: Place, steps: Sequence[Migration] | None = None) -> int:
    """Returns the file's format, 0 for an empty one.

    Raises:
        ForeignFile: it holds tables of another program.
        NewerVersion: a newer memoranda wrote it.
        StoreDamaged: it is marked as ours and lacks its tables.
    """
    newest = (migrations() if steps is None else steps)[-1].version
    with _one_state(connection):
        application, version = (_number(connection, name) for name in ("application_id", "user_version"))
        tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
    if application != APPLICATION_ID:
        if application or version or tables:
            raise ForeignFile(f"{place.path}: it belongs to another program; nothing was changed: give another path")
        return 0
    if version > newest:
        raise NewerVersion(
            f"{place.path}: its format is {version}, this memoranda reads up to {newest}; install a newer memoranda"
        )
    if version and not {"scopes", "entries"} <= tables:
        raise StoreDamaged(f"{place.path}: its tables are missing; restore it from a backup")
    return version


def migrate(connection: apsw.Connection, place: Place, steps: Sequence[Migration] | None = None) -> int:
    """Brings the file to the newest format in one transaction and returns that format.

    Two processes may try at once: the second waits and finds nothing to do. Before an existing file is changed, it
    is copied to `<file>.format<N>.bak`, once.

    Raises:
        ForeignFile, NewerVersion, StoreDamaged: as `check_format`.
    """
    steps = migrations() if steps is None else steps
    if check_format(connection, place, steps) == steps[-1].version:
        return steps[-1].version
    connection.execute("BEGIN IMMEDIATE")
    try:
        version = check_format(connection, place, steps)
        if 0 < version < steps[-1].version:
            _back_up(place, version)
        for step in steps:
            if step.version > version:
                connection.execute(step.statements).fetchall()
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}").fetchall()
        connection.execute(f"PRAGMA user_version = {steps[-1].version}").fetchall()
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    if version == 0:
        # Moves the tables from the log into the file, so that a file whose log gets lost is still known as ours.
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    return steps[-1].version


@contextmanager
def _one_state(connection: apsw.Connection) -> Iterator[None]:
    """Makes what is read inside one state of the file: another process may be making its tables just now."""
    if connection.in_transaction:
        yield
        return
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def _number(connection: apsw.Connection, pragma: str) -> int:
    value = connection.execute(f"PRAGMA {pragma}").fetchall()[0][0]
    assert isinstance(value, int)
    return value


def _back_up(place: Place, version: int) -> None:
    """Copies the file as it stands; the writer's lock is held, so nothing changes meanwhile."""
    if place.in_memory:
        return
    target = Path(f"{place.path}.format{version}.bak")
    unfinished = Path(f"{target}.unfinished")
    unfinished.unlink(missing_ok=True)
    source = apsw.Connection(place.path, flags=apsw.SQLITE_OPEN_READWRITE, vfs=place.vfs or None)
    try:
        source.execute("VACUUM INTO ?", (str(unfinished),)).fetchall()
    finally:
        source.close()
    os.replace(unfinished, target)
