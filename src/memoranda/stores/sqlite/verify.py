"""Verifying the whole file: that it is sound, that every row can be read, and that rows agree with each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import apsw

from memoranda.errors import InvalidInput
from memoranda.records.check import check_entry
from memoranda.records.upkeep import Verified
from memoranda.stores.sqlite import codec
from memoranda.stores.sqlite.migrate import APPLICATION_ID, migrations
from memoranda.stores.sqlite.queries import queries

SHOWN = 3
"""Most problems of one kind that a report names."""
UNREADABLE = (ValueError, KeyError, TypeError, AssertionError, RecursionError, InvalidInput)


def inspect(connection: apsw.Connection) -> list[Verified]:
    """Verifies everything that the file holds, as one state of it. It changes nothing."""
    sound = _sound(connection)
    if not sound.ok:
        return [sound]  # what rows hold says nothing then
    return [
        sound,
        _format(connection),
        _references(connection),
        _readable(connection, "entries", "all_entries", _read_entry),
        _readable(connection, "revisions", "all_revisions", codec.revision_of),
        _readable(connection, "documents", "all_documents", codec.document_of),
        _successors(connection),
        _vectors(connection),
        _agrees(connection, "no vector is without its entry", "orphan_vectors"),
        _agrees(connection, "no revision is without its entry", "orphan_revisions"),
        _agrees(connection, "no entry is named by a document that is gone", "orphan_names"),
        _owed(connection),
    ]


def rows(connection: apsw.Connection, name: str) -> Iterator[tuple[Any, ...]]:
    """Returns the rows of a statement that takes no values."""
    return connection.execute(queries()[name])


def is_sound(connection: apsw.Connection) -> bool:
    """Tells whether the file is a sound database."""
    return _sound(connection).ok


def _sound(connection: apsw.Connection) -> Verified:
    try:
        found = [str(row[0]) for row in connection.execute("PRAGMA integrity_check(10)")]
    except (apsw.CorruptError, apsw.NotADBError, apsw.IOError) as error:
        found = [str(error)]
    ok = found == ["ok"]
    said = "checked page by page" if ok else f"{'; '.join(found[:SHOWN])}; restore it from a backup"
    return Verified(what="the file is a sound database", ok=ok, found=said)


def _format(connection: apsw.Connection) -> Verified:
    numbers = [connection.execute(f"PRAGMA {name}").fetchall()[0][0] for name in ("application_id", "user_version")]
    newest = migrations()[-1].version
    return Verified(
        what="it is marked as memoranda's, in the newest format",
        ok=numbers == [APPLICATION_ID, newest],
        found=f"format {numbers[1]}",
    )


def _references(connection: apsw.Connection) -> Verified:
    broken = connection.execute("PRAGMA foreign_key_check").fetchall()
    return Verified(
        what="every row belongs to a scope and an embedder that are there",
        ok=not broken,
        found=f"{len(broken)} do not" if broken else "all do",
    )


def _read_entry(row: tuple[Any, ...]) -> None:
    check_entry(codec.entry_of(row))


def _readable(
    connection: apsw.Connection, kind: str, statement: str, read: Callable[[tuple[Any, ...]], object]
) -> Verified:
    count, bad = 0, []
    for row in rows(connection, statement):
        count += 1
        try:
            read(row[1:])
        except UNREADABLE as error:
            bad.append(f"{codec.to_id(row[0])}: {error}")
    said = f"{len(bad)} of {count} do not: {'; '.join(bad[:SHOWN])}" if bad else f"{count} {kind}"
    return Verified(what=f"all {kind} can be read and obey the rules", ok=not bad, found=said)


def _successors(connection: apsw.Connection) -> Verified:
    count = int(next(rows(connection, "dangling_successors"))[0])
    said = f"of {count} it is gone, as when it expired; `doctor` marks these as retracted" if count else "all do"
    # No fault: a successor that expired is removed, and what it had replaced stays superseded.
    return Verified(what="every superseded entry names what took its place", ok=True, found=said)


def _vectors(connection: apsw.Connection) -> Verified:
    wrong, embedders = 0, 0
    for key, shortest, longest, count in rows(connection, "vector_widths"):
        embedders += 1
        width = key.rpartition("/")[2]
        if not width.isdecimal() or not shortest == longest == int(width):
            wrong += count
    return Verified(
        what="every vector is as wide as its embedder says",
        ok=wrong == 0,
        found=f"{wrong} may not be" if wrong else f"{embedders} embedders",
    )


def _agrees(connection: apsw.Connection, what: str, statement: str) -> Verified:
    count = int(next(rows(connection, statement))[0])
    return Verified(what=what, ok=count == 0, found=f"{count} are; `doctor` removes them" if count else "none is")


def _owed(connection: apsw.Connection) -> Verified:
    count = int(next(rows(connection, "count_owed"))[0])
    said = f"of {count} entries and documents it is not proved yet; see `finish_erasures`" if count else "none waits"
    return Verified(what="every erasure is proved", ok=True, found=said)
