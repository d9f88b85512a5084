"""Looking at what is stored without ranking it: get, list, revisions, count, scopes."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.errors import EntryNotFound
from memoranda.memory.context import Context
from memoranda.memory.recall import categories_of
from memoranda.protocols.store import EntryFilter, TombstoneKeeper
from memoranda.records.check import check_limit, check_name, check_names
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.records.stats import StoreStats


async def get(context: Context, scope: Scope, id: str) -> MemoryEntry | None:
    """Returns the entry of that id, superseded ones included; None when this scope has none."""
    return await context.reader().get(scope, id)


async def page(
    context: Context,
    scope: Scope,
    *,
    categories: Sequence[Category | str] | None = None,
    tags: Sequence[str] | None = None,
    session: str | None = None,
    limit: int = 100,
    after: str | None = None,
    superseded: bool = False,
) -> list[MemoryEntry]:
    """Returns at most `limit` entries, newest first, starting below the entry whose id is `after`.

    Raises:
        EntryNotFound: the scope has no entry of the id `after`.
    """
    check_name(session, "session")
    matching = EntryFilter(
        now=context.clock.now(),
        categories=categories_of(categories),
        tags=check_names(tags, "tags"),
        session=session,
        superseded=superseded,
    )
    return await context.reader().page(scope, matching, check_limit(limit), after)


async def revisions(context: Context, scope: Scope, id: str) -> list[Revision]:
    """Returns what an entry and those whose place it took were before, oldest first.

    Raises:
        EntryNotFound: the scope has no entry of that id.
    """
    reader = context.reader()
    if await reader.get(scope, id) is None:
        why = await why_gone(context, scope, id)
        raise EntryNotFound(id, why) if why else EntryNotFound(id)
    found: list[Revision] = []
    seen: set[str] = set()
    waiting = [id]
    while waiting:
        current = waiting.pop()
        if current not in seen:
            seen.add(current)
            found += await reader.revisions(scope, current)
            waiting += [entry.id for entry in await reader.predecessors(scope, current)]
    return sorted(found, key=lambda revision: (revision.at, revision.entry.created_at, revision.number))


async def contested(context: Context, scope: Scope) -> list[tuple[MemoryEntry, MemoryEntry]]:
    """Returns the pairs of live entries that cannot both be true, the older one first; each pair once."""
    now = context.clock.now()
    found = {entry.id: entry for entry in await context.reader().contested(scope) if entry.is_live(now)}
    pairs = ((found[id], entry) for entry in found.values() for id in entry.contested_with if id in found)
    return [(one, other) for one, other in pairs if (one.created_at, one.id) < (other.created_at, other.id)]


async def count(context: Context, scope: Scope) -> int:
    """Returns how many live entries the scope has."""
    return await context.store.count(scope)


async def why_gone(context: Context, scope: Scope, id: str) -> str | None:
    """Returns when and why an entry was removed to tidy the scope; None where that is not known."""
    store = context.store
    note = await store.tombstone(scope, id) if isinstance(store, TombstoneKeeper) else None
    return f"it was removed at {note.at:%Y-%m-%d %H:%M} UTC: {note.because}" if note else None


async def scopes(
    context: Context, prefix: str = "", *, limit: int | None = None, after: str | None = None
) -> list[str]:
    """Returns the paths that hold entries, in order: all of them, or `prefix` and what stands below it."""
    wanted = None if limit is None else check_limit(limit)
    for path in (prefix, after):
        if path:
            Scope(path)  # what cannot be a scope is refused with its reason
    return await context.lister().scopes(prefix, wanted, after)


async def stats(context: Context) -> StoreStats:
    """Returns what the whole store holds."""
    return await context.lister().stats(context.clock.now())
