"""A scope through any sequence of verbs, on both stores in lock step and beside a model of its own.

What it proves after every step: no text that was accepted is ever lost, it stands in an entry or in a revision (C5);
a restatement joins an entry and is counted there, a contradiction is kept beside it (design D9), pairs are symmetric
and only of live entries; entries that are live under one key differ in trust, so one of them leads (design D9, D10);
what is less trusted superseded nothing and changed no wording (D10); `restore` undoes exactly the last change;
revisions are numbered without gaps up to their bound (D17); counting agrees with listing; both stores agree in every
field; a dump that was loaded dumps to the same bytes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from pathlib import Path
from typing import TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from memoranda import InMemoryStore, Memory, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.errors import MemorandaError
from memoranda.protocols.store import DurableStore
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.receipt import WriteReceipt
from memoranda.records.revision import Change, Revision
from memoranda.records.scope import Scope as ScopePath
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock
from memoranda.text.contradiction import compare
from memoranda.text.similarity import FOLD_SIMILARITY, trigram_similarity
from tests.memory.model import CLAIMS, Foretold, Model, Row, slot_of

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
texts = st.sampled_from(sorted(CLAIMS))


def test_the_model_knows_its_texts() -> None:
    """What the model takes for granted: how the guard judges each pair of its texts, and that the wording is alike."""
    for one, (subject, claim) in CLAIMS.items():
        for other, known in CLAIMS.items():
            same, about_the_same = known == (subject, claim), known[0] == subject
            verdict = compare(one, other).verdict
            assert verdict == ("same" if same else "contradiction" if about_the_same else "different"), (one, other)
            assert not about_the_same or trigram_similarity(one, other) >= FOLD_SIMILARITY, (one, other)
            assert not same or (trigram_similarity(one, other) == 1.0) == (one == other), (one, other)


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
        self.accepted: dict[str, set[str]] = {}

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

    def accept(self, entry: MemoryEntry) -> None:
        """Notes that a text stands in an entry."""
        self.accepted.setdefault(entry.id, set()).add(entry.memory)

    def settle(self, foretold: Foretold, new: Row, receipt: WriteReceipt) -> None:
        """Holds what happened against what was foretold, and tells the model which of several was picked."""
        entry = receipt.entry
        assert entry is not None
        assert receipt.outcome == foretold.outcome
        if foretold.outcome == "folded":
            assert entry.id in foretold.one_of
            self.model.take_in(entry.id, new)
        elif foretold.one_of:
            rows = map(Row.of, self.all(self.scopes[0]))
            gone = [row.id for row in rows if row.id in foretold.one_of and row.ended]
            assert len(gone) == 1 or (foretold.may_stay and not gone)
            for id in gone:
                self.model.end(id)
        self.accept(entry)

    @rule(minutes=st.integers(0, 15))
    def wait(self, minutes: int) -> None:
        self.clock.advance(minutes * MINUTE)

    @rule(text=texts, key=keys, origin=origins, ago=agos, life=lifetimes, kind=kinds)
    def remember(
        self,
        text: str,
        key: str | None,
        origin: Origin,
        ago: int | None,
        life: int | None,
        kind: tuple[Category, str | None],
    ) -> None:
        now, (category, session) = self.clock.now(), kind
        new = MemoryEntry(
            category,
            text,
            created_at=now,
            session=session,
            key=key,
            origin=origin,
            occurred_at=None if ago is None else now - ago * MINUTE,
            expires_at=None if life is None else now + life * MINUTE,
        )
        self.say(new)

    def say(self, new: MemoryEntry) -> WriteReceipt:
        """Remembers what an entry says, which it gets an id for."""
        receipt = self.both(
            lambda scope: scope.remember(
                new.memory,
                category=new.category,
                session=new.session,
                key=new.key,
                origin=new.origin,
                occurred_at=new.occurred_at,
                expires_at=new.expires_at,
            )
        )
        assert receipt.entry is not None
        row = Row.of(replace(new, seen_count=1, created_at=self.clock.now(), valid_from=new.occurred_at))
        row.id = "" if receipt.outcome == "folded" else receipt.entry.id
        self.settle(self.model.remember(row, self.clock.now()), row, receipt)
        return receipt

    @precondition(lambda self: self.live())
    @rule(number=picks, text=texts, origin=origins)
    def update(self, number: int, text: str, origin: Origin) -> None:
        self.put_in_place(self.pick_live(number), text, origin)

    def put_in_place(self, old: MemoryEntry, text: str, origin: Origin) -> WriteReceipt:
        receipt = self.both(lambda scope: scope.update(old.id, text, origin=origin))
        assert receipt.entry is not None
        row = Row.of(receipt.entry)
        assert receipt.outcome == self.model.update(old.id, row, self.clock.now())
        self.accept(receipt.entry)
        return receipt

    @precondition(lambda self: self.live())
    @rule(number=picks)
    def retract(self, number: int) -> None:
        self.take_back(self.pick_live(number))

    def take_back(self, old: MemoryEntry) -> WriteReceipt:
        receipt = self.both(lambda scope: scope.retract(old.id))
        self.model.end(old.id)
        return receipt

    @precondition(lambda self: self.live())
    @rule(number=picks, text=texts, origin=origins, verb=st.sampled_from(["update", "retract", "remember"]))
    def change_and_restore(self, number: int, text: str, origin: Origin, verb: str) -> None:
        """`restore` undoes exactly the last change: what was live is live again, in every field."""
        old, before = self.pick_live(number), self.live()
        match verb:
            case "update":
                receipt = self.put_in_place(old, text, origin)
            case "retract":
                receipt = self.take_back(old)
            case _:
                receipt = self.say(replace(old, memory=text, origin=origin, occurred_at=None))
        if receipt.outcome not in ("folded", "replaced", "retracted"):
            return
        assert receipt.entry is not None
        id = receipt.entry.id
        self.both(lambda scope: scope.restore(id))
        assert [_plain(entry) for entry in self.live()] == [_plain(entry) for entry in before]
        self.resync()

    @precondition(lambda self: self.accepted)
    @rule(number=picks)
    def restore(self, number: int) -> None:
        """Whatever is restored: both stores say the same, and a fold that was undone is no longer counted."""
        if not self.all(self.scopes[0]):
            return
        id, before = self.pick(number).id, self.all(self.scopes[0])
        try:
            receipt = self.both(lambda scope: scope.restore(id))
        except MemorandaError:
            assert self.all(self.scopes[0]) == before
            return
        entry, previous = receipt.entry, receipt.previous
        assert entry is not None
        assert entry.superseded_by is None
        if previous is not None and previous.id == entry.id:
            assert entry.seen_count == previous.seen_count - 1
        self.resync()

    def resync(self) -> None:
        """Takes over from the store what a restore made of it, which the model does not work out itself."""
        entries = self.all(self.scopes[0])
        self.model.rows = {entry.id: Row.of(entry) for entry in entries}
        self.model.pairs = {frozenset((entry.id, id)) for entry in entries for id in entry.contested_with}

    @precondition(lambda self: not self.would_merge() and not self.expired_and_contested())
    @rule()
    def consolidate(self) -> None:
        """Only what has expired goes (C32): every entry here has a relevance that the seed keeps too (S0.37)."""
        gone = [entry.id for entry in self.all(self.scopes[0]) if entry.is_expired(self.clock.now())]
        stats = self.scopes[0].consolidate()
        other = self.scopes[1].consolidate()
        assert (stats.pruned, stats.merged, stats.entries_after) == (other.pruned, 0, other.entries_after)
        assert stats.pruned == len(gone) == self.model.remove_expired(self.clock.now())
        for id in gone:
            del self.accepted[id]

    def would_merge(self) -> bool:
        """Tells whether a consolidation finds two that say the same: only the durable store merges them."""
        live = self.model.live(self.clock.now())
        return any(one.may_meet(other) and one.claim == other.claim for one in live for other in live)

    def expired_and_contested(self) -> bool:
        """Tells whether a contest ends with an expiry: only the durable store takes that from the other's record."""
        return self.model.pairs != self.model.contested(self.clock.now())

    @invariant()
    def everything_holds(self) -> None:
        now = self.clock.now()
        entries, listed = self.all(self.scopes[0]), self.live()
        assert entries == self.all(self.scopes[1])
        assert [(row.id, row.text, row.seen) for row in map(Row.of, listed)] == [
            (row.id, row.text, row.seen) for row in self.model.live(now)
        ]
        assert [scope.count() for scope in self.scopes] == [len(listed)] * 2
        revisions = [list(Stepper().run(store.whole(PATH)).revisions) for store in self.stores]
        assert revisions[0] == revisions[1]
        _nothing_accepted_is_lost(self.accepted, entries, revisions[0])
        _every_fold_is_counted(entries, revisions[0])
        _one_leads_under_each_key(listed)
        _less_trusted_superseded_nothing(entries, revisions[0])
        _numbered_without_gaps(revisions[0])
        _contests_are_symmetric(entries)
        pairs = self.both(lambda scope: scope.contested())
        assert {frozenset((one.id, other.id)) for one, other in pairs} == self.model.contested(now)
        assert len(pairs) == len(self.model.contested(now))

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


