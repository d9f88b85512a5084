"""Deciding what becomes of the entries and revisions of a dump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.protocols.store import Plan, Snapshot
from memoranda.records.entry import MemoryEntry
from memoranda.records.revision import Revision
from memoranda.records.stats import LoadReport, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """One line of a dump: an entry with its revisions.

    Attributes:
        line: its number in the file, counted from 1.
        entry: the entry.
        revisions: what it was before, oldest first.
    """

    line: int
    entry: MemoryEntry
    revisions: tuple[Revision, ...] = ()


def load(snapshot: Snapshot, lines: Sequence[Loaded]) -> Plan[LoadReport]:
    """Adds the entries that are new; one that is there already is never overwritten.

    An entry of the same id that differs is refused with its line, since one of the two would be lost.
    """
    added: dict[str, Loaded] = {}
    unchanged = 0
    refused: list[Refused] = []
    for line in lines:
        twin = added.get(line.entry.id)
        known = twin.entry if twin else snapshot.entry(line.entry.id)
        if known is None:
            added[line.entry.id] = line
        elif known == line.entry:
            unchanged += 1
        else:
            refused.append(Refused(line=line.line, reason=f"entry {known.id} is stored already and differs"))
    return Plan(
        result=LoadReport(added=len(added), unchanged=unchanged, refused=tuple(refused)),
        puts=tuple(line.entry for line in added.values()),
        revisions=tuple(revision for line in added.values() for revision in line.revisions),
    )
