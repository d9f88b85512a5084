"""What a decision to erase takes: entries, and the documents that say the same (design D16)."""

from __future__ import annotations

import pytest

from memoranda.curation import erase as curation
from memoranda.curation.erase import LOOKED_FOR
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.erasure import Erased
from memoranda.testing.documents import made
from tests.curation.ground import Ground

SPAN = DocumentKind.SPAN


def put(ground: Ground, *documents: Document, entries: tuple[MemoryEntry, ...] = ()) -> None:
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, puts=entries, documents=documents)))


def plan(ground: Ground, *keys: DocumentKey) -> Plan[Erased]:
    """What is decided of documents; nothing is carried out."""

    def look(snapshot: Snapshot) -> Plan[Plan[Erased]]:
        return Plan(result=curation.erase_documents(snapshot, keys, now=ground.clock.now()))

    return ground.run(ground.store.write(ground.scope, look))


def one(ground: Ground, id: str) -> Plan[Erased]:
    """What is decided of an entry; nothing is carried out."""

    def look(snapshot: Snapshot) -> Plan[Plan[Erased]]:
        return Plan(result=curation.erase(snapshot, id, now=ground.clock.now()))

    return ground.run(ground.store.write(ground.scope, look))


def test_a_span_takes_its_entries_and_what_says_the_same() -> None:
    """Documents that name one of them go, too; entries that only those name stay, so that an erasure ends somewhere."""
    ground = Ground()
    first, second, third = ground.put("one"), ground.put("two"), ground.put("three")
    derived = ground.put("said otherwise")
    derived = MemoryEntry(
        derived.category, derived.memory, id=derived.id, created_at=derived.created_at,
        metadata={"derived_from": [second.id]},
    )  # fmt: skip
    asked = made("asked", "one two", kind=SPAN, session="s", entries=(first.id, second.id))
    beside = made("beside", "two three", kind=SPAN, session="s", entries=(second.id, third.id))
    about = made("about", "of what was derived", entries=(derived.id,))
    put(ground, asked, beside, about, made("other", entries=(third.id,)), entries=(derived,))
    found = plan(ground, asked.key)
    assert set(found.erasures) == {first.id, second.id, derived.id}
    assert set(found.erased_documents) == {asked.key, beside.key, about.key}
    assert (found.result.counts.entries, found.result.counts.documents) == (3, 3)
    assert set(found.result.texts or ()) == {"one", "two", "said otherwise", asked.body, beside.body, about.body}
    assert len(set(found.result.document_ids)) == 3


@pytest.mark.parametrize("kind", [DocumentKind.BLOCK, DocumentKind.BLOCK_REVISION, DocumentKind.GRAPH])
def test_the_entries_of_other_documents_stay(kind: DocumentKind) -> None:
    ground = Ground()
    entry = ground.put("one")
    document = made("a", "of one", kind=kind, entries=(entry.id,))
    put(ground, document, made("b", "of one", kind=kind, entries=(entry.id,)))
    found = plan(ground, document.key)
    assert (found.erasures, found.erased_documents) == ((), (document.key,))
    assert found.result.texts == (None if kind is DocumentKind.GRAPH else ("of one",))
    assert not found.changes_entries


def test_an_entry_takes_the_documents_that_name_it_and_not_their_other_entries() -> None:
    ground = Ground()
    first, second = ground.put("one"), ground.put("two")
    span = made("span", "one two", kind=SPAN, entries=(first.id, second.id))
    put(ground, span, made("other", entries=(second.id,)))
    found = one(ground, first.id)
    assert (found.erasures, found.erased_documents) == ((first.id,), (span.key,))
    assert set(found.result.texts or ()) == {"one", "one two"}


def test_a_source_takes_the_documents_of_what_it_said_once() -> None:
    ground = Ground()
    entry = ground.put("said anew")
    moved = MemoryEntry(
        entry.category, entry.memory, id=entry.id, created_at=entry.created_at, source="notes.md", key="k"
    )
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, puts=(moved,))))
    ground.retract(entry.id)
    ended = ground.get(entry.id)
    plain = MemoryEntry(ended.category, ended.memory, id=ended.id, created_at=ended.created_at)
    span = made("span", kind=SPAN, entries=(entry.id,))
    put(ground, span, entries=(plain,))

    def look(snapshot: Snapshot) -> Plan[Plan[Erased]]:
        return Plan(result=curation.erase_where(snapshot, ["notes.md"], now=ground.clock.now()))

    found = ground.run(ground.store.write(ground.scope, look))
    assert (found.erasures, found.forgotten_revisions) == ((), ((entry.id, 1),))
    assert (found.erased_documents, found.result.counts.documents) == ((span.key,), 1)


def test_more_text_than_can_be_looked_for_is_left_to_a_rewriting() -> None:
    ground = Ground()
    half = LOOKED_FOR // 2
    first, second = made("a", "a" * half), made("b", "b" * half)
    third = made("c", "c")
    put(ground, first, second, third)
    assert plan(ground, first.key, second.key).result.texts == (first.body, second.body)
    assert plan(ground, first.key, second.key, third.key).result.texts is None


def test_unknown_keys_and_entries_that_are_gone_change_nothing() -> None:
    ground = Ground()
    gone = ground.put("gone")
    span = made("span", kind=SPAN, entries=(gone.id,))
    put(ground, span)
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, removals=(gone.id,))))
    nothing = plan(ground, made("unknown").key, made("span", kind=SPAN, session="other").key)
    assert (nothing.erasures, nothing.erased_documents) == ((), ())
    found = plan(ground, span.key, span.key)
    assert (found.erasures, found.erased_documents) == ((), (span.key,))
