"""What every verb needs: the store, the clock, ids, settings, and the recall indexes."""

from __future__ import annotations

from dataclasses import dataclass, field

from memoranda.errors import Unsupported
from memoranda.memory.indexes import Indexes
from memoranda.protocols.clock import Clock, Ids, RandomIds, SystemClock
from memoranda.protocols.embedder import Embedder
from memoranda.protocols.plan import PlanWriter
from memoranda.protocols.store import DocumentReader, EntryReader, MemoryStore, ScopeLister
from memoranda.records.settings import Settings


@dataclass(frozen=True, slots=True)
class Context:
    """The surroundings of a verb.

    Attributes:
        store: where entries are kept.
        settings: bounds and switches.
        clock: tells the time.
        ids: mints ids.
        indexes: the recall indexes of this store's scopes.
        embedder: makes vectors; None for words only.
    """

    store: MemoryStore
    settings: Settings = field(default_factory=Settings)
    clock: Clock = field(default_factory=SystemClock)
    ids: Ids = field(default_factory=RandomIds)
    indexes: Indexes = field(default_factory=lambda: Indexes(Settings()))
    embedder: Embedder | None = None

    def reader(self) -> EntryReader:
        """Returns the store's power to read entries.

        Raises:
            Unsupported: it has none.
        """
        if isinstance(self.store, EntryReader):
            return self.store
        raise self._lacks("reading entries by id or by page", "EntryReader")

    def writer(self) -> PlanWriter:
        """Returns the store's power to read, decide and write in one transaction.

        Raises:
            Unsupported: it has none.
        """
        if isinstance(self.store, PlanWriter):
            return self.store
        raise self._lacks("changing entries", "PlanWriter")

    def documents(self) -> DocumentReader:
        """Returns the store's power to keep documents: core blocks, working graphs, archived spans.

        Raises:
            Unsupported: it has none.
        """
        if isinstance(self.store, DocumentReader):
            return self.store
        raise self._lacks("keeping documents beside entries", "DocumentReader")

    def lister(self) -> ScopeLister:
        """Returns the store's power to list scopes.

        Raises:
            Unsupported: it has none.
        """
        if isinstance(self.store, ScopeLister):
            return self.store
        raise self._lacks("listing scopes", "ScopeLister")

    def _lacks(self, what: str, protocol: str) -> Unsupported:
        name = type(self.store).__name__
        return Unsupported(f"{name} does not offer {what}; it would have to implement `memoranda.{protocol}`")
