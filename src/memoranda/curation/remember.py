"""Deciding what becomes of something new: added, put in the place of what its key held, or set beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memoranda.curation.draft import Draft
from memoranda.curation.fold import FOLDING, Likeness, Neighbourhood, contest, contradictions, fold, likeness
from memoranda.errors import IdempotencyConflict
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.receipt import Acknowledgement, Outcome, WriteReceipt
from memoranda.records.revision import Change

CONTESTED = "it cannot be true together with another entry; both are kept"
"""What a repeated request is told when it was contested."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """Something to remember, ready to be decided on.

    Attributes:
        entry: the entry that it becomes when nothing speaks against it.
        redacted: the kinds of secrets that were masked in it.
        idempotency_key: the caller's name for this request; the same request is carried out once.
        fingerprint: a hash of the request.
        is_echo: whether it is a text that recall itself put in front of the model.
    """

    entry: MemoryEntry
    redacted: tuple[str, ...] = ()
    idempotency_key: str | None = None
    fingerprint: str = ""
    is_echo: bool = False


def remember(
    draft: Draft,
    candidates: Sequence[Candidate],
    *,
    idempotency_days: float,
    neighbourhood: Neighbourhood | None = None,
    fold_days: float = 14.0,
) -> list[WriteReceipt]:
    """Decides on each candidate in order; a later one sees what became of the earlier ones.

    Without a neighbourhood nothing is compared but what stands under the same key.

    Raises:
        IdempotencyConflict: an idempotency key stands for a different request; nothing of the batch is carried out.
        InvalidEntry: an entry cannot be kept as it is; nothing of the batch is carried out.
    """
    return [_remember(draft, candidate, idempotency_days, neighbourhood, fold_days) for candidate in candidates]


def _remember(
    draft: Draft,
    candidate: Candidate,
    idempotency_days: float,
    neighbourhood: Neighbourhood | None,
    fold_days: float,
) -> WriteReceipt:
    if candidate.is_echo:
        because = "recall put this text in front of the model; it is not stored again"
        return WriteReceipt(outcome=Outcome.REJECTED, entry=None, because=because, redacted=candidate.redacted)
    key = candidate.idempotency_key
    if key is not None:
        before = draft.acknowledged(key)
        if before is not None and draft.now - before.at < timedelta(days=idempotency_days):
            return _repeat(draft, candidate, before)
    receipt = _decide(draft, candidate.entry, neighbourhood, fold_days)
    receipt = replace(receipt, redacted=candidate.redacted)
    if key is not None and receipt.entry is not None:
        draft.acknowledge(
            Acknowledgement(
                key=key,
                fingerprint=candidate.fingerprint,
                at=draft.now,
                outcome=receipt.outcome,
                entry_id=receipt.entry.id,
                # A reason that quotes another entry's value would outlive that entry's erasure.
                because=CONTESTED if receipt.outcome is Outcome.CONTESTED else receipt.because,
            )
        )
    return receipt


def _decide(draft: Draft, entry: MemoryEntry, neighbourhood: Neighbourhood | None, fold_days: float) -> WriteReceipt:
    """Folds a restatement, replaces what the key held, or adds; and notes what it contradicts."""
    against = rivals(draft, entry)
    found, near = Likeness(), dict[str, MemoryEntry]()
    if neighbourhood is not None and entry.category in FOLDING:
        same_kind = [rival for rival in against if rival.category is entry.category]
        near = {known.id: known for known in (*same_kind, *neighbourhood.of(draft, entry))}
        found = likeness(draft, entry, near.values(), fold_days=fold_days)
    restated = found.restated
    if restated is not None and (not against or restated in against) and not _meets_a_peer(draft, restated, entry):
        return fold(draft, restated, entry)
    receipt = place(draft, entry, against, Change.REPLACE)
    placed = receipt.entry
    # What is found to be restated ends the search for contradictions; here it was not joined, so they all count.
    contradicted = found.contradicted if restated is None else contradictions(entry, near.values())
    if restated is not None and placed is not None and _takes_over(placed, restated, against):
        # It would stand twice, so the new one takes its place.
        draft.supersede(draft.entry(restated.id) or restated, placed, Change.REPLACE, receipt.because, draft.now)
    receipt = contest(draft, receipt, [pair for pair in contradicted if pair[0] not in against])
    if neighbourhood is not None and receipt.entry is not None:
        neighbourhood.add(receipt.entry)
    return receipt


def _takes_over(placed: MemoryEntry, restated: MemoryEntry, against: Sequence[MemoryEntry]) -> bool:
    """Tells whether a keyed entry takes the place of a keyless one that it restates; never of a more trusted one."""
    is_live = placed.superseded_by is None
    return is_live and restated not in against and placed.origin.trust >= restated.origin.trust


def _meets_a_peer(draft: Draft, known: MemoryEntry, entry: MemoryEntry) -> bool:
    """Tells whether `known` would stand under its key beside one as trusted as it, if it were trusted like `entry`."""
    peers = [rival for rival in rivals(draft, known) if rival.id != known.id]
    rises = entry.origin.trust > known.origin.trust
    return rises and any(peer.origin.trust == entry.origin.trust for peer in peers)


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


def rivals(draft: Draft, entry: MemoryEntry) -> list[MemoryEntry]:
    """Returns the live entries of the same key. Scratch is a rival of scratch of its own session only (C47)."""
    if entry.key is None:
        return []
    return [rival for rival in draft.holders(entry.key) if _session_of_scratch(rival) == _session_of_scratch(entry)]


def _session_of_scratch(entry: MemoryEntry) -> tuple[bool, str | None]:
    scratch = entry.category is Category.WORKING
    return scratch, entry.session if scratch else None


def place(draft: Draft, entry: MemoryEntry, against: Sequence[MemoryEntry], what: Change) -> WriteReceipt:
    """Adds `entry`, which says something else about what the live entries `against` say (design D9, D10).

    With none it is added. What is less trusted never replaces what is more trusted, whichever of the two happened
    later: both stay, contested. What began earlier than an equally trusted one is history: it is kept as superseded by
    it. All others are superseded. An update replaces whenever it is trusted enough.
    """
    if not against:
        draft.add(entry)
        return WriteReceipt(outcome=Outcome.ADDED, entry=entry, because="nothing else was known about it")
    later = [rival for rival in against if what is not Change.UPDATE and _since(entry) < _since(rival)]
    peers = [rival for rival in later if rival.origin.trust == entry.origin.trust]
    if peers:
        return _as_history(draft, entry, max(peers, key=_since))
    contested = [rival for rival in against if rival.origin.trust > entry.origin.trust or rival in later]
    ended = [rival for rival in against if rival not in contested]
    because = "it was updated" if what is Change.UPDATE else f"the key {entry.key!r} has a newer entry"
    draft.add(entry)
    for rival in ended:
        draft.supersede(rival, entry, what, because, _since(entry))
    if contested:
        for rival in contested:
            entry = draft.contest(entry, draft.entry(rival.id) or rival)
        return _contested(entry, max(contested, key=lambda rival: rival.origin.trust))
    return WriteReceipt(outcome=Outcome.REPLACED, entry=entry, because=because, previous=max(ended, key=_since))


def _as_history(draft: Draft, entry: MemoryEntry, newer: MemoryEntry) -> WriteReceipt:
    past = _keep_as_history(draft, entry, newer)
    because = f"kept as history: what holds since {newer.valid_from:%Y-%m-%d %H:%M} UTC is newer"
    return WriteReceipt(outcome=Outcome.ADDED, entry=past, because=because, previous=newer)


def _contested(entry: MemoryEntry, rival: MemoryEntry) -> WriteReceipt:
    lesser, greater = sorted((entry.origin, rival.origin), key=lambda origin: origin.trust)
    said = "said otherwise" if rival.origin is greater else "says otherwise of an earlier time"
    because = f"{lesser} is less trusted than {greater}, who {said}; both are kept"
    return WriteReceipt(outcome=Outcome.CONTESTED, entry=entry, because=because, previous=rival)


def _keep_as_history(draft: Draft, entry: MemoryEntry, newest: MemoryEntry) -> MemoryEntry:
    """Puts what was learned late where it belongs in time: it ends when the next began, and ends the one before it."""
    earlier = _all_before(draft, newest)
    later = [past for past in earlier if past.origin.trust >= entry.origin.trust and _since(past) > _since(entry)]
    after = min([newest, *later], key=_since)
    past = replace(entry, superseded_by=after.id, valid_to=after.valid_from)
    for before in earlier:
        if before.held_at(_since(entry)) and before.origin.trust <= entry.origin.trust:
            because = f"{entry.id} was learned later and began before its end"
            draft.change(before, replace(before, valid_to=_since(entry)), Change.REDATE, because)
    draft.add(past)
    return past


def _all_before(draft: Draft, entry: MemoryEntry) -> list[MemoryEntry]:
    """Returns the entries whose place that one took, those whose place these took, and so on."""
    found: dict[str, MemoryEntry] = {}
    waiting = [entry.id]
    while waiting:
        for before in draft.predecessors(waiting.pop()):
            if before.id not in found:
                found[before.id] = before
                waiting.append(before.id)
    return list(found.values())


def _since(entry: MemoryEntry) -> datetime:
    return entry.valid_from or entry.created_at
