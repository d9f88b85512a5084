"""Limits of 0, below 0 and far above what there is (case Q10): never everything by accident, never an overflow."""

from __future__ import annotations

from memoranda.errors import InvalidInput
from memoranda.protocols.store import EntryFilter
from memoranda.testing.check import Group
from memoranda.testing.demand import raising, same
from memoranda.testing.ground import NOW, MakeStore, fact, ground

GROUP = Group("limits")

STORED = 15
NOT_MANY = (-1, -100, -(2**63), -(10**30))
HUGE = (2**31, 2**63 - 1, 2**63, 10**30)
REFUSED = (InvalidInput, ValueError)


@GROUP.check
async def check_retrieve_for_limits_of_0_and_below(make: MakeStore) -> None:
    """0 gives nothing (S0.3); below 0 gives nothing or is refused."""
    async with ground(make) as here:
        scope = here.scope()
        for number in range(STORED):
            await here.store.store(scope, fact(f"cluster {number}"))
        for query in ("cluster", ""):
            same(await here.store.retrieve(scope, query, 0), [], "a limit of 0")
            for limit in NOT_MANY:
                try:
                    found = await here.store.retrieve(scope, query, limit)
                except REFUSED:
                    continue
                same(len(found), 0, f"entries for a limit of {limit}")


@GROUP.check
async def check_retrieve_for_huge_limits(make: MakeStore) -> None:
    """A limit above what any integer column holds gives all that matches."""
    async with ground(make) as here:
        scope = here.scope()
        for number in range(STORED):
            await here.store.store(scope, fact(f"cluster {number}"))
        for limit in HUGE:
            same(len(await here.store.retrieve(scope, "cluster", limit)), STORED, f"entries for a limit of {limit}")


@GROUP.check
async def check_retrieve_for_limits_that_are_no_numbers(make: MakeStore) -> None:
    """`2.5`, `"5"` and `True` are refused."""
    async with ground(make) as here:
        scope = here.scope()
        await here.store.store(scope, fact("cluster"))
        for limit in (2.5, "5", True):
            with raising((*REFUSED, TypeError), f"a limit of {limit!r}"):
                await here.store.retrieve(scope, "cluster", limit)  # type: ignore[arg-type]


@GROUP.check
async def check_pages_for_odd_limits(make: MakeStore) -> None:
    """A page of 0 or fewer entries is empty or refused; a huge one holds all."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        for number in range(STORED):
            await here.store.store(scope, fact(f"cluster {number}"))
        same(await reader.page(scope, EntryFilter(now=NOW), 0), [], "a page of 0")
        for limit in NOT_MANY:
            try:
                found = await reader.page(scope, EntryFilter(now=NOW), limit)
            except REFUSED:
                continue
            same(len(found), 0, f"entries of a page of {limit}")
        for limit in HUGE:
            same(len(await reader.page(scope, EntryFilter(now=NOW), limit)), STORED, f"entries of a page of {limit}")


@GROUP.check
async def check_scopes_for_odd_limits(make: MakeStore) -> None:
    """0 or fewer scopes is none or refused; `None` and huge limits give all."""
    async with ground(make) as here:
        lister = here.lister
        for name in ("a", "b", "c"):
            await here.store.store(here.scope(name), fact("cluster"))
        same(await lister.scopes(here.root, 0), [], "a limit of 0")
        for limit in NOT_MANY:
            try:
                found = await lister.scopes(here.root, limit)
            except REFUSED:
                continue
            same(found, [], f"scopes for a limit of {limit}")
        for most in (None, *HUGE):
            same(len(await lister.scopes(here.root, most)), 3, f"scopes for a limit of {most}")
