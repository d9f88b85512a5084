"""What has expired is not shown; consolidating removes it, unless it was validated (C34)."""

from __future__ import annotations

from memoranda.protocols.store import EntryFilter
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import EVERYTHING, FUTURE, NOW, PAST, MakeStore, fact, ground

GROUP = Group("expiry")


@GROUP.check
async def check_what_has_expired_is_not_shown(make: MakeStore) -> None:
    """Neither counted nor retrieved, before any consolidation."""
    async with ground(make) as here:
        scope = here.scope()
        await here.store.store(scope, fact("expired cluster", expires_at=PAST))
        await here.store.store(scope, fact("live cluster", expires_at=FUTURE))
        same(await here.store.count(scope), 1, "count")
        for query in ("cluster", ""):
            found = await here.store.retrieve(scope, query, 5)
            same([entry.memory for entry in found], ["live cluster"], f"retrieve {query!r}")


@GROUP.check
async def check_consolidate_removes_what_has_expired(make: MakeStore) -> None:
    """Its bytes are counted as UTF-8 (S0.51); a second time there is nothing left to do."""
    async with ground(make) as here:
        scope = here.scope()
        await here.store.store(scope, fact("gr\u00fcn", expires_at=PAST))
        await here.store.store(scope, fact("live cluster"))
        stats = await here.store.consolidate(scope)
        same((stats.pruned, stats.entries_after, stats.bytes_saved), (1, 1, 5), "pruned, after, bytes saved")
        again = await here.store.consolidate(scope)
        same((again.pruned, again.entries_before, again.entries_after), (0, 1, 1), "a second time")


@GROUP.check
async def check_a_validated_entry_is_never_removed(make: MakeStore) -> None:
    """When it has expired it is not shown, but it stays (C34)."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.store.store(scope, entry := fact("expired cluster", expires_at=PAST, validated=True))
        stats = await here.store.consolidate(scope)
        same((stats.pruned, await here.store.count(scope)), (0, 0), "pruned and count")
        holds(await reader.get(scope, entry.id) is not None, "consolidate removed a validated entry")


@GROUP.check
async def check_pages_go_by_the_moment_given(make: MakeStore) -> None:
    """An entry expires at its moment, not after it."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.store.store(scope, entry := fact("cluster", expires_at=NOW))
        same(await reader.page(scope, EntryFilter(now=PAST), EVERYTHING), [entry], "before")
        same(await reader.page(scope, EntryFilter(now=NOW), EVERYTHING), [], "at the moment")
        same(await reader.page(scope, EntryFilter(now=NOW, superseded=True), EVERYTHING), [entry], "all of them")
