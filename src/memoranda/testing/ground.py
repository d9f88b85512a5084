"""Where one check does its work: a fresh store, scopes that nobody else has, and the powers that it asks for."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from typing import Protocol, TypeVar, runtime_checkable
from unittest import SkipTest
from uuid import uuid4

from memoranda.protocols.plan import Decide, Plan, PlanWriter
from memoranda.protocols.store import Closable, EntryFilter, EntryReader, MemoryStore, ScopeLister, Stepped
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope

T = TypeVar("T")

MakeStore = Callable[[], MemoryStore | Awaitable[MemoryStore] | AbstractAsyncContextManager[MemoryStore]]
"""Makes a fresh store for one check: returns it, or an awaitable or an asynchronous context manager that gives it.

A maker that is `Reopening` too has its stores checked for what survives closing.
"""

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
"""The moment that checks pass where a verb takes the time. Nothing here reads the clock."""
PAST = datetime(2001, 1, 1, tzinfo=UTC)
"""Long gone by any clock: what expires then has expired."""
FUTURE = datetime(2999, 1, 1, tzinfo=UTC)
"""Far off by any clock: what expires then is live."""
EVERYTHING = 1_000_000
"""A limit above what any check stores."""


class NotOffered(SkipTest):
    """The store lacks the power that a check is about. Test runners show the check as skipped, with the reason."""


@runtime_checkable
class Reopening(Protocol):
    """A maker whose stores keep their data when they are closed."""

    async def reopen(self, store: MemoryStore) -> MemoryStore:
        """Closes `store` and returns another one over the same data."""
        ...


@runtime_checkable
class Tidying(Protocol):
    """A maker whose stores hold other people's data too."""

    async def tidy(self, scopes: Sequence[Scope]) -> None:
        """Removes what a check left in `scopes`, which nobody else uses. The check's own store is closed by then."""
        ...


class Ground:
    """One check's store and scopes.

    Attributes:
        store: the store; another object after `reopen`.
        scopes: the scopes that were handed out.
    """

    def __init__(self, make: MakeStore, store: MemoryStore) -> None:
        self.store = store
        self.scopes: list[Scope] = []
        self._make = make
        self._root = f"memoranda-check-{uuid4().hex}"

    @property
    def root(self) -> str:
        """The first segment of every scope of this check; random, so that existing data is never touched."""
        return self._root

    def scope(self, name: str = "a") -> Scope:
        """Returns the scope of that name below this check's own root."""
        scope = Scope(f"{self._root}/{name}")
        self.scopes.append(scope)
        return scope

    @property
    def reader(self) -> EntryReader:
        """The store as one that reads without ranking; `NotOffered` when it cannot."""
        if isinstance(self.store, EntryReader):
            return self.store
        raise NotOffered("no `EntryReader`: get, list, revisions and dump are not supported over it")

    @property
    def writer(self) -> PlanWriter:
        """The store as one that decides within a transaction; `NotOffered` when it cannot."""
        if isinstance(self.store, PlanWriter):
            return self.store
        raise NotOffered("no `PlanWriter`: keys, idempotency, update, retract and restore are not supported over it")

    @property
    def lister(self) -> ScopeLister:
        """The store as one that lists scopes; `NotOffered` when it cannot."""
        if isinstance(self.store, ScopeLister):
            return self.store
        raise NotOffered("no `ScopeLister`: scopes and stats are not supported over it")

    @property
    def closable(self) -> Closable:
        """The store as one that is opened and closed; `NotOffered` when it cannot."""
        if isinstance(self.store, Closable):
            return self.store
        raise NotOffered("not `Closable`: it holds nothing that must be let go of")

    def require_threads(self) -> None:
        """Goes on only if plain threads may use the store; `NotOffered` else."""
        if not (isinstance(self.store, Stepped) and self.store.never_suspends):
            raise NotOffered("not `Stepped`: its coroutines need an event loop, and only one may use it")

    async def reopen(self) -> None:
        """Puts another store over the same data in the place of this one; `NotOffered` when the maker cannot."""
        if not isinstance(self._make, Reopening):
            raise NotOffered("the maker has no `reopen`: what this store keeps beyond its life is not promised")
        self.store = await self._make.reopen(self.store)

    async def write(self, scope: Scope, plan: Plan[T]) -> T:
        """Carries out a plan that depends on nothing."""
        return await self.writer.write(scope, lambda snapshot: plan)

    async def look(self, scope: Scope, decide: Decide[T]) -> T:
        """Returns what a decision sees, and changes nothing unless its plan does."""
        return await self.writer.write(scope, decide)

    async def put(self, scope: Scope, *entries: MemoryEntry) -> None:
        """Adds entries in one write."""
        await self.write(scope, Plan(result=None, puts=entries))

    async def page(self, scope: Scope, *, limit: int = EVERYTHING, superseded: bool = True) -> list[str]:
        """Returns the texts of a scope, oldest first."""
        matching = EntryFilter(now=NOW, superseded=superseded)
        return [entry.memory for entry in await self.reader.page(scope, matching, limit, oldest_first=True)]

    async def leave(self) -> None:
        """Closes the store, and lets the maker remove what the check left."""
        if isinstance(self.store, Closable):
            self.store.close()
        if isinstance(self._make, Tidying):
            await self._make.tidy(self.scopes)


@asynccontextmanager
async def ground(make: MakeStore) -> AsyncIterator[Ground]:
    """Gives a fresh store to one check, and closes it afterwards."""
    async with AsyncExitStack() as stack:
        made = make()
        if isinstance(made, AbstractAsyncContextManager):
            store = await stack.enter_async_context(made)
        elif isinstance(made, Awaitable):
            store = await made
        else:
            store = made
        here = Ground(make, store)
        try:
            yield here
        finally:
            await here.leave()


def fact(memory: str, **fields: object) -> MemoryEntry:
    """Returns an entry of the category fact, recorded at `NOW` unless told otherwise."""
    return MemoryEntry(Category.FACT, memory, **{"created_at": NOW, **fields})  # type: ignore[arg-type]
