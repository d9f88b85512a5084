"""The seed's four verbs (S0.1 to S0.3, S0.21): what every store keeps, finds, tidies and counts."""

from __future__ import annotations

from memoranda.protocols.store import MemoryStore
from memoranda.records.entry import Category, MemoryEntry
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import MakeStore, fact, ground

GROUP = Group("verbs")


@GROUP.check
async def check_it_is_a_store(make: MakeStore) -> None:
    """It has the four verbs."""
    async with ground(make) as here:
        holds(isinstance(here.store, MemoryStore), "the store lacks one of `store`, `retrieve`, `consolidate`, `count`")


@GROUP.check
async def check_an_empty_scope_has_nothing(make: MakeStore) -> None:
    """A scope that was never written counts 0, finds nothing and consolidates to nothing (S0.3)."""
    async with ground(make) as here:
        scope = here.scope()
        same(await here.store.count(scope), 0, "count of an unknown scope")
        same(await here.store.retrieve(scope, "anything", 5), [], "retrieve from an unknown scope")
        same(await here.store.retrieve(scope, "", 5), [], "retrieve from an unknown scope without a query")
        stats = await here.store.consolidate(scope)
        same((stats.entries_before, stats.entries_after, stats.pruned, stats.merged), (0, 0, 0, 0), "consolidate")


@GROUP.check
async def check_what_is_stored_is_found(make: MakeStore) -> None:
    """An entry is found by its words, equal in every field."""
    async with ground(make) as here:
        scope = here.scope()
        entry = fact("Deploys go to the blue cluster", tags=("infra",), source="wiki/deploys", validated=True)
        await here.store.store(scope, entry)
        await here.store.store(scope, fact("Lunch is at noon on fridays"))
        found = await here.store.retrieve(scope, "blue cluster deploys", 5)
        holds(bool(found), "an entry was not found by its own words")
        same(found[0], entry, "the best hit for an entry's own words")


@GROUP.check
async def check_a_scope_may_be_text(make: MakeStore) -> None:
    """A scope and its path as text are the same scope."""
    async with ground(make) as here:
        scope = here.scope()
        await here.store.store(scope.path, fact("blue cluster"))
        same(await here.store.count(scope), 1, "count by scope of what was stored by path")
        same(await here.store.count(scope.path), 1, "count by path")
        same(len(await here.store.retrieve(scope.path, "blue", 5)), 1, "retrieve by path")
        await here.store.consolidate(scope.path)


@GROUP.check
async def check_count_follows_what_is_stored(make: MakeStore) -> None:
    """Equal texts with ids of their own are entries of their own (S0.23)."""
    async with ground(make) as here:
        scope = here.scope()
        for number in range(1, 4):
            await here.store.store(scope, fact("the same text"))
            same(await here.store.count(scope), number, "count after storing the same text again")


@GROUP.check
async def check_every_category_is_kept(make: MakeStore) -> None:
    """All ten categories can be stored."""
    async with ground(make) as here:
        scope = here.scope()
        for category in Category:
            await here.store.store(scope, MemoryEntry(category, f"cluster note about {category.value}"))
        found = await here.store.retrieve(scope, "cluster note", 50)
        same({entry.category for entry in found}, set(Category), "categories found")


@GROUP.check
async def check_retrieve_keeps_to_its_limit(make: MakeStore) -> None:
    """At most `limit` entries come back, none twice."""
    async with ground(make) as here:
        scope = here.scope()
        for number in range(12):
            await here.store.store(scope, fact(f"cluster number {number}"))
        for limit in (1, 5, 12, 50):
            ids = [entry.id for entry in await here.store.retrieve(scope, "cluster", limit)]
            same(len(ids), min(limit, 12), f"entries for a limit of {limit}")
            same(len(set(ids)), len(ids), "different entries")


@GROUP.check
async def check_consolidate_counts_what_it_did(make: MakeStore) -> None:
    """Before less pruned and merged is after, and after is what `count` says; validated entries stay (C34)."""
    async with ground(make) as here:
        scope = here.scope()
        kept = fact("Deploys go to the blue cluster", validated=True, relevance=0.01)
        await here.store.store(scope, kept)
        await here.store.store(scope, fact("Lunch is at noon on fridays"))
        stats = await here.store.consolidate(scope)
        same(stats.entries_before, 2, "entries before")
        same(stats.entries_after, stats.entries_before - stats.pruned - stats.merged, "entries after")
        same(await here.store.count(scope), stats.entries_after, "count after consolidating")
        found = await here.store.retrieve(scope, "blue cluster deploys", 5)
        holds(kept.id in {entry.id for entry in found}, "consolidate removed a validated entry")
