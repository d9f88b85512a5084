"""What a store is: the seed's four verbs, and powers that a store may have beyond them.

A store implements `MemoryStore`; a memory over it can then remember, recall by the store's own ranking, consolidate and
count. `EntryReader`, `PlanWriter` and `ScopeLister` are powers of their own, found with `isinstance` when the
store is attached; a store with all of them is a `DurableStore` and serves every verb.

Scopes are passed as `Scope`. Every verb takes one, and an id of another scope is "not found" (design D4).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol, runtime_checkable

from memoranda.protocols.plan import PlanWriter
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.erasure import Erased, ErasureProof
from memoranda.records.quantized import QuantizedVector
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats, StoreStats
from memoranda.records.tombstone import Tombstone
from memoranda.records.upkeep import DoctorReport, Verified


@runtime_checkable
class MemoryStore(Protocol):
    """The seed's four verbs, each with its scope (S0.1). Safe for many tasks and threads at once (S0.2)."""

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        """Keeps an entry as it is."""
        ...

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        """Returns at most `limit` live entries, best first; none for a limit of 0 (S0.3)."""
        ...

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        """Tidies the scope and says what it did (S0.21)."""
        ...

    async def count(self, scope: Scope | str) -> int:
        """Returns how many live entries the scope has."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryFilter:
    """Which entries a listing shows.

    Attributes:
        now: the present moment; expired entries are left out by it.
        categories: only these, None for all.
        tags: only entries that have every one of these tags, None for all.
        session: only entries of this conversation, None for all.
        superseded: whether superseded, retracted and expired entries are shown too.
    """

    now: datetime
    categories: tuple[Category, ...] | None = None
    tags: tuple[str, ...] | None = None
    session: str | None = None
    superseded: bool = False

    def admits(self, entry: MemoryEntry) -> bool:
        """Tells whether the listing shows `entry`."""
        return (
            (self.superseded or entry.is_live(self.now))
            and (self.categories is None or entry.category in self.categories)
            and (self.tags is None or set(self.tags) <= set(entry.tags))
            and (self.session is None or entry.session == self.session)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed in a scope since a version of it.

    Attributes:
        version: the scope's version now; it grows with every write. 0 for a scope that never was written.
        entries: the entries that are new or changed, in the order in which they were first recorded; superseded ones
            included.
        complete: whether `entries` are all entries of the scope, so that what was known before must be dropped.
        vectors: the vectors of those entries by id, for the embedder that was asked about.
        removed: ids of entries that are gone since then, other than by `complete`. One that is among `entries` too
            was stored anew.
    """

    version: int
    entries: Sequence[MemoryEntry]
    complete: bool
    vectors: Mapping[str, QuantizedVector] = field(default_factory=dict)
    removed: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """One state of a scope.

    Attributes:
        entries: every entry, superseded ones included, in the order in which they were first recorded.
        revisions: the revisions of every entry; those of one entry stand together, oldest first.
        documents: every document; those of one kind stand together, in the order in which they were first put.
    """

    entries: Sequence[MemoryEntry]
    revisions: Sequence[Revision]
    documents: Sequence[Document] = ()


