"""A plan in the making: the snapshot with the changes decided so far laid over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TypeVar

from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.check import check_entry
from memoranda.records.entry import MemoryEntry
from memoranda.records.quantized import EntryVector
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Change, Revision
from memoranda.records.tombstone import Tombstone

T = TypeVar("T")


class Draft:
    """Collects the changes of one decision and shows the scope as if they had been made already.

    So the second item of a batch sees what the first one did. Nothing is written: `plan` gives the changes.

    Args:
        snapshot: the scope as it stands in the store.
        now: the moment of the decision.
        max_revisions: most revisions kept of one entry (`Settings.max_revisions`).
    """

    def __init__(self, snapshot: Snapshot, *, now: datetime, max_revisions: int = 100) -> None:
        self.now = now
        self._snapshot = snapshot
        self._max_revisions = max_revisions
        self._puts: dict[str, MemoryEntry] = {}
        self._revisions: dict[tuple[str, int], Revision] = {}
        self._forgotten: dict[tuple[str, int], None] = {}
        self._acknowledgements: dict[str, Acknowledgement] = {}
        self._carried: dict[str, str] = {}
        self._removed: dict[str, tuple[MemoryEntry, Tombstone]] = {}

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id as it stands in this draft."""
        if id in self._removed:
            return None
        return self._puts.get(id) or self._snapshot.entry(id)

    def holders(self, key: str) -> list[MemoryEntry]:
        """Returns the live entries of that key, oldest first."""
        return [entry for entry in self._overlaid(self._snapshot.with_key(key), key=key) if entry.is_live(self.now)]

    def predecessors(self, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place that one took, oldest first."""
        return self._overlaid(self._snapshot.predecessors(id), successor=id)

    def revisions(self, id: str) -> list[Revision]:
        """Returns the revisions of that entry, oldest first."""
        known = {revision.number: revision for revision in self._snapshot.revisions(id)}
        known |= {number: revision for (owner, number), revision in self._revisions.items() if owner == id}
        return [known[number] for number in sorted(known) if (id, number) not in self._forgotten]

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns what was answered to an idempotency key before, in this draft or in the store."""
        return self._acknowledgements.get(key) or self._snapshot.acknowledged(key)

    def add(self, entry: MemoryEntry) -> None:
        """Adds an entry, or puts it in the place of the one of its id.

        Raises:
            InvalidEntry: the entry breaks a rule of `check_entry`.
        """
        check_entry(entry)
        self._puts[entry.id] = entry

    def change(self, before: MemoryEntry, after: MemoryEntry, what: Change, because: str) -> None:
        """Puts `after` in the place of `before` and leaves a revision of it."""
        self.add(after)
        kept = self.revisions(before.id)
        number = kept[-1].number + 1 if kept else 1
        revision = Revision(number=number, change=what, at=self.now, entry=before, because=because)
        self._revisions[before.id, number] = revision
        if len(kept) >= self._max_revisions:
            self._forget(before.id, kept[1].number)

    def carry_vector(self, from_id: str, to_id: str) -> None:
        """Lets the vector that was made for one entry be kept for another, which took over its text."""
        self._carried[from_id] = to_id

    def undo(self, revision: Revision) -> None:
        """Marks a revision as taken back."""
        self._revisions[revision.entry.id, revision.number] = replace(revision, undone=True)

    def supersede(self, entry: MemoryEntry, by: MemoryEntry, what: Change, because: str, at: datetime) -> MemoryEntry:
        """Ends `entry`, which `by` follows, at `at`; it keeps its row (S1.28). Returns it as it stands then.

        It never ends before it began: a successor that is dated back leaves it a validity of no length.
        """
        end = max(at, entry.valid_from or at)
        after = replace(entry, superseded_by=by.id, valid_to=end, contested_with=())
        self.change(entry, after, what, because)
        self._settle(entry)
        return after

    def remove(self, entry: MemoryEntry, because: str) -> None:
        """Lets an entry go, with its revisions; a tombstone says why."""
        self._puts.pop(entry.id, None)
        self._revisions = {place: one for place, one in self._revisions.items() if place[0] != entry.id}
        self._removed[entry.id] = entry, Tombstone(id=entry.id, at=self.now, because=because)
        self._settle(entry)

    @property
    def removed(self) -> tuple[MemoryEntry, ...]:
        """The entries that go."""
        return tuple(entry for entry, _ in self._removed.values())

    def growth(self) -> int:
        """Returns how many live entries there are more than in the store; below 0 where there are fewer."""
        before = [self._snapshot.entry(id) for id in (*self._puts, *self._removed)]
        lost = sum(1 for entry in before if entry is not None and entry.is_live(self.now))
        return sum(1 for entry in self._puts.values() if entry.is_live(self.now)) - lost

    @property
    def changed(self) -> frozenset[str]:
        """The ids of the entries that are added or changed by this draft."""
        return frozenset(self._puts)

    def contest(self, one: MemoryEntry, other: MemoryEntry) -> MemoryEntry:
        """Notes on both of two entries that they cannot be true together; returns the first as it stands then."""
        noted = replace(one, contested_with=tuple(dict.fromkeys((*one.contested_with, other.id))))
        self.add(noted)
        self.add(replace(other, contested_with=tuple(dict.fromkeys((*other.contested_with, one.id)))))
        return noted

    def bring_back(self, entry: MemoryEntry, before: MemoryEntry, because: str) -> MemoryEntry:
        """Makes an ended entry what it was `before`; of its contests those with what is live now stand again."""
        back = replace(before, contested_with=())
        self.change(entry, back, Change.RESTORE, because)
        for id in before.contested_with:
            other = self.entry(id)
            if other is not None and other.is_live(self.now):
                back = self.contest(back, other)
        return back

    def _settle(self, entry: MemoryEntry) -> None:
        """Takes an entry that is no longer live from the contests of the others."""
        for id in entry.contested_with:
            other = self.entry(id)
            if other is not None and entry.id in other.contested_with:
                self.add(replace(other, contested_with=tuple(one for one in other.contested_with if one != entry.id)))

    def acknowledge(self, acknowledgement: Acknowledgement) -> None:
        """Remembers what is answered to an idempotency key."""
        self._acknowledgements[acknowledgement.key] = acknowledgement

    def plan(self, result: T, *, vectors: Sequence[EntryVector] = (), idempotency_days: float | None = None) -> Plan[T]:
        """Returns the changes as a plan, with the vectors of the entries that are put by it.

        Idempotency keys older than `idempotency_days` are forgotten with it.
        """
        clean = bool(self._acknowledgements) and idempotency_days is not None
        return Plan(
            result=result,
            puts=tuple(self._puts.values()),
            revisions=tuple(self._revisions.values()),
            vectors=tuple(
                replace(vector, id=id)
                for vector in vectors
                if (id := self._carried.get(vector.id, vector.id)) in self._puts
            ),
            forgotten_revisions=tuple(self._forgotten),
            tombstones=tuple(note for _, note in self._removed.values()),
            acknowledgements=tuple(self._acknowledgements.values()),
            acknowledged_before=self.now - timedelta(days=idempotency_days or 0) if clean else None,
        )

    def _forget(self, id: str, number: int) -> None:
        self._revisions.pop((id, number), None)
        self._forgotten[id, number] = None

    def _overlaid(
        self, stored: Sequence[MemoryEntry], *, key: str | None = None, successor: str | None = None
    ) -> list[MemoryEntry]:
        found = {entry.id: entry for entry in stored} | self._puts
        return [
            entry
            for entry in found.values()
            if entry.id not in self._removed
            and (key is None or (entry.key == key and entry.superseded_by is None))
            and (successor is None or (entry.superseded_by == successor and entry.id != successor))
        ]
