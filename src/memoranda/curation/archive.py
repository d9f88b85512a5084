"""Deciding which spans an archive keeps, and which go for them (S4.49, S4.52)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from memoranda.curation.capacity import make_room
from memoranda.curation.draft import Draft
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.archived import ArchiveReceipt
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import MemoryEntry

LISTING: Final = "listing"
"""Name of the document that lists a session's spans. No handle is spelled so: handles are hexadecimal digits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A span that is to be kept.

    Attributes:
        document: the span as it is kept; its name is the handle, its `entries` are the ids of `entries`.
        entries: the passages of its text, by which recall finds it.
    """

    document: Document
    entries: tuple[MemoryEntry, ...] = ()

    @property
    def handle(self) -> str:
        """Its name in the archive."""
        return self.document.key.name


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """Which spans the archive of a session holds.

    It stands in a document of its own, so that neither a write nor a gauge has to read the spans.

    Attributes:
        spans: the characters of each span by its handle, oldest first.
        evicted: how many spans were evicted since the session began.
    """

    spans: Mapping[str, int] = field(default_factory=dict)
    evicted: int = 0

    @classmethod
    def of(cls, document: Document | None) -> Listing:
        """Returns the listing that a document holds; an empty one for none."""
        if document is None:
            return cls()
        found = json.loads(document.body)
        return cls(spans=dict(found["spans"]), evicted=found["evicted"])

    def document(self, session: str, now: datetime) -> Document:
        """Returns the document that holds it."""
        body = json.dumps({"spans": list(self.spans.items()), "evicted": self.evicted}, separators=(",", ":"))
        return Document(key=listing_key(session), body=body, at=now)


def listing_key(session: str) -> DocumentKey:
    """Returns the key of the listing of a session, which is given by its path."""
    return DocumentKey(kind=DocumentKind.SPAN, session=session, name=LISTING)


def span_key(session: str, handle: str) -> DocumentKey:
    """Returns the key of a span."""
    return DocumentKey(kind=DocumentKind.SPAN, session=session, name=handle)


def keep(
    snapshot: Snapshot,
    candidates: Sequence[Candidate],
    *,
    session: str,
    now: datetime,
    max_spans: int,
    max_entries: int | None = None,
) -> Plan[ArchiveReceipt]:
    """Keeps spans, oldest first; over `max_spans` the oldest of the session go, those of the batch included (S4.49).

    A span whose handle is kept already stays as it is, in its place. An entry of an evicted span that was validated
    since stays.

    Args:
        snapshot: the scope as it stands.
        candidates: what is to be kept, all of one session, oldest first.
        session: the path of the session.
        now: the moment of the decision.
        max_spans: most spans that the session keeps.
        max_entries: most live entries of the scope (`Settings.max_entries`); the least valuable others are evicted.

    Raises:
        CapacityReached: the scope holds `max_entries` entries, and too few of them may go.
    """
    listing = Listing.of(snapshot.document(listing_key(session)))
    known = dict.fromkeys(one.handle for one in candidates if snapshot.document(one.document.key) is not None)
    fresh = {one.handle: one for one in candidates if one.handle not in known}
    if not fresh:
        return Plan(result=ArchiveReceipt(known=tuple(known)))
    # A handle that is listed and has no document was erased or removed by hand: it is kept anew, as the newest.
    order = {handle: size for handle, size in listing.spans.items() if handle not in fresh}
    order |= {handle: len(one.document.body) for handle, one in fresh.items()}
    over = dict.fromkeys(list(order)[: max(0, len(order) - max_spans)])
    draft = Draft(snapshot, now=now)
    old = _there(snapshot, session, (handle for handle in over if handle not in fresh))
    for document in old:
        _evict(draft, document, max_spans)
    stays = [one for handle, one in fresh.items() if handle not in over]
    _add(draft, snapshot, stays, max_entries)
    skipped = [handle for handle in over if handle in fresh]
    evicted = (*(document.key.name for document in old), *skipped)
    spans = {handle: size for handle, size in order.items() if handle not in over}
    listed = Listing(spans=spans, evicted=listing.evicted + len(evicted)).document(session, now)
    receipt = ArchiveReceipt(kept=tuple(one.handle for one in stays), known=tuple(known), evicted=evicted)
    return replace(
        draft.plan(receipt),
        dropped=tuple(document.key for document in old),
        documents=(*(one.document for one in stays), listed),
    )


def relisted(snapshot: Snapshot, gone: Iterable[DocumentKey], *, now: datetime) -> tuple[Document, ...]:
    """Returns the listings as they are to be when documents go otherwise than by eviction, such as by erasure.

    A handle is made from the content of its span, so it must not outlive an erasure.
    """
    handles: dict[str, set[str]] = {}
    for key in gone:
        if key.kind is DocumentKind.SPAN:
            handles.setdefault(key.session, set()).add(key.name)
    found = []
    for session, names in handles.items():
        listing = Listing.of(snapshot.document(listing_key(session)))
        if LISTING not in names and not names.isdisjoint(listing.spans):
            left = {handle: size for handle, size in listing.spans.items() if handle not in names}
            found.append(replace(listing, spans=left).document(session, now))
    return tuple(found)


def _there(snapshot: Snapshot, session: str, handles: Iterable[str]) -> list[Document]:
    found = (snapshot.document(span_key(session, handle)) for handle in handles)
    return [document for document in found if document is not None]


def _evict(draft: Draft, document: Document, max_spans: int) -> None:
    for id in document.entries:
        entry = draft.entry(id)
        if entry is not None and not entry.validated:
            draft.remove(entry, f"its span was evicted to keep at most {max_spans} spans of the session")


def _add(draft: Draft, snapshot: Snapshot, candidates: Sequence[Candidate], max_entries: int | None) -> None:
    """Adds the entries, within the bound of the scope."""
    for one in candidates:
        for entry in one.entries:
            draft.add(entry)
    if max_entries is not None:
        make_room(draft, snapshot, (), max_entries=max_entries)
