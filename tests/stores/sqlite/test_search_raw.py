"""Looking through the bytes of a file, on files whose free space is known."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memoranda.stores.sqlite.connect import Place
from memoranda.stores.sqlite.search_raw import MOST_PIECES, Wanted, look, wanted

SECRET = "zyxglonk vurpstadt 7391 quibbelfax"


def make(path: Path, *statements: str, page_size: int = 4096, overwrite: bool = False) -> Place:
    """Makes a database without our code, in which deleted rows stay where they were unless `overwrite`."""
    with closing(apsw.Connection(str(path))) as connection:
        connection.execute(
            f"PRAGMA synchronous = OFF; PRAGMA page_size = {page_size}; PRAGMA secure_delete = {int(overwrite)}"
        ).fetchall()
        connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, x TEXT)")
        rows = [(f"{number} lorem ipsum " * 9,) for number in range(40)]
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO t (x) VALUES (?)", rows)
        connection.execute("COMMIT")
        for statement in statements:
            connection.execute(statement).fetchall()
    return Place(str(path))


@pytest.mark.parametrize("page_size", [512, 1024, 4096, 65_536])
@pytest.mark.parametrize("size", [1, 20, 3000], ids=["in a page", "in a few", "over many"])
@pytest.mark.parametrize("at", [0, 20, 41], ids=["first", "in the middle", "last"])
def test_what_was_deleted_is_found_in_free_space(tmp_path: Path, page_size: int, size: int, at: int) -> None:
    text = SECRET * size
    put = (
        f"INSERT INTO t (id, x) VALUES ({at - 1 if at else -1}, '{text}') ON CONFLICT (id) DO UPDATE SET x = excluded.x"
    )
    taken = f"DELETE FROM t WHERE x LIKE '{SECRET}%'"
    kept = look(make(tmp_path / "kept", put, page_size=page_size), wanted([text]))
    assert kept.pieces
    assert not kept.traces
    left = look(make(tmp_path / "left", put, taken, page_size=page_size), wanted([text]))
    # A rebalanced page may have been overwritten: what is anywhere in the file must be found, and nothing else.
    data = (tmp_path / "left").read_bytes()
    assert left.traces == any(run in data for run in wanted([text]).runs)
    gone = look(make(tmp_path / "gone", put, taken, page_size=page_size, overwrite=True), wanted([text]))
    assert (gone.traces, gone.pieces) == (False, ())


def test_short_and_escaped_texts_are_looked_for(tmp_path: Path) -> None:
    place = make(tmp_path / "m.db", "INSERT INTO t (x) VALUES ('ab\"c')", "DELETE FROM t WHERE x = 'ab\"c'")
    assert look(place, wanted(['b"c'])).traces
    assert not look(place, wanted(["b'c"])).traces
    long = 'she said "no" and\nleft ' * 3
    escaped = long.replace('"', '\\"').replace("\n", "\\n")
    with closing(apsw.Connection(place.path)) as connection:
        connection.execute("INSERT INTO t (x) VALUES (?)", (escaped,))
    assert look(place, wanted([long])).pieces


def test_an_empty_file_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "m.db").write_bytes(b"")
    seen = look(Place(str(tmp_path / "m.db")), wanted([SECRET]))
    assert (seen.free, seen.traces, seen.pieces) == (False, False, ())


def test_many_texts_are_searched_for_by_a_bounded_number_of_pieces() -> None:
    what = wanted([f"{number} {SECRET} {number}" for number in range(1000)])
    assert 1 <= len(what.pieces) <= MOST_PIECES
    assert wanted([]) == Wanted()
    assert all(piece.strip("\0") for piece in wanted(["\0" * 50]).pieces)
