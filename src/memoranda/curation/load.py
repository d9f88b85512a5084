"""Deciding what becomes of the entries, revisions and documents of a dump."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.document import Document, DocumentKey
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


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedDocument:
    """One line of a dump: a document.

    Attributes:
        line: its number in the file, counted from 1.
        document: the document.
    """

    line: int
    document: Document


def load(snapshot: Snapshot, lines: Sequence[Loaded], documents: Sequence[LoadedDocument] = ()) -> Plan[LoadReport]:
    """Adds the entries and documents that are new; one that is there already is never overwritten.

    An entry of the same id, or a document of the same key, that differs is refused with its line, since one of the two
    would be lost.
    """
    entries, report = _entries(snapshot, lines)
    added, of_documents = _documents(snapshot, documents)
    refused = sorted((*report.refused, *of_documents.refused), key=lambda one: one.line)
    return Plan(
        result=LoadReport(
            added=report.added + of_documents.added,
            unchanged=report.unchanged + of_documents.unchanged,
            refused=tuple(refused),
        ),
        puts=tuple(line.entry for line in entries),
        revisions=tuple(revision for line in entries for revision in line.revisions),
        documents=tuple(added),
    )


def _entries(snapshot: Snapshot, lines: Sequence[Loaded]) -> tuple[list[Loaded], LoadReport]:
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
    return list(added.values()), LoadReport(added=len(added), unchanged=unchanged, refused=tuple(refused))


def _documents(snapshot: Snapshot, lines: Sequence[LoadedDocument]) -> tuple[list[Document], LoadReport]:
    added: dict[DocumentKey, Document] = {}
    unchanged = 0
    refused: list[Refused] = []
    for line in lines:
        key = line.document.key
        known = added.get(key) or snapshot.document(key)
        if known is None:
            added[key] = line.document
        elif known == line.document:
            unchanged += 1
        else:
            reason = f"the {key.kind.value} {key.name!r} is stored already and differs"
            refused.append(Refused(line=line.line, reason=reason))
    return list(added.values()), LoadReport(added=len(added), unchanged=unchanged, refused=tuple(refused))
