"""What survives closing, and what a closed store answers."""

from __future__ import annotations

from dataclasses import replace

from memoranda.errors import StoreClosed
from memoranda.protocols.plan import Plan
from memoranda.records.document import DocumentKind
from memoranda.records.revision import Change, Revision
from memoranda.testing.check import Group
from memoranda.testing.demand import raising, same
from memoranda.testing.documents import made, reader_of
from memoranda.testing.ground import FUTURE, NOW, MakeStore, fact, ground
from memoranda.testing.idempotency import SAID
from memoranda.testing.texts import ODD

GROUP = Group("durability")


@GROUP.check
async def check_everything_survives_reopening(make: MakeStore) -> None:
    """Entries, their order, revisions, acknowledgements and the version."""
    async with ground(make) as here:
        scope = here.scope()
        entries = [fact(text, expires_at=FUTURE, tags=("a",)) for text in ODD.values()]
        past = Revision(number=1, change=Change.UPDATE, at=NOW, entry=replace(entries[0], memory="was"), because="b")
        await here.write(scope, Plan(result=None, puts=tuple(entries), revisions=(past,), acknowledgements=(SAID,)))
        before = await here.reader.changes(scope, 0)
        await here.reopen()
        same(await here.reader.changes(scope, 0), before, "entries and version")
        same(await here.page(scope), list(ODD.values()), "texts in order")
        same(await here.reader.revisions(scope, entries[0].id), [past], "revisions")
        same(await here.look(scope, lambda s: Plan(result=s.acknowledged(SAID.key))), SAID, "acknowledgement")
        await here.put(scope, fact("after"))
        same((await here.page(scope))[-1], "after", "the newest entry after reopening")


@GROUP.check
async def check_documents_survive_reopening(make: MakeStore) -> None:
    """Their order, every field, and which entries they name."""
    async with ground(make) as here:
        reader_of(here)
        scope, entry = here.scope(), fact("x", expires_at=FUTURE)
        kept = [made("b", entries=(entry.id,)), made("a", "x" * 1_000_000, session="s"), made("c")]
        await here.write(scope, Plan(result=None, puts=(entry,), documents=(*kept, made("gone"))))
        await here.write(scope, Plan(result=None, dropped=(made("gone").key,)))
        await here.reopen()
        same(await reader_of(here).documents(scope, DocumentKind.BLOCK), kept, "documents after reopening")
        found = await here.look(scope, lambda snapshot: Plan(result=list(snapshot.documents_of([entry.id]))))
        same(found, kept[:1], "documents that name an entry, after reopening")


@GROUP.check
async def check_what_the_verbs_stored_survives_reopening(make: MakeStore) -> None:
    """Stored entries are found and counted; what was pruned stays gone."""
    async with ground(make) as here:
        scopes = [here.scope(f"many/{number}") for number in range(30)]
        for number, scope in enumerate(scopes):
            await here.store.store(scope, fact(f"cluster {number}"))
            await here.store.store(scope, fact("gone cluster", expires_at=NOW))
        await here.store.consolidate(scopes[0])
        await here.reopen()
        for number, scope in enumerate(scopes):
            same(await here.store.count(scope), 1, "count after reopening")
            found = await here.store.retrieve(scope, "cluster", 5)
            same([entry.memory for entry in found], [f"cluster {number}"], "retrieve after reopening")


@GROUP.check
async def check_a_closed_store_says_so(make: MakeStore) -> None:
    """Opening is explicit or at the first call; after closing, every verb raises; closing twice is no error."""
    async with ground(make) as here:
        closable, scope = here.closable, here.scope()
        closable.open()
        closable.open()
        await here.store.store(scope, fact("cluster"))
        closable.close()
        closable.close()
        with raising(StoreClosed, "store after closing"):
            await here.store.store(scope, fact("cluster"))
        with raising(StoreClosed, "retrieve after closing"):
            await here.store.retrieve(scope, "cluster", 5)
        with raising(StoreClosed, "count after closing"):
            await here.store.count(scope)
        with raising(StoreClosed, "consolidate after closing"):
            await here.store.consolidate(scope)
        with raising(StoreClosed, "opening after closing"):
            closable.open()
