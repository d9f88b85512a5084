"""Copying the file while it is in use, with SQLite's backup interface."""

from __future__ import annotations

import os
from contextlib import closing, suppress
from pathlib import Path

import apsw

from memoranda.errors import InvalidInput, Unsupported
from memoranda.stores.sqlite.engine import Engine
from memoranda.stores.sqlite.queries import queries


def back_up(engine: Engine, target: Path, *, force: bool = False) -> None:
    """Writes one state of the file to `target`, which is complete and synced, or left as it was.

    Nobody is held up meanwhile. The copy is one file, and is opened like any other. Where the proof of an erasure is
    owed, the copy is rewritten, so that it holds nothing but rows.

    Raises:
        InvalidInput: the target is there already and `force` is off; it is this very file, or one that is open; it
            cannot be written.
        Unsupported: the database is in memory.
        StoreError: this file cannot be read.
    """
    if engine.place.in_memory:
        raise Unsupported("a database in memory has no file to copy; `dump` writes a scope to a file")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        _check_target(Path(engine.place.path), target, force=force)
        _remove(unfinished)
        engine.read(lambda source: _copy(source, unfinished))
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, target)
        _sync_folder(target.absolute().parent)
    except (OSError, apsw.CantOpenError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InvalidInput(f"{target} cannot be written: {reason}") from error
    finally:
        _remove(unfinished)


def _check_target(source: Path, target: Path, *, force: bool) -> None:
    folder = target.absolute().parent
    if not folder.is_dir():
        raise InvalidInput(f"{target}: its folder does not exist; create {folder} first")
    if target.is_dir():
        raise InvalidInput(f"{target}: it is a folder; give the path of a file in it")
    if target.exists() and source.exists() and target.samefile(source):
        raise InvalidInput(f"{target}: it is the file that is to be copied; give another path")
    if any(target.with_name(target.name + suffix).exists() for suffix in ("-wal", "-journal")):
        raise InvalidInput(f"{target}: it is a database in use, as the log beside it shows; give another path")
    if target.exists() and not force:
        raise InvalidInput(f"{target}: it is there already and was left as it is; give another path or use `force`")


def _copy(source: apsw.Connection, target: Path) -> None:
    with closing(apsw.Connection(str(target))) as copy:
        # In one step, so that it is one state: others may write meanwhile, and this reader does not see it.
        with copy.backup("main", source, "main") as backup:
            backup.step()
        copy.execute("PRAGMA journal_mode = DELETE").fetchall()
        if copy.execute(queries()["count_owed"]).fetchall()[0][0]:
            copy.execute("VACUUM").fetchall()


def _remove(unfinished: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            unfinished.with_name(unfinished.name + suffix).unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    if not hasattr(os, "O_DIRECTORY"):
        return  # where folders cannot be opened, the system keeps names by itself
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
