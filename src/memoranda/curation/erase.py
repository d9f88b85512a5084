"""Deciding what goes for good, and what becomes of the entries that it had replaced (design D16)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain

from memoranda.curation.archive import relisted
from memoranda.curation.draft import Draft
from memoranda.curation.remember import rivals
from memoranda.errors import Conflict, EntryNotFound
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import Erased
from memoranda.records.revision import Change, Revision

DERIVED_FROM = "derived_from"
"""Metadata of what was made from other entries: the list of their ids."""
_ENDINGS = (Change.UPDATE, Change.REPLACE, Change.FOLD)
LOOKED_FOR = 1_000_000
"""Most characters of erased text, and most bytes of vectors, that are looked for one by one; what is more is proved by
rewriting the file."""


def erase(snapshot: Snapshot, id: str, *, now: datetime, reopen: bool = False) -> Plan[Erased]:
    """Takes one entry away, live or not, with its revisions, what joined it, and everything derived from it.

    Documents that name one of them go, too; other entries that these name stay.

    What it had replaced stays superseded: by the entry that replaced it in turn, else by none, like what was
    retracted. With `reopen` the entries that it replaced last are live again, as `restore` would make them.

    Raises:
        EntryNotFound: the scope has nothing of that id.
        Conflict: another live entry holds the key of what would be reopened; nothing is erased.
    """
    gone = _with_derived(snapshot, [id])
    if len(gone) == 1 and snapshot.entry(id) is None and not snapshot.revisions(id):
        raise EntryNotFound(id)
    draft = Draft(snapshot, now=now)
    if reopen:
        _reopen(draft, snapshot, id, gone)
    return _plan(draft, snapshot, gone, _naming(snapshot, gone))


def erase_where(snapshot: Snapshot, sources: Iterable[str], *, now: datetime) -> Plan[Erased]:
    """Takes away every entry of a source or of a place in it, with their revisions and everything derived from them.

    An entry that has another source now, and had this one before a change, stays; what it was then goes. Documents
    that name one of them go whole, since they may say what it was.
    """
    wanted = list(dict.fromkeys(sources))
    found = [entry.id for source in wanted for entry in snapshot.of_source(source)]
    gone = _with_derived(snapshot, found)
    once = [revision for source in wanted for revision in snapshot.revisions_of_source(source)]
    forgotten = [revision for revision in once if revision.entry.id not in gone]
    named = [*gone, *(revision.entry.id for revision in forgotten)]
    plan = _plan(Draft(snapshot, now=now), snapshot, gone, _naming(snapshot, named))
    numbers = tuple((revision.entry.id, revision.number) for revision in forgotten)
    counts = replace(plan.result.counts, revisions=plan.result.counts.revisions + len(numbers))
    texts = _bounded(plan.result.texts, (revision.entry.memory for revision in forgotten))
    erased = replace(plan.result, counts=counts, texts=texts)
    return replace(plan, result=erased, forgotten_revisions=(*plan.forgotten_revisions, *numbers))


def erase_documents(snapshot: Snapshot, keys: Iterable[DocumentKey], *, now: datetime) -> Plan[Erased]:
    """Takes documents away, such as a core block and its revisions, a working graph, or archived spans.

    A key of no document is passed over. The entries that an erased span names are the same text in other words: they go
    as `erase` takes them, with what joined them, what was derived from them, and every other document that names one
    of them. Entries that only these other documents name stay, as do entries that an erased block or graph names.
    """
    asked = [document for key in dict.fromkeys(keys) if (document := snapshot.document(key)) is not None]
    spans = (document for document in asked if document.key.kind is DocumentKind.SPAN)
    gone = _with_derived(snapshot, _there(snapshot, (id for span in spans for id in span.entries)))
    documents = {document.key: document for document in (*asked, *_naming(snapshot, gone))}
    return _plan(Draft(snapshot, now=now), snapshot, gone, documents.values())


def erase_scope(snapshot: Snapshot) -> Plan[Erased]:
    """Takes away all that the scope holds, its sessions' documents included."""
    ids = tuple(snapshot.ids())
    erased = Erased(ids=ids, counts=snapshot.held(None), texts=None)
    return Plan(result=erased, erasures=ids, clears=True)


def _with_derived(snapshot: Snapshot, ids: Iterable[str]) -> dict[str, None]:
    """Returns the ids with those of all that joined them or was derived from them, and from that, in turn."""
    children: dict[str, list[str]] = {}
    for entry in snapshot.derived():
        for parent in _parents(entry):
            children.setdefault(parent, []).append(entry.id)
    gone: dict[str, None] = {}
    waiting = list(reversed(list(ids)))
    while waiting:
        id = waiting.pop()
        if id not in gone:
            gone[id] = None
            waiting += [*children.get(id, ()), *_joined(snapshot, id)]
    return gone


def _there(snapshot: Snapshot, ids: Iterable[str]) -> list[str]:
    """Returns the ids of which the scope has an entry or what it was before."""
    return [id for id in dict.fromkeys(ids) if snapshot.entry(id) is not None or snapshot.revisions(id)]


def _naming(snapshot: Snapshot, ids: Iterable[str]) -> Sequence[Document]:
    """Returns the documents that name one of those entries."""
    wanted = tuple(dict.fromkeys(ids))
    return snapshot.documents_of(wanted) if wanted else ()


