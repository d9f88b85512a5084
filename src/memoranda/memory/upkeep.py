"""Looking after a store: copying it, verifying it, mending it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from memoranda.bridge.offload import offload
from memoranda.errors import InvalidEntry, Unsupported
from memoranda.memory.context import Context
from memoranda.protocols.store import EntryFilter, EntryReader, ScopeLister, Upkeep
from memoranda.recall.evidence import evidence
from memoranda.recall.question import Question
from memoranda.recall.view import View
from memoranda.records.check import check_entry
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.upkeep import DoctorReport, Finding, Verified, VerifyReport

SAMPLED_SCOPES = 20
SAMPLED_ENTRIES = 10
"""Newest live entries of each sampled scope whose own words must find them."""
ASKED_WITH = 300
"""Characters of an entry's text that it is asked for with."""
COUNTED = 1_000
"""Entries without a vector that are counted in one scope at most."""


async def back_up(context: Context, target: str | os.PathLike[str], *, force: bool = False) -> None:
    """Writes a copy of one state of the whole store to a file, while everybody keeps working.

    Raises:
        InvalidInput: the file is there already and `force` is off, or it cannot be written.
        Unsupported: the store keeps nothing in a file.
    """
    if not isinstance(context.store, Upkeep):
        raise Unsupported(f"{type(context.store).__name__} has no file to copy; `dump` writes a scope to a file")
    await context.store.back_up(os.fspath(target), force=force)


async def verify(context: Context) -> VerifyReport:
    """Verifies what the store holds, and that recall finds it. It changes nothing."""
    store = context.store
    parts = await store.inspect() if isinstance(store, Upkeep) else []
    if not all(part.ok for part in parts):
        return VerifyReport(parts=tuple(parts))  # what cannot be read can be neither recalled nor counted
    if isinstance(store, EntryReader) and isinstance(store, ScopeLister):
        paths = await store.scopes()
        if not isinstance(store, Upkeep):
            parts.append(await _obey(store, paths))
        parts.append(await _found(context, store, paths))
        stats = await store.stats(context.clock.now())
        said = f"{stats.scopes} scopes, {stats.live} live entries, {stats.superseded} superseded, {stats.bytes} bytes"
        parts.append(Verified(what="everything can be counted", ok=True, found=said))
    return VerifyReport(parts=tuple(parts))


async def doctor(context: Context, *, fix: bool = False) -> DoctorReport:
    """Finds what is wrong with the store; with `fix` mends what can be mended without loss, after a copy was made."""
    store = context.store
    report = await store.diagnose(fix=fix) if isinstance(store, Upkeep) else DoctorReport(findings=())
    if any(finding.kind == "damaged" for finding in report.findings):
        return report
    return replace(report, findings=(*report.findings, *await _unembedded(context)))


async def _obey(store: EntryReader, paths: Sequence[str]) -> Verified:
    bad: list[str] = []
    for path in paths:
        for entry in (await store.whole(Scope(path))).entries:
            try:
                check_entry(entry)
            except InvalidEntry as error:
                bad.append(f"{entry.id}: {error}")
    return Verified(what="all entries obey the rules", ok=not bad, found="; ".join(bad[:3]) or f"{len(paths)} scopes")


async def _found(context: Context, store: EntryReader, paths: Sequence[str]) -> Verified:
    """Asks for a sample of entries with their own words."""
    asked, lost = 0, []
    matching = EntryFilter(now=context.clock.now())
    for path in paths[:: max(1, -(-len(paths) // SAMPLED_SCOPES))]:
        scope = Scope(path)
        entries = await store.page(scope, matching, SAMPLED_ENTRIES)
        view = await context.indexes.current(store, scope)
        for entry in entries:
            answered = await offload(partial(_answers, context, view, entry))
            asked += answered is not None
            if answered is False and await store.get(scope, entry.id) == entry:  # else it was changed meanwhile
                lost.append(entry.id)
    said = f"{len(lost)} of {asked} do not: {', '.join(lost[:3])}" if lost else f"{asked} entries asked for"
    return Verified(what="entries are found by their own words", ok=not lost, found=said)


def _answers(context: Context, view: View, entry: MemoryEntry) -> bool | None:
    """Tells whether the index answers an entry's own words with it; None where it has none that say anything."""
    terms = context.indexes.analyser.query(entry.memory[:ASKED_WITH])
    if not terms.informative:
        return None
    half_life = context.settings.recency_half_life_days
    question = Question(terms=terms, now=context.clock.now(), ranges=[], half_life_days=half_life)
    slots = [slot for slot, known in enumerate(view.entries) if known is not None and known.id == entry.id]
    return len(slots) == 1 and view.entries[slots[0]] == entry and bool(evidence(view, question).answers[slots[0]])


async def _unembedded(context: Context) -> list[Finding]:
    store, embedder = context.store, context.embedder
    if embedder is None or not isinstance(store, EntryReader) or not isinstance(store, ScopeLister):
        return []
    key, count = embedder.identity.key, 0
    for path in await store.scopes():
        count += len(await store.unembedded(Scope(path), key, COUNTED))
    if not count:
        return []
    what = f"entries without a vector of the embedder in use (at most {COUNTED} of each scope are counted)"
    return [Finding(kind="unembedded", count=count, what=what, advice="`reembed` gives them one", mendable=False)]
