"""The least that a store can be: the seed's four verbs, in about twenty lines."""

from __future__ import annotations

from datetime import UTC, datetime

from memoranda.records.check import check_limit
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats


class FourVerbs:
    def __init__(self) -> None:
        self.kept: dict[str, list[MemoryEntry]] = {}

    def live(self, scope: Scope | str) -> list[MemoryEntry]:
        return [entry for entry in self.kept.get(str(scope), []) if entry.is_live(datetime.now(UTC))]

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        self.kept.setdefault(str(scope), []).append(entry)

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        words = query.lower().split()
        found = sorted(self.live(scope), key=lambda entry: -sum(word in entry.memory.lower() for word in words))
        return found[: check_limit(limit)]

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        before, live = self.kept.get(str(scope), []), self.live(scope)
        gone = [entry for entry in before if entry not in live and not entry.validated]
        self.kept[str(scope)] = [entry for entry in before if entry not in gone]
        saved = sum(len(entry.memory.encode()) for entry in gone)
        total = len(live) + len(gone)
        return ConsolidationStats(entries_before=total, entries_after=len(live), pruned=len(gone), bytes_saved=saved)

    async def count(self, scope: Scope | str) -> int:
        return len(self.live(scope))
