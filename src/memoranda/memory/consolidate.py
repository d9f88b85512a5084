"""Consolidating a scope in short batches, so that readers never wait and other writers wait little (design D5, D9)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import Event
from time import perf_counter
from typing import Final, TypeVar

from memoranda.bridge.offload import offload
from memoranda.curation.consolidate import Merge, Tally, keep_bound, merge, pieces, remove_expired
from memoranda.curation.draft import Draft
from memoranda.curation.duplicates import Duplicates, Group
from memoranda.curation.fold import FOLDING
from memoranda.errors import EntryNotFound, Unsupported
from memoranda.memory.context import Context
from memoranda.memory.nothing import Nothing
from memoranda.memory.rehearse import rehearse
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.protocols.store import EntryFilter, TombstoneKeeper
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats

BATCH: Final = 48
"""Entries that one transaction removes or merges at most; each costs some 0.2 ms."""
PAGE: Final = 128
"""Entries that are read at once."""
SLICE: Final = 32
"""Entries that are compared at once, in some milliseconds."""
REST: Final = 1.0
"""How long it rests after each piece of work, as a multiple of the time that the work took, so that whoever recalls
meanwhile has the processor. Where that is scarce the work takes longer, and so does the rest."""
REST_AFTER_A_WRITE: Final = 4.0
"""The same after a write: each reader brings its index up to date then."""

Progress = Callable[[ConsolidationStats], None]
T = TypeVar("T")
_never = Event()


async def consolidate(
    context: Context, scope: Scope, *, dry_run: bool = False, on_progress: Progress | None = None
) -> ConsolidationStats:
    """Removes what has expired, merges what says the same, keeps `Settings.max_entries`, and says what it did.

    What is validated is neither removed nor merged away (C34); episodes and trajectories never merge (C35). Each batch
    is a transaction of its own, decided on what it finds there. So a consolidation may be stopped at any time, goes
    on where it stopped when it is called again, and changes nothing when nothing was written since. What other writers
    changed meanwhile is left to the next one. A store that is no `TombstoneKeeper` tidies in its own way.

    Args:
        context: the surroundings.
        scope: the scope.
        dry_run: whether only to tell what would be done; nothing is written.
        on_progress: called after each batch with what was done so far.

    Raises:
        Unsupported: `dry_run`, and the store tidies in its own way.
    """
    store = context.store
    if not isinstance(store, TombstoneKeeper):
        if dry_run and not isinstance(store, Nothing):
            raise Unsupported(f"{type(store).__name__} tidies in its own way and cannot tell before what it would do")
        return await store.consolidate(scope)
    duplicates = Duplicates(context.indexes.analyser.terms)
    if dry_run:
        entries = [entry async for page in _pages(context, scope, None) for entry in page]
        now, most = context.clock.now(), context.settings.max_entries
        told = await _last(rehearse(entries, duplicates, now=now, max_entries=most, size=SLICE))
        return told or ConsolidationStats()
    work = _Consolidation(context, scope, await store.count(scope), on_progress)
    await work.expire()
    await work.merge(duplicates)
    await work.keep_bound()
    return work.tally.stats(await store.count(scope))


class _Consolidation:
    """One consolidation on its way."""

    def __init__(self, context: Context, scope: Scope, live: int, on_progress: Progress | None) -> None:
        self.tally = Tally()
        self._context = context
        self._scope = scope
        self._live = live
        self._on_progress = on_progress

    async def expire(self) -> None:
        """Removes what has expired."""
        while gone := await self._write(lambda draft, snapshot: remove_expired(draft, snapshot, BATCH)):
            self.tally.expire(gone)
            self._report()

    async def merge(self, duplicates: Duplicates) -> None:
        """Merges what says the same, until nothing does."""
        async for page in _pages(self._context, self._scope, FOLDING):
            await offload(partial(_rested, partial(duplicates.take, page)))
        while True:
            await _last(duplicates.steps(SLICE))
            groups = duplicates.groups()
            if not groups:
                return
            merged = await self._merge(groups)
            await offload(partial(duplicates.settle, merged.values()))

    async def _merge(self, groups: Sequence[Group]) -> dict[str, MemoryEntry]:
        """Merges groups in batches; returns the canonical entries as they are then, by id."""
        latest: dict[str, MemoryEntry] = {}
        for batch in pieces(groups, BATCH):
            wanted = [Group(latest.get(one.canonical.id, one.canonical), one.others) for one in batch]
            for done in await self._write(lambda draft, _, wanted=wanted: _merges(draft, wanted)):  # type: ignore[misc]
                latest[done.canonical.id] = done.canonical
                self.tally.merge(done.others)
            self._report()
        return latest

    async def keep_bound(self) -> None:
        """Evicts the least valuable entries while there are more than `Settings.max_entries`."""
        most = self._context.settings.max_entries
        if most is None:
            return

        def decide(draft: Draft, snapshot: Snapshot) -> tuple[list[MemoryEntry], tuple[MemoryEntry, ...]]:
            gone = keep_bound(draft, snapshot, max_entries=most, limit=BATCH)
            return gone, draft.removed

        while True:
            gone, removed = await self._write(decide)
            if not gone:
                return
            self.tally.evict(gone, removed)
            self._report()

    async def _write(self, decide: Callable[[Draft, Snapshot], T]) -> T:
        now, most = self._context.clock.now(), self._context.settings.max_revisions

        def plan(snapshot: Snapshot) -> Plan[T]:
            draft = Draft(snapshot, now=now, max_revisions=most)
            return draft.plan(decide(draft, snapshot))

        began = perf_counter()
        done = await self._context.writer().write(self._scope, plan)
        await offload(partial(_pause, REST_AFTER_A_WRITE * (perf_counter() - began)))
        return done

    def _report(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self.tally.stats(self._live - self.tally.merged - len(self.tally.evicted)))


def _merges(draft: Draft, groups: Sequence[Group]) -> list[Merge]:
    return [done for group in groups if (done := merge(draft, group)) is not None]


async def _pages(
    context: Context, scope: Scope, categories: Iterable[Category] | None
) -> AsyncIterator[list[MemoryEntry]]:
    """Reads the live entries of some categories, or all entries, oldest first, each page for itself."""
    matching = EntryFilter(
        now=context.clock.now(),
        categories=None if categories is None else tuple(categories),
        superseded=categories is None,
    )
    read: list[str] = []
    while True:
        try:
            page = await context.reader().page(scope, matching, PAGE, read[-1] if read else None, oldest_first=True)
        except EntryNotFound:
            read.pop()  # another process has removed it meanwhile; the one before it will do, else the first page
            continue
        if not page:
            return
        read = [entry.id for entry in page]
        yield page


async def _last(steps: Iterator[T]) -> T | None:
    """Goes through all steps, with a rest after each, and returns what the last one gave; None without any."""
    last: T | None = None
    while (step := await offload(partial(_rested, partial(next, steps, None)))) is not None:
        last = step
    return last


def _rested(work: Callable[[], T]) -> T:
    began = perf_counter()
    done = work()
    _pause(REST * (perf_counter() - began))
    return done


def _pause(seconds: float) -> None:
    _never.wait(seconds)
