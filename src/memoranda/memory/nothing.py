"""What stands in the place of a store when none is attached: every call does nothing (S0.4)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TypeVar

from memoranda.errors import EntryNotFound, Unsupported
from memoranda.protocols.plan import Decide
from memoranda.protocols.store import Changes, EntryFilter, Whole
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import ErasureCounts
from memoranda.records.quantized import QuantizedVector
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats, StoreStats

T = TypeVar("T")


class Nothing:
    """An empty store that keeps nothing. Reading finds nothing, and remembering is answered with `rejected`."""

    never_suspends = True

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        """Keeps nothing."""

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        """Finds nothing."""
        return []

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        """Has nothing to tidy."""
        return ConsolidationStats()

    async def count(self, scope: Scope | str) -> int:
        """Returns 0."""
        return 0

    async def get(self, scope: Scope, id: str) -> MemoryEntry | None:
        """Returns None."""
        return None

    async def page(
        self, scope: Scope, matching: EntryFilter, limit: int, after: str | None = None, oldest_first: bool = False
    ) -> list[MemoryEntry]:
        """Returns an empty page."""
        if after is not None:
            raise EntryNotFound(after, "no store is attached")
        return []

    async def revisions(self, scope: Scope, id: str) -> list[Revision]:
        """Returns none."""
        return []

    async def contested(self, scope: Scope) -> list[MemoryEntry]:
        """Returns none."""
        return []

    async def whole(self, scope: Scope) -> Whole:
        """Returns an empty state."""
        return Whole(entries=(), revisions=())

    async def predecessors(self, scope: Scope, id: str) -> list[MemoryEntry]:
        """Returns none."""
        return []

    async def changes(self, scope: Scope, since: int, embedder: str | None = None) -> Changes:
        """Returns that nothing ever was written."""
        return Changes(version=0, entries=(), complete=True)

    async def unembedded(self, scope: Scope, embedder: str, limit: int, after: str | None = None) -> list[MemoryEntry]:
        """Returns none."""
        return []

    async def scopes(self, prefix: str = "", limit: int | None = None, after: str | None = None) -> list[str]:
        """Returns none."""
        return []

    async def stats(self, now: datetime) -> StoreStats:
        """Returns zeros."""
        return StoreStats()

    async def document(self, scope: Scope, key: DocumentKey) -> Document | None:
        """Finds none."""
        return None

    async def documents(self, scope: Scope, kind: DocumentKind, session: str | None = None) -> list[Document]:
        """Finds none."""
        return []

    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        """Decides on an empty scope; a plan that would keep something is refused.

        Raises:
            Unsupported: there is something to keep.
        """
        plan = decide(EmptySnapshot())
        if plan.puts or plan.documents:
            raise Unsupported("no store is attached, so nothing can be kept; give `Memory` a path")
        return plan.result


class EmptySnapshot:
    """What a decision reads of a scope that holds nothing; a base for snapshots that show only some of it."""

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns None."""
        return None

    def with_key(self, key: str) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def predecessors(self, id: str) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def revisions(self, id: str) -> Sequence[Revision]:
        """Returns none."""
        return ()

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns None."""
        return None

    def since(self, version: int) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def contested(self) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def expired(self, now: datetime, limit: int | None = None) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def least_valuable(self) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def live(self, now: datetime) -> int:
        """Returns 0."""
        return 0

    def ids(self) -> Sequence[str]:
        """Returns none."""
        return ()

    def of_source(self, source: str) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def revisions_of_source(self, source: str) -> Sequence[Revision]:
        """Returns none."""
        return ()

    def derived(self) -> Sequence[MemoryEntry]:
        """Returns none."""
        return ()

    def vectors(self, ids: Sequence[str]) -> Sequence[QuantizedVector]:
        """Returns none."""
        return ()

    def held(self, ids: Sequence[str] | None) -> ErasureCounts:
        """Returns zeros."""
        return ErasureCounts()

    def document(self, key: DocumentKey) -> Document | None:
        """Finds none."""
        return None

    def documents(self, kind: DocumentKind, session: str) -> Sequence[Document]:
        """Finds none."""
        return ()

    def documents_of(self, ids: Sequence[str]) -> Sequence[Document]:
        """Finds none."""
        return ()

    def document_ids(self, keys: Sequence[DocumentKey]) -> Sequence[str]:
        """Finds none."""
        return ()
