"""What is erased is gone: rows, keys, and what readers know (design D16)."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.protocols.plan import Plan
from memoranda.protocols.store import ErasureProver
from memoranda.records.document import DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import Erased, ErasureCounts
from memoranda.records.quantized import EntryVector, QuantizedVector
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.revision import Change, Revision
from memoranda.records.scope import Scope
from memoranda.testing.check import Group
from memoranda.testing.demand import same
from memoranda.testing.documents import made, reader_of
from memoranda.testing.ground import NOW, Ground, MakeStore, NotOffered, fact, ground

GROUP = Group("erasure")


async def _fill(here: Ground, scope: Scope, *entries: MemoryEntry) -> None:
    """Puts entries, each with a revision, a vector and an idempotency key."""
    await here.write(
        scope,
        Plan(
            result=None,
            puts=entries,
            revisions=tuple(
                Revision(number=1, change=Change.FOLD, at=NOW, entry=entry, because="b") for entry in entries
            ),
            vectors=tuple(
                EntryVector(id=entry.id, embedder="e/1/-/2", vector=QuantizedVector(scale=0.01, values=b"\x01\x02"))
                for entry in entries
            ),
            acknowledgements=tuple(
                Acknowledgement(
                    key=entry.id, fingerprint="f", at=NOW, outcome=Outcome.ADDED, entry_id=entry.id, because="b"
                )
                for entry in entries
            ),
        ),
    )


async def _held(here: Ground, scope: Scope, ids: Sequence[str] | None) -> ErasureCounts:
    return await here.look(scope, lambda snapshot: Plan(result=snapshot.held(ids)))


@GROUP.check
async def check_erasures_take_everything_of_an_entry_and_nothing_else(make: MakeStore) -> None:
    """The entry, its revisions, its vectors and the idempotency keys that were answered with it; unknown ids too."""
    async with ground(make) as here:
        scope, other = here.scope(), here.scope("b")
        gone, kept = fact("gone"), fact("kept")
        await _fill(here, scope, gone, kept)
        await _fill(here, other, gone)
        each = ErasureCounts(entries=1, revisions=1, vectors=1, idempotency_keys=1)
        same(await _held(here, scope, [gone.id, "unknown"]), each, "rows of the entry before")
        before = await here.reader.changes(scope, 0, "e/1/-/2")
        await here.write(scope, Plan(result=None, erasures=(gone.id, "unknown")))
        same(await _held(here, scope, [gone.id]), ErasureCounts(), "rows of what was erased")
        same(await _held(here, scope, [kept.id]), each, "rows of the other entry")
        same(await _held(here, other, [gone.id]), each, "rows of the same id in another scope")
        same(await here.reader.get(scope, gone.id), None, "what was erased, by its id")
        changes = await here.reader.changes(scope, before.version, "e/1/-/2")
        same((changes.complete, [entry.id for entry in changes.entries]), (True, [kept.id]), "what readers are told")
        answer = await here.look(scope, lambda snapshot: Plan(result=snapshot.acknowledged(gone.id)))
        same(answer, None, "the answer to its idempotency key")


@GROUP.check
async def check_clearing_takes_the_whole_scope_and_no_other(make: MakeStore) -> None:
    """Entries, revisions, vectors and keys; scopes beside and below it stay. What the plan puts is there after it."""
    async with ground(make) as here:
        scope, below, beside = here.scope("a"), here.scope("a/b"), here.scope("ab")
        for place in (scope, below, beside):
            await _fill(here, place, fact("one"), fact("two"))
        ids = await here.look(scope, lambda snapshot: Plan(result=tuple(snapshot.ids())))
        same(len(ids), 2, "ids of the scope")
        fresh = fact("fresh")
        await here.write(scope, Plan(result=None, erasures=ids, clears=True, puts=(fresh,)))
        same(await _held(here, scope, None), ErasureCounts(entries=1), "what the scope holds")
        same(await here.page(scope), ["fresh"], "texts of the scope")
        full = ErasureCounts(entries=2, revisions=2, vectors=2, idempotency_keys=2)
        for place in (below, beside):
            same(await _held(here, place, None), full, f"what {place} holds")


@GROUP.check
async def check_erasures_take_the_documents_that_name_an_entry(make: MakeStore) -> None:
    """Those that name no erased entry stay, as do those of other scopes that name the same id."""
    async with ground(make) as here:
        reader_of(here)
        scope, other = here.scope(), here.scope("b")
        gone, kept = fact("gone"), fact("kept")
        span = made("span", kind=DocumentKind.SPAN, session="s", entries=(kept.id, gone.id))
        documents = (span, made("other", entries=(kept.id,)), made("none"))
        for place in (scope, other):
            await here.write(place, Plan(result=None, puts=(gone, kept), documents=documents))
        held = ErasureCounts(entries=1, documents=1)
        same(await _held(here, scope, [gone.id]), held, "rows of the entry before")
        same(await _held(here, scope, None), ErasureCounts(entries=2, documents=3), "rows of the scope before")
        await here.write(scope, Plan(result=None, erasures=(gone.id,)))
        same(await _held(here, scope, [gone.id]), ErasureCounts(), "rows of what was erased")
        same(list((await here.reader.whole(scope)).documents), list(documents[1:]), "documents of the scope")
        same(await _held(here, other, [gone.id]), held, "rows of the same id in another scope")


@GROUP.check
async def check_documents_are_erased_by_their_keys(make: MakeStore) -> None:
    """Unknown keys are no error, entries that an erased document names stay, and the version does. It is proved."""
    async with ground(make) as here:
        reader_of(here)
        scope, entry = here.scope(), fact("kept")
        gone, kept = made("gone", '{"text": "what goes"}', session="s", entries=(entry.id,)), made("kept")
        await here.write(scope, Plan(result=None, puts=(entry,), documents=(gone, kept)))
        before, keys = await here.reader.changes(scope, 0), (gone.key, made("unknown").key)
        ids = await here.look(
            scope, lambda snapshot: Plan(result=tuple(snapshot.document_ids(keys)), erased_documents=keys)
        )
        same(list((await here.reader.whole(scope)).documents), [kept], "documents of the scope")
        same(await here.reader.changes(scope, 0), before, "the version and entries of the scope")
        if isinstance(here.store, ErasureProver):
            erased = Erased(ids=(), counts=ErasureCounts(documents=1), texts=(gone.body,), document_ids=ids)
            proof = await here.store.prove_erasures(erased)
            same((proof.proved, proof.owed), (True, 0), f"the proof ({proof.because})")


@GROUP.check
async def check_clearing_takes_the_documents_of_every_session(make: MakeStore) -> None:
    """And those of no other scope; what the plan puts is there after it."""
    async with ground(make) as here:
        reader_of(here)
        scope, below = here.scope("a"), here.scope("a/b")
        documents = (made("a"), made("a", session="s"), made("a", kind=DocumentKind.GRAPH, session="t"))
        for place in (scope, below):
            await here.write(place, Plan(result=None, documents=documents))
        fresh = made("fresh")
        await here.write(scope, Plan(result=None, clears=True, documents=(fresh,)))
        same(list((await here.reader.whole(scope)).documents), [fresh], "documents of the scope")
        same(await _held(here, below, None), ErasureCounts(documents=3), "what the scope below holds")


@GROUP.check
async def check_entries_are_found_by_their_source(make: MakeStore) -> None:
    """The source itself and places in it after `#`; never a longer name. No character of it is a pattern."""
    async with ground(make) as here:
        scope = here.scope()
        sources = ["n%.md", "n%.md#L1", "n%.md#", "n%.mdx", "nx.md", "N%.md", None]
        entries = [fact(str(source), source=source) for source in sources]
        await _fill(here, scope, *entries)
        found = await here.look(scope, lambda snapshot: Plan(result=list(snapshot.of_source("n%.md"))))
        same([entry.source for entry in found], ["n%.md", "n%.md#L1", "n%.md#"], "sources of entries")
        once = await here.look(scope, lambda snapshot: Plan(result=list(snapshot.revisions_of_source("n%.md"))))
        same(sorted(str(r.entry.source) for r in once), sorted(sources[:3], key=str), "sources of revisions")
        quoted = fact("quoted", source='a"b\\c\n#1')
        await _fill(here, scope, quoted)
        odd = await here.look(scope, lambda snapshot: Plan(result=list(snapshot.revisions_of_source('a"b\\c\n'))))
        same([revision.entry.id for revision in odd], [quoted.id], "a source with quotes and line ends")


@GROUP.check
async def check_derived_entries_are_found(make: MakeStore) -> None:
    """Those whose metadata has `derived_from` itself, and no others."""
    async with ground(make) as here:
        scope = here.scope()
        made = fact("made", metadata={"derived_from": ["x"]})
        deeper = fact("deeper", metadata={"a": {"derived_from": ["x"]}})
        await here.put(scope, made, deeper, fact("plain", metadata={"a": "derived_from"}), fact("bare"))
        found = await here.look(scope, lambda snapshot: Plan(result=[entry.id for entry in snapshot.derived()]))
        same(found, [made.id], "derived entries")


@GROUP.check
async def check_an_erasure_is_proved(make: MakeStore) -> None:
    """Nobody else reads here, so nothing stands in the way of the proof, and nothing is owed after it."""
    async with ground(make) as here:
        scope, store = here.scope(), here.store
        if not isinstance(store, ErasureProver):
            raise NotOffered("no `ErasureProver`: proofs of erasures are not supported over it, and stay pending")
        entry = fact("the text that goes")
        await here.put(scope, entry, fact("the text that stays"))
        await here.write(scope, Plan(result=None, erasures=(entry.id,)))
        erased = Erased(ids=(entry.id,), counts=ErasureCounts(entries=1), texts=(entry.memory,))
        proof = await store.prove_erasures(erased)
        same((proof.proved, proof.owed), (True, 0), f"the proof ({proof.because})")
        same(await store.owed_erasures(), 0, "erasures that are owed a proof")
        same(await here.page(scope), ["the text that stays"], "texts of the scope")
