"""Finding what is wrong with a file, and mending what can be mended without loss."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from pathlib import Path

import apsw

from memoranda.records.upkeep import DoctorReport, Finding
from memoranda.stores.sqlite import erase
from memoranda.stores.sqlite.backup import back_up
from memoranda.stores.sqlite.engine import Engine
from memoranda.stores.sqlite.queries import queries
from memoranda.stores.sqlite.verify import is_sound, rows

ABANDONED = 3600.0
"""Seconds after which an unfinished copy is taken to be left over rather than under way."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """Rows that should not be as they are: how to count them, and the statements that mend them."""

    kind: str
    what: str
    advice: str
    done: str
    statements: tuple[str, ...]


_FAULTS = (
    _Fault(
        "orphan_vectors", "vectors whose entry is gone", "`fix` removes them", "removed", ("remove_orphan_vectors",)
    ),
    _Fault(
        "orphan_revisions",
        "revisions whose entry is gone",
        "`fix` removes them",
        "removed",
        ("remove_orphan_revisions",),
    ),
    _Fault(
        "orphan_names",
        "entries that are named by a document that is gone",
        "`fix` removes the names",
        "removed",
        ("remove_orphan_names",),
    ),
    _Fault(
        "dangling_successors",
        "superseded entries whose successor is gone",
        "`fix` marks them as retracted, so that `restore` can bring them back",
        "marked as retracted; `restore` brings them back",
        ("version_dangling", "retract_dangling"),
    ),
)


def diagnose(engine: Engine, *, fix: bool) -> DoctorReport:
    """Finds what is wrong; with `fix` mends it, after a copy was made where rows are changed.

    The copy is `<file>.doctor.bak`. A file that is not sound is left as it is: what could be saved from it depends on
    what is broken, and mending it in place could lose more.

    Raises:
        StoreError: the file cannot be worked on.
    """
    if not engine.read(is_sound):
        advice = "restore it from a backup; nothing was changed"
        return DoctorReport(
            findings=(Finding(kind="damaged", count=1, what="the file is not sound", advice=advice, mendable=False),)
        )
    owed = _owed(engine, fix=fix)
    faults = [(fault, _count(engine, fault)) for fault in _FAULTS]
    faults = [(fault, count) for fault, count in faults if count]
    copy = _copy(engine) if fix and faults else None
    found = [_mended(engine, fault, count, fix=fix) for fault, count in faults]
    return DoctorReport(findings=(*owed, *found, *_left_over(engine, fix=fix)), backup=copy)


def _owed(engine: Engine, *, fix: bool) -> list[Finding]:
    count = erase.count_owed(engine)
    if not count:
        return []
    finding = Finding(
        kind="pending_erasures",
        count=count,
        what="erased entries and documents of which it is not proved that nothing is left",
        advice="`fix` proves it, as `finish_erasures` does",
    )
    if not fix:
        return [finding]
    proof = erase.prove(engine, None)
    return [replace(finding, done=proof.because if proof.proved else "", advice=proof.because)]


def _count(engine: Engine, fault: _Fault) -> int:
    return int(engine.read(lambda connection: next(rows(connection, fault.kind)))[0])


def _copy(engine: Engine) -> str | None:
    if engine.place.in_memory:
        return None
    target = Path(f"{engine.place.path}.doctor.bak")
    back_up(engine, target, force=True)
    return str(target)


def _mended(engine: Engine, fault: _Fault, count: int, *, fix: bool) -> Finding:
    finding = Finding(kind=fault.kind, count=count, what=fault.what, advice=fault.advice)
    if not fix:
        return finding

    def work(connection: apsw.Connection) -> None:
        for name in fault.statements:
            connection.execute(queries()[name]).fetchall()

    engine.write(work)
    return replace(finding, done=fault.done)


def _left_over(engine: Engine, *, fix: bool) -> list[Finding]:
    if engine.place.in_memory:
        return []
    copies = erase.copies_beside(Path(engine.place.path))
    left = [copy for copy in copies if copy.name.endswith(".unfinished") and _age(copy) > ABANDONED]
    if not left:
        return []
    names = ", ".join(copy.name for copy in left)
    finding = Finding(
        kind="unfinished_files",
        count=len(left),
        what=f"copies that were cut short: {names}",
        advice="`fix` deletes them",
    )
    if fix:
        for copy in left:
            copy.unlink(missing_ok=True)
    return [replace(finding, done="deleted") if fix else finding]


def _age(path: Path) -> float:
    try:
        return time.time() - os.stat(path).st_mtime
    except OSError:
        return 0.0  # it went away meanwhile
