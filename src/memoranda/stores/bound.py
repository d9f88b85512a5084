"""A store pinned to one scope: exactly the seed's interface."""

from __future__ import annotations

from collections.abc import Callable

from memoranda.protocols.store import MemoryStore
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats


class BoundStore:
    """`store`, `retrieve`, `consolidate`, `len` and `is_empty` of one scope (S0.1).

    Args:
        store: the store.
        scope: the scope that every call is pinned to.
        length: counts the live entries, in the caller's thread.
    """

    def __init__(self, store: MemoryStore, scope: Scope, length: Callable[[], int]) -> None:
        self._store = store
        self._scope = scope
        self._length = length

    async def store(self, entry: MemoryEntry) -> None:
        """Keeps an entry as it is."""
        await self._store.store(self._scope, entry)

    async def retrieve(self, query: str, limit: int) -> list[MemoryEntry]:
        """Returns at most `limit` entries, best first; none for a limit of 0."""
        return await self._store.retrieve(self._scope, query, limit)

    async def consolidate(self) -> ConsolidationStats:
        """Tidies the scope and says what it did."""
        return await self._store.consolidate(self._scope)

    def len(self) -> int:
        """Returns how many live entries there are."""
        return self._length()

    def is_empty(self) -> bool:
        """Tells whether there are none."""
        return self.len() == 0
