"""Deciding which spans an archive keeps (S4.49)."""

from __future__ import annotations

from memoranda.curation.archive import LISTING, Candidate, Listing, keep, listing_key, relisted, span_key
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.archived import ArchiveReceipt
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import Category
from tests.curation.ground import Ground

SESSION = '["s-1","",""]'


def candidate(ground: Ground, handle: str, text: str = "hello") -> Candidate:
    entry = ground.entry(text, category=Category.EPISODE, session="s-1")
    key = span_key(SESSION, handle)
    return Candidate(
        document=Document(key=key, body=text, at=ground.clock.now(), entries=(entry.id,)), entries=(entry,)
    )


def kept(ground: Ground, *handles: str, most: int = 3) -> ArchiveReceipt:
    candidates = [candidate(ground, handle, f"text of {handle}") for handle in handles]

    def decide(snapshot: Snapshot) -> Plan[ArchiveReceipt]:
        return keep(snapshot, candidates, session=SESSION, now=ground.clock.now(), max_spans=most)

    return ground.run(ground.store.write(ground.scope, decide))


def listing(ground: Ground) -> Listing:
    def decide(snapshot: Snapshot) -> Plan[Listing]:
        return Plan(result=Listing.of(snapshot.document(listing_key(SESSION))))

    return ground.run(ground.store.write(ground.scope, decide))


def dropped(ground: Ground, *keys: DocumentKey, relist: bool) -> None:
    """Removes documents, as an erasure or a hand would do."""

    def decide(snapshot: Snapshot) -> Plan[None]:
        documents = relisted(snapshot, keys, now=ground.clock.now()) if relist else ()
        return Plan(result=None, dropped=keys, documents=documents)

    ground.run(ground.store.write(ground.scope, decide))


def test_known_spans_keep_their_place_and_change_nothing() -> None:
    ground = Ground()
    kept(ground, "a", "b")
    assert kept(ground, "a") == ArchiveReceipt(known=("a",))
    assert kept(ground, "c", "a", "c") == ArchiveReceipt(kept=("c",), known=("a",))
    assert list(listing(ground).spans) == ["a", "b", "c"]
    assert kept(ground, "d").evicted == ("a",)


def test_the_listing_knows_sizes_and_evictions() -> None:
    ground = Ground()
    kept(ground, "a", "bb", "c", "d")
    assert listing(ground) == Listing(spans={"bb": 10, "c": 9, "d": 9}, evicted=1)


def test_a_cap_that_was_lowered_holds_from_the_next_span_on() -> None:
    ground = Ground()
    kept(ground, "a", "b", "c")
    assert kept(ground, "d", most=1) == ArchiveReceipt(kept=("d",), evicted=("a", "b", "c"))
    assert ground.live() == ["text of d"]


def test_a_known_span_may_be_evicted_by_its_own_batch() -> None:
    """First in, first out: being said again does not make a span newer."""
    ground = Ground()
    kept(ground, "a", "b", "c")
    assert kept(ground, "a", "d") == ArchiveReceipt(kept=("d",), known=("a",), evicted=("a",))


def test_a_listed_span_that_is_gone_is_no_eviction_and_may_come_again() -> None:
    ground = Ground()
    kept(ground, "a", "b", "c")
    dropped(ground, span_key(SESSION, "a"), span_key(SESSION, "b"), relist=False)
    assert kept(ground, "b", "d") == ArchiveReceipt(kept=("b", "d"))
    assert list(listing(ground).spans) == ["c", "b", "d"]


def test_d16_no_handle_outlives_an_erasure() -> None:
    """A handle is made from the content: the listing forgets those of erased spans, and goes with all of them."""
    ground = Ground()
    kept(ground, "a", "b", "c", "d")
    block = DocumentKey(kind=DocumentKind.BLOCK, name="d")
    dropped(ground, span_key(SESSION, "b"), block, span_key("other", "c"), relist=True)
    assert listing(ground) == Listing(spans={"c": 9, "d": 9}, evicted=1)
    dropped(ground, span_key(SESSION, "c"), span_key(SESSION, LISTING), relist=True)
    assert listing(ground) == Listing()
