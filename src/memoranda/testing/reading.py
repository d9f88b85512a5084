"""Reading without ranking: by id, by filter, and by what changed."""

from __future__ import annotations

from datetime import timedelta

from memoranda.protocols.plan import Plan
from memoranda.protocols.store import EntryFilter
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import EVERYTHING, FUTURE, NOW, PAST, MakeStore, fact, ground

GROUP = Group("reading")

UNKNOWN = "00000000-0000-4000-8000-00000000dead"
NO_IDS = ("", " ", "x", "@0", "*", "%", UNKNOWN.upper(), UNKNOWN.replace("-", ""), f"{{{UNKNOWN}}}", "'; --", "\0", "é")


@GROUP.check
async def check_every_field_comes_back(make: MakeStore) -> None:
    """`get` gives what was stored, equal in every field, times to the microsecond."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        moments = [NOW + timedelta(microseconds=number, days=number) for number in range(9)]
        entry = MemoryEntry(
            Category.ERROR_PATTERN, "all fields", tags=("b", "a"), created_at=moments[0], relevance=0.25,
            access_count=7, validated=True, confidence=1 / 3, origin=Origin.WEB, source="file:///notes", speaker="ana",
            session="s-1", position=0, key="k", occurred_at=moments[1], valid_from=moments[2], valid_to=moments[3],
            expires_at=FUTURE, last_accessed=moments[4], last_decayed=moments[5], seen_count=3, last_seen=moments[6],
            superseded_by=UNKNOWN, metadata={"n": 1, "deep": {"list": [1, 2]}},
        )  # fmt: skip
        plain = MemoryEntry(Category.FACT, "few fields")
        for stored in (entry, plain):
            await here.store.store(scope, stored)
            same(await reader.get(scope, stored.id), stored, "an entry by its id")


@GROUP.check
async def check_unknown_ids_are_not_found(make: MakeStore) -> None:
    """What is no id, or no one's, gives None and empty lists, never another entry."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.store.store(scope, fact("cluster", id="00000000-0000-4000-8000-00000000beef"))
        for id in (UNKNOWN, *NO_IDS):
            same(await reader.get(scope, id), None, f"get of {id!r}")
            same(await reader.revisions(scope, id), [], f"revisions of {id!r}")
            same(await reader.predecessors(scope, id), [], f"predecessors of {id!r}")


@GROUP.check
async def check_filters_admit_what_they_say(make: MakeStore) -> None:
    """Categories, tags (every one of them), session, and what is live, alone and together."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entries = [
            MemoryEntry(category, f"{category} {number}", created_at=NOW, tags=tags, session=session)
            for number, (category, tags, session) in enumerate(
                (category, tags, session)
                for category in (Category.FACT, Category.PREFERENCE)
                for tags in ((), ("a",), ("a", "b"), ("ab",))
                for session in (None, "s", "S")
            )
        ]
        entries += [fact("gone", expires_at=PAST, session="s"), fact("old", superseded_by=UNKNOWN, tags=("a",))]
        for entry in entries:
            await here.store.store(scope, entry)
        filters = [
            EntryFilter(now=NOW, categories=categories, tags=tags, session=session, superseded=superseded)
            for categories in (None, (), (Category.FACT,), (Category.FACT, Category.INSIGHT))
            for tags in (None, (), ("a",), ("b", "a"), ("c",))
            for session in (None, "s", "t")
            for superseded in (False, True)
        ]
        for matching in filters:
            found = await reader.page(scope, matching, EVERYTHING, oldest_first=True)
            same(found, [entry for entry in entries if matching.admits(entry)], f"entries for {matching}")


@GROUP.check
async def check_predecessors_are_those_whose_place_was_taken(make: MakeStore) -> None:
    """Oldest first; an entry that points at itself has been retracted and precedes nothing."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        new = fact("new")
        first, second = fact("first", superseded_by=new.id), fact("second", superseded_by=new.id)
        retracted = fact("retracted", id=UNKNOWN, superseded_by=UNKNOWN)
        for entry in (first, new, second, retracted):
            await here.store.store(scope, entry)
        same(await reader.predecessors(scope, new.id), [first, second], "predecessors")
        same(await reader.predecessors(scope, UNKNOWN), [], "predecessors of a retracted entry")


@GROUP.check
async def check_superseded_entries_are_kept_and_not_shown(make: MakeStore) -> None:
    """They keep their row, are found by id, and are neither counted nor retrieved (S1.28)."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        old = fact("old cluster", superseded_by=UNKNOWN)
        await here.store.store(scope, old)
        await here.store.store(scope, new := fact("new cluster"))
        same(await reader.get(scope, old.id), old, "get of a superseded entry")
        same(await here.store.count(scope), 1, "count")
        for query in ("cluster", ""):
            same(await here.store.retrieve(scope, query, 5), [new], f"retrieve {query!r}")


@GROUP.check
async def check_changes_tell_what_is_new(make: MakeStore) -> None:
    """The version grows with each write; `changes` since then gives the new and the changed, and nothing else."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        empty = await reader.changes(scope, 0)
        same((empty.version, list(empty.entries)), (0, []), "changes of a scope that was never written")
        first, second = fact("first"), fact("second")
        await here.store.store(scope, first)
        await here.store.store(scope, second)
        all_of_it = await reader.changes(scope, 0)
        holds(all_of_it.complete, "changes since 0 must be complete")
        same(list(all_of_it.entries), [first, second], "changes since 0")
        await here.put(scope, changed := fact("changed", id=first.id))
        later = await reader.changes(scope, all_of_it.version)
        holds(later.version > all_of_it.version, "the version must grow with a write")
        same((list(later.entries), later.complete), ([changed], False), "changes since the version before")
        none = await reader.changes(scope, later.version)
        same((none.version, list(none.entries), none.complete), (later.version, [], False), "changes since now")
        same(list((await reader.changes(scope, 0)).entries), [changed, second], "all, in the order of recording")


@GROUP.check
async def check_changes_are_complete_after_a_removal(make: MakeStore) -> None:
    """What went cannot be listed, so everything is given once; a version from the future is answered whole too."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        first, second = fact("first"), fact("second")
        await here.put(scope, first, second)
        before = (await reader.changes(scope, 0)).version
        await here.write(scope, Plan(result=None, removals=(first.id,)))
        after = await reader.changes(scope, before)
        same((list(after.entries), after.complete), ([second], True), "changes since before a removal")
        since = await reader.changes(scope, after.version)
        same((list(since.entries), since.complete), ([], False), "changes since the removal")
        future = await reader.changes(scope, after.version + 1000)
        same((list(future.entries), future.complete), ([second], True), "changes since a version that never was")
