"""Proving that the file holds nothing of what was erased (design D16).

The rows are gone, by the transaction of the erasure. Then, in this order:

1. The log is emptied into the file and truncated. While somebody reads an older state of the file that cannot be
   done: the proof is pending.
2. The file's bytes are read (`search_raw`). Nothing of the texts may be in free space, and what is found elsewhere must
   stand in some row by right, such as one of another scope. Else the file is rewritten whole (VACUUM), which leaves
   nothing in it but the rows, and the log is emptied again. The same is done where the texts are not known any more,
   or are too many.
3. No copy that memoranda left beside the file may hold the entries.

A short text is found in many rows by chance, so finding it proves nothing; but whatever its length, it is gone when no
row of the entry is left and free space does not hold it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import apsw

from memoranda.errors import StoreError
from memoranda.records.erasure import Erased, ErasureProof
from memoranda.stores.sqlite import codec
from memoranda.stores.sqlite.connect import Place
from memoranda.stores.sqlite.engine import Engine
from memoranda.stores.sqlite.failures import translated
from memoranda.stores.sqlite.queries import queries
from memoranda.stores.sqlite.search_raw import Seen, Wanted, look, wanted

PATIENCE = 1.0
"""Seconds for which readers of an older state are waited for before a proof is called pending."""
IN_USE = "somebody still reads an older state of the file, so its log cannot be emptied; finish when that has ended"
COPY_NAMES = (".bak", ".unfinished")
"""Ends of the names of copies that memoranda leaves beside the file: before a migration or a repair, or cut short."""

_Owed = list[tuple[int, bytes]]


def prove(engine: Engine, erased: Erased | None, *, patience: float = PATIENCE) -> ErasureProof:
    """Looks for what was erased, cleans what it finds, and settles the proofs that are owed.

    Args:
        engine: the open file.
        erased: what was erased just now; None for what is owed from before.
        patience: seconds to wait for readers.

    Raises:
        StoreError: the file is closed, or cannot be read at all.
    """
    owed = _owed(engine)
    if engine.place.in_memory:
        _settle(engine, owed)
        return ErasureProof(proved=True, because="this database has no file", settled=len(owed))
    try:
        what = _wanted(erased, owed)
        reason = _empty_log(engine, patience) or _clean_file(engine, what, patience) or _copies(engine, owed)
    except StoreError as error:
        reason = str(error)  # the rows are gone all the same
    if reason:
        return ErasureProof(proved=False, because=reason, owed=len(owed))
    _settle(engine, owed)
    because = "no row, no free space of the file, and no log holds anything of it"
    return ErasureProof(proved=True, because=because, settled=len(owed))


def count_owed(engine: Engine) -> int:
    """Returns how many erased entries and documents wait for their proof."""
    return int(_rows(engine, "count_owed")[0][0])


def copies_beside(path: Path) -> list[Path]:
    """Returns the copies that memoranda left beside a file, in order of their names."""
    with os.scandir(path.absolute().parent) as entries:
        names = [entry.name for entry in entries if entry.name.endswith(COPY_NAMES)]
    return [path.with_name(name) for name in sorted(names) if name.lstrip(".").startswith(path.name + ".")]


def _wanted(erased: Erased | None, owed: _Owed) -> Wanted | None:
    """Returns what to look for; None when the texts of some owed proof are not known."""
    if erased is None or erased.texts is None:
        return None
    known = {codec.to_blob(id) for id in (*erased.ids, *erased.document_ids)}
    return wanted(erased.texts, erased.vectors) if all(id in known for _, id in owed) else None


def _owed(engine: Engine) -> _Owed:
    return [(row[0], row[1]) for row in _rows(engine, "owed")]


def _rows(engine: Engine, name: str, **values: Any) -> list[Any]:
    return engine.read(lambda connection: connection.execute(queries()[name], values).fetchall())


def _settle(engine: Engine, owed: _Owed) -> None:
    if owed:
        rows = [{"scope": scope, "id": id} for scope, id in owed]
        engine.write(lambda connection: connection.executemany(queries()["settle"], rows).fetchall())


def _empty_log(engine: Engine, patience: float) -> str:
    """Moves the log into the file and truncates it; returns what stands in the way."""

    def work(connection: apsw.Connection) -> bool:
        usual = connection.execute("PRAGMA busy_timeout").fetchall()[0][0]
        assert isinstance(usual, int)
        _wait_at_most(connection, min(usual, round(patience * 1000)))
        try:
            return connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0][0] == 0
        finally:
            _wait_at_most(connection, usual)

    return "" if engine.alone(work) else IN_USE


def _wait_at_most(connection: apsw.Connection, milliseconds: int) -> None:
    connection.set_busy_timeout(milliseconds)
    connection.setlk_timeout(milliseconds, 0)


def _clean_file(engine: Engine, what: Wanted | None, patience: float) -> str:
    """Rewrites the file where it holds, or may hold, what was erased; returns what stands in the way."""
    seen = _look(engine, what or Wanted())
    if not any(_strays(engine, seen.pieces)) and not (seen.free if what is None else seen.traces):
        return ""
    engine.alone(lambda connection: connection.execute("VACUUM").fetchall())
    reason = _empty_log(engine, patience)
    if reason:
        return reason
    if what is not None and any(_strays(engine, _look(engine, what).pieces)):
        return "a piece of the text is in the file, and no row holds it; run `doctor`"
    return ""


def _look(engine: Engine, what: Wanted) -> Seen:
    place = Place(str(_file(engine)), engine.place.vfs)
    with translated(place.path):
        return look(place, what)


def _file(engine: Engine) -> Path:
    """Returns where the file is, whatever the working folder is by now."""
    return Path(engine.read(lambda connection: connection.filename))


def _strays(engine: Engine, pieces: Sequence[str]) -> Iterator[str]:
    """Yields the pieces that are in the file but in no row."""
    for piece in pieces:
        if not _rows(engine, "text_is_held", text=piece)[0][0]:
            yield piece


def _copies(engine: Engine, owed: _Owed) -> str:
    """Returns which copies beside the file hold what was erased."""
    ids = codec.to_hex_list(codec.to_id(id) for _, id in owed)
    holding = [copy.name for copy in copies_beside(_file(engine)) if _holds(copy, ids)]
    if not holding:
        return ""
    return f"a copy beside the file still holds it, or cannot be read: delete {', '.join(holding)}, then finish"


_IN_COPY = """
SELECT EXISTS (SELECT 1 FROM entries WHERE id IN (SELECT unhex(value) FROM json_each(:ids)))
    OR EXISTS (SELECT 1 FROM revisions WHERE id IN (SELECT unhex(value) FROM json_each(:ids)))
    OR EXISTS (SELECT 1 FROM documents WHERE id IN (SELECT unhex(value) FROM json_each(:ids)))
"""


def _holds(copy: Path, ids: str) -> bool:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with closing(apsw.Connection(f"file:{quote(str(copy.absolute()))}?immutable=1", flags=flags)) as connection:
            return bool(connection.execute(_IN_COPY, {"ids": ids}).fetchall()[0][0])
    except apsw.Error:
        return True  # what cannot be read may hold it
