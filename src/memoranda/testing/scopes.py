"""Telling what scopes there are (case X04), for the host only."""

from __future__ import annotations

from memoranda.protocols.plan import Plan
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import NOW, PAST, MakeStore, fact, ground
from memoranda.testing.isolation import NAMES

GROUP = Group("scopes")


@GROUP.check
async def check_scopes_are_listed_exactly_and_in_order(make: MakeStore) -> None:
    """Every odd name comes back as it was given, sorted by code point; without entries a scope is not listed."""
    async with ground(make) as here:
        lister = here.lister
        paths = sorted(here.scope(name).path for name in NAMES)
        for path in paths:
            await here.store.store(path, fact("cluster"))
        await here.store.count(here.scope("only looked at"))
        same(await lister.scopes(here.root), paths, "scopes below the root of this check")
        everything = await lister.scopes()
        same([path for path in everything if path.startswith(here.root)], paths, "these among all scopes")
        same(everything, sorted(everything), "all scopes, in order")


@GROUP.check
async def check_a_prefix_means_whole_segments(make: MakeStore) -> None:
    """A sibling whose name begins alike is not below it, and no character is a wildcard."""
    async with ground(make) as here:
        lister, root = here.lister, here.root
        names = ("t/acme", "t/acme/alice", "t/acme-corp", "t/acme.x", "t/acme0", "t/ac%e", "t/ac_e", "T/acme")
        for name in names:
            await here.store.store(here.scope(name), fact("cluster"))
        same(await lister.scopes(f"{root}/t/acme"), [f"{root}/t/acme", f"{root}/t/acme/alice"], "below t/acme")
        for name in ("t/ac%e", "t/ac_e", "T"):
            wanted = [f"{root}/{found}" for found in names if found == name or found.startswith(name + "/")]
            same(await lister.scopes(f"{root}/{name}"), wanted, f"below {name}")
        for name in ("t/acm", "t/%", "t/a*", "t/ACME", "x"):
            same(await lister.scopes(f"{root}/{name}"), [], f"below {name}")


@GROUP.check
async def check_scopes_come_in_pages(make: MakeStore) -> None:
    """Many scopes, in pages that follow each other, with and without one that is new meanwhile."""
    async with ground(make) as here:
        lister = here.lister
        for number in range(25):
            await here.store.store(here.scope(f"{number:03}"), fact("cluster"))
        found: list[str] = []
        while page := await lister.scopes(here.root, 7, found[-1] if found else None):
            found += page
            await here.store.store(here.scope("000/new"), fact("cluster"))
        same(found, [here.scope(f"{number:03}").path for number in range(25)], "scopes over all pages")


@GROUP.check
async def check_a_scope_without_entries_is_not_listed(make: MakeStore) -> None:
    """When the last entry goes, so does the scope; superseded and expired entries keep it."""
    async with ground(make) as here:
        lister, gone, kept = here.lister, here.scope("gone"), here.scope("kept")
        entry = fact("cluster")
        await here.put(gone, entry)
        await here.put(kept, fact("cluster", expires_at=PAST), fact("old", superseded_by=entry.id))
        await here.write(gone, Plan(result=None, removals=(entry.id,)))
        same(await lister.scopes(here.root), [kept.path], "scopes that hold entries")


@GROUP.check
async def check_stats_count_what_there_is(make: MakeStore) -> None:
    """They grow by what is stored."""
    async with ground(make) as here:
        lister = here.lister
        before = await lister.stats(NOW)
        await here.store.store(here.scope("a"), entry := fact("cluster"))
        await here.store.store(here.scope("a"), fact("old", superseded_by=entry.id))
        await here.store.store(here.scope("b"), fact("expired", expires_at=PAST))
        after = await lister.stats(NOW)
        grown = (after.scopes - before.scopes, after.live - before.live, after.superseded - before.superseded)
        same(grown, (2, 1, 1), "scopes, live and superseded entries more than before")
        holds(after.bytes >= before.bytes >= 0, "a size below 0")
