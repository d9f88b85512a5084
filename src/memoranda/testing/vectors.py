"""Vectors are kept beside their entries, one for each embedder, and go when what they were made from goes (D14)."""

from __future__ import annotations

from dataclasses import replace

from memoranda.protocols.plan import Plan
from memoranda.records.entry import MemoryEntry
from memoranda.records.quantized import EntryVector, QuantizedVector
from memoranda.records.scope import Scope
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, same
from memoranda.testing.ground import EVERYTHING, PAST, Ground, MakeStore, fact, ground

GROUP = Group("vectors")

SMALL, LARGE = "small/1/-/3", "large/1/abc/5"
NOBODY = "00000000-0000-4000-8000-00000000dead"


def vector(*numbers: int) -> QuantizedVector:
    """Returns a vector whose scale has more digits than 32 bits hold."""
    return QuantizedVector(values=bytes(number % 256 for number in numbers), scale=1 / (3 + sum(map(abs, numbers))))


def of(entry: MemoryEntry, kept: QuantizedVector, embedder: str = SMALL) -> EntryVector:
    """Returns a vector as a plan holds it."""
    return EntryVector(id=entry.id, embedder=embedder, vector=kept)


async def kept_by(here: Ground, scope: Scope, embedder: str | None = SMALL) -> dict[str, QuantizedVector]:
    """Returns every vector of an embedder in a scope, by the entry's id."""
    return dict((await here.reader.changes(scope, 0, embedder)).vectors)


async def waiting(here: Ground, scope: Scope, embedder: str = SMALL, limit: int = EVERYTHING) -> list[str]:
    """Returns the texts without a vector of an embedder."""
    return [entry.memory for entry in await here.reader.unembedded(scope, embedder, limit)]


@GROUP.check
async def check_vectors_come_back_exactly(make: MakeStore) -> None:
    """Every number and the scale to its last digit, whatever the width; written with the entry or after it."""
    async with ground(make) as here:
        scope = here.scope()
        widths = (1, 2, 3, 5, 7, 31, 384, 385, 1000)
        entries = [fact(f"{width} numbers") for width in widths]
        vectors = [vector(*(number * 37 % 255 - 127 for number in range(width))) for width in widths]
        zeros = fact("zeros")
        await here.write(
            scope,
            Plan(
                result=None,
                puts=(*entries, zeros),
                vectors=tuple(of(entry, kept) for entry, kept in zip(entries[:4], vectors[:4], strict=True)),
            ),
        )
        later = tuple(of(entry, kept) for entry, kept in zip(entries[4:], vectors[4:], strict=True))
        nothing = QuantizedVector(values=bytes(3), scale=0.0)
        await here.write(scope, Plan(result=None, vectors=(*later, of(zeros, nothing))))
        wanted = {entry.id: kept for entry, kept in zip((*entries, zeros), (*vectors, nothing), strict=True)}
        same(await kept_by(here, scope), wanted, "vectors")


@GROUP.check
async def check_only_the_vectors_of_the_embedder_that_was_asked_about_are_given(make: MakeStore) -> None:
    """Those of several embedders stand beside each other; without an embedder none are given (C30)."""
    async with ground(make) as here:
        scope, entry, plain = here.scope(), fact("cluster"), fact("plain")
        one, other = vector(1, -2, 3), vector(1, 2, 3, 4, 5)
        await here.put(scope, entry, plain)
        await here.write(scope, Plan(result=None, vectors=(of(entry, one), of(entry, other, LARGE))))
        same(await kept_by(here, scope, SMALL), {entry.id: one}, "vectors of the one")
        same(await kept_by(here, scope, LARGE), {entry.id: other}, "vectors of the other")
        for embedder in (None, "", "small", SMALL.upper(), "small/1/-/%"):
            same(await kept_by(here, scope, embedder), {}, f"vectors of {embedder!r}")
        same(await waiting(here, scope, SMALL), ["plain"], "what waits for the one")
        same(await waiting(here, scope, "new/1/-/3"), ["cluster", "plain"], "what waits for a new one")


@GROUP.check
async def check_a_vector_makes_readers_look_again(make: MakeStore) -> None:
    """The version grows, and `changes` since the version before gives that entry with its vector, no other."""
    async with ground(make) as here:
        scope, entry, other = here.scope(), fact("cluster"), fact("other")
        await here.put(scope, entry, other)
        before = (await here.reader.changes(scope, 0, SMALL)).version
        await here.write(scope, Plan(result=None, vectors=(of(entry, vector(1, 2, 3)),)))
        later = await here.reader.changes(scope, before, SMALL)
        holds(later.version > before, "the version must grow with a vector")
        same((list(later.entries), later.complete), ([entry], False), "changes since before the vector")
        same(dict(later.vectors), {entry.id: vector(1, 2, 3)}, "vectors since then")
        none = await here.reader.changes(scope, later.version, SMALL)
        same((list(none.entries), dict(none.vectors)), ([], {}), "changes since the vector")


@GROUP.check
async def check_a_newer_vector_takes_the_place_of_the_older(make: MakeStore) -> None:
    """One entry has one vector of an embedder."""
    async with ground(make) as here:
        scope, entry = here.scope(), fact("cluster")
        await here.put(scope, entry)
        for kept in (vector(1, 2, 3), vector(4, 5, 6)):
            await here.write(scope, Plan(result=None, vectors=(of(entry, kept),)))
        same(await kept_by(here, scope), {entry.id: vector(4, 5, 6)}, "vectors")


