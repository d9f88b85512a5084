"""Looking up, in the scope's index, what something new may restate."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memoranda.bridge.offload import offload
from memoranda.curation.fold import FOLDING, MOST_CANDIDATES, RARE_TERMS, least_shared
from memoranda.memory.context import Context
from memoranda.protocols.store import EntryReader
from memoranda.recall.likeness import with_rare_terms
from memoranda.recall.view import View
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.text.words import Analyser


async def alike(
    context: Context, scope: Scope, entries: Sequence[MemoryEntry]
) -> tuple[dict[str, list[str]], int | None]:
    """Returns for each new entry the ids of stored ones whose wording is alike, and the scope's version at that time.

    What is written after that version is compared inside the transaction, so that two writers of the same restatement
    at the same moment make one entry. The version is None where nothing can be compared: the store cannot be read,
    or no entry is of a category that folds.
    """
    folding = [entry for entry in entries if entry.category in FOLDING]
    if not folding or not isinstance(context.store, EntryReader):
        return {}, None
    view = await context.indexes.current(context.store, scope)
    proposed = await offload(partial(_propose, view, context.indexes.analyser, folding))
    return proposed, view.version


def _propose(view: View, analyser: Analyser, entries: Sequence[MemoryEntry]) -> dict[str, list[str]]:
    found = {}
    for entry in entries:
        terms = set(analyser.terms(entry.memory))
        least = least_shared(len(terms))
        found[entry.id] = with_rare_terms(view, terms, rare=RARE_TERMS, least=least, most=MOST_CANDIDATES)
    return found