@runtime_checkable
class EntryReader(Protocol):
    """The power to read entries without ranking them."""

    async def get(self, scope: Scope, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not; None when this scope has none."""
        ...

    async def page(
        self, scope: Scope, matching: EntryFilter, limit: int, after: str | None = None, oldest_first: bool = False
    ) -> list[MemoryEntry]:
        """Returns at most `limit` entries by the order in which they were recorded, newest first.

        `after` is the id of the last entry of the page before; `EntryNotFound` when this scope has no such entry.
        """
        ...

    async def revisions(self, scope: Scope, id: str) -> list[Revision]:
        """Returns what the entry was before each of its changes, oldest first; empty for an unknown id."""
        ...

    async def contested(self, scope: Scope) -> list[MemoryEntry]:
        """Returns the entries that cannot be true together with another live one, oldest first."""
        ...

    async def whole(self, scope: Scope) -> Whole:
        """Returns all that the scope holds, as one state of it."""
        ...

    async def predecessors(self, scope: Scope, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place this one took, oldest first."""
        ...

    async def changes(self, scope: Scope, since: int, embedder: str | None = None) -> Changes:
        """Returns what changed after the scope's version `since`; everything for 0.

        With the key of an embedder it returns that one's vectors of the changed entries, too.
        """
        ...

    async def unembedded(self, scope: Scope, embedder: str, limit: int, after: str | None = None) -> list[MemoryEntry]:
        """Returns at most `limit` entries without a vector of that embedder, oldest first; superseded ones left out.

        `after` is the id of the last entry of the call before.
        """
        ...


@runtime_checkable
class DocumentReader(Protocol):
    """The power to keep documents beside entries: core blocks, working graphs, archived spans.

    A store with it is a `PlanWriter`: it applies `Plan.documents`, `dropped` and `erased_documents`, and shows all
    documents in `EntryReader.whole`. A store without this power is never given any document.
    """

    async def document(self, scope: Scope, key: DocumentKey) -> Document | None:
        """Returns the document of that key; None when there is none."""
        ...

    async def documents(self, scope: Scope, kind: DocumentKind, session: str | None = None) -> list[Document]:
        """Returns the documents of a kind in the order in which they were first put.

        Args:
            scope: whose documents.
            kind: of which kind.
            session: only those of this session, `""` for those of the scope itself; None for all.
        """
        ...


@runtime_checkable
class TombstoneKeeper(Protocol):
    """The power to remember what was removed to tidy a scope.

    A scope of such a store is consolidated by `memory.consolidate`; any other store tidies in its own way.
    """

    async def tombstone(self, scope: Scope, id: str) -> Tombstone | None:
        """Returns the note that an entry left; None when there is none, or when it is too old to be known."""
        ...


@runtime_checkable
class ErasureProver(Protocol):
    """The power to prove that nothing of what was erased is left (design D16)."""

    async def prove_erasures(self, erased: Erased | None) -> ErasureProof:
        """Looks for what was erased, cleans what it finds, and settles the proofs that are owed.

        Args:
            erased: what was erased just now, with its texts to look for; None to settle what is owed from before.
        """
        ...

    async def owed_erasures(self) -> int:
        """Returns how many erased entries and documents still wait for their proof."""
        ...


@runtime_checkable
class Upkeep(Protocol):
    """The power to look after the place where entries are kept."""

    async def inspect(self) -> list[Verified]:
        """Verifies everything that is kept, and changes nothing."""
        ...

    async def back_up(self, target: str, *, force: bool = False) -> None:
        """Writes a copy of one state of everything to a file, which is complete or not there.

        Raises:
            InvalidInput: the target is there already and `force` is off, or it cannot be written.
            Unsupported: there is no file to copy.
        """
        ...

    async def diagnose(self, *, fix: bool) -> DoctorReport:
        """Finds what is wrong; with `fix` mends what can be mended without loss, after a copy was made."""
        ...


@runtime_checkable
class ScopeLister(Protocol):
    """The power to tell what scopes there are; for the host only."""

    async def scopes(self, prefix: str = "", limit: int | None = None, after: str | None = None) -> list[str]:
        """Returns the paths that hold entries or documents, in order: all, or `prefix` and what stands below it."""
        ...

    async def stats(self, now: datetime) -> StoreStats:
        """Returns what the whole store holds."""
        ...


@runtime_checkable
class DurableStore(MemoryStore, EntryReader, PlanWriter, ScopeLister, Protocol):
    """A store with every power; each verb of a memory works over it."""


@runtime_checkable
class Closable(Protocol):
    """The power to let go of files and connections."""

    def open(self) -> None:
        """Opens what is needed now, so that an error shows at once rather than at the first call."""
        ...

    def close(self) -> None:
        """Lets go of everything; later calls raise `StoreClosed`. Closing twice is no error."""
        ...


@runtime_checkable
class Stepped(Protocol):
    """Marks a store whose coroutines never suspend outside an event loop.

    The synchronous facade runs such a store in the caller's own thread; any other store gets an event loop in a
    thread of its own (design D1).
    """

    never_suspends: bool
