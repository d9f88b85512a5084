"""Pages: every entry once, in the order of recording, while others write."""

from __future__ import annotations

from memoranda.errors import EntryNotFound
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import EntryFilter, EntryReader
from memoranda.records.scope import Scope
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, raising, same
from memoranda.testing.ground import EVERYTHING, NOW, MakeStore, fact, ground

GROUP = Group("paging")

ALL = EntryFilter(now=NOW, superseded=True)


async def _walk(reader: EntryReader, scope: Scope, size: int, oldest_first: bool, matching: EntryFilter) -> list[str]:
    texts: list[str] = []
    after: str | None = None
    while page := await reader.page(scope, matching, size, after, oldest_first):
        holds(len(page) <= size, f"a page of {size} held {len(page)} entries")
        texts += [entry.memory for entry in page]
        after = page[-1].id
        holds(len(texts) <= EVERYTHING, "paging does not end")
    return texts


@GROUP.check
async def check_pages_give_every_entry_once(make: MakeStore) -> None:
    """In both directions, for every size of page, with and without a session."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        texts = [str(number) for number in range(23)]
        for text in texts:
            await here.store.store(scope, fact(text, session="even" if int(text) % 2 == 0 else "odd"))
        for session in (None, "even", "odd"):
            matching = EntryFilter(now=NOW, session=session)
            wanted = [text for text in texts if session in (None, "even" if int(text) % 2 == 0 else "odd")]
            for size in (1, 2, 7, 23, 100):
                same(await _walk(reader, scope, size, True, matching), wanted, f"pages of {size}, oldest first")
                same(await _walk(reader, scope, size, False, matching), wanted[::-1], f"pages of {size}, newest first")


@GROUP.check
async def check_pages_hold_still_while_others_write(make: MakeStore) -> None:
    """New and changed entries do not shift what a walk has still to show."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entries = [fact(str(number)) for number in range(10)]
        for entry in entries:
            await here.store.store(scope, entry)
        first = await reader.page(scope, ALL, 4)
        same([entry.memory for entry in first], ["9", "8", "7", "6"], "the first page, newest first")
        await here.store.store(scope, fact("later"))
        await here.put(scope, fact("changed", id=entries[9].id), fact("changed too", id=entries[5].id))
        rest = await reader.page(scope, ALL, EVERYTHING, after=first[-1].id)
        same([entry.memory for entry in rest], ["changed too", "4", "3", "2", "1", "0"], "the rest")
        same((await here.page(scope))[-2:], ["changed", "later"], "a changed entry keeps its place")


@GROUP.check
async def check_a_page_may_follow_a_superseded_entry(make: MakeStore) -> None:
    """The last entry of a page may be superseded before the next page is asked for."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entries = [fact(str(number)) for number in range(6)]
        await here.put(scope, *entries)
        await here.put(scope, fact("3", id=entries[3].id, superseded_by=entries[5].id))
        rest = await reader.page(scope, EntryFilter(now=NOW), EVERYTHING, after=entries[3].id)
        same([entry.memory for entry in rest], ["2", "1", "0"], "what follows a superseded entry")


@GROUP.check
async def check_a_page_after_an_unknown_entry_is_refused(make: MakeStore) -> None:
    """Neither the first page nor nothing: the caller must know that its place is gone."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.put(scope, first := fact("first"), fact("second"))
        await here.write(scope, Plan(result=None, removals=(first.id,)))
        for after in (first.id, "", "x", "00000000-0000-4000-8000-00000000dead"):
            for oldest_first in (False, True):
                with raising(EntryNotFound, f"a page after {after!r}"):
                    await reader.page(scope, ALL, 5, after, oldest_first)
