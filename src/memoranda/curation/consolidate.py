"""Deciding what one batch of a consolidation changes in a durable scope (design D9, C32 to C35).

Age alone removes nothing there. What has expired goes, what says the same becomes one, and only where a bound is set
the least valuable entries are evicted (`curation.capacity`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from memoranda.curation.capacity import evict
from memoranda.curation.draft import Draft
from memoranda.curation.duplicates import Group, merged
from memoranda.protocols.plan import Snapshot
from memoranda.records.entry import MemoryEntry
from memoranda.records.revision import Change
from memoranda.records.stats import EVICTED_NAMED, ConsolidationStats

NAMED = 5
"""How many of those that joined an entry its revision names."""


@dataclass(frozen=True, slots=True)
class Merge:
    """What became of a group.

    Attributes:
        canonical: the entry that stays, as it is now.
        others: those that joined it, as they were.
    """

    canonical: MemoryEntry
    others: Sequence[MemoryEntry]


def remove_expired(draft: Draft, snapshot: Snapshot, limit: int) -> list[MemoryEntry]:
    """Removes at most `limit` entries whose `expires_at` has come, and returns them.

    What is validated stays even then: it is no longer shown, but never pruned (C34). What an expired entry had replaced
    stays, too, and can be restored.
    """
    gone = list(snapshot.expired(draft.now, limit))
    for entry in gone:
        draft.remove(entry, f"it expired at {entry.expires_at:%Y-%m-%d %H:%M} UTC")
    return gone


def merge(draft: Draft, group: Group) -> Merge | None:
    """Lets the others of a group join its canonical entry; each keeps its row as superseded, with a revision.

    What was changed by another writer since the group was found is left out; None when nothing is left to merge.
    """
    canonical = group.canonical
    if not _stands(draft, canonical):
        return None
    others = [other for other in group.others if _stands(draft, other)]
    if not others:
        return None
    after = merged(canonical, others)
    draft.change(canonical, after, Change.FOLD, f"the same is said by {_named(others)}")
    for other in others:
        draft.supersede(other, after, Change.FOLD, f"says the same as {after.id}", draft.now)
    return Merge(after, others)


def keep_bound(draft: Draft, snapshot: Snapshot, *, max_entries: int, limit: int) -> list[MemoryEntry]:
    """Evicts about `limit` of the least valuable entries where the scope holds more than it may, and returns them."""
    over = snapshot.live(draft.now) - max_entries
    if over <= 0:
        return []
    return evict(draft, snapshot.least_valuable(), min(over, limit), max_entries=max_entries)


def _stands(draft: Draft, entry: MemoryEntry) -> bool:
    return draft.entry(entry.id) == entry and entry.is_live(draft.now)


def _named(entries: Sequence[MemoryEntry]) -> str:
    shown = ", ".join(entry.id for entry in entries[:NAMED])
    return shown if len(entries) <= NAMED else f"{shown} and {len(entries) - NAMED} more"


def pieces(groups: Sequence[Group], size: int) -> Iterator[list[Group]]:
    """Cuts groups into batches of at most `size` entries that join another one; a large group is cut itself.

    No batch holds two pieces of one group, since the second has to see what became of the first.
    """
    batch: list[Group] = []
    room = size
    for group in groups:
        for start in range(0, len(group.others), size):
            piece = Group(group.canonical, group.others[start : start + size])
            if len(piece.others) > room:
                yield batch
                batch, room = [], size
            batch.append(piece)
            room -= len(piece.others)
    if batch:
        yield batch


@dataclass(slots=True)
class Tally:
    """What was done so far."""

    expired: int = 0
    stopped: int = 0
    merged: int = 0
    pruned: int = 0
    saved: int = 0
    evicted: list[str] = field(default_factory=list)

    def expire(self, gone: Sequence[MemoryEntry]) -> None:
        """Counts expired entries that were removed."""
        self.expired += len(gone)
        self.stopped += sum(1 for entry in gone if entry.superseded_by is None)
        self._prune(gone)

    def merge(self, others: Sequence[MemoryEntry]) -> None:
        """Counts entries that joined another one."""
        self.merged += len(others)
        self.saved += _bytes(others)

    def evict(self, gone: Sequence[MemoryEntry], removed: Sequence[MemoryEntry]) -> None:
        """Counts live entries that were evicted, and all that was removed with them."""
        self.evicted += [entry.id for entry in gone]
        self._prune(removed)

    def stats(self, live: int) -> ConsolidationStats:
        """Returns the report, for a scope that has `live` entries now."""
        return ConsolidationStats(
            entries_before=live + self.stopped + self.merged + len(self.evicted),
            entries_after=live,
            pruned=self.pruned,
            merged=self.merged,
            bytes_saved=self.saved,
            expired=self.expired,
            evicted=len(self.evicted),
            evicted_ids=tuple(self.evicted[:EVICTED_NAMED]),
        )

    def _prune(self, gone: Sequence[MemoryEntry]) -> None:
        self.pruned += len(gone)
        self.saved += _bytes(gone)


def _bytes(entries: Iterable[MemoryEntry]) -> int:
    return sum(len(entry.memory.encode()) for entry in entries)
