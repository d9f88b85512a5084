"""Opening connections to the file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

import apsw

from memoranda.errors import StoreBusy, StoreUnavailable
from memoranda.records.settings import Settings

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can corrupt a WAL file that two connections write at the same time (the WAL-reset bug)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the database is, and how it may be opened.

    Attributes:
        path: the file, or `:memory:`.
        vfs: the SQLite virtual file system to use; empty for the default one.
    """

    path: str
    vfs: str = ""

    @property
    def in_memory(self) -> bool:
        """Whether the database has no file."""
        return self.path == ":memory:"

    def check(self) -> None:
        """Refuses a place where no database can be, before the engine gives its shorter message.

        Raises:
            StoreUnavailable: the path is a folder, or its folder does not exist.
        """
        if self.in_memory:
            return
        if "\0" in self.path:
            raise StoreUnavailable(f"{self.path!r}: a path cannot hold the character NUL")
        path = Path(self.path)
        try:
            path.exists()  # raises where a folder may not be entered or a name is too long; is_dir would say no
            is_folder, has_folder = path.is_dir(), path.absolute().parent.is_dir()
        except OSError as error:
            raise StoreUnavailable(
                f"{self.path}: it cannot be reached ({error.strerror}); check the path and its folders"
            ) from error
        if is_folder:
            raise StoreUnavailable(f"{self.path}: it is a folder; give the path of a file in it")
        if not has_folder:
            raise StoreUnavailable(f"{self.path}: its folder does not exist; create {path.absolute().parent} first")

    def is_read_only(self) -> bool:
        """Tells whether the file exists and cannot be written: itself, or the folder of its log."""
        path = Path(self.path)
        return (
            not self.in_memory
            and path.exists()
            and not (os.access(path, os.W_OK) and os.access(path.absolute().parent, os.W_OK))
        )


def require_sound_engine() -> None:
    """Refuses an SQLite that can corrupt the file.

    Raises:
        StoreUnavailable: SQLite is older than `OLDEST_SQLITE`.
    """
    version = tuple(int(part) for part in apsw.sqlite_lib_version().split("."))
    if version < OLDEST_SQLITE:
        wanted = ".".join(str(part) for part in OLDEST_SQLITE)
        raise StoreUnavailable(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt the file; install apsw {wanted} or newer"
        )


def open_writer(place: Place, settings: Settings) -> apsw.Connection:
    """Opens a connection that can write; `use_log` makes it the one that does."""
    connection = _open(place, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
    _set_up(connection, settings)
    return connection


def use_log(connection: apsw.Connection, settings: Settings) -> None:
    """Turns on the write-ahead log and the durability asked for. It changes the file: check its format first."""
    _switch_to_log(connection, settings.busy_timeout)
    # FULL syncs the log before a commit returns; NORMAL only keeps the file sound.
    level = "FULL" if settings.durability == "full" else "NORMAL"
    connection.execute(f"PRAGMA synchronous = {level}").fetchall()
    connection.execute("PRAGMA foreign_keys = ON").fetchall()


def _switch_to_log(connection: apsw.Connection, timeout: float) -> None:
    """Sets the journal mode, which the file remembers. The engine itself does not wait for others who do so."""
    deadline, pause = monotonic() + timeout, Event()
    while True:
        try:
            mode = connection.execute("PRAGMA journal_mode = WAL").fetchall()[0][0]
        except apsw.BusyError:
            mode = "another process holds the file"
        if mode in ("wal", "memory"):
            return
        if monotonic() > deadline:
            raise StoreBusy(f"the write-ahead log could not be turned on: {mode}; try again when the file is free")
        pause.wait(0.001)


def open_reader(place: Place, settings: Settings) -> apsw.Connection:
    """Opens a connection that only reads."""
    if place.is_read_only():
        return _open_unwritable(place, settings)
    connection = _open(place, apsw.SQLITE_OPEN_READWRITE)
    _set_up(connection, settings)
    connection.execute("PRAGMA query_only = ON").fetchall()
    return connection


def _open_unwritable(place: Place, settings: Settings) -> apsw.Connection:
    """Opens a file that cannot be written, even where its log's folder cannot either (case K04).

    A log needs an index file beside it. Where that cannot be made and the log is empty, the file alone is the
    whole truth and is read as one that nobody changes.
    """
    attempts: tuple[Callable[[], apsw.Connection], ...] = (
        lambda: _open(place, apsw.SQLITE_OPEN_READONLY),
        lambda: _open_unchanging(place),
    )
    log = Path(place.path + "-wal")
    last = len(attempts) if not log.exists() or log.stat().st_size == 0 else 1
    for number, attempt in enumerate(attempts[:last], 1):
        try:
            connection = attempt()
            _set_up(connection, settings)
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchall()
            return connection
        except (apsw.CantOpenError, apsw.ReadOnlyError):
            if number == last:
                raise
    raise AssertionError("unreachable: the last attempt returns or raises")


def _open_unchanging(place: Place) -> apsw.Connection:
    from urllib.parse import quote

    uri = f"file:{quote(str(Path(place.path).absolute()))}?immutable=1"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI, vfs=place.vfs or None)


def _open(place: Place, flags: int) -> apsw.Connection:
    # Without SQLITE_OPEN_URI the path is taken literally: '#', '?' and '%' mean nothing in it.
    return apsw.Connection(place.path, flags=flags, vfs=place.vfs or None)


def _set_up(connection: apsw.Connection, settings: Settings) -> None:
    milliseconds = round(settings.busy_timeout * 1000)
    connection.set_busy_timeout(milliseconds)
    # Waits for the log's locks a millisecond at a time. The busy handler alone backs off to 100 ms, and under many
    # writers the one that waits longest would be asked least often.
    connection.setlk_timeout(milliseconds, 0)
    connection.execute("PRAGMA secure_delete = ON").fetchall()
