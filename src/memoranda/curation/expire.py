"""Deciding what an explicit consolidation removes from a durable scope."""

from __future__ import annotations

from datetime import datetime

from memoranda.protocols.store import Plan, Snapshot
from memoranda.records.stats import ConsolidationStats


def expire(snapshot: Snapshot, *, now: datetime) -> Plan[ConsolidationStats]:
    """Removes the entries whose `expires_at` has come, with their revisions.

    Age alone removes nothing from a durable scope (design D9, C32), and what is validated stays even when it has
    expired: it is no longer shown, but never pruned (C34).
    """
    gone = [entry for entry in snapshot.expired(now) if not entry.validated]
    stopped = sum(1 for entry in gone if entry.superseded_by is None)
    live = snapshot.live(now)
    return Plan(
        result=ConsolidationStats(
            entries_before=live + stopped,
            entries_after=live,
            pruned=len(gone),
            bytes_saved=sum(len(entry.memory.encode()) for entry in gone),
        ),
        removals=tuple(entry.id for entry in gone),
    )
