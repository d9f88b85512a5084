"""What one transaction reads of a scope."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

import apsw

from memoranda.errors import EntryNotFound
from memoranda.protocols.store import Changes, EntryFilter, Whole
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import ErasureCounts
from memoranda.records.quantized import QuantizedVector
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.tombstone import Tombstone
from memoranda.stores.sqlite import codec
from memoranda.stores.sqlite.queries import queries

_END = 2**63 - 1
MAX_TOMBSTONES = 10_000
"""Most notes of removed entries that a scope keeps; the oldest go."""


class ScopeRows:
    """The rows of one scope, read on one connection. Inside a transaction they do not change (a `Snapshot`)."""

    def __init__(self, connection: apsw.Connection, scope: Scope) -> None:
        self._connection = connection
        row = self._one("scope_state", path=scope.path)
        self._scope, self._version, self._removed_at = row or (None, 0, 0)

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not."""
        row = self._one("entry", scope=self._scope, id=codec.to_blob(id))
        return codec.entry_of(row) if row else None

    def with_key(self, key: str) -> list[MemoryEntry]:
        """Returns the entries of that key that are not superseded, oldest first."""
        return [codec.entry_of(row) for row in self._rows("with_key", scope=self._scope, key=key)]

    def predecessors(self, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place that one took, oldest first."""
        rows = self._rows("predecessors", scope=self._scope, id=codec.to_blob(id))
        return [codec.entry_of(row) for row in rows]

    def revisions(self, id: str) -> list[Revision]:
        """Returns the revisions of that entry, oldest first."""
        rows = self._rows("revisions", scope=self._scope, id=codec.to_blob(id))
        return [codec.revision_of(row) for row in rows]

    def whole(self) -> Whole:
        """Returns all that the scope holds."""
        revisions = [codec.revision_of(row) for row in self._rows("revisions_of_scope", scope=self._scope)]
        documents = [codec.document_of(row) for row in self._rows("documents_of_scope", scope=self._scope)]
        return Whole(entries=self.changes(0).entries, revisions=revisions, documents=documents)

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns what was answered to an idempotency key before."""
        row = self._one("acknowledgement", scope=self._scope, key=key)
        return codec.acknowledgement_of(row) if row else None

    def since(self, version: int) -> list[MemoryEntry]:
        """Returns the entries that are new or changed after a version of the scope."""
        return [codec.entry_of(row) for row in self._rows("changed", scope=self._scope, since=version)]

    def contested(self) -> list[MemoryEntry]:
        """Returns the entries that are contested and not superseded."""
        return [codec.entry_of(row) for row in self._rows("contested", scope=self._scope)]

    def expired(self, now: datetime, limit: int | None = None) -> list[MemoryEntry]:
        """Returns entries whose `expires_at` has come by `now`, less the validated."""
        most = -1 if limit is None else limit
        rows = self._rows("expired", scope=self._scope, now=codec.to_micros(now), limit=most)
        return [codec.entry_of(row) for row in rows]

    def least_valuable(self) -> Iterator[MemoryEntry]:
        """Gives the entries that are neither superseded nor validated, the least valuable first."""
        return (codec.entry_of(row) for row in self._rows("least_valuable", scope=self._scope))

    def tombstone(self, id: str) -> Tombstone | None:
        """Returns the note that an entry left."""
        row = self._one("tombstone", scope=self._scope, id=codec.to_blob(id))
        return codec.tombstone_of(id, row) if row else None

    def live(self, now: datetime) -> int:
        """Returns how many entries are live at `now`."""
        row = self._one("count_live", scope=self._scope, now=codec.to_micros(now))
        return int(row[0]) if row else 0

    def ids(self) -> list[str]:
        """Returns the ids of all entries, in the order of recording."""
        return [codec.to_id(row[0]) for row in self._rows("ids", scope=self._scope)]

    def of_source(self, source: str) -> list[MemoryEntry]:
        """Returns the entries of that source and of places in it."""
        return [codec.entry_of(row) for row in self._rows("of_source", scope=self._scope, source=source)]

    def revisions_of_source(self, source: str) -> list[Revision]:
        """Returns the revisions whose entry had that source then, or a place in it."""
        mark = f'"source":{json.dumps(source, ensure_ascii=False)[:-1]}'
        found = (codec.revision_of(row) for row in self._rows("revisions_of_source", scope=self._scope, mark=mark))
        return [one for one in found if one.entry.source == source or (one.entry.source or "").startswith(source + "#")]

    def derived(self) -> list[MemoryEntry]:
        """Returns the entries whose metadata says what they were derived from."""
        entries = (codec.entry_of(row) for row in self._rows("derived", scope=self._scope))
        return [entry for entry in entries if "derived_from" in entry.metadata]

    def vectors(self, ids: Sequence[str]) -> list[QuantizedVector]:
        """Returns the vectors of those entries, of every embedder."""
        rows = self._rows("vectors_of", scope=self._scope, ids=codec.to_hex_list(ids))
        return [QuantizedVector(scale=scale, values=numbers) for scale, numbers in rows]

    def held(self, ids: Sequence[str] | None) -> ErasureCounts:
        """Returns how many rows of each kind stand for those ids; None for the whole scope."""
        if ids is None:
            row = self._one("held_by_scope", scope=self._scope)
        else:
            row = self._one("held", scope=self._scope, ids=codec.to_hex_list(ids))
        entries, revisions, vectors, keys, documents = row or (0, 0, 0, 0, 0)
        return ErasureCounts(
            entries=entries, revisions=revisions, vectors=vectors, idempotency_keys=keys, documents=documents
        )

    def document(self, key: DocumentKey) -> Document | None:
        """Returns the document of that key."""
        row = self._one("document", scope=self._scope, **codec.document_key_values(key))
        return codec.document_of(row) if row else None

    def documents(self, kind: DocumentKind, session: str | None) -> list[Document]:
        """Returns the documents of a kind, of all sessions for None, in the order in which they were first put."""
        name = "documents_of_kind" if session is None else "documents_of_session"
        rows = self._rows(name, scope=self._scope, kind=kind.value, session=session)
        return [codec.document_of(row) for row in rows]

    def documents_of(self, ids: Sequence[str]) -> list[Document]:
        """Returns the documents that name one of those entries, each once."""
        rows = self._rows("documents_naming", scope=self._scope, ids=codec.to_hex_list(ids))
        return [codec.document_of(row) for row in rows]

    def document_ids(self, keys: Sequence[DocumentKey]) -> list[str]:
        """Returns the ids under which erasures of those documents are noted."""
        rows = (self._one("document_id", scope=self._scope, **codec.document_key_values(key)) for key in keys)
        return [codec.to_id(row[0]) for row in rows if row]

    def page(self, matching: EntryFilter, limit: int, after: str | None, oldest_first: bool) -> list[MemoryEntry]:
        """Returns one page of a listing; see `EntryReader.page`."""
        start: int | None = 0 if oldest_first else _END
        if after is not None:
            row = self._one("place", scope=self._scope, id=codec.to_blob(after))
            if row is None:
                raise EntryNotFound(after, "a page starts after the last entry of the page before")
            start = row[0]
        name = ("oldest" if oldest_first else "newest") + ("_of_session" if matching.session is not None else "")
        found: list[MemoryEntry] = []
        if limit <= 0:
            return found
        for row in self._rows(name, scope=self._scope, session=matching.session, place=start):
            entry = codec.entry_of(row[1:])
            if matching.admits(entry):
                found.append(entry)
                if len(found) == limit:
                    break
        return found

    def changes(self, since: int, embedder: str | None = None) -> Changes:
        """Returns what changed after a version of the scope; see `EntryReader.changes`."""
        complete = since <= 0 or since < self._removed_at or since > self._version
        after = 0 if complete else since
        entries = [codec.entry_of(row) for row in self._rows("changed", scope=self._scope, since=after)]
        vectors = {}
        if embedder is not None and entries:
            rows = self._rows("changed_vectors", scope=self._scope, since=after, embedder=embedder)
            vectors = {codec.to_id(id): QuantizedVector(scale=scale, values=numbers) for id, scale, numbers in rows}
        removed = (
            () if complete else [codec.to_id(row[0]) for row in self._rows("removed", scope=self._scope, since=after)]
        )
        return Changes(version=self._version, entries=entries, complete=complete, vectors=vectors, removed=removed)

    def unembedded(self, embedder: str, limit: int, after: str | None) -> list[MemoryEntry]:
        """Returns entries without a vector; see `EntryReader.unembedded`."""
        start = self._one("place", scope=self._scope, id=codec.to_blob(after)) if after else (0,)
        values = {"place": start[0] if start else 0, "embedder": embedder, "limit": max(0, limit)}
        return [codec.entry_of(row) for row in self._rows("unembedded", scope=self._scope, **values)]

    def _one(self, statement: str, /, **values: Any) -> tuple[Any, ...] | None:
        return next(self._rows(statement, **values), None)

    def _rows(self, statement: str, /, **values: Any) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(queries()[statement], values)