def _plain(entry: MemoryEntry) -> MemoryEntry:
    """Leaves out in which order contests were noted."""
    return replace(entry, contested_with=tuple(sorted(entry.contested_with)))


def _nothing_accepted_is_lost(
    accepted: dict[str, set[str]], entries: list[MemoryEntry], revisions: list[Revision]
) -> None:
    """Each text stands in its entry or a revision of it; at the bound of revisions, what it claims does."""
    kept = {entry.id: [entry.memory] for entry in entries}
    for revision in revisions:
        kept[revision.entry.id].append(revision.entry.memory)
    assert kept.keys() == accepted.keys(), "an entry was lost"
    for id, said in accepted.items():
        assert {CLAIMS[text] for text in kept[id]} == {CLAIMS[text] for text in said}, "a claim was lost"
        assert len(kept[id]) > MOST_REVISIONS or said <= set(kept[id]), "a text was lost"


def _every_fold_is_counted(entries: list[MemoryEntry], revisions: list[Revision]) -> None:
    for entry in entries:
        own = [revision for revision in revisions if revision.entry.id == entry.id]
        folds = [revision for revision in own if revision.change is Change.FOLD and not revision.undone]
        assert len(own) == MOST_REVISIONS or entry.seen_count == 1 + len(folds)


def _contests_are_symmetric(entries: list[MemoryEntry]) -> None:
    by_id = {entry.id: entry for entry in entries}
    for entry in entries:
        for id in entry.contested_with:
            assert entry.superseded_by is None
            assert entry.id in by_id[id].contested_with, "one side of a contest does not know of it"


def _one_leads_under_each_key(live: list[MemoryEntry]) -> None:
    held = [(slot_of(e), e.origin.trust) for e in live if e.key is not None]
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
