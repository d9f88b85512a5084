"""Deciding on changes to one entry: update, retract, restore (S1.28 to S1.30)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from memoranda.curation.draft import Draft
from memoranda.curation.remember import place, rivals
from memoranda.errors import Conflict, EntryNotFound, NothingToRestore
from memoranda.records.entry import MemoryEntry
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.records.revision import Change, Revision

_ENDINGS = (Change.UPDATE, Change.REPLACE, Change.RETRACT, Change.FOLD)


def require_live(draft: Draft, id: str) -> MemoryEntry:
    """Returns the live entry of that id.

    Raises:
        EntryNotFound: the scope has no such entry, or it is superseded, retracted or expired (S1.29).
    """
    entry = draft.entry(id)
    if entry is None:
        raise EntryNotFound(id)
    if entry.is_retracted:
        raise EntryNotFound(id, "it was retracted; `restore` brings it back")
    if entry.superseded_by is not None:
        raise EntryNotFound(id, f"it was replaced by {entry.superseded_by}; work on that one")
    if entry.is_expired(draft.now):
        raise EntryNotFound(id, f"it expired at {entry.expires_at:%Y-%m-%d %H:%M} UTC")
    return entry


def update(draft: Draft, id: str, successor_of: Callable[[MemoryEntry], MemoryEntry]) -> WriteReceipt:
    """Puts what `successor_of` makes of a live entry in its place; the entry keeps its row as superseded.

    A successor that is less trusted than the entry is set beside it instead, contested (design D10).

    Raises:
        EntryNotFound: the scope has no live entry of that id.
    """
    entry = require_live(draft, id)
    successor = successor_of(entry)
    others = [rival for rival in rivals(draft, successor) if rival.id != entry.id]
    return place(draft, successor, [entry, *others], Change.UPDATE)


def retract(draft: Draft, id: str, because: str) -> WriteReceipt:
    """Takes a live entry back without a successor: it points at itself and is no longer shown.

    Raises:
        EntryNotFound: the scope has no live entry of that id.
    """
    entry = require_live(draft, id)
    after = draft.supersede(entry, entry, Change.RETRACT, because, draft.now)
    return WriteReceipt(outcome=Outcome.RETRACTED, entry=after, because=because, previous=entry)


def restore(draft: Draft, id: str) -> WriteReceipt:
    """Undoes the last fold, update, replacement or retraction of an entry that was not undone yet.

    The entry may be named by its own id or by that of its successor. A successor that is still live is superseded
    by what comes back. The receipt's `entry` is what is live afterwards.

    Raises:
        EntryNotFound: the scope has no entry of that id.
        NothingToRestore: nothing is left to undo.
        Conflict: something that came later stands in the way; the message names it.
    """
    entry = draft.entry(id)
    if entry is None:
        raise EntryNotFound(id)
    if entry.superseded_by is not None:
        ending = _last(draft, entry, _ENDINGS, "it was never live, or its end was undone before")
        return _leave(draft, entry, ending) if ending.change is Change.FOLD else _revive(draft, entry, ending)
    return _undo_rise(draft, entry)


def _undo_rise(draft: Draft, entry: MemoryEntry) -> WriteReceipt:
    """Undoes what made a live entry what it is: its last fold, or that it took the place of others."""
    folds = _undoable(draft, entry, (Change.FOLD,))
    taken = [
        (before, revisions[-1])
        for before in draft.predecessors(entry.id)
        if (revisions := _undoable(draft, before, (Change.UPDATE, Change.REPLACE)))
    ]
    last_taken = max((revision.at for _, revision in taken), default=None)
    if folds and (last_taken is None or folds[-1].at >= last_taken):
        because = "its last fold was undone"
        # What was contested since, or is no longer, has nothing to do with the fold.
        back = replace(folds[-1].entry, contested_with=entry.contested_with)
        draft.change(entry, back, Change.RESTORE, because)
        draft.undo(folds[-1])
        for before in draft.predecessors(entry.id):
            joined = _undoable(draft, before, (Change.FOLD,))
            if joined and joined[-1].at == folds[-1].at:
                draft.undo(joined[-1])
                draft.bring_back(before, joined[-1].entry, because)
        return WriteReceipt(outcome=Outcome.RESTORED, entry=back, because=because, previous=entry)
    if last_taken is None:
        raise NothingToRestore(entry.id, "it is live and was not changed, or the change was undone before")
    together = [(before, revision) for before, revision in taken if revision.at == last_taken]
    ids = frozenset(before.id for before, _ in together)
    receipts = [_revive(draft, before, revision, ids) for before, revision in together]
    return receipts[0]


def _leave(draft: Draft, entry: MemoryEntry, revision: Revision) -> WriteReceipt:
    """Makes an entry live again that had joined one that says the same; that one stays, and was said less often."""
    other = draft.entry(entry.superseded_by or "")
    _require_free_way(draft, entry, other, frozenset())
    because = "it says something of its own again: that it joined another one was undone"
    draft.undo(revision)
    back = draft.bring_back(entry, revision.entry, because)
    if other is not None and other.superseded_by is None:
        fewer = replace(other, seen_count=max(1, other.seen_count - back.seen_count))
        draft.change(other, fewer, Change.RESTORE, f"{back.id} was restored")
    return WriteReceipt(outcome=Outcome.RESTORED, entry=back, because=because, previous=other)


def _revive(
    draft: Draft, entry: MemoryEntry, revision: Revision, together: frozenset[str] = frozenset()
) -> WriteReceipt:
    """Makes a superseded entry live again; those of `together` come back with it and are no obstacle."""
    successor = draft.entry(entry.superseded_by or "") if not entry.is_retracted else None
    _require_free_way(draft, entry, successor, together)
    because = f"its last {revision.change} was undone"
    draft.undo(revision)
    back = draft.bring_back(entry, revision.entry, because)
    if successor is not None and successor.superseded_by is None:
        draft.supersede(successor, back, Change.RESTORE, f"{back.id} was restored", draft.now)
    back = draft.entry(back.id) or back
    return WriteReceipt(outcome=Outcome.RESTORED, entry=back, because=because, previous=successor)


def _require_free_way(
    draft: Draft, entry: MemoryEntry, successor: MemoryEntry | None, together: frozenset[str]
) -> None:
    later = successor.superseded_by if successor is not None and not successor.is_retracted else None
    if successor is not None and later is not None and later not in together | {entry.id}:
        raise Conflict(
            f"{entry.id} was replaced by {successor.id}, which {later} replaced in turn; restore {successor.id} first"
        )
    allowed = together | {entry.id, successor.id if successor else ""}
    # One that is trusted more or less may stand beside it, contested.
    others = [
        rival.id
        for rival in rivals(draft, entry)
        if rival.id not in allowed and rival.origin.trust == entry.origin.trust
    ]
    if others:
        raise Conflict(f"the key {entry.key!r} is held by {others[0]} now; retract or update that one first")


def _last(draft: Draft, entry: MemoryEntry, changes: tuple[Change, ...], why: str) -> Revision:
    revisions = _undoable(draft, entry, changes)
    if not revisions:
        raise NothingToRestore(entry.id, why)
    return revisions[-1]


def _undoable(draft: Draft, entry: MemoryEntry, changes: tuple[Change, ...]) -> list[Revision]:
    return [revision for revision in draft.revisions(entry.id) if revision.change in changes and not revision.undone]
