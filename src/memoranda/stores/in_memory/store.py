"""The seed's built-in store, with every power of `DurableStore` except that nothing outlives the process."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from memoranda.bridge.offload import offload
from memoranda.curation.decay import Decay
from memoranda.curation.tidy import drop_irrelevant, tidy
from memoranda.errors import InvalidEntry, StoreClosed
from memoranda.protocols.clock import Clock, SystemClock
from memoranda.protocols.plan import Decide, Plan
from memoranda.protocols.store import Changes, EntryFilter, Whole
from memoranda.recall.overlap import Scorer, overlaps, rank
from memoranda.records.check import check_limit
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import Erased, ErasureProof
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats, StoreStats
from memoranda.stores.bound import BoundStore
from memoranda.stores.in_memory.lock import ForkSafeLock
from memoranda.stores.in_memory.rows import ScopeRows, ToTidy, apart

T = TypeVar("T")

_UNDISTURBED_TRIES = 3
"""How often a consolidation that a writer overtook is worked out anew before it holds writers up."""


class InMemoryStore:
    """Keeps entries in the process's own memory, for tests, prototypes and small agents.

    Everything is lost when the process ends or the store is closed, and there is no bound: a scope that is never
    consolidated grows without end (S0.38). After a fork parent and child each have a copy of their own; neither sees
    what the other writes.

    Safe for many threads and several event loops at once. Outside an event loop its coroutines do not suspend; inside
    one the work runs in worker threads. `retrieve` copies the list of entries under the lock and scores outside it, so
    a slow scorer delays nobody else (S0.39).

    Args:
        decay: None for the seed's `consolidate`: entries of a relevance under 0.05 go, nothing is merged, and
            `access_count` stays as it is (S0.37). With a `Decay`, `retrieve` notes which entries matched, and
            `consolidate` counts these accesses, decays, merges and prunes (S0.42 to S0.51).
        clock: tells which entries have expired, and how old they are.
        scorer: what `retrieve` ranks by; the seed's formula when not given (`recall.overlap.overlap_score`).
    """

    never_suspends = True

    def __init__(self, *, decay: Decay | None = None, clock: Clock | None = None, scorer: Scorer | None = None) -> None:
        self._decay = decay
        self._clock = clock or SystemClock()
        self._scorer = scorer
        self._lock = ForkSafeLock()
        self._scopes: dict[str, ScopeRows] = {}
        self._is_closed = False

    def open(self) -> None:
        """Does nothing: there is nothing to open."""
        self._locked(lambda: None)

    def close(self) -> None:
        """Lets go of everything; later calls raise `StoreClosed`. Closing twice is no error."""
        with self._lock:
            self._is_closed = True
            self._scopes = {}

    def bind(self, scope: Scope | str) -> BoundStore:
        """Returns the seed's interface over one scope."""
        pinned = Scope.of(scope)
        return BoundStore(self, pinned, lambda: self._count(pinned))

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        """Keeps an entry as it is, whatever its numbers are (S0.34); one of the same id is put in its place.

        Raises:
            InvalidEntry: it is no `MemoryEntry`, or its metadata is not JSON.
        """
        if not isinstance(entry, MemoryEntry):
            raise InvalidEntry(f"`entry` must be a MemoryEntry, not {type(entry).__name__}")
        await self.write(Scope.of(scope), lambda snapshot: Plan(result=None, puts=(entry,)))

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        """Returns at most `limit` live entries, best first, equal ones in the order of recording (S0.3, S0.33).

        A negative limit gives none. Entries that match nothing fill up what room is left (S0.36, C9).

        Raises:
            InvalidEntry: the query is not text, or the limit is not a whole number.
        """
        if not isinstance(query, str):
            raise InvalidEntry(f"`query` must be text, not {type(query).__name__}")
        pinned, wanted = Scope.of(scope), check_limit(limit)
        return await offload(lambda: self._retrieve(pinned, query, wanted))

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        """Tidies the scope: `curation.tidy.drop_irrelevant`, or `tidy` for a store with decay.

        Writers are not held up while it is worked out, unless they overtake it again and again.
        """
        pinned = Scope.of(scope)
        return await offload(lambda: self._consolidate(pinned))

    async def count(self, scope: Scope | str) -> int:
        """Returns how many live entries the scope has."""
        pinned = Scope.of(scope)
        return await offload(lambda: self._count(pinned))

    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        """Reads, decides and writes as one step that nobody else sees half done; see `PlanWriter.write`.

        Nothing is durable here, whatever `Settings.durability` says. `decide` must not call this store.
        """

        def work() -> T:
            rows = self._rows(scope)
            plan = decide(rows)
            rows.apply(plan)
            if rows.is_used:
                self._scopes[scope.path] = rows
            return plan.result

        return await offload(lambda: self._locked(work))

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

    async def prove_erasures(self, erased: Erased | None) -> ErasureProof:
        """Has nothing to look through: what was erased is let go of, and nothing was ever written to a disk."""
        return ErasureProof(proved=True, because="this store writes to no file, and has let go of what was erased")

    async def owed_erasures(self) -> int:
        """Returns 0."""
        return 0

    async def scopes(self, prefix: str = "", limit: int | None = None, after: str | None = None) -> list[str]:
        """Returns the paths that hold entries or documents, in order; see `ScopeLister.scopes`."""
        found = await offload(lambda: self._locked(self._paths))
        shown = [
            path
            for path in found
            if (after is None or path > after) and (not prefix or path == prefix or path.startswith(prefix + "/"))
        ]
        return shown if limit is None else shown[: max(0, limit)]

    async def stats(self, now: datetime) -> StoreStats:
        """Returns what the whole store holds."""

        def work() -> StoreStats:
            held = list(self._scopes.values())
            return StoreStats(
                scopes=len(self._paths()),
                live=sum(rows.live(now) for rows in held),
                superseded=sum(rows.superseded for rows in held),
                revisions=sum(rows.revision_count() for rows in held),
            )

        return await offload(lambda: self._locked(work))

    def _retrieve(self, scope: Scope, query: str, limit: int) -> list[MemoryEntry]:
        now = self._clock.now()
        entries = self._locked(lambda: self._rows(scope).all() if limit else [])
        best = rank([entry for entry in entries if entry.is_live(now)], query, limit, self._scorer)
        if self._decay is not None:
            matched = [entry.id for entry in best if overlaps(entry, query)]
            self._locked(lambda: self._rows(scope).stamp(matched, now))
        return [apart(entry) for entry in best]

    def _consolidate(self, scope: Scope) -> ConsolidationStats:
        for _ in range(_UNDISTURBED_TRIES):
            found = self._locked(lambda: self._rows(scope).to_tidy())
            stats = self._settle(scope, found, self._tidied(found))
            if stats is not None:
                return stats
        return self._locked(lambda: self._consolidate_undisturbed(self._rows(scope)))

    def _settle(self, scope: Scope, found: ToTidy, plan: Plan[ConsolidationStats]) -> ConsolidationStats | None:
        """Applies what was decided on `found`; None when a writer has changed the scope meanwhile."""

        def work() -> ConsolidationStats | None:
            rows = self._rows(scope)
            return _apply(rows, found, plan) if rows.version == found.version else None

        return self._locked(work)

    def _consolidate_undisturbed(self, rows: ScopeRows) -> ConsolidationStats:
        found = rows.to_tidy()
        return _apply(rows, found, self._tidied(found))

    def _tidied(self, found: ToTidy) -> Plan[ConsolidationStats]:
        now = self._clock.now()
        if self._decay is None:
            return drop_irrelevant(found.entries, now=now)
        return tidy(found.entries, now=now, decay=self._decay, accessed=found.accessed)

    def _count(self, scope: Scope) -> int:
        now = self._clock.now()
        return self._locked(lambda: self._rows(scope).live(now))

    def _paths(self) -> list[str]:
        return sorted(path for path, rows in self._scopes.items() if rows.holds_anything)

    def _rows(self, scope: Scope) -> ScopeRows:
        """The rows of a scope; empty ones, which nothing holds yet, for a scope that never was written."""
        rows = self._scopes.get(scope.path)
        return ScopeRows() if rows is None else rows

    async def _read(self, scope: Scope, work: Callable[[ScopeRows], T]) -> T:
        return await offload(lambda: self._locked(lambda: work(self._rows(scope))))

    def _locked(self, work: Callable[[], T]) -> T:
        with self._lock:
            if self._is_closed:
                raise StoreClosed("this InMemoryStore is closed, and what it held is gone; make a new one")
            return work()


def _apply(rows: ScopeRows, found: ToTidy, plan: Plan[ConsolidationStats]) -> ConsolidationStats:
    rows.apply(plan)
    rows.forget_accesses(found.accessed)
    return plan.result
