"""Telling what a consolidation would do, from entries that were read, without writing anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from memoranda.curation.capacity import value
from memoranda.curation.consolidate import Tally, keep_bound
from memoranda.curation.draft import Draft
from memoranda.curation.duplicates import Duplicates, merged
from memoranda.memory.nothing import EmptySnapshot
from memoranda.records.entry import MemoryEntry
from memoranda.records.stats import ConsolidationStats


def rehearse(
    entries: Iterable[MemoryEntry], duplicates: Duplicates, *, now: datetime, max_entries: int | None, size: int
) -> Iterator[ConsolidationStats]:
    """Gives what would be done so far, in steps of some milliseconds; the last one tells all of it.

    Args:
        entries: all entries of the scope, superseded ones included, in the order of recording.
        duplicates: an empty one; it finds what says the same.
        now: the moment of the decision.
        max_entries: the bound of the scope; None for none.
        size: entries that are compared in one step.
    """
    tally = Tally()
    known = {entry.id: entry for entry in entries}
    gone = [entry for entry in known.values() if entry.is_expired(now) and not entry.validated]
    for entry in gone:
        del known[entry.id]
    tally.expire(gone)
    live = [entry for entry in known.values() if entry.is_live(now)]
    for start in range(0, len(live), size):
        duplicates.take(live[start : start + size])
        yield tally.stats(len(live))
    while True:
        for _ in duplicates.steps(size):
            yield tally.stats(len(live) - tally.merged)
        joined = _merge(known, duplicates, tally)
        if not joined:
            break
        duplicates.settle(joined)
    if max_entries is not None:
        snapshot = _Loaded(known.values())
        draft = Draft(snapshot, now=now)
        tally.evict(keep_bound(draft, snapshot, max_entries=max_entries, limit=len(known)), draft.removed)
    yield tally.stats(len(live) - tally.merged - len(tally.evicted))


def _merge(known: dict[str, MemoryEntry], duplicates: Duplicates, tally: Tally) -> list[MemoryEntry]:
    joined: list[MemoryEntry] = []
    for group in duplicates.groups():
        after = known[group.canonical.id] = merged(group.canonical, group.others)
        known |= {other.id: replace(other, superseded_by=after.id) for other in group.others}
        tally.merge(group.others)
        joined.append(after)
    return joined


class _Loaded(EmptySnapshot):
    """A scope as it was read, as far as eviction looks at it.

    Args:
        entries: its entries, superseded ones included, in the order of recording.
    """

    def __init__(self, entries: Iterable[MemoryEntry]) -> None:
        self._entries = {entry.id: entry for entry in entries}
        self._replaced: dict[str, list[MemoryEntry]] = {}
        for entry in self._entries.values():
            if entry.superseded_by is not None and not entry.is_retracted:
                self._replaced.setdefault(entry.superseded_by, []).append(entry)

    def entry(self, id: str) -> MemoryEntry | None:
        return self._entries.get(id)

    def predecessors(self, id: str) -> Sequence[MemoryEntry]:
        return self._replaced.get(id, ())

    def live(self, now: datetime) -> int:
        return sum(1 for entry in self._entries.values() if entry.is_live(now))

    def least_valuable(self) -> Sequence[MemoryEntry]:
        shown = (one for one in self._entries.values() if one.superseded_by is None and not one.validated)
        return sorted(shown, key=value)
