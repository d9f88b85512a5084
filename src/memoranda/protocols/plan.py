"""Reading, deciding and writing as one step: what a decision sees, and what it decides (design D3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, Protocol, TypeVar, runtime_checkable

from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import ErasureCounts
from memoranda.records.quantized import EntryVector, QuantizedVector
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.tombstone import Tombstone

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Snapshot(Protocol):
    """What a decision may read, as it stands inside the transaction of one write."""

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not."""
        ...

    def with_key(self, key: str) -> Sequence[MemoryEntry]:
        """Returns the entries of that key that are not superseded, oldest first; expired ones included."""
        ...

    def predecessors(self, id: str) -> Sequence[MemoryEntry]:
        """Returns the entries whose place that one took, oldest first; itself left out."""
        ...

    def revisions(self, id: str) -> Sequence[Revision]:
        """Returns the revisions of that entry, oldest first."""
        ...

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns what was answered to an idempotency key before."""
        ...

    def since(self, version: int) -> Sequence[MemoryEntry]:
        """Returns the entries that are new or changed after a version of the scope, oldest first."""
        ...

    def contested(self) -> Sequence[MemoryEntry]:
        """Returns the entries that are contested and not superseded, oldest first."""
        ...

    def expired(self, now: datetime, limit: int | None = None) -> Sequence[MemoryEntry]:
        """Returns the entries, superseded ones included, whose `expires_at` has come by `now`, less the validated.

        At most `limit` of them, whichever are at hand; all for None.
        """
        ...

    def least_valuable(self) -> Iterable[MemoryEntry]:
        """Gives the entries that are neither superseded nor validated, by `curation.capacity.value`, least first.

        Expired ones are among them. Only as many are read as are asked for.
        """
        ...

    def live(self, now: datetime) -> int:
        """Returns how many entries are live at `now`."""
        ...

    def ids(self) -> Sequence[str]:
        """Returns the ids of all entries, superseded ones included, in the order of recording."""
        ...

    def of_source(self, source: str) -> Sequence[MemoryEntry]:
        """Returns the entries of that source and of places in it: `notes.md` has `notes.md` and `notes.md#L7`."""
        ...

    def revisions_of_source(self, source: str) -> Sequence[Revision]:
        """Returns the revisions whose entry had that source then, or a place in it."""
        ...

    def derived(self) -> Sequence[MemoryEntry]:
        """Returns the entries whose metadata says what they were derived from (`derived_from`)."""
        ...

    def vectors(self, ids: Sequence[str]) -> Sequence[QuantizedVector]:
        """Returns the vectors of those entries, of every embedder."""
        ...

    def held(self, ids: Sequence[str] | None) -> ErasureCounts:
        """Returns how many rows of each kind stand for those ids; None for the whole scope."""
        ...

    def document(self, key: DocumentKey) -> Document | None:
        """Returns the document of that key."""
        ...

    def documents(self, kind: DocumentKind, session: str) -> Sequence[Document]:
        """Returns the documents of a kind and session in the order in which they were first put."""
        ...

    def documents_of(self, ids: Sequence[str]) -> Sequence[Document]:
        """Returns the documents that name one of those entries among their `entries`, each once, oldest first."""
        ...

    def document_ids(self, keys: Sequence[DocumentKey]) -> Sequence[str]:
        """Returns the ids under which an `ErasureProver` notes those documents as owing a proof.

        They say nothing of names and texts. A key of no document is passed over; a store that needs none gives none.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Generic[T_co]):
    """What a write does, decided as a whole before anything is changed (design D3).

    A store applies it in this order, all or nothing, and then returns `result`.

    Attributes:
        result: what the write answers.
        removals: ids of entries that go, with their revisions.
        tombstones: entries that go, with their revisions, each leaving this note where the store is a
            `TombstoneKeeper`. Readers are told of each, so that they need not read the whole scope anew.
        erasures: ids of entries that go for good: with their revisions, the idempotency keys that were answered with
            them and the documents that name them, all noted in the same transaction as owing a proof where the store
            is an `ErasureProver`.
        clears: whether everything of the scope, its documents included, goes before anything is put; `erasures` are
            then its ids.
        puts: entries to add, or to put in the place of the entry of the same id.
        revisions: revisions to add, or to put in the place of the one of the same entry and number.
        vectors: vectors to keep, each for an entry that is there or among `puts`; one for any other is passed over. A
            change of an entry's text drops the vectors that it had before.
        forgotten_revisions: (entry id, number) of revisions that go because of their bound.
        erased_documents: keys of documents that go for good, noted as owing a proof as `erasures` are; one of no
            document is passed over.
        dropped: keys of documents that go; one of no document is passed over.
        documents: documents to put, each in the place of the one of the same key, after others went. Readers of entries
            do not see documents come and go: the scope's version stays.
        acknowledgements: idempotency keys to remember.
        acknowledged_before: idempotency keys older than this are forgotten; None for no clean-up.
    """

    result: T_co
    removals: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    erasures: tuple[str, ...] = ()
    clears: bool = False
    puts: tuple[MemoryEntry, ...] = ()
    revisions: tuple[Revision, ...] = ()
    vectors: tuple[EntryVector, ...] = ()
    forgotten_revisions: tuple[tuple[str, int], ...] = ()
    erased_documents: tuple[DocumentKey, ...] = ()
    dropped: tuple[DocumentKey, ...] = ()
    documents: tuple[Document, ...] = ()
    acknowledgements: tuple[Acknowledgement, ...] = ()
    acknowledged_before: datetime | None = None

    @property
    def changes_entries(self) -> bool:
        """Whether applying it changes what readers of the scope see."""
        changed = self.puts or self.revisions or self.forgotten_revisions or self.vectors or self.tombstones
        return bool(changed or self.removes)

    @property
    def changes_documents(self) -> bool:
        """Whether applying it may change documents."""
        return bool(self.documents or self.dropped or self.erased_documents or self.erasures or self.clears)

    @property
    def removes(self) -> bool:
        """Whether entries go without a tombstone, so that what readers know must be dropped."""
        return bool(self.removals or self.erasures or self.clears)


Decide = Callable[[Snapshot], Plan[T]]
"""A pure decision: reads the snapshot, returns the plan. It may be run again when a transaction must be repeated."""


@runtime_checkable
class PlanWriter(Protocol):
    """The power to read, decide and write in one transaction (design D3)."""

    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        """Runs `decide` on the scope as it stands, applies its plan whole, and returns the plan's result.

        When this returns, the plan is durable as `Settings.durability` says. When it raises, nothing was changed.
        """
        ...
