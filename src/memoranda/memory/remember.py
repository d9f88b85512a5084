"""Remembering: one text or many, with secrets masked before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memoranda.curation.capacity import make_room
from memoranda.curation.draft import Draft
from memoranda.curation.fold import Neighbourhood
from memoranda.curation.remember import Candidate
from memoranda.curation.remember import remember as decide_on
from memoranda.errors import InvalidEntry, Unsupported
from memoranda.memory.alike import alike
from memoranda.memory.context import Context
from memoranda.memory.embedding import vectors_of
from memoranda.memory.masking import Masking
from memoranda.memory.nothing import Nothing
from memoranda.protocols.plan import Plan, PlanWriter, Snapshot
from memoranda.recall.render import emitted_hash
from memoranda.records.check import check_entry, check_name, check_scratch
from memoranda.records.entry import DEFAULT_CONFIDENCE, Category, MemoryEntry, Origin, member
from memoranda.records.new_entry import NewEntry
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.records.scope import Scope


async def remember_many(context: Context, scope: Scope, items: Sequence[NewEntry]) -> list[WriteReceipt]:
    """Remembers all items in one durable commit and returns a receipt for each, in order.

    Raises:
        InvalidEntry: an item cannot be kept as it is; the message tells which one, and nothing is stored.
        IdempotencyConflict: an idempotency key was used for something else; nothing is stored.
        CapacityReached: `Settings.max_entries` entries are there, and all are validated; nothing is stored.
        Unsupported: the store has only the four verbs, and an item has a key or an idempotency key.
    """
    if isinstance(context.store, Nothing):
        return [WriteReceipt(outcome=Outcome.REJECTED, entry=None, because="no store is attached") for _ in items]
    candidates = _candidates(context, items)
    if not candidates:
        return []
    if not isinstance(context.store, PlanWriter):
        return await _store_each(context, scope, candidates)
    settings, now = context.settings, context.clock.now()
    vectors = await vectors_of(context, [candidate.entry for candidate in candidates])
    proposed, version = await alike(context, scope, [candidate.entry for candidate in candidates])

    def decide(snapshot: Snapshot) -> Plan[list[WriteReceipt]]:
        draft = Draft(snapshot, now=now, max_revisions=settings.max_revisions)
        neighbourhood = None if version is None else Neighbourhood(context.indexes.analyser, proposed)
        if neighbourhood is not None and version is not None:
            for entry in snapshot.since(version):
                neighbourhood.add(entry)
        receipts = decide_on(
            draft,
            candidates,
            idempotency_days=settings.idempotency_days,
            neighbourhood=neighbourhood,
            fold_days=settings.fold_days,
        )
        if settings.max_entries is not None:
            receipts = make_room(draft, snapshot, receipts, max_entries=settings.max_entries)
        return draft.plan(receipts, vectors=vectors, idempotency_days=settings.idempotency_days)

    return await context.store.write(scope, decide)


async def _store_each(context: Context, scope: Scope, candidates: Sequence[Candidate]) -> list[WriteReceipt]:
    """Stores into a store that has only the seed's verbs: each entry as it is, one after the other."""
    for candidate in candidates:
        if candidate.idempotency_key is not None or candidate.entry.key is not None:
            name = type(context.store).__name__
            raise Unsupported(f"{name} only stores and retrieves; `key` and `idempotency_key` need a `PlanWriter`")
    for candidate in candidates:
        await context.store.store(scope, candidate.entry)
    because = "stored as it is: this store does not compare entries"
    return [
        WriteReceipt(outcome=Outcome.ADDED, entry=candidate.entry, because=because, redacted=candidate.redacted)
        for candidate in candidates
    ]


def _candidates(context: Context, items: Sequence[NewEntry]) -> list[Candidate]:
    candidates = []
    for number, item in enumerate(items):
        try:
            candidates.append(_candidate(context, item))
        except InvalidEntry as error:
            raise InvalidEntry(f"item {number}: {error}" if len(items) > 1 else str(error)) from error
    return candidates


def _candidate(context: Context, item: NewEntry) -> Candidate:
    # Texts are masked before they are stored, hashed, or shown to anything else (S1.27).
    masking = Masking(context.settings.redact)
    text, source = masking.text(item.text), masking.text(item.source)
    metadata = masking.values({} if item.metadata is None else item.metadata)
    entry = MemoryEntry(
        member(Category, item.category, "category"),
        text,
        id=context.ids.new(),
        created_at=context.clock.now(),
        tags=masking.tags(item.tags),  # type: ignore[arg-type]  # MemoryEntry makes them a tuple and refuses a single text
        key=masking.name(item.key),
        origin=member(Origin, item.origin, "origin"),
        source=source,
        speaker=masking.name(item.speaker),
        session=masking.name(item.session),
        position=item.position,
        occurred_at=item.occurred_at,
        expires_at=item.expires_at,
        confidence=DEFAULT_CONFIDENCE if item.confidence is None else item.confidence,
        validated=item.validated,
        metadata=metadata,
    )
    check_entry(entry)
    check_scratch(entry)
    check_name(item.idempotency_key, "idempotency_key")
    return Candidate(
        entry=entry,
        redacted=masking.kinds,
        idempotency_key=item.idempotency_key,
        fingerprint=_fingerprint(item, entry) if item.idempotency_key is not None else "",
        is_echo=bool(item.emitted) and emitted_hash(entry.memory) in frozenset(item.emitted),
    )


def _fingerprint(item: NewEntry, kept: MemoryEntry) -> str:
    """Hashes the request as it is kept: no hash of a secret is stored, and a retry may mask it anew (case R03)."""
    masked = replace(
        item,
        text=kept.memory,
        tags=kept.tags,
        key=kept.key,
        source=kept.source,
        speaker=kept.speaker,
        session=kept.session,
        metadata=kept.metadata,
    )
    return masked.fingerprint()
