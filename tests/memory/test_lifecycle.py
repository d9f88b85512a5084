"""A scope through any sequence of verbs, on both stores in lock step and beside a model of its own.

What it proves after every step: no text that was accepted is ever lost (design D10 of a revision: "never lost until
erased", C5); entries that are live under one key differ in trust, so one of them leads (design D9, D10); what is less
trusted superseded nothing (D10); `restore` undoes exactly the last change; revisions are numbered without gaps up to
their bound (D17); counting agrees with listing; both stores agree in every field; a dump that was loaded dumps to the
same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memoranda import InMemoryStore, Memory, Settings, SqliteStore
from memoranda.errors import MemorandaError
from memoranda.protocols.store import DurableStore
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.receipt import WriteReceipt
from memoranda.records.revision import Change, Revision
from memoranda.records.scope import Scope as ScopePath
from memoranda.runtime.drive import Stepper
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock
from tests.memory.model import Model, Row, slot_of

T = TypeVar("T")
PATH = ScopePath("acme/alice")
MOST_REVISIONS = 4
MINUTE = timedelta(minutes=1)

origins = st.sampled_from([Origin.HOST, Origin.USER, Origin.USER, Origin.WEB])
keys = st.sampled_from([None, "k", "k", "other"])
agos = st.sampled_from([None, None, 0, 3, 30])
lifetimes = st.sampled_from([None, None, None, 2, 20])
kinds = st.sampled_from(
    [(Category.FACT, None), (Category.FACT, "s1"), (Category.WORKING, "s1"), (Category.WORKING, "s2")]
)
picks = st.integers(0, 1000)


class Lifecycle(RuleBasedStateMachine):
    @initialize()
    def start(self) -> None:
        self.clock = FrozenClock()
        self.stores = (SqliteStore(":memory:", clock=self.clock), InMemoryStore(clock=self.clock))
        bounds = Settings(max_revisions=MOST_REVISIONS)
        self.memories = [
            Memory(store=store, clock=self.clock, ids=CountingIds(), settings=bounds) for store in self.stores
        ]
        self.scopes = [memory.scope(PATH) for memory in self.memories]
        self.model = Model()
        self.texts: dict[str, str] = {}
        self.said = 0

    def both(self, verb: Callable[[Scope], T]) -> T:
        """Runs a verb on both stores, which must answer alike, errors included."""
        one, other = (_outcome(verb, scope) for scope in self.scopes)
        assert one == other
        if isinstance(one, _Raised):
            raise one.error
        return one

    def all(self, scope: Scope) -> list[MemoryEntry]:
        return list(reversed(scope.list(superseded=True, limit=10_000)))

    def live(self) -> list[MemoryEntry]:
        return list(reversed(self.scopes[0].list(limit=10_000)))

    def pick(self, number: int) -> MemoryEntry:
        entries = self.all(self.scopes[0])
        return entries[number % len(entries)]

    def pick_live(self, number: int) -> MemoryEntry:
        entries = self.live()
        return entries[number % len(entries)]

    def next_text(self) -> str:
        self.said += 1
        return f"text {self.said}"

    def write_down(self, receipt: WriteReceipt, category: Category, session: str | None) -> Row:
        entry = receipt.entry
        assert entry is not None
        self.texts[entry.id] = entry.memory
        since = entry.occurred_at or entry.created_at
        slot = slot_of(category, entry.key, session)
        return Row(entry.id, entry.memory, entry.origin, entry.key, since, entry.expires_at, slot)

    @rule(minutes=st.integers(0, 15))
    def wait(self, minutes: int) -> None:
        self.clock.advance(minutes * MINUTE)

    @rule(key=keys, origin=origins, ago=agos, life=lifetimes, kind=kinds)
    def remember(
        self, key: str | None, origin: Origin, ago: int | None, life: int | None, kind: tuple[Category, str | None]
    ) -> None:
        text, now, (category, session) = self.next_text(), self.clock.now(), kind
        receipt = self.both(
            lambda scope: scope.remember(
                text,
                category=category,
                session=session,
                key=key,
                origin=origin,
                occurred_at=None if ago is None else now - ago * MINUTE,
                expires_at=None if life is None else now + life * MINUTE,
            )
        )
        row = self.write_down(receipt, category, session)
        assert receipt.outcome == self.model.remember(row, now)

    @precondition(lambda self: self.live())
    @rule(number=picks, origin=origins)
    def update(self, number: int, origin: Origin) -> None:
        old, text = self.pick_live(number), self.next_text()
        receipt = self.both(lambda scope: scope.update(old.id, text, origin=origin))
        row = self.write_down(receipt, old.category, old.session)
        assert receipt.outcome == self.model.update(old.id, row, self.clock.now())

    @precondition(lambda self: self.live())
    @rule(number=picks)
    def retract(self, number: int) -> None:
        old = self.pick_live(number)
        self.both(lambda scope: scope.retract(old.id))
        self.model.retract(old.id)

    @precondition(lambda self: self.live())
    @rule(number=picks, origin=origins, verb=st.sampled_from(["update", "retract", "remember"]))
    def change_and_restore(self, number: int, origin: Origin, verb: str) -> None:
        """`restore` undoes exactly the last change: what was live is live again, in every field."""
        old, before, text = self.pick_live(number), self.live(), self.next_text()
        changes: dict[str, Callable[[Scope], WriteReceipt]] = {
            "update": lambda scope: scope.update(old.id, text, origin=origin),
            "retract": lambda scope: scope.retract(old.id),
            "remember": lambda scope: scope.remember(
                text, key=old.key, origin=origin, category=old.category, session=old.session
            ),
        }
        receipt = self.both(changes[verb])
        assert receipt.entry is not None
        id, outcome = receipt.entry.id, str(receipt.outcome)
        if verb != "retract":
            row = self.write_down(receipt, old.category, old.session)
            row.ended = outcome == "replaced" or not receipt.entry.is_live(self.clock.now())
            self.model.rows[id] = row
        if outcome in ("replaced", "retracted"):
            self.both(lambda scope: scope.restore(id))
            assert self.live() == before
        else:
            self.resync()

    @precondition(lambda self: self.texts)
    @rule(number=picks)
    def restore(self, number: int) -> None:
        """Whatever is restored: both stores say the same, and what is live is what the rows say."""
        if not self.all(self.scopes[0]):
            return
        id, before = self.pick(number).id, self.all(self.scopes[0])
        try:
            receipt = self.both(lambda scope: scope.restore(id))
        except MemorandaError:
            assert self.all(self.scopes[0]) == before
        else:
            assert receipt.entry is not None
            assert receipt.entry.superseded_by is None
            self.resync()

    def resync(self) -> None:
        """Takes over from the store which rows are superseded, where the model does not work it out itself."""
        for entry in self.all(self.scopes[0]):
            self.model.rows[entry.id].ended = entry.superseded_by is not None

    @rule()
    def consolidate(self) -> None:
        """Only what has expired goes (C32): every entry here has a relevance that the seed keeps too (S0.37)."""
        gone = [entry.id for entry in self.all(self.scopes[0]) if entry.is_expired(self.clock.now())]
        stats = self.scopes[0].consolidate()
        other = self.scopes[1].consolidate()
        assert (stats.pruned, stats.entries_after) == (other.pruned, other.entries_after)
        assert stats.pruned == len(gone) == self.model.remove_expired(self.clock.now())
        for id in gone:
            del self.texts[id]

    @invariant()
    def everything_holds(self) -> None:
        now = self.clock.now()
        entries, listed = self.all(self.scopes[0]), self.live()
        assert entries == self.all(self.scopes[1])
        assert {entry.id: entry.memory for entry in entries} == self.texts, "a text was lost"
        assert [(entry.id, entry.memory) for entry in listed] == [(row.id, row.text) for row in self.model.live(now)]
        assert [scope.count() for scope in self.scopes] == [len(listed)] * 2
        revisions = [list(Stepper().run(store.whole(PATH)).revisions) for store in self.stores]
        assert revisions[0] == revisions[1]
        _one_leads_under_each_key(listed)
        _less_trusted_superseded_nothing(entries, revisions[0])
        _numbered_without_gaps(revisions[0])

    def teardown(self) -> None:
        if not hasattr(self, "memories"):
            return
        with tempfile.TemporaryDirectory() as folder:
            dumps = [Path(folder, f"{number}.jsonl") for number in range(4)]
            for scope, path in zip(self.scopes, dumps[:2], strict=True):
                scope.dump(path)
            fresh_stores: list[DurableStore] = [SqliteStore(":memory:"), InMemoryStore()]
            for store, path in zip(fresh_stores, dumps[2:], strict=True):
                with Memory(store=store) as fresh:
                    fresh.scope("elsewhere").load(dumps[0])
                    fresh.scope("elsewhere").dump(path)
            assert len({path.read_bytes() for path in dumps}) == 1
        for memory in self.memories:
            memory.close()


def _one_leads_under_each_key(live: list[MemoryEntry]) -> None:
    held = [(slot_of(e.category, e.key, e.session), e.origin.trust) for e in live if e.key is not None]
    assert len(set(held)) == len(held)


def _less_trusted_superseded_nothing(entries: list[MemoryEntry], revisions: list[Revision]) -> None:
    by_id = {entry.id: entry for entry in entries}
    restored = {one.entry.id for one in revisions if one.change is Change.RESTORE}
    for entry in entries:
        successor = by_id.get(entry.superseded_by or "")
        if successor is not None and entry.id not in restored:
            assert successor.origin.trust >= entry.origin.trust


def _numbered_without_gaps(revisions: list[Revision]) -> None:
    for _, group in groupby(revisions, key=lambda one: one.entry.id):
        numbers = [revision.number for revision in group]
        assert len(numbers) <= MOST_REVISIONS
        tail = len(numbers) - 1
        assert numbers == [1, *range(numbers[-1] - tail + 1, numbers[-1] + 1)]


class _Raised:
    def __init__(self, error: MemorandaError) -> None:
        self.error = error

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Raised) and (type(self.error), str(self.error)) == (
            type(other.error),
            str(other.error),
        )

    __hash__ = None  # type: ignore[assignment]  # compared, never kept in a set


def _outcome(verb: Callable[[Scope], T], scope: Scope) -> T | _Raised:
    try:
        return verb(scope)
    except MemorandaError as error:
        return _Raised(error)


TestLifecycle = Lifecycle.TestCase
TestLifecycle.settings = settings(
    max_examples=15,
    stateful_step_count=25,
    deadline=None,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow],
)
