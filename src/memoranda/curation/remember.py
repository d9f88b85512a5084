"""Deciding what becomes of something new: added, put in the place of what its key held, or set beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memoranda.curation.draft import Draft
from memoranda.errors import IdempotencyConflict
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.receipt import Acknowledgement, Outcome, WriteReceipt
from memoranda.records.revision import Change


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something to remember, ready to be decided on.

    Attributes:
        entry: the entry that it becomes when nothing speaks against it.
        redacted: the kinds of secrets that were masked in it.
        idempotency_key: the caller's name for this request; the same request is carried out once.
        fingerprint: a hash of the request.
    """

    entry: MemoryEntry
    redacted: tuple[str, ...] = ()
    idempotency_key: str | None = None
    fingerprint: str = ""


def remember(draft: Draft, candidates: Sequence[Candidate], *, idempotency_days: float) -> list[WriteReceipt]:
    """Decides on each candidate in order; a later one sees what became of the earlier ones.

    Raises:
        IdempotencyConflict: an idempotency key stands for a different request; nothing of the batch is carried out.
        InvalidEntry: an entry cannot be kept as it is; nothing of the batch is carried out.
    """
    return [_remember(draft, candidate, idempotency_days) for candidate in candidates]


def _remember(draft: Draft, candidate: Candidate, idempotency_days: float) -> WriteReceipt:
    key = candidate.idempotency_key
    if key is not None:
        before = draft.acknowledged(key)
        if before is not None and draft.now - before.at < timedelta(days=idempotency_days):
            return _repeat(draft, candidate, before)
    receipt = place(draft, candidate.entry, _rivals(draft, candidate.entry), Change.REPLACE)
    receipt = replace(receipt, redacted=candidate.redacted)
    if key is not None and receipt.entry is not None:
        draft.acknowledge(
            Acknowledgement(
                key=key,
                fingerprint=candidate.fingerprint,
                at=draft.now,
                outcome=receipt.outcome,
                entry_id=receipt.entry.id,
                because=receipt.because,
            )
        )
    return receipt


def _repeat(draft: Draft, candidate: Candidate, before: Acknowledgement) -> WriteReceipt:
    if before.fingerprint != candidate.fingerprint:
        raise IdempotencyConflict(before.key)
    return WriteReceipt(
        outcome=before.outcome,
        entry=draft.entry(before.entry_id),
        because=before.because,
        redacted=candidate.redacted,
        repeated=True,
    )


def _rivals(draft: Draft, entry: MemoryEntry) -> list[MemoryEntry]:
    """The live entries of the same key; scratch of one session has none in another (C47)."""
    if entry.key is None:
        return []
    return [
        rival
        for rival in draft.holders(entry.key)
        if Category.WORKING not in (rival.category, entry.category) or rival.session == entry.session
    ]


def place(draft: Draft, entry: MemoryEntry, rivals: Sequence[MemoryEntry], what: Change) -> WriteReceipt:
    """Adds `entry`, which says something else about what the live `rivals` say (design D9, D10).

    With no rival it is added. What is less trusted never replaces what is more trusted: both stay, contested. What
    began earlier than a rival is history: it is kept as superseded by it. Otherwise the rivals are superseded.
    """
    if not rivals:
        draft.add(entry)
        return WriteReceipt(outcome=Outcome.ADDED, entry=entry, because="nothing else was known about it")
    newest = max(rivals, key=_since)
    if (trusted := max(rivals, key=lambda rival: rival.origin.trust)).origin.trust > entry.origin.trust:
        draft.add(entry)
        because = f"{entry.origin} is less trusted than {trusted.origin}, who said otherwise; both are kept"
        return WriteReceipt(outcome=Outcome.CONTESTED, entry=entry, because=because, previous=trusted)
    if _since(entry) < _since(newest):
        past = _keep_as_history(draft, entry, newest)
        because = f"kept as history: what holds since {newest.valid_from:%Y-%m-%d %H:%M} UTC is newer"
        return WriteReceipt(outcome=Outcome.ADDED, entry=past, because=because, previous=newest)
    because = "it was updated" if what is Change.UPDATE else f"the key {entry.key!r} has a newer entry"
    draft.add(entry)
    for rival in rivals:
        draft.supersede(rival, entry, what, because, _since(entry))
    return WriteReceipt(outcome=Outcome.REPLACED, entry=entry, because=because, previous=newest)


def _keep_as_history(draft: Draft, entry: MemoryEntry, newest: MemoryEntry) -> MemoryEntry:
    """Puts what was learned late where it belongs in time: it ends when the next began, and ends the one before it."""
    after = newest
    while later := [past for past in draft.predecessors(after.id) if _since(past) > _since(entry)]:
        after = min(later, key=_since)
    past = replace(entry, superseded_by=after.id, valid_to=after.valid_from)
    for before in draft.predecessors(after.id):
        if before.held_at(_since(entry)):
            because = f"{entry.id} was learned later and began before its end"
            draft.change(before, replace(before, valid_to=_since(entry)), Change.REDATE, because)
    draft.add(past)
    return past


def _since(entry: MemoryEntry) -> datetime:
    return entry.valid_from or entry.created_at
