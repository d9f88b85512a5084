"""Deciding what consolidation makes of a scope of `InMemoryStore`: the seed's way, or with decay.

Durable scopes are consolidated by `curation.consolidate`: there age alone removes nothing (C32).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memoranda.curation.decay import Decay, decayed, touched
from memoranda.curation.merge import clusters, merged
from memoranda.curation.prune import is_irrelevant, is_worthless
from memoranda.protocols.plan import Plan
from memoranda.records.entry import MemoryEntry
from memoranda.records.stats import ConsolidationStats


def drop_irrelevant(entries: Sequence[MemoryEntry], *, now: datetime) -> Plan[ConsolidationStats]:
    """Removes what has expired and live entries of a relevance under 0.05; merges nothing, counts nothing (S0.37).

    What is validated stays (C34), and so do superseded entries: they are history.
    """
    gone = [entry for entry in entries if _has_ended(entry, now)]
    gone += [entry for entry in entries if entry.is_live(now) and is_irrelevant(entry)]
    return Plan(result=_stats(entries, now, pruned=gone), removals=tuple(entry.id for entry in gone))


def tidy(
    entries: Sequence[MemoryEntry], *, now: datetime, decay: Decay, accessed: Mapping[str, datetime]
) -> Plan[ConsolidationStats]:
    """Counts accesses, decays, merges and prunes live entries, in this order, and removes what has expired.

    What is validated is neither pruned nor merged away (C34). Superseded entries stay as they are; those whose
    successor was merged into another entry follow that one.

    Args:
        entries: all entries of the scope, superseded ones included, in the order of recording.
        now: the moment of the decision.
        decay: the rates and bounds.
        accessed: when entries were last found since the pass before, by id (S0.43).
    """
    live = [touched(entry, accessed.get(entry.id)) for entry in entries if entry.is_live(now)]
    aged = [decayed(entry, now=now, half_life=decay.half_life) for entry in live]
    pruned = [entry for entry in entries if _has_ended(entry, now)]
    kept: list[MemoryEntry] = []
    joined: list[MemoryEntry] = []
    successors: dict[str, str] = {}
    for members in clusters(aged, decay.merge_threshold):
        whole = merged(members, now=now)
        others = [member for member in members if member.id != whole.id]
        joined += others
        successors |= {other.id: whole.id for other in others}
        (pruned if is_worthless(whole, now=now, below=decay.prune_below) else kept).append(whole)
    gone = [*pruned, *joined]
    return Plan(
        result=_stats(entries, now, pruned=pruned, joined=joined),
        removals=tuple(entry.id for entry in gone),
        puts=(*_changed(entries, kept), *_redirected(entries, successors, {entry.id for entry in gone})),
    )


def _has_ended(entry: MemoryEntry, now: datetime) -> bool:
    return entry.is_expired(now) and not entry.validated


def _changed(entries: Sequence[MemoryEntry], kept: Sequence[MemoryEntry]) -> list[MemoryEntry]:
    before = {entry.id: entry for entry in entries}
    return [entry for entry in kept if entry != before[entry.id]]


def _redirected(entries: Sequence[MemoryEntry], successors: Mapping[str, str], gone: set[str]) -> list[MemoryEntry]:
    return [
        replace(entry, superseded_by=successor)
        for entry in entries
        if (successor := successors.get(entry.superseded_by or "")) is not None and entry.id not in gone
    ]


def _stats(
    entries: Sequence[MemoryEntry],
    now: datetime,
    *,
    pruned: Sequence[MemoryEntry],
    joined: Sequence[MemoryEntry] = (),
) -> ConsolidationStats:
    live = sum(1 for entry in entries if entry.is_live(now))
    stopped = [entry for entry in pruned if entry.superseded_by is None]
    ended = sum(1 for entry in stopped if entry.is_expired(now))
    return ConsolidationStats(
        entries_before=live + ended,
        entries_after=live + ended - len(stopped) - len(joined),
        pruned=len(pruned),
        merged=len(joined),
        bytes_saved=sum(len(entry.memory.encode(errors="replace")) for entry in (*pruned, *joined)),
    )
