"""Erasing through the verbs: what goes, what stays, and what the receipt says (design D16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from memoranda import (
    Conflict,
    EntryNotFound,
    InMemoryStore,
    InvalidInput,
    InvalidScope,
    Memory,
    SqliteStore,
    Unsupported,
)
from memoranda.bridge.drive import Stepper
from memoranda.memory.context import Context
from memoranda.memory.erase import erase_documents
from memoranda.protocols.plan import Plan
from memoranda.records.document import Document, DocumentKind
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.scope import Scope as ScopePath
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from memoranda.testing.documents import made
from tests.contract.four_verbs import FourVerbs

OpenMemory = Callable[..., Memory]


def put(scope: Scope, text: str, **fields: Any) -> MemoryEntry:
    entry = scope.remember(text, **fields).entry
    assert entry is not None
    return entry


def texts(scope: Scope) -> list[str]:
    return sorted(entry.memory for entry in scope.list(limit=10_000))


def found(scope: Scope, id: str) -> MemoryEntry:
    entry = scope.get(id)
    assert entry is not None
    return entry


def test_an_erased_entry_is_gone_for_every_verb(alice: Scope) -> None:
    gone = put(alice, "the blue cluster deploys at dawn", tags=["t"], idempotency_key="once")
    kept = put(alice, "lunch is at noon")
    assert [hit.entry.id for hit in alice.recall("blue cluster")] == [gone.id]
    receipt = alice.erase(gone.id)
    assert (receipt.ids, receipt.verified) == ((gone.id,), "yes")
    assert (receipt.counts.entries, receipt.counts.idempotency_keys) == (1, 1)
    assert "blue" not in repr(receipt)
    assert alice.get(gone.id) is None
    assert texts(alice) == ["lunch is at noon"]
    assert list(alice.recall("blue cluster")) == []
    assert alice.count() == 1
    for verb in (alice.revisions, alice.retract, alice.restore, alice.erase):
        with pytest.raises(EntryNotFound):
            verb(gone.id)
    again = alice.remember("the blue cluster deploys at dawn", tags=["t"], idempotency_key="once")
    assert not again.repeated
    assert found(alice, kept.id) == kept


@pytest.mark.parametrize("end", ["live", "retracted", "replaced", "expired"])
def test_an_entry_is_erased_in_any_state(alice: Scope, clock: FrozenClock, end: str) -> None:
    until = clock.now() + timedelta(hours=1) if end == "expired" else None
    entry = put(alice, "the vault code is 4711", expires_at=until)
    if end == "retracted":
        alice.retract(entry.id)
    if end == "replaced":
        alice.update(entry.id, "the vault code is unknown")
    clock.advance(timedelta(days=1))
    assert alice.erase(entry.id).counts.entries == 1
    assert alice.get(entry.id) is None


def test_what_an_erased_entry_replaced_does_not_come_back(alice: Scope) -> None:
    old = put(alice, "the port is 8080", key="port")
    new = put(alice, "the port is 9090", key="port")
    alice.erase(new.id)
    assert texts(alice) == []
    assert found(alice, old.id).is_retracted
    assert alice.restore(old.id).outcome == "restored"
    assert texts(alice) == ["the port is 8080"]


def test_reopen_brings_back_what_it_replaced(alice: Scope) -> None:
    old = put(alice, "the port is 8080", key="port")
    new = alice.update(old.id, "the port is 9090").entry
    assert new is not None
    alice.erase(new.id, reopen=True)
    assert found(alice, old.id) == old
    assert [revision.change for revision in alice.revisions(old.id)] == ["update", "restore"]
    assert put(alice, "the port is 7070", key="port").superseded_by is None
    assert texts(alice) == ["the port is 7070"]


def test_what_stands_between_two_others_is_erased_and_they_are_linked(alice: Scope) -> None:
    first = put(alice, "standup is at nine", key="standup")
    second = put(alice, "standup is at ten", key="standup")
    third = put(alice, "standup is at eleven", key="standup")
    alice.erase(second.id, reopen=True)
    assert found(alice, first.id).superseded_by == third.id
    assert texts(alice) == ["standup is at eleven"]
    alice.erase(third.id, reopen=True)
    assert texts(alice) == ["standup is at nine"]


def test_reopen_refuses_when_the_key_is_held_by_another(open_memory: OpenMemory) -> None:
    scope = open_memory().scope("acme/alice")
    old = put(scope, "the port is 8080", key="port")
    new = put(scope, "the port is 9090", key="port")
    scope.retract(new.id)
    third = put(scope, "the port is 7070", key="port")
    with pytest.raises(Conflict, match="without `reopen`"):
        scope.erase(new.id, reopen=True)
    assert scope.get(new.id) is not None
    scope.erase(new.id)
    assert found(scope, old.id).is_retracted
    assert texts(scope) == [third.memory]


def test_what_was_derived_goes_with_it_at_any_depth(alice: Scope) -> None:
    root = put(alice, "Ana earns 5,000")
    first = put(alice, "salaries are about five thousand", metadata={"derived_from": [root.id]})
    second = put(alice, "pay is in the thousands", metadata={"derived_from": [first.id, "unknown"]})
    other = put(alice, "rent is due on Monday", metadata={"derived_from": ["unknown"]})
    receipt = alice.erase(root.id)
    assert set(receipt.ids) == {root.id, first.id, second.id}
    assert texts(alice) == [other.memory]


def test_all_revisions_of_an_entry_go(alice: Scope) -> None:
    entry = put(alice, "the code is tango")
    alice.retract(entry.id)
    alice.restore(entry.id)
    assert alice.erase(entry.id).counts.revisions == 2


def test_what_a_consolidation_let_join_it_goes_with_it(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        for minute in (1, 2):
            said = MemoryEntry(Category.FACT, "the vault is opened by the night shift", created_at=at(minute))
            Stepper().run(memory.store.store("a", said))
        scope = memory.scope("a")
        scope.consolidate()
        (live,) = scope.list()
        assert scope.count() == 1
        assert len(scope.list(superseded=True)) == 2
        receipt = scope.erase(live.id)
        assert (len(receipt.ids), receipt.counts.entries) == (2, 2)
        assert scope.list(superseded=True) == []


def at(minute: int) -> datetime:
    return datetime.now(UTC) - timedelta(minutes=minute)


def test_a_source_goes_with_its_places_and_nothing_else(alice: Scope) -> None:
    sources = {"one": "notes.md", "two": "notes.md#L1", "three": "notes.md#L12", "four": "notes.mdx", "five": None}
    entries = {text: put(alice, f"{text} {text}ton", source=source) for text, source in sources.items()}
    old = put(alice, "six sixton", source="notes.md#L6")
    moved = alice.update(old.id, "seven seventon", source="other.md").entry
    assert moved is not None
    receipt = alice.erase_where(source="notes.md#L1")
    assert set(receipt.ids) == {entries["two"].id}
    receipt = alice.erase_where(source="notes.md")
    assert set(receipt.ids) == {entries["one"].id, entries["three"].id, old.id}
    assert texts(alice) == sorted(["four fourton", "five fiveton", "seven seventon"])
    nothing = alice.erase_where(source="notes.md")
    assert (nothing.ids, nothing.verified, nothing.because) == ((), "yes", "there was nothing to erase")


def test_a_secret_in_a_source_is_masked_before_it_is_compared(alice: Scope) -> None:
    source = "https://ana:hunter2xyz@example.org/notes"
    entry = put(alice, "a note from there", source=source)
    assert "hunter2xyz" not in str(entry.source)
    assert alice.erase_where(source=source).ids == (entry.id,)


@pytest.mark.parametrize("source", ["", "  ", None, 5])
def test_a_source_that_is_none_is_refused(alice: Scope, source: Any) -> None:
    put(alice, "stays")
    with pytest.raises(InvalidInput):
        alice.erase_where(source=source)
    assert alice.count() == 1


def test_a_scope_is_erased_alone_and_only_when_confirmed(open_memory: OpenMemory, case: Callable[[str], Any]) -> None:
    """X02."""
    memory = open_memory()
    for step in case("X02")["input"]["steps"]:
        scope = memory.scope(step["scope"]) if step["scope"] else memory.scope("userA")
        match step["op"]:
            case "store":
                put(scope, step["text"])
            case "delete_scope" if step["scope"]:
                assert scope.erase_scope(confirm=step["scope"]).counts.entries == 1
            case "delete_scope":
                with pytest.raises(InvalidScope, match="nothing was erased"):
                    scope.erase_scope(confirm=step["scope"])
            case "len":
                assert scope.count() == 1
    for confirm in ("userA", "userB/", " userB", "USERB"):
        with pytest.raises(InvalidInput, match="nothing was erased"):
            memory.scope("userB").erase_scope(confirm=confirm)
    with pytest.raises(InvalidScope):
        memory.scope("userB").erase_scope()
    put(memory.scope("userB/below"), "stays")
    memory.scope("userB").erase_scope(confirm="userB")
    assert memory.scopes() == ["userB/below"]


def test_a_large_scope_is_erased_whole(open_memory: OpenMemory, case: Callable[[str], Any]) -> None:
    """X03."""
    steps = case("X03")["input"]["steps"]
    given = [one["text"] for part in steps if isinstance(part, list) for one in part]
    assert len(given) == 2500
    scope = open_memory().scope("big")
    scope.remember_many(given)
    receipt = scope.erase_scope(confirm="big")
    assert (receipt.counts.entries, len(receipt.ids), receipt.verified) == (2500, 2500, "yes")
    assert scope.count() == 0
    assert list(scope.recall("n77", limit=5)) == []
    assert list(scope.recall("", limit=5)) == []


def test_nothing_crosses_to_another_scope(open_memory: OpenMemory) -> None:
    memory = open_memory()
    theirs = put(memory.scope("bob"), "the blue cluster")
    with pytest.raises(EntryNotFound):
        memory.scope("ana").erase(theirs.id)
    assert memory.scope("ana").erase_where(source="x").ids == ()
    assert memory.scope("bob").get(theirs.id) == theirs


def test_contests_with_what_is_erased_end(alice: Scope) -> None:
    one = put(alice, "the deploy runs on Monday")
    two = put(alice, "the deploy runs on Tuesday")
    if not found(alice, one.id).contested_with:
        pytest.skip("these two are not contested")
    alice.erase(two.id)
    assert found(alice, one.id).contested_with == ()


def test_without_a_store_there_is_nothing_to_erase(tmp_path: Path) -> None:
    with Memory(None) as memory:
        assert memory.scope("a").erase_scope(confirm="a").verified == "yes"
        assert memory.finish_erasures().proved
        with pytest.raises(EntryNotFound):
            memory.scope("a").erase("x")


def context_of(memory: Memory) -> Context:
    return Context(memory.store)


def documents(memory: Memory, path: str = "acme/alice") -> list[Document]:
    store = memory.store
    assert isinstance(store, InMemoryStore | SqliteStore)
    return list(Stepper().run(store.whole(ScopePath(path))).documents)


def keep(memory: Memory, *kept: Document, path: str = "acme/alice") -> None:
    store = memory.store
    assert isinstance(store, InMemoryStore | SqliteStore)
    Stepper().run(store.write(ScopePath(path), lambda snapshot: Plan(result=None, documents=kept)))


def test_documents_that_name_an_erased_entry_go_with_it(open_memory: OpenMemory) -> None:
    memory = open_memory()
    alice = memory.scope("acme/alice")
    gone, stays = put(alice, "the vault code is 4711", source="n.md"), put(alice, "lunch is at noon")
    span = made("span", "the code, then lunch", kind=DocumentKind.SPAN, session="s", entries=(stays.id, gone.id))
    about = made("about", "4711", entries=(gone.id,))
    other = made("lunch", "noon", entries=(stays.id,))
    keep(memory, span, other)
    keep(memory, span, path="bob")
    receipt = alice.erase(gone.id)
    assert (receipt.ids, receipt.counts.documents, receipt.verified) == ((gone.id,), 1, "yes")
    assert receipt.to_json()["documents"] == 1
    assert documents(memory) == [other]
    assert documents(memory, "bob") == [span]
    again = put(alice, "the vault code is 4712", source="n.md")
    keep(memory, replace(about, entries=(again.id,)))
    assert alice.erase_where(source="n.md").counts.documents == 1
    assert documents(memory) == [other]


def test_documents_are_erased_by_their_keys(open_memory: OpenMemory) -> None:
    """A span takes the entries that it names; they are gone for recall, too."""
    memory = open_memory()
    alice, scope, context = memory.scope("acme/alice"), ScopePath("acme/alice"), context_of(memory)
    said = put(alice, "the blue cluster deploys at dawn")
    span = made("span", "deploys at dawn", kind=DocumentKind.SPAN, session="s", entries=(said.id,))
    block, was = made("about", "now"), made("about/1", "before", kind=DocumentKind.BLOCK_REVISION)
    keep(memory, span, block, was)
    assert [hit.entry.id for hit in alice.recall("blue cluster")] == [said.id]
    receipt = Stepper().run(erase_documents(context, scope, lambda _: [span.key]))
    assert (receipt.ids, receipt.counts.entries, receipt.counts.documents) == ((said.id,), 1, 1)
    assert receipt.verified == "yes"
    assert list(alice.recall("blue cluster")) == []
    receipt = Stepper().run(erase_documents(context, scope, lambda _: [block.key, was.key, made("unknown").key]))
    assert (receipt.ids, receipt.counts.documents, receipt.verified) == ((), 2, "yes")
    assert documents(memory) == []
    nothing = Stepper().run(erase_documents(context, scope, lambda _: [block.key]))
    assert (nothing.counts.documents, nothing.because) == (0, "there was nothing to erase")


def test_a_scope_is_erased_with_its_documents_and_those_of_its_sessions(open_memory: OpenMemory) -> None:
    memory = open_memory()
    alice = memory.scope("acme/alice")
    put(alice, "lunch is at noon")
    graph = made("g", kind=DocumentKind.GRAPH, session="s")
    keep(memory, made("about"), graph)
    keep(memory, graph, path="acme/alice/below")
    receipt = alice.erase_scope(confirm="acme/alice")
    assert (receipt.counts.entries, receipt.counts.documents, receipt.verified) == (1, 2, "yes")
    assert documents(memory) == []
    assert documents(memory, "acme/alice/below") == [graph]
    receipt = memory.scope("acme/alice/below").erase_scope(confirm="acme/alice/below")
    assert (receipt.ids, receipt.counts.documents, receipt.verified) == ((), 1, "yes")


def test_a_store_without_documents_says_so() -> None:
    with pytest.raises(Unsupported, match="DocumentReader"):
        Stepper().run(erase_documents(Context(FourVerbs()), ScopePath("a"), lambda _: [made("a").key]))
