"""What one scope holds in memory: entries in the order of recording, revisions, idempotency keys, documents."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from memoranda.curation.capacity import value
from memoranda.errors import EntryNotFound
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import Changes, EntryFilter, Whole
from memoranda.records.check import encode_metadata
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import ErasureCounts
from memoranda.records.quantized import QuantizedVector
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Revision
from memoranda.stores.in_memory.documents import Documents


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry, its place in the order of recording, and the scope's version at its last change."""

    entry: MemoryEntry
    place: int
    version: int


@dataclass(frozen=True, slots=True)
class ToTidy:
    """A scope as a consolidation sees it.

    Attributes:
        version: its version.
        entries: all its entries, in the order of recording.
        accessed: when entries were last found since the consolidation before, by id (S0.43).
    """

    version: int
    entries: list[MemoryEntry]
    accessed: dict[str, datetime]


class ScopeRows:
    """The rows of one scope. Not safe for threads: the store holds its lock around every call.

    Entries are frozen but for their metadata, so metadata is copied on the way in and on the way out.
    """

    def __init__(self) -> None:
        self.version = 0
        self._removed_at = 0
        self._last_place = 0
        self._rows: dict[str, _Row] = {}
        self._by_key: dict[str, set[str]] = {}
        self._by_successor: dict[str, set[str]] = {}
        self._expiring: set[str] = set()
        self._revisions: dict[str, dict[int, Revision]] = {}
        self._acknowledgements: dict[str, Acknowledgement] = {}
        self._accessed: dict[str, datetime] = {}
        self._vectors: dict[str, dict[str, QuantizedVector]] = {}
        self._documents = Documents()
        self.superseded = 0

    @property
    def holds_anything(self) -> bool:
        """Whether there are entries, superseded ones included, or documents."""
        return bool(self._rows or self._documents)

    @property
    def is_used(self) -> bool:
        """Whether anything was ever written."""
        return self.version > 0 or bool(self._acknowledgements) or self.holds_anything

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not."""
        row = self._rows.get(id)
        return apart(row.entry) if row else None

    def with_key(self, key: str) -> list[MemoryEntry]:
        """Returns the entries of that key that are not superseded, oldest first."""
        return self._in_order(self._by_key.get(key, ()))

    def predecessors(self, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place that one took, oldest first."""
        return self._in_order(self._by_successor.get(id, ()))

    def revisions(self, id: str) -> list[Revision]:
        """Returns the revisions of that entry, oldest first."""
        found = self._revisions.get(id, {})
        return [_apart(found[number]) for number in sorted(found)]

    def revision_count(self) -> int:
        """Returns how many revisions there are."""
        return sum(len(found) for found in self._revisions.values())

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns what was answered to an idempotency key before."""
        return self._acknowledgements.get(key)

    def since(self, version: int) -> list[MemoryEntry]:
        """Returns the entries that are new or changed after a version of the scope."""
        return [apart(row.entry) for row in self._rows.values() if row.version > version]

    def contested(self) -> list[MemoryEntry]:
        """Returns the entries that are contested and not superseded."""
        entries = (row.entry for row in self._rows.values())
        return [apart(entry) for entry in entries if entry.contested_with and entry.superseded_by is None]

    def expired(self, now: datetime, limit: int | None = None) -> list[MemoryEntry]:
        """Returns the entries, superseded ones included, whose `expires_at` has come by `now`, less the validated."""
        entries = (self._rows[id].entry for id in self._expiring)
        ended = (entry.id for entry in entries if entry.is_expired(now) and not entry.validated)
        return self._in_order(islice(ended, limit))

    def least_valuable(self) -> list[MemoryEntry]:
        """Returns the entries that are neither superseded nor validated, the least valuable first."""
        entries = (row.entry for row in self._rows.values())
        return sorted((apart(one) for one in entries if one.superseded_by is None and not one.validated), key=value)

    def live(self, now: datetime) -> int:
        """Returns how many entries are live at `now`."""
        entries = (self._rows[id].entry for id in self._expiring)
        ended = sum(1 for entry in entries if entry.superseded_by is None and entry.is_expired(now))
        return len(self._rows) - self.superseded - ended

    def ids(self) -> list[str]:
        """Returns the ids of all entries, in the order of recording."""
        return list(self._rows)

    def of_source(self, source: str) -> list[MemoryEntry]:
        """Returns the entries of that source and of places in it."""
        return [apart(row.entry) for row in self._rows.values() if _is_of(row.entry, source)]

    def revisions_of_source(self, source: str) -> list[Revision]:
        """Returns the revisions whose entry had that source then, or a place in it."""
        every = (revision for found in self._revisions.values() for revision in found.values())
        return [_apart(revision) for revision in every if _is_of(revision.entry, source)]

    def derived(self) -> list[MemoryEntry]:
        """Returns the entries whose metadata says what they were derived from."""
        return [apart(row.entry) for row in self._rows.values() if "derived_from" in row.entry.metadata]

    def vectors(self, ids: Sequence[str]) -> list[QuantizedVector]:
        """Returns the vectors of those entries, of every embedder."""
        return [vector for id in ids for vector in self._vectors.get(id, {}).values()]

    def held(self, ids: Sequence[str] | None) -> ErasureCounts:
        """Returns how many rows of each kind stand for those ids; None for the whole scope."""
        known = frozenset((*self._rows, *self._revisions) if ids is None else ids)
        answered = self._acknowledgements.values()
        return ErasureCounts(
            entries=sum(1 for id in known if id in self._rows),
            revisions=sum(len(self._revisions.get(id, ())) for id in known),
            vectors=sum(len(self._vectors.get(id, ())) for id in known),
            idempotency_keys=sum(1 for answer in answered if ids is None or answer.entry_id in known),
            documents=len(self._documents if ids is None else self._documents.naming(ids)),
        )

    def document(self, key: DocumentKey) -> Document | None:
        """Returns the document of that key."""
        return self._documents.get(key)

    def documents(self, kind: DocumentKind, session: str | None) -> list[Document]:
        """Returns the documents of a kind, of all sessions for None, in the order in which they were first put."""
        return self._documents.of_kind(kind, session)

    def documents_of(self, ids: Sequence[str]) -> list[Document]:
        """Returns the documents that name one of those entries, each once."""
        return self._documents.naming(ids)

    def document_ids(self, keys: Sequence[DocumentKey]) -> list[str]:
        """Returns none: no proof is ever owed here."""
        return []

    def all(self) -> list[MemoryEntry]:
        """Returns all entries in the order of recording: the store's own, for reading only."""
        return [row.entry for row in self._rows.values()]

    def page(self, matching: EntryFilter, limit: int, after: str | None, oldest_first: bool) -> list[MemoryEntry]:
        """Returns one page of a listing; see `EntryReader.page`."""
        start: int | None = None
        if after is not None:
            row = self._rows.get(after)
            if row is None:
                raise EntryNotFound(after, "a page starts after the last entry of the page before")
            start = row.place
        found: list[MemoryEntry] = []
        for row in self._rows.values() if oldest_first else reversed(self._rows.values()):
            if len(found) >= limit:
                break
            if _is_beyond(row.place, start, oldest_first) and matching.admits(row.entry):
                found.append(apart(row.entry))
        return found

    def whole(self) -> Whole:
        """Returns all that the scope holds."""
        found = [self._revisions.get(entry.id, {}) for entry in self.changes(0).entries]
        revisions = [of_entry[number] for of_entry in found for number in sorted(of_entry)]
        return Whole(entries=self.changes(0).entries, revisions=revisions, documents=self._documents.all())

    def changes(self, since: int, embedder: str | None = None) -> Changes:
        """Returns what changed after a version of the scope; see `EntryReader.changes`."""
        complete = since <= 0 or since < self._removed_at or since > self.version
        entries = [apart(row.entry) for row in self._rows.values() if complete or row.version > since]
        found = ((entry.id, self._vectors.get(entry.id, {}).get(embedder or "")) for entry in entries)
        vectors = {id: vector for id, vector in found if vector is not None}
        return Changes(version=self.version, entries=entries, complete=complete, vectors=vectors)

    def unembedded(self, embedder: str, limit: int, after: str | None) -> list[MemoryEntry]:
        """Returns entries without a vector; see `EntryReader.unembedded`."""
        start = self._rows[after].place if after in self._rows else 0
        waiting = (
            row.entry
            for row in self._rows.values()
            if row.place > start
            and row.entry.superseded_by is None
            and embedder not in self._vectors.get(row.entry.id, {})
        )
        return [apart(entry) for entry in islice(waiting, max(0, limit))]

    def to_tidy(self) -> ToTidy:
        """Returns what a consolidation works on."""
        return ToTidy(self.version, self.all(), dict(self._accessed))

    def stamp(self, ids: Iterable[str], at: datetime) -> None:
        """Notes that entries were found at `at`; an id that is gone meanwhile is passed over."""
        for id in ids:
            if id in self._rows:
                self._accessed[id] = max(self._accessed.get(id, at), at)

    def forget_accesses(self, counted: Mapping[str, datetime]) -> None:
        """Takes accesses from the log that were counted; one that came later stays for the next time."""
        for id, at in counted.items():
            if self._accessed.get(id) == at:
                del self._accessed[id]

    def apply(self, plan: Plan[object]) -> None:
        """Carries out a plan, whole.

        Raises:
            InvalidEntry: the metadata of an entry is not JSON; nothing was changed.
        """
        puts = [_as_kept(entry) for entry in plan.puts]
        revisions = [replace(revision, entry=_as_kept(revision.entry)) for revision in plan.revisions]
        # From here on nothing can fail.
        if plan.changes_entries:
            self.version += 1
        if plan.removes or plan.tombstones:
            self._removed_at = self.version
        self._erase(plan)
        for id in (*plan.removals, *(note.id for note in plan.tombstones)):
            self._remove(id)
        for entry in puts:
            self._put(entry)
        for revision in revisions:
            self._revisions.setdefault(revision.entry.id, {})[revision.number] = revision
        for kept in plan.vectors:
            row = self._rows.get(kept.id)
            if row is not None:
                self._vectors.setdefault(kept.id, {})[kept.embedder] = kept.vector
                self._rows[kept.id] = replace(row, version=self.version)
        for id, number in plan.forgotten_revisions:
            self._revisions.get(id, {}).pop(number, None)
        self._documents.apply(plan)
        self._apply_acknowledgements(plan)

    def _apply_acknowledgements(self, plan: Plan[object]) -> None:
        kept = self._acknowledgements
        kept.update({acknowledgement.key: acknowledgement for acknowledgement in plan.acknowledgements})
        before = plan.acknowledged_before
        if before is not None:
            for key in [key for key, acknowledgement in kept.items() if acknowledgement.at < before]:
                del kept[key]

    def _put(self, entry: MemoryEntry) -> None:
        old = self._rows.get(entry.id)
        if old is None:
            self._last_place += 1
        else:
            self._unlist(old.entry)
            if old.entry.memory != entry.memory:
                self._vectors.pop(entry.id, None)
        self._rows[entry.id] = _Row(entry, old.place if old else self._last_place, self.version)
        self._list(entry)

    def _remove(self, id: str) -> None:
        row = self._rows.pop(id, None)
        if row is not None:
            self._unlist(row.entry)
        self._revisions.pop(id, None)
        self._vectors.pop(id, None)
        self._accessed.pop(id, None)

    def _erase(self, plan: Plan[object]) -> None:
        for id in (*self._rows, *self._revisions) if plan.clears else plan.erasures:
            self._remove(id)
        gone, kept = frozenset(plan.erasures), self._acknowledgements
        if plan.clears or gone:
            for key in [key for key, answer in kept.items() if plan.clears or answer.entry_id in gone]:
                del kept[key]

    def _list(self, entry: MemoryEntry) -> None:
        if entry.expires_at is not None:
            self._expiring.add(entry.id)
        if entry.superseded_by is not None:
            self.superseded += 1
        for listing, name in self._listings(entry):
            listing.setdefault(name, set()).add(entry.id)

    def _unlist(self, entry: MemoryEntry) -> None:
        self._expiring.discard(entry.id)
        if entry.superseded_by is not None:
            self.superseded -= 1
        for listing, name in self._listings(entry):
            listing[name].discard(entry.id)
            if not listing[name]:
                del listing[name]

    def _listings(self, entry: MemoryEntry) -> list[tuple[dict[str, set[str]], str]]:
        """The listings that name the entry, with the name that it stands under."""
        if entry.superseded_by is None:
            return [(self._by_key, entry.key)] if entry.key is not None else []
        return [] if entry.is_retracted else [(self._by_successor, entry.superseded_by)]

    def _in_order(self, ids: Iterable[str]) -> list[MemoryEntry]:
        rows = sorted((self._rows[id] for id in ids), key=lambda row: row.place)
        return [apart(row.entry) for row in rows]


def apart(entry: MemoryEntry) -> MemoryEntry:
    """Returns an entry whose metadata nobody else holds."""
    return replace(entry, metadata=copy.deepcopy(entry.metadata)) if entry.metadata else entry


def _apart(revision: Revision) -> Revision:
    return replace(revision, entry=apart(revision.entry)) if revision.entry.metadata else revision


def _as_kept(entry: MemoryEntry) -> MemoryEntry:
    """Returns the entry with its metadata as every store gives it back: plain JSON values, keys in order."""
    return replace(entry, metadata=json.loads(encode_metadata(entry.metadata))) if entry.metadata else entry


def _is_beyond(place: int, start: int | None, oldest_first: bool) -> bool:
    return start is None or (place > start if oldest_first else place < start)


def _is_of(entry: MemoryEntry, source: str) -> bool:
    return entry.source is not None and (entry.source == source or entry.source.startswith(source + "#"))