@GROUP.check
async def check_a_changed_text_drops_its_vectors(make: MakeStore) -> None:
    """Of every embedder; what else changes keeps them, and a vector in the same plan is the new text's."""
    async with ground(make) as here:
        scope, entry, other = here.scope(), fact("cluster"), fact("other")
        kept = (of(entry, vector(1, 2, 3)), of(entry, vector(1, 2, 3, 4, 5), LARGE), of(other, vector(3, 2, 1)))
        await here.write(scope, Plan(result=None, puts=(entry, other), vectors=kept))
        await here.put(scope, tagged := replace(entry, tags=("infra",), superseded_by=NOBODY))
        same(len(await kept_by(here, scope)), 2, "vectors after other fields changed")
        await here.put(scope, replace(tagged, memory="cluster two", superseded_by=None))
        same(await kept_by(here, scope), {other.id: vector(3, 2, 1)}, "vectors after the text changed")
        same(await kept_by(here, scope, LARGE), {}, "vectors of another embedder")
        same(await waiting(here, scope), ["cluster two"], "what waits for a vector")
        newer = Plan(result=None, puts=(replace(entry, memory="three"),), vectors=(of(entry, vector(9, 9, 9)),))
        await here.write(scope, newer)
        same((await kept_by(here, scope))[entry.id], vector(9, 9, 9), "the vector of the plan that changed the text")


@GROUP.check
async def check_a_removed_entry_takes_its_vectors_along(make: MakeStore) -> None:
    """They do not come back with an entry of the same id, nor with one that is recorded next."""
    async with ground(make) as here:
        scope, entry = here.scope(), fact("cluster")
        await here.write(scope, Plan(result=None, puts=(entry,), vectors=(of(entry, vector(1, 2, 3)),)))
        await here.write(scope, Plan(result=None, removals=(entry.id,)))
        same(await kept_by(here, scope), {}, "vectors after the removal")
        await here.put(scope, fact("next"), entry)
        same(await kept_by(here, scope), {}, "vectors of what came after")
        same(await waiting(here, scope), ["next", "cluster"], "what waits for a vector")


@GROUP.check
async def check_a_vector_of_nobody_is_passed_over(make: MakeStore) -> None:
    """An entry that is not there, or in another scope, gets none; the rest of the plan is carried out."""
    async with ground(make) as here:
        scope, elsewhere = here.scope(), here.scope("b")
        entry, theirs = fact("cluster"), fact("theirs")
        await here.put(elsewhere, theirs)
        stray = EntryVector(id=NOBODY, embedder=SMALL, vector=vector(1, 2, 3))
        plan = Plan(result="done", puts=(entry,), vectors=(stray, of(theirs, vector(1, 2, 3)), of(entry, vector(7))))
        same(await here.write(scope, plan), "done", "the result")
        same(await kept_by(here, scope), {entry.id: vector(7)}, "vectors of the scope")
        same(await kept_by(here, elsewhere), {}, "vectors of the other scope")


@GROUP.check
async def check_scopes_do_not_see_each_others_vectors(make: MakeStore) -> None:
    """Even for entries of the same id (design D4)."""
    async with ground(make) as here:
        one, other = here.scope(), here.scope("a/below")
        entry = fact("cluster")
        for scope, kept in ((one, vector(1, 2, 3)), (other, vector(-1, -2, -3))):
            await here.write(scope, Plan(result=None, puts=(entry,), vectors=(of(entry, kept),)))
        await here.put(other, replace(entry, memory="changed"))
        same(await kept_by(here, one), {entry.id: vector(1, 2, 3)}, "vectors of the one")
        same(await kept_by(here, other), {}, "vectors of the other")
        same((await waiting(here, one), await waiting(here, other)), ([], ["changed"]), "what waits")


@GROUP.check
async def check_what_waits_for_a_vector_comes_in_pages(make: MakeStore) -> None:
    """Oldest first; superseded and retracted entries are left out; going on after the last one skips nothing."""
    async with ground(make) as here:
        scope = here.scope()
        entries = [fact(f"entry {number}") for number in range(10)]
        entries[2] = replace(entries[2], superseded_by=entries[3].id)
        entries[5] = replace(entries[5], superseded_by=entries[5].id)
        done = (of(entries[1], vector(1, 2, 3)), of(entries[8], vector(1, 2, 3)))
        await here.write(scope, Plan(result=None, puts=tuple(entries), vectors=done))
        wanted = [entries[number].id for number in (0, 3, 4, 6, 7, 9)]
        for size in (1, 2, 5, 6, 100):
            found, after = list[str](), None
            while page := await here.reader.unembedded(scope, SMALL, size, after):
                holds(len(page) <= size, f"a page of {size} holds {len(page)}")
                found += [entry.id for entry in page]
                after = found[-1]
            same(found, wanted, f"ids in pages of {size}")
        same(await here.reader.unembedded(scope, SMALL, 0), [], "a page of 0")
        same(await here.reader.unembedded(here.scope("never written"), SMALL, 5), [], "what waits in an empty scope")


@GROUP.check
async def check_a_page_goes_on_after_what_was_embedded_meanwhile(make: MakeStore) -> None:
    """So a job that keeps each batch when it is done sees every entry once."""
    async with ground(make) as here:
        scope = here.scope()
        entries = [fact(f"entry {number}", expires_at=PAST if number == 4 else None) for number in range(7)]
        await here.put(scope, *entries)
        seen, after = list[str](), None
        while page := await here.reader.unembedded(scope, SMALL, 2, after):
            seen += [entry.id for entry in page]
            after = seen[-1]
            await here.write(scope, Plan(result=None, vectors=tuple(of(entry, vector(1, 2, 3)) for entry in page)))
        same(seen, [entry.id for entry in entries], "entries that the job saw")
        same(await waiting(here, scope), [], "what waits in the end")