def _joined(snapshot: Snapshot, id: str) -> list[str]:
    """Returns the entries that a consolidation let join that one, since they say the same."""
    found = []
    for before in snapshot.predecessors(id):
        ends = [one for one in snapshot.revisions(before.id) if one.change in _ENDINGS and not one.undone]
        if ends and ends[-1].change is Change.FOLD:
            found.append(before.id)
    return found


def _parents(entry: MemoryEntry) -> list[str]:
    named = entry.metadata.get(DERIVED_FROM)
    listed = named if isinstance(named, list) else [named]
    return [id for id in listed if isinstance(id, str)]


def _plan(draft: Draft, snapshot: Snapshot, gone: Mapping[str, None], documents: Collection[Document]) -> Plan[Erased]:
    """Returns the plan that takes `gone` and documents away and links what they had replaced to what is left."""
    for id in gone:
        for before in draft.predecessors(id):
            if before.id not in gone:
                draft.add(replace(before, superseded_by=_survivor(snapshot, before, gone)))
        _uncontest(draft, id, gone)
    keys = tuple(document.key for document in documents)
    erased = _erased(snapshot, tuple(gone), documents)
    listings = relisted(snapshot, keys, now=draft.now)
    return replace(draft.plan(erased), erasures=tuple(gone), erased_documents=keys, documents=listings)


def _erased(snapshot: Snapshot, ids: tuple[str, ...], documents: Collection[Document]) -> Erased:
    """Returns what goes with those entries and documents, and what to look for afterwards."""
    texts = _bounded((), chain(_texts(snapshot, ids), (document.body for document in documents)))
    if any(document.key.kind is DocumentKind.GRAPH for document in documents):
        texts = None  # it was written over and over, and no revision knows what it said before
    vectors = tuple(vector.values for vector in snapshot.vectors(ids)) if texts is not None else ()
    if sum(map(len, vectors)) > LOOKED_FOR:
        texts, vectors = None, ()
    return Erased(
        ids=ids,
        counts=replace(snapshot.held(ids), documents=len(documents)),
        texts=texts,
        vectors=vectors,
        document_ids=tuple(snapshot.document_ids([document.key for document in documents])) if documents else (),
    )


def _uncontest(draft: Draft, id: str, gone: Mapping[str, None]) -> None:
    """Takes an entry that goes from the contests of those that stay."""
    entry = draft.entry(id)
    for other in map(draft.entry, entry.contested_with if entry else ()):
        if other is not None and other.id not in gone:
            left = tuple(one for one in other.contested_with if one not in gone)
            draft.add(replace(other, contested_with=left))


def _survivor(snapshot: Snapshot, entry: MemoryEntry, gone: Collection[str]) -> str:
    """Returns the id of the first later successor that is left; the entry's own when there is none."""
    current, seen = entry.superseded_by, {entry.id}
    while current is not None and current not in seen:
        if current not in gone:
            return current
        seen.add(current)
        successor = snapshot.entry(current)
        current = successor.superseded_by if successor else None
    return entry.id


def _reopen(draft: Draft, snapshot: Snapshot, id: str, gone: Mapping[str, None]) -> None:
    """Makes live again what `id` replaced last, unless something that is left has replaced `id` in turn."""
    ended = [
        (before, revision)
        for before in snapshot.predecessors(id)
        if before.id not in gone
        and _survivor(snapshot, before, gone) == before.id
        and (revision := _ending(snapshot.revisions(before.id))) is not None
    ]
    last = max((revision.at for _, revision in ended), default=None)
    together = [(before, revision) for before, revision in ended if revision.at == last]
    back = {before.id for before, _ in together}
    for before, revision in together:
        _require_free_key(draft, revision.entry, back | gone.keys())
        draft.undo(revision)
        draft.bring_back(before, revision.entry, "what took its place was erased")


def _ending(revisions: Iterable[Revision]) -> Revision | None:
    """Returns what took the place of an entry by an update or under its key; None when it was something else."""
    ends = [one for one in revisions if one.change in _ENDINGS and not one.undone]
    return ends[-1] if ends and ends[-1].change is not Change.FOLD else None


def _require_free_key(draft: Draft, entry: MemoryEntry, allowed: Collection[str]) -> None:
    others = [rival for rival in rivals(draft, entry) if rival.id not in allowed]
    peers = [rival.id for rival in others if rival.origin.trust == entry.origin.trust]
    if peers:
        raise Conflict(f"the key {entry.key!r} is held by {peers[0]} now; erase without `reopen`, or retract that one")


def _texts(snapshot: Snapshot, ids: Iterable[str]) -> Iterable[str]:
    for id in ids:
        entry = snapshot.entry(id)
        if entry is not None:
            yield entry.memory
        for revision in snapshot.revisions(id):
            yield revision.entry.memory


def _bounded(known: tuple[str, ...] | None, more: Iterable[str]) -> tuple[str, ...] | None:
    """Returns the texts, each once; None when there are more than can be looked for one by one."""
    if known is None:
        return None
    found = dict.fromkeys(known)
    length = sum(map(len, found))
    for text in more:
        if text not in found:
            found[text] = None
            length += len(text)
            if length > LOOKED_FOR:
                return None
    return tuple(found)
