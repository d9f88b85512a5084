"""Changing one entry: update, retract, restore."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memoranda.curation import edit
from memoranda.curation.draft import Draft
from memoranda.errors import EntryNotFound
from memoranda.memory.browse import why_gone
from memoranda.memory.context import Context
from memoranda.memory.embedding import vectors_of
from memoranda.memory.masking import Masking
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.check import check_name, check_scratch
from memoranda.records.entry import Category, JsonValue, MemoryEntry, Origin, member
from memoranda.records.quantized import EntryVector
from memoranda.records.receipt import WriteReceipt
from memoranda.records.scope import Scope


@dataclass(frozen=True, slots=True)
class Update:
    """What an update says anew. What is None stays as it was.

    Attributes:
        text: the new text.
        category, tags, source, confidence, validated, expires_at, metadata: as in `NewEntry`.
        origin: who says it; it must be trusted as much as who said it first, else both are kept, contested.
        occurred_at: since when the new text holds, if that is not now.
    """

    text: str
    category: Category | str | None = None
    tags: Sequence[str] | None = None
    origin: Origin | str = Origin.USER
    source: str | None = None
    confidence: float | None = None
    validated: bool | None = None
    occurred_at: datetime | None = None
    expires_at: datetime | None = None
    metadata: Mapping[str, JsonValue] | None = None


async def update(context: Context, scope: Scope, id: str, change: Update) -> WriteReceipt:
    """Puts a new entry in the place of a live one, which is kept as superseded (S1.30).

    Raises:
        EntryNotFound: the scope has no live entry of that id.
        InvalidEntry: the new entry cannot be kept as it is; the old one stays live.
    """
    masking = Masking(context.settings.redact)
    text, source = masking.text(change.text), masking.text(change.source)
    given = {
        "tags": None if change.tags is None else masking.tags(change.tags),
        "source": source,
        "confidence": change.confidence,
        "validated": change.validated,
        "expires_at": change.expires_at,
        "metadata": None if change.metadata is None else masking.values(change.metadata),
        "category": None if change.category is None else member(Category, change.category, "category"),
    }
    fresh = MemoryEntry(
        Category.FACT,
        text,
        id=context.ids.new(),
        created_at=context.clock.now(),
        occurred_at=change.occurred_at,
        origin=member(Origin, change.origin, "origin"),
    )

    def successor_of(entry: MemoryEntry) -> MemoryEntry:
        kept = {name: getattr(entry, name) for name in _INHERITED}
        found = replace(fresh, **(kept | {name: value for name, value in given.items() if value is not None}))
        check_scratch(found)
        return found

    vectors = await vectors_of(context, [fresh])
    receipt = await _write(context, scope, lambda draft: edit.update(draft, id, successor_of), vectors)
    return replace(receipt, redacted=masking.kinds)


_INHERITED = (
    "category",
    "tags",
    "source",
    "speaker",
    "session",
    "position",
    "key",
    "relevance",
    "confidence",
    "validated",
    "expires_at",
    "metadata",
)
"""What an update takes over from the entry that it replaces, unless it says something else."""


async def retract(context: Context, scope: Scope, id: str, because: str = "it was taken back") -> WriteReceipt:
    """Takes a live entry back: it keeps its row and is no longer shown (S1.28).

    Raises:
        EntryNotFound: the scope has no live entry of that id (S1.29).
        InvalidEntry: the reason is no text, blank, or longer than `MAX_NAME`.
    """
    reason = Masking(context.settings.redact).text(because)
    check_name("" if reason is None else reason, "because")
    return await _write(context, scope, lambda draft: edit.retract(draft, id, reason))


async def restore(context: Context, scope: Scope, id: str) -> WriteReceipt:
    """Undoes the last fold, update, replacement or retraction of an entry; see `curation.edit.restore`."""
    return await _write(context, scope, lambda draft: edit.restore(draft, id))


async def _write(
    context: Context,
    scope: Scope,
    change: Callable[[Draft], WriteReceipt],
    vectors: Sequence[EntryVector] = (),
) -> WriteReceipt:
    now, most = context.clock.now(), context.settings.max_revisions

    def decide(snapshot: Snapshot) -> Plan[WriteReceipt]:
        draft = Draft(snapshot, now=now, max_revisions=most)
        receipt = change(draft)
        return draft.plan(receipt, vectors=vectors)

    try:
        return await context.writer().write(scope, decide)
    except EntryNotFound as error:
        why = await why_gone(context, scope, error.id)
        if why is None:
            raise
        raise EntryNotFound(error.id, why) from error
