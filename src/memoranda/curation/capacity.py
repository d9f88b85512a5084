"""Which entries go when a scope holds more live ones than `Settings.max_entries` (design D9, D17, case M08)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from memoranda.curation.draft import Draft
from memoranda.errors import CapacityReached
from memoranda.protocols.plan import Snapshot
from memoranda.records.entry import MemoryEntry
from memoranda.records.receipt import WriteReceipt

FULL_WORTH: Final = timedelta(days=180)
"""By how much a relevance and a confidence of 1 outweigh those of 0, in age: half a year, as good as any."""
SIGHTING_WORTH: Final = timedelta(days=30)
"""By how much having been said once more outweighs age."""
COUNTED_SIGHTINGS: Final = 12
"""Having been said more often than that adds nothing, so that repeating something cannot make it stay for ever."""
EVICTED_BY_A_WRITE: Final = 64
"""How many entries a write evicts at most beyond those that it adds; `consolidate` evicts the rest. It keeps writes
short after the bound was lowered."""
NAMED: Final = 5
"""How many evicted entries a receipt names."""

_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
_FULL = (
    "nothing was stored: a scope may hold {} live entries (`Settings.max_entries`), and what it holds is validated or "
    "part of this request; raise the setting, or retract what is no longer needed"
)


def value(entry: MemoryEntry) -> int:
    """Returns what keeping an entry is worth, as a moment in microseconds since 1970.

    The moment when it was last said or found, moved on by 180 days * relevance * confidence, and by 30 days for each
    time that it was said again, 12 times at most. All values move with time alike, so their order does not
    depend on when it is asked for, and a store can keep an index by it. A number out of its range counts as 0.
    """
    last = max(entry.last_seen or entry.created_at, entry.last_accessed or entry.created_at)
    share = entry.relevance * entry.confidence
    worth = int(share * (FULL_WORTH // _MICROSECOND)) if 0.0 <= share <= 1.0 else 0
    sightings = min(entry.seen_count - 1, COUNTED_SIGHTINGS)
    return (last - _START) // _MICROSECOND + worth + sightings * (SIGHTING_WORTH // _MICROSECOND)


def make_room(
    draft: Draft, snapshot: Snapshot, receipts: Sequence[WriteReceipt], *, max_entries: int
) -> list[WriteReceipt]:
    """Evicts the least valuable entries until a draft keeps the bound, and says so in the last receipt.

    What the draft adds or changes is never evicted by it (case M08). After the bound was lowered a write evicts
    `EVICTED_BY_A_WRITE` entries more than it adds at most, and `consolidate` the rest.

    Raises:
        CapacityReached: the draft adds entries, and too few of the others may go.
    """
    growth = draft.growth()
    over = snapshot.live(draft.now) + growth - max_entries
    if over <= 0:
        return list(receipts)
    wanted = min(over, max(0, growth) + EVICTED_BY_A_WRITE)
    gone = evict(draft, snapshot.least_valuable(), wanted, max_entries=max_entries, protected=draft.changed)
    if len(gone) < min(over, growth):
        raise CapacityReached(_FULL.format(max_entries), max_entries)
    if not gone or not receipts:
        return list(receipts)
    told = f"; evicted to keep `max_entries` = {max_entries}: {_named(gone)}"
    return [*receipts[:-1], replace(receipts[-1], because=receipts[-1].because + told)]


def evict(
    draft: Draft,
    candidates: Iterable[MemoryEntry],
    count: int,
    *,
    max_entries: int,
    protected: Collection[str] = frozenset(),
) -> list[MemoryEntry]:
    """Lets at least `count` live entries go where so many may, and returns them, the least valuable first.

    What is validated stays (C34). Contested entries go together or not at all, at the turn of the most valuable of
    them: that one alone would be left as if nothing had spoken against it, and a rumour could not drag it down.
    What an evicted entry had replaced goes with it, but for what is validated.

    Args:
        draft: where it is decided.
        candidates: entries, the least valuable first; read only as far as need be.
        count: how many must go.
        max_entries: the bound that is kept, for the tombstones.
        protected: ids that stay.
    """
    because = f"evicted to keep `max_entries` = {max_entries}"
    gone: list[MemoryEntry] = []
    waiting: dict[str, MemoryEntry] = {}
    for candidate in candidates:
        if len(gone) >= count:
            break
        entry = draft.entry(candidate.id)
        if entry is None or not _may_go(draft, entry, protected):
            continue
        waiting[entry.id] = entry
        group = _contest(draft, entry, protected)
        if all(member.id in waiting for member in group):
            for member in group:
                gone.append(waiting.pop(member.id))
                _remove(draft, member, because)
    return gone


def _may_go(draft: Draft, entry: MemoryEntry, protected: Collection[str]) -> bool:
    return entry.is_live(draft.now) and not entry.validated and entry.id not in protected


def _contest(draft: Draft, entry: MemoryEntry, protected: Collection[str]) -> list[MemoryEntry]:
    """Returns an entry with those that may go among all that are contested with it, and with these in turn."""
    found = {entry.id: entry}
    reached = [entry]
    while reached:
        for id in reached.pop().contested_with:
            other = draft.entry(id)
            if other is not None and id not in found and _may_go(draft, other, protected):
                found[id] = other
                reached.append(other)
    return list(found.values())


def _remove(draft: Draft, entry: MemoryEntry, because: str) -> None:
    """Lets an entry go with what it had replaced, and what that had replaced in turn."""
    replaced, seen = draft.predecessors(entry.id), {entry.id}
    draft.remove(entry, because)
    while replaced:
        before = replaced.pop()
        if before.id not in seen:
            seen.add(before.id)
            replaced += draft.predecessors(before.id)
            if not before.validated:
                draft.remove(before, f"it was what {entry.id} had replaced, which was {because}")


def _named(entries: Sequence[MemoryEntry]) -> str:
    shown = ", ".join(entry.id for entry in entries[:NAMED])
    return shown if len(entries) <= NAMED else f"{shown} and {len(entries) - NAMED} more"
