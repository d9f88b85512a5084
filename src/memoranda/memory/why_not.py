"""Saying why one entry is not among the hits of a recall, or at which place it is."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

from memoranda.bridge.offload import offload
from memoranda.memory.browse import why_gone
from memoranda.memory.context import Context
from memoranda.memory.recall import Query, read_query, recall
from memoranda.recall.evidence import Evidence, evidence
from memoranda.recall.question import Filter, Question
from memoranda.recall.view import View
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.recalled import Hit
from memoranda.records.scope import Scope

MOST_WORDS = 6
"""Most words of the query that an answer names."""


async def why_not(context: Context, scope: Scope, query: Query, id: str) -> str:
    """Returns in one sentence why an entry is not among the hits of `recall` with the same query; or its place.

    Args:
        context: the surroundings.
        scope: the scope.
        query: the query, with the filters and the limit that are asked about.
        id: the entry's id.

    Raises:
        Unsupported: the store cannot read entries by id.
    """
    shown = _filter(context, query)
    for place in dict.fromkeys((scope, *query.also)):
        entry = await context.reader().get(place, id)
        if entry is not None:
            return (
                _kept_out(entry, shown)
                or await _unanswered(context, place, query, shown, id)
                or await _placed(context, scope, query, id)
            )
    gone = await why_gone(context, scope, id)
    return gone or f"this scope has no entry {id!r}; `list` with superseded ones shows the ids that it has"


def _filter(context: Context, query: Query) -> Filter:
    return Filter(
        now=context.clock.now(),
        as_of=query.as_of,
        categories=query.categories,
        tags=query.tags,
        session=query.session,
    )


def _kept_out(entry: MemoryEntry, shown: Filter) -> str | None:
    """Returns which filter keeps an entry out; None when none does."""
    if shown.as_of is not None:
        if not entry.held_at(shown.as_of):
            return f"it did not hold at {_day(shown.as_of)}: it held from {_day(entry.valid_from)}{_until(entry)}"
    elif entry.is_retracted:
        return "it was retracted; `restore` brings it back"
    elif entry.superseded_by is not None:
        return f"it was superseded by {entry.superseded_by}"
    elif entry.is_expired(shown.now):
        return f"it expired at {_day(entry.expires_at)}"
    if entry.category is Category.WORKING and entry.session not in (None, shown.session):
        return f"it is scratch (`working`) of session {entry.session!r}; only a recall of that session shows it"
    if shown.session is not None and entry.session != shown.session:
        return f"the filter `session` keeps it out: it is of {_session(entry)}, not of {shown.session!r}"
    if shown.categories is not None and entry.category not in shown.categories:
        return f"the filter `categories` keeps it out: it is of category {entry.category}"
    lacking = sorted(set(shown.tags or ()) - set(entry.tags))
    return f"the filter `tags` keeps it out: it lacks {', '.join(map(repr, lacking))}" if lacking else None


async def _unanswered(context: Context, place: Scope, query: Query, shown: Filter, id: str) -> str | None:
    """Returns why an entry is no answer by words nor by meaning; None when it is one."""
    if not query.text.strip():
        return None
    question = await read_query(context, query, shown.now)
    view = await context.indexes.current(context.reader(), place)
    slot = next((slot for slot in range(len(view)) if _is_at(view, slot, id)), None)
    if slot is None:
        return CHANGED
    found = await offload(partial(evidence, view, question))
    if found.answers[slot]:
        return None
    return f"it is no answer: {_words(question)}, and {_meaning(context, view, question, found, slot)}"


CHANGED = "it was changed while this was looked into; ask again"


def _words(question: Question) -> str:
    if not question.terms.informative:
        return "the query has no informative word"
    written = dict(zip(question.terms.terms, question.terms.written, strict=True))
    named = ", ".join(f'"{written[term]}"' for term in question.terms.informative[:MOST_WORDS])
    more = ", ..." if len(question.terms.informative) > MOST_WORDS else ""
    return f"neither it nor a neighbour in its session has an informative word of the query ({named}{more})"


def _meaning(context: Context, view: View, question: Question, found: Evidence, slot: int) -> str:
    if context.embedder is None:
        return "no embedder is in use that could compare the meaning"
    if question.vector is None:
        return "the embedder failed on the query, as the log says"
    if not view.scales[slot] > 0:
        return "it has no vector of the embedder in use yet (`reembed` makes it)"
    if found.cosines is None:
        return "the embedder cannot read the script of the query"
    return f"its meaning is {found.cosines[slot]:.3f}, under the embedder's floor of {question.floor:.3f}"


async def _placed(context: Context, scope: Scope, query: Query, id: str) -> str:
    """Returns the place of an entry that is an answer."""
    found = await _place(context, scope, query, id)
    if found is None:
        return CHANGED
    place, hit = found
    because = f"score {hit.score:.3f}: {hit.because}" if hit.score else hit.because
    if query.min_score is not None and hit.score < query.min_score:
        return f"it ranks at place {place}, but its score of {hit.score:.3f} is below min_score {query.min_score}"
    if place > query.limit:
        return f"it ranks at place {place}, below the limit of {query.limit} ({because})"
    return f"it is a hit, at place {place} ({because})"


async def _place(context: Context, scope: Scope, query: Query, id: str) -> tuple[int, Hit] | None:
    """Returns the place and the hit of an entry, reading the ranking as far as need be; None when it is not there."""
    limit = FIRST_LOOK
    while True:
        hits = (await recall(context, scope, replace(query, limit=limit, min_score=None))).hits
        for place, hit in enumerate(hits, 1):
            if hit.entry.id == id:
                return place, hit
        if len(hits) < limit:
            return None
        limit *= 8


FIRST_LOOK = 64
"""How far the ranking is first read; eight times as far when the entry is not yet there."""


def _is_at(view: View, slot: int, id: str) -> bool:
    entry = view.entries[slot]
    return entry is not None and entry.id == id


def _until(entry: MemoryEntry) -> str:
    return "" if entry.valid_to is None else f" until {_day(entry.valid_to)}"


def _session(entry: MemoryEntry) -> str:
    return "no session" if entry.session is None else repr(entry.session)


def _day(moment: datetime | None) -> str:
    return "an unknown time" if moment is None else moment.isoformat(" ", "seconds")
