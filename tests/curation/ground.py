"""What the tests of curation stand on: a real store, driven without an event loop, and entries made in one line."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, TypeVar

from memoranda.bridge.drive import Stepper
from memoranda.curation import edit
from memoranda.curation.draft import Draft
from memoranda.curation.remember import Candidate, remember
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.protocols.store import DurableStore, EntryFilter
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.receipt import WriteReceipt
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing import CountingIds, FrozenClock

T = TypeVar("T")
MINUTE = timedelta(minutes=1)


class Ground:
    """One scope of a database in memory, with a clock and ids that do as they are told."""

    def __init__(self, *, max_revisions: int = 100) -> None:
        self.clock = FrozenClock()
        self.ids = CountingIds()
        self.store: DurableStore = SqliteStore(":memory:", clock=self.clock)
        self.scope = Scope("acme/alice")
        self._max_revisions = max_revisions

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return Stepper().run(work)

    def entry(
        self,
        text: str,
        *,
        key: str | None = None,
        origin: Origin = Origin.USER,
        ago: timedelta | None = None,
        category: Category = Category.FACT,
        session: str | None = None,
        expires_at: datetime | None = None,
    ) -> MemoryEntry:
        now = self.clock.now()
        return MemoryEntry(
            category,
            text,
            id=self.ids.new(),
            created_at=now,
            key=key,
            origin=origin,
            occurred_at=None if ago is None else now - ago,
            session=session,
            expires_at=expires_at,
        )

    def draft(self, work: Callable[[Draft], T]) -> T:
        """Decides on a draft of the scope as it stands and carries the plan out."""

        def decide(snapshot: Snapshot) -> Plan[T]:
            draft = Draft(snapshot, now=self.clock.now(), max_revisions=self._max_revisions)
            result = work(draft)
            return draft.plan(result, idempotency_days=7)

        return self.run(self.store.write(self.scope, decide))

    def remember(self, *entries: MemoryEntry) -> list[WriteReceipt]:
        found = [Candidate(entry=entry) for entry in entries]
        return self.draft(lambda draft: remember(draft, found, idempotency_days=7))

    def put(self, text: str, **fields: Any) -> MemoryEntry:
        """Remembers one text a minute later and returns its entry."""
        self.clock.advance(MINUTE)
        kept = self.remember(self.entry(text, **fields))[0].entry
        assert kept is not None
        return kept

    def update(self, id: str, text: str, **fields: Any) -> WriteReceipt:
        fresh = self.entry(text, **fields)
        return self.draft(lambda draft: edit.update(draft, id, lambda _: fresh))

    def retract(self, id: str, because: str = "it was taken back") -> WriteReceipt:
        return self.draft(lambda draft: edit.retract(draft, id, because))

    def restore(self, id: str) -> WriteReceipt:
        return self.draft(lambda draft: edit.restore(draft, id))

    def get(self, id: str) -> MemoryEntry:
        found = self.run(self.store.get(self.scope, id))
        assert found is not None
        return found

    def all(self) -> list[MemoryEntry]:
        matching = EntryFilter(now=self.clock.now(), superseded=True)
        return self.run(self.store.page(self.scope, matching, 1000, oldest_first=True))

    def live(self) -> list[str]:
        """The texts that are shown, oldest first."""
        return [entry.memory for entry in self.all() if entry.is_live(self.clock.now())]

    def revisions(self, id: str) -> list[Revision]:
        return self.run(self.store.revisions(self.scope, id))
