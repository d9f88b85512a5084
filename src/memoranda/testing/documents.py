"""Documents beside entries: core blocks, working graphs, archived spans."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta, timezone
from functools import partial

from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.protocols.store import DocumentReader, ScopeLister
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.testing.check import Group
from memoranda.testing.concurrency import in_threads
from memoranda.testing.demand import holds, raising, same
from memoranda.testing.ground import NOW, PAST, Ground, MakeStore, NotOffered, fact, ground
from memoranda.testing.texts import ODD

GROUP = Group("documents")

NAMES = ("a", "A", "a%", "a_", "a/b", "a/", "..", "%2e", "*", "'", '"', " a", "a ", "\u00e4", "a\u0308", "\U0001f680")
"""Names that differ, and that a store with patterns, folding or trimming would take for each other."""
APPENDS = 200
"""How often each of two threads appends to one document."""


def reader_of(here: Ground) -> DocumentReader:
    """Returns the store as one that keeps documents; `NotOffered` when it does not."""
    if isinstance(here.store, DocumentReader):
        return here.store
    raise NotOffered("no `DocumentReader`: core blocks, working graphs and archived spans are not supported over it")


def made(
    name: str,
    body: str = "{}",
    *,
    kind: DocumentKind = DocumentKind.BLOCK,
    session: str = "",
    entries: tuple[str, ...] = (),
) -> Document:
    """Returns a document, written at `NOW`."""
    return Document(key=DocumentKey(kind=kind, session=session, name=name), body=body, at=NOW, entries=entries)


async def put(here: Ground, scope: Scope, *documents: Document) -> None:
    """Puts documents in one write."""
    await here.write(scope, Plan(result=None, documents=documents))


async def _bodies(here: Ground, scope: Scope, session: str | None = "") -> list[str]:
    found = await reader_of(here).documents(scope, DocumentKind.BLOCK, session)
    return [document.body for document in found]


@GROUP.check
async def check_every_field_of_a_document_comes_back(make: MakeStore) -> None:
    """Each kind, with every odd text as its body, times to the microsecond in UTC, and ids in their order."""
    async with ground(make) as here:
        reader, scope = reader_of(here), here.scope()
        ids = tuple(fact("x").id for _ in range(3))
        session = SessionKey("s\U0001f680", agent="a%", slot="/").path
        odd = [made(name, body, session=session) for name, body in ODD.items()]
        kinds = [made("of a kind", "{}", kind=kind, entries=(*ids, ids[0])) for kind in DocumentKind]
        east = timezone(timedelta(hours=5, minutes=30))
        timed = replace(made("timed"), at=(PAST + timedelta(microseconds=123457)).astimezone(east))
        wanted = [*odd, *kinds, timed, made("empty", ""), made("long", "\U0001f680 0123456789abcdef" * 100_000)]
        await put(here, scope, *wanted)
        for document in wanted:
            same(await reader.document(scope, document.key), document, f"the document {document.key}")
        same(await reader.documents(scope, DocumentKind.BLOCK, session), odd, "the documents of a session")
        same(await reader.document(scope, made("other").key), None, "a document that is not there")


@GROUP.check
async def check_documents_stand_in_the_order_of_their_first_put(make: MakeStore) -> None:
    """Overwriting one changes it where it stands; one that was dropped and is put again stands last."""
    async with ground(make) as here:
        scope = here.scope()
        await put(here, scope, *(made(name, name) for name in "cab"))
        await put(here, scope, made("c", "changed", entries=(fact("x").id,)), made("d", "d", session="s"))
        same(await _bodies(here, scope), ["changed", "a", "b"], "documents after one was overwritten")
        same(await _bodies(here, scope, None), ["changed", "a", "b", "d"], "documents of all sessions")
        await here.write(scope, Plan(result=None, dropped=(made("c").key,)))
        await put(here, scope, made("c", "c"))
        same(await _bodies(here, scope), ["a", "b", "c"], "documents after one was dropped and put again")
        same((await reader_of(here).document(scope, made("c").key)), made("c", "c"), "the document that was put again")


@GROUP.check
async def check_documents_go_before_others_are_put(make: MakeStore) -> None:
    """So one plan may put one anew. A key of no document is passed over; other kinds and sessions stay."""
    async with ground(make) as here:
        scope = here.scope()
        await put(here, scope, made("a", "old"), made("a", "in a session", session="s"), made("b", "b"))
        gone = (made("a").key, made("b").key, made("unknown").key, made("b", kind=DocumentKind.SPAN).key)
        await here.write(scope, Plan(result=None, documents=(made("a", "new"),), dropped=gone))
        same(await _bodies(here, scope, None), ["in a session", "new"], "documents")


@GROUP.check
async def check_documents_of_other_names_stay_apart(make: MakeStore) -> None:
    """By scope, kind, session and name; no character is a pattern, and none is folded or trimmed."""
    async with ground(make) as here:
        reader = reader_of(here)
        scopes = [here.scope("a"), here.scope("a/b"), here.scope("A")]
        sessions = ("", *(SessionKey(name).path for name in NAMES))
        for place in scopes:
            every = [made(name, f"{place} {name}") for name in NAMES]
            every += [made("a", f"{place} {session}", session=session) for session in sessions[1:]]
            await put(here, place, *every, made("a", f"{place} span", kind=DocumentKind.SPAN))
        for place in scopes:
            for name in NAMES:
                found = await reader.document(place, made(name).key)
                same(found and found.body, f"{place} {name}", "a document by its name")
            for session in sessions[1:]:
                same(await _bodies(here, place, session), [f"{place} {session}"], "documents of a session")
            spans = await reader.documents(place, DocumentKind.SPAN)
            same([document.body for document in spans], [f"{place} span"], "documents of another kind")
        await here.write(scopes[0], Plan(result=None, dropped=tuple(made(name).key for name in NAMES)))
        same(len(await _bodies(here, scopes[0])), 0, "documents that were dropped")
        same([len(await _bodies(here, place)) for place in scopes[1:]], [len(NAMES)] * 2, "those of other scopes")


@GROUP.check
async def check_a_decision_sees_documents(make: MakeStore) -> None:
    """As they stand inside the write, those of another scope left out."""
    async with ground(make) as here:
        reader_of(here)
        scope, other = here.scope(), here.scope("b")
        one, two = made("one"), made("two", session="s")
        await put(here, scope, one, two)
        await put(here, other, made("three"))

        def look(snapshot: Snapshot) -> Plan[list[object]]:
            keys = (one.key, two.key, made("three").key)
            found = [snapshot.document(key) for key in keys]
            return Plan(result=[found, *(list(snapshot.documents(DocumentKind.BLOCK, name)) for name in ("", "s"))])

        same(await here.look(scope, look), [[one, two, None], [one], [two]], "what the decision sees")
        same(await here.look(here.scope("new"), look), [[None] * 3, [], []], "what it sees of a new scope")


@GROUP.check
async def check_documents_are_found_by_the_entries_that_they_name(make: MakeStore) -> None:
    """Each once, oldest first, as they stand now; whether those entries are there or not."""
    async with ground(make) as here:
        reader_of(here)
        scope, ids = here.scope(), [fact("x").id for _ in range(5)]
        first = made("z", kind=DocumentKind.SPAN, session="s", entries=(ids[0], ids[1], ids[0]))
        second, third = made("y", entries=(ids[1], ids[2])), made("x", entries=(ids[3],))
        await put(here, scope, first, second, third, made("none"))
        await put(here, here.scope("b"), made("other", entries=(ids[0],)))

        async def named(*wanted: str) -> list[Document]:
            return await here.look(scope, lambda snapshot: Plan(result=list(snapshot.documents_of(wanted))))

        same(await named(ids[0], ids[1], ids[4], "x"), [first, second], "documents that name one of two entries")
        same([await named(), await named(ids[4])], [[], []], "documents that name none, or an unknown one")
        await put(here, scope, changed := made("y", "changed", entries=(ids[4],)))
        same([await named(ids[2]), await named(ids[4])], [[], [changed]], "documents after one was overwritten")


@GROUP.check
async def check_a_decision_that_raises_changes_no_document(make: MakeStore) -> None:
    """Nor does a plan that cannot be carried out whole."""
    async with ground(make) as here:
        reader_of(here)
        scope = here.scope()
        await put(here, scope, made("a", "before"))

        def refuse(snapshot: Snapshot) -> Plan[None]:
            raise LookupError(snapshot.document(made("a").key))

        with raising(LookupError, "a decision that raises"):
            await here.writer.write(scope, refuse)
        bad = fact("not JSON", metadata={"a": object()})
        changes = Plan(result=None, puts=(bad,), documents=(made("b"),), dropped=(made("a").key,))
        with raising(Exception, "a plan with an entry that cannot be kept"):
            await here.write(scope, changes)
        same(await _bodies(here, scope), ["before"], "documents after writes that failed")
        same(await here.page(scope), [], "entries after writes that failed")


@GROUP.check
async def check_documents_leave_the_version(make: MakeStore) -> None:
    """Readers of entries are not told of them. Their scope is listed, and what it holds is shown whole."""
    async with ground(make) as here:
        reader_of(here)
        scope, empty = here.scope(), here.scope("only documents")
        await here.put(scope, entry := fact("x"))
        before = await here.reader.changes(scope, 0)
        documents = [made("b"), made("a", session="s"), made("g", kind=DocumentKind.GRAPH)]
        for place in (scope, empty):
            await put(here, place, documents[2], *documents[:2])
        same(await here.reader.changes(scope, 0), before, "the version and entries of the scope")
        whole = await here.reader.whole(scope)
        same((list(whole.entries), list(whole.documents)), ([entry], documents), "all that the scope holds")
        if isinstance(here.store, ScopeLister):
            same(await here.lister.scopes(here.root), sorted((scope.path, empty.path)), "scopes")
            await here.write(empty, Plan(result=None, dropped=tuple(document.key for document in documents)))
            same(await here.lister.scopes(here.root), [scope.path], "scopes after the documents of one were dropped")


@GROUP.check
async def check_two_threads_lose_nothing_of_one_document(make: MakeStore) -> None:
    """Each appends again and again by reading, deciding and writing; all of it is there in the end."""
    async with ground(make) as here:
        reader = reader_of(here)
        here.require_threads()
        writer, scope, key = here.writer, here.scope(), made("shared").key

        def append(mark: str, snapshot: Snapshot) -> Plan[None]:
            before = snapshot.document(key)
            body = (before.body if before else "") + mark
            return Plan(result=None, documents=(Document(key=key, body=body, at=NOW),))

        def work(thread: int) -> None:
            for number in range(APPENDS):
                Stepper().run(writer.write(scope, partial(append, f"{thread}:{number} ")))

        await in_threads([partial(work, thread) for thread in range(2)])
        found = await reader.document(scope, key)
        marks = found.body.split() if found else []
        same(len(marks), 2 * APPENDS, "marks of both threads")
        for thread in range(2):
            own = [mark for mark in marks if mark.startswith(f"{thread}:")]
            holds(
                own == [f"{thread}:{number}" for number in range(APPENDS)], f"marks of thread {thread} are not in order"
            )
