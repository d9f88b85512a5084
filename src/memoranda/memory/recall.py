"""Recalling: the entries that answer a query, with their reasons."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice

from memoranda.bridge.offload import offload
from memoranda.errors import InvalidEntry, Unsupported
from memoranda.memory.context import Context
from memoranda.memory.embedding import vector_of_query
from memoranda.protocols.store import EntryReader
from memoranda.recall.question import Filter, Question
from memoranda.recall.rank import Ranking, merged, newest, rank
from memoranda.recall.recalled import Recalled
from memoranda.recall.view import micros
from memoranda.records.check import check_limit, check_name, check_names
from memoranda.records.entry import Category, MemoryEntry, as_utc, member
from memoranda.records.recalled import MAX_DROPPED, Dropped, Hit
from memoranda.records.scope import Scope
from memoranda.text.times import time_ranges
from memoranda.text.words import MAX_QUERY_CHARS

_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
DEFAULT_LIMIT = 8
"""Hits of one recall when no limit is given (seed 1, run-start recall)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What is asked of recall.

    Attributes:
        text: the question. Never parsed as a query language; blank text asks for the newest.
        limit: most hits; 0 or less gives none.
        also: further scopes to read, which the host names (design D4).
        categories, tags, session: as in `EntryFilter`.
        as_of: what held at that moment, instead of what is live now.
        min_score: least score of a hit.
    """

    text: str
    limit: int = DEFAULT_LIMIT
    also: tuple[Scope, ...] = ()
    categories: tuple[Category, ...] | None = None
    tags: tuple[str, ...] | None = None
    session: str | None = None
    as_of: datetime | None = None
    min_score: float | None = None


def query_of(
    text: str,
    *,
    limit: int | None = None,
    also: Sequence[Scope | str] = (),
    categories: Sequence[Category | str] | None = None,
    tags: Sequence[str] | None = None,
    session: str | None = None,
    as_of: datetime | None = None,
    min_score: float | None = None,
) -> Query:
    """Returns the arguments of a recall as a query.

    Raises:
        InvalidEntry: one of them cannot be used; the message names it.
        InvalidScope: a scope of `also` is none.
    """
    if not isinstance(text, str):
        raise InvalidEntry(f"a query must be text, not {type(text).__name__}")
    if min_score is not None and (isinstance(min_score, bool) or not isinstance(min_score, int | float)):
        raise InvalidEntry(f"`min_score` must be a number, not {min_score!r}")
    if min_score is not None and math.isnan(min_score):
        raise InvalidEntry("`min_score` must be a number, not NaN")
    if isinstance(also, str | Scope):
        raise InvalidEntry(f"`also` takes several scopes: write [{str(also)!r}]")
    check_name(session, "session")
    return Query(
        text=text,
        limit=DEFAULT_LIMIT if limit is None else check_limit(limit),
        also=tuple(Scope.of(scope) for scope in also),
        categories=categories_of(categories),
        tags=check_names(tags, "tags"),
        session=session,
        as_of=None if as_of is None else as_utc(as_of, "as_of"),
        min_score=min_score,
    )


def categories_of(values: Sequence[Category | str] | None) -> tuple[Category, ...] | None:
    """Returns the categories of a filter, None for no filter."""
    names = check_names(values, "categories")
    return None if names is None else tuple(member(Category, name, "categories") for name in names)


async def recall(context: Context, scope: Scope, query: Query) -> Recalled:
    """Returns the entries that answer a query, best first.

    A store that only retrieves ranks by itself; filters then apply to what it returns.
    """
    if query.limit == 0:
        return Recalled(query.text)
    shown = Filter(
        now=context.clock.now(),
        as_of=query.as_of,
        categories=query.categories,
        tags=query.tags,
        session=query.session,
    )
    if not isinstance(context.store, EntryReader):
        return await _ranked_by_store(context, scope, query, shown)
    scopes = dict.fromkeys((scope, *query.also))
    if not query.text.strip():
        views = [await context.indexes.current(context.store, place) for place in scopes]
        return _cut(query, [Ranking(hits=newest(view, shown, query.limit)) for view in views])
    question = await read_query(context, query, shown.now)
    if not question.terms.informative and question.vector is None and not question.ids:
        return Recalled(query.text)
    rankings = []
    for place in scopes:
        view = await context.indexes.current(context.store, place)
        rankings.append(await offload(partial(rank, view, question, shown, query.limit)))
    return _cut(query, rankings)


async def read_query(context: Context, query: Query, now: datetime) -> Question:
    """Reads a query: its words, its times, its meaning."""
    embedded = await vector_of_query(context, query.text)
    ranges = [(micros(part.start), micros(part.end)) for part in time_ranges(query.text, now)]
    plain = Question(
        terms=context.indexes.analyser.query(query.text),
        now=now,
        ranges=ranges,
        ids=_ID.findall(query.text.lower()) if len(query.text) <= MAX_QUERY_CHARS else (),
        half_life_days=context.settings.recency_half_life_days,
    )
    if embedded is None:
        return plain
    return replace(plain, vector=embedded.vector, floor=embedded.floor, coverage=embedded.coverage)


async def _ranked_by_store(context: Context, scope: Scope, query: Query, shown: Filter) -> Recalled:
    if query.min_score is not None:
        name = type(context.store).__name__
        raise Unsupported(f"{name} gives no scores for `min_score`; it would have to implement `memoranda.EntryReader`")
    found: list[MemoryEntry] = []
    for place in dict.fromkeys((scope, *query.also)):
        found += await context.store.retrieve(place, query.text, query.limit)
    hits = (Hit(entry, 0.0, {}, "ranked by the store") for entry in found if shown.admits_entry(entry))
    return Recalled(query.text, tuple(islice(hits, query.limit)))


def _cut(query: Query, rankings: Sequence[Ranking]) -> Recalled:
    """Brings the answers of the scopes together, keeps the best hits, and says what was left out, and why."""
    least = query.min_score
    hits = merged(hit for ranking in rankings for hit in ranking.hits)
    enough = [hit for hit in hits if least is None or hit.score >= least]
    rest = chain((hit.entry for hit in enough[query.limit :]), *(ranking.over for ranking in rankings))
    over = (Dropped(entry, f"over the limit of {query.limit}") for entry in rest)
    low = (Dropped(hit.entry, f"score {hit.score:.3f} is below min_score {least}") for hit in hits[len(enough) :])
    weak = merged(hit for ranking in rankings for hit in ranking.weak)
    none = (Dropped(hit.entry, f"no answer: {hit.because or 'no word of the query'}") for hit in weak)
    return Recalled(query.text, tuple(enough[: query.limit]), tuple(islice(chain(low, over, none), MAX_DROPPED)))
