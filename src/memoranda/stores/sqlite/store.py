"""The store over one SQLite file: every power of `DurableStore`."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import apsw

from memoranda.bridge.offload import offload
from memoranda.curation.capacity import make_room
from memoranda.curation.draft import Draft
from memoranda.errors import StoreError
from memoranda.memory.consolidate import consolidate
from memoranda.memory.context import Context
from memoranda.memory.indexes import Indexes
from memoranda.memory.recall import query_of, recall
from memoranda.protocols.clock import Clock, RandomIds, SystemClock
from memoranda.protocols.plan import Decide, Plan, Snapshot
from memoranda.protocols.store import Changes, EntryFilter, Whole
from memoranda.records.check import check_limit
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import Erased, ErasureProof
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.settings import Settings
from memoranda.records.stats import ConsolidationStats, StoreStats
from memoranda.records.tombstone import Tombstone
from memoranda.records.upkeep import DoctorReport, Verified
from memoranda.stores.bound import BoundStore
from memoranda.stores.sqlite import codec, erase
from memoranda.stores.sqlite.apply import apply
from memoranda.stores.sqlite.backup import back_up
from memoranda.stores.sqlite.connect import Place
from memoranda.stores.sqlite.engine import Engine
from memoranda.stores.sqlite.mend import diagnose
from memoranda.stores.sqlite.queries import queries
from memoranda.stores.sqlite.snapshot import ScopeRows
from memoranda.stores.sqlite.verify import inspect

T = TypeVar("T")


class SqliteStore:
    """Keeps entries in one SQLite file that threads and processes may share (design D5).

    An acknowledged write was synced to disk, unless `settings.durability` is `relaxed`. Reads never wait for writes.
    Outside an event loop its coroutines do not suspend; inside one the work runs in worker threads.

    Args:
        path: the file, taken literally, or `:memory:` for a database that is gone with the store. Its folder must
            exist; the file is made at the first call when there is none.
        settings: durability, timeout, readers, bounds.
        clock: tells which entries have expired.
        vfs: name of the SQLite virtual file system to use; empty for the default one.
    """

    never_suspends = True

    def __init__(
        self,
        path: str | Path,
        *,
        settings: Settings | None = None,
        clock: Clock | None = None,
        vfs: str = "",
    ) -> None:
        self._settings = settings or Settings()
        self._clock = clock or SystemClock()
        self._engine = Engine(Place(os.fspath(path), vfs), self._settings)
        self._context = Context(self, self._settings, self._clock, RandomIds(), Indexes(self._settings))

    def open(self) -> None:
        """Opens the file now rather than at the first call, and proves what erasures still owe where it can."""
        self._engine.open()
        if not self._engine.place.is_read_only() and erase.count_owed(self._engine):
            with suppress(StoreError):
                erase.prove(self._engine, None, patience=0)

    def close(self) -> None:
        """Closes the file; later calls raise `StoreClosed`."""
        self._engine.close()

    def bind(self, scope: Scope | str) -> BoundStore:
        """Returns the seed's interface over one scope."""
        pinned = Scope.of(scope)
        return BoundStore(self, pinned, lambda: self._count(pinned))

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        """Keeps an entry as it is; one of the same id is put in its place.

        Raises:
            CapacityReached: `settings.max_entries` entries are there, and all are validated.
        """

        def decide(snapshot: Snapshot) -> Plan[None]:
            draft = Draft(snapshot, now=self._clock.now())
            draft.add(entry)
            if self._settings.max_entries is not None:
                make_room(draft, snapshot, (), max_entries=self._settings.max_entries)
            return draft.plan(None)

        await self.write(Scope.of(scope), decide)

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        """Returns at most `limit` live entries, best first, ranked as `Scope.recall` ranks by words."""
        recalled = await recall(self._context, Scope.of(scope), query_of(query, limit=limit))
        return [hit.entry for hit in recalled]

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        """Removes what has expired, merges what says the same, and keeps `max_entries`; see `memory.consolidate`."""
        return await consolidate(self._context, Scope.of(scope))

    async def count(self, scope: Scope | str) -> int:
        """Returns how many live entries the scope has."""
        pinned = Scope.of(scope)
        return await offload(lambda: self._count(pinned))

    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        """Reads, decides and writes in one transaction; see `PlanWriter.write`."""

        def work(connection: apsw.Connection) -> T:
            plan = decide(ScopeRows(connection, scope))
            apply(connection, scope, plan)
            if plan.erasures or plan.clears:
                self._context.indexes.forget(scope)
            return plan.result

        return await offload(lambda: self._engine.write(work))

    async def get(self, scope: Scope, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not; None when this scope has none."""
        return await self._read(scope, lambda rows: rows.entry(id))

    async def page(
        self, scope: Scope, matching: EntryFilter, limit: int, after: str | None = None, oldest_first: bool = False
    ) -> list[MemoryEntry]:
        """Returns one page of entries by the order in which they were recorded; see `EntryReader.page`."""
        return await self._read(scope, lambda rows: rows.page(matching, limit, after, oldest_first))

    async def revisions(self, scope: Scope, id: str) -> list[Revision]:
        """Returns what the entry was before each of its changes, oldest first."""
        return await self._read(scope, lambda rows: rows.revisions(id))

    async def contested(self, scope: Scope) -> list[MemoryEntry]:
        """Returns the entries that cannot be true together with another live one, oldest first."""
        return await self._read(scope, lambda rows: rows.contested())

    async def whole(self, scope: Scope) -> Whole:
        """Returns all that the scope holds, as one state of it."""
        return await self._read(scope, lambda rows: rows.whole())

    async def predecessors(self, scope: Scope, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place this one took, oldest first."""
        return await self._read(scope, lambda rows: rows.predecessors(id))

    async def changes(self, scope: Scope, since: int, embedder: str | None = None) -> Changes:
        """Returns what changed after a version of the scope; see `EntryReader.changes`."""
        return await self._read(scope, lambda rows: rows.changes(since, embedder))

    async def unembedded(self, scope: Scope, embedder: str, limit: int, after: str | None = None) -> list[MemoryEntry]:
        """Returns entries without a vector of that embedder; see `EntryReader.unembedded`."""
        return await self._read(scope, lambda rows: rows.unembedded(embedder, limit, after))

    async def document(self, scope: Scope, key: DocumentKey) -> Document | None:
        """Returns the document of that key; None when there is none."""
        return await self._read(scope, lambda rows: rows.document(key))

    async def documents(self, scope: Scope, kind: DocumentKind, session: str | None = None) -> list[Document]:
        """Returns the documents of a kind in the order in which they were first put; see `DocumentReader`."""
        return await self._read(scope, lambda rows: rows.documents(kind, session))

    async def tombstone(self, scope: Scope, id: str) -> Tombstone | None:
        """Returns the note that an entry left when it was removed to tidy the scope."""
        return await self._read(scope, lambda rows: rows.tombstone(id))

    async def prove_erasures(self, erased: Erased | None) -> ErasureProof:
        """Proves that the file holds nothing of what was erased; see `stores.sqlite.erase`."""
        return await offload(lambda: erase.prove(self._engine, erased))

    async def owed_erasures(self) -> int:
        """Returns how many erased entries and documents still wait for their proof."""
        return await offload(lambda: erase.count_owed(self._engine))

    async def inspect(self) -> list[Verified]:
        """Verifies everything that the file holds; see `stores.sqlite.verify`."""
        return await offload(lambda: self._engine.read(inspect))

    async def back_up(self, target: str, *, force: bool = False) -> None:
        """Writes a copy of one state of the file; see `stores.sqlite.backup`."""
        await offload(lambda: back_up(self._engine, Path(target), force=force))

    async def diagnose(self, *, fix: bool) -> DoctorReport:
        """Finds what is wrong with the file, and mends it with `fix`; see `stores.sqlite.mend`."""
        return await offload(lambda: diagnose(self._engine, fix=fix))

    async def scopes(self, prefix: str = "", limit: int | None = None, after: str | None = None) -> list[str]:
        """Returns the paths that hold entries or documents, in order; see `ScopeLister.scopes`."""
        rows = await self._rows(
            "scope_paths", prefix=prefix, after=after or "", limit=-1 if limit is None else check_limit(limit)
        )
        return [row[0] for row in rows]

    async def stats(self, now: datetime) -> StoreStats:
        """Returns what the whole file holds."""
        scopes, entries, superseded, expired, revisions = (await self._rows("totals", now=codec.to_micros(now)))[0]
        return StoreStats(
            scopes=scopes,
            live=entries - superseded - expired,
            superseded=superseded,
            revisions=revisions,
            bytes=self._size(),
            format=self._engine.format,
            sqlite=apsw.sqlite_lib_version(),
        )

    def _count(self, scope: Scope) -> int:
        now = self._clock.now()
        return self._engine.read(lambda connection: ScopeRows(connection, scope).live(now))

    async def _read(self, scope: Scope, work: Callable[[ScopeRows], T]) -> T:
        return await offload(lambda: self._engine.read(lambda connection: work(ScopeRows(connection, scope))))

    async def _rows(self, name: str, **values: Any) -> list[tuple[Any, ...]]:
        return await offload(
            lambda: self._engine.read(lambda connection: connection.execute(queries()[name], values).fetchall())
        )

    def _size(self) -> int:
        if self._engine.place.in_memory:
            return 0
        files = (Path(self._engine.place.path + suffix) for suffix in ("", "-wal"))
        return sum(file.stat().st_size for file in files if file.exists())
