"""Recalling: the entries that answer a query, with their reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import chain, islice

from memoranda.errors import InvalidEntry
from memoranda.memory.context import Context
from memoranda.memory.indexes import Indexes
from memoranda.memory.offload import offload
from memoranda.protocols.store import EntryReader
from memoranda.recall.rank import merged, newest, rank
from memoranda.records.check import check_limit, check_names
from memoranda.records.entry import Category, MemoryEntry, as_utc, member
from memoranda.records.recalled import MAX_DROPPED, Dropped, Hit, Recalled
from memoranda.records.scope import Scope
from memoranda.records.settings import Settings
from memoranda.text.words import query_terms

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
    now = context.clock.now()
    if isinstance(context.store, EntryReader):
        return await find(context.store, context.indexes, scope, query, now=now, settings=context.settings)
    hits: list[Hit] = []
    for place in (scope, *query.also):
        found = await context.store.retrieve(place, query.text, query.limit)
        hits.extend(Hit(entry, 0.0, {}, "ranked by the store") for entry in found if _admits(query, now)(entry))
    return Recalled(query.text, tuple(hits[: query.limit]))


async def find(
    store: EntryReader, indexes: Indexes, scope: Scope, query: Query, *, now: datetime, settings: Settings
) -> Recalled:
    """Ranks the entries of a store that can be read; see `recall.rank` for the score."""
    if query.limit == 0:
        return Recalled(query.text)
    terms = query_terms(query.text)
    asks_newest = not query.text.strip()
    admits = _admits(query, now)
    hits: list[Hit] = []
    for place in dict.fromkeys((scope, *query.also)):
        index = await indexes.current(store, place)
        if asks_newest:
            hits += await offload(partial(newest, index, admits))
        elif terms.informative:
            half_life = settings.recency_half_life_days
            hits += await offload(partial(rank, index, terms, admits, now=now, half_life_days=half_life))
    return _cut(query, merged(hits))


def _cut(query: Query, hits: Sequence[Hit]) -> Recalled:
    """Keeps the best hits and says what was left out, and why."""
    least = query.min_score
    enough = [hit for hit in hits if least is None or hit.score >= least]
    weak = (Dropped(hit.entry, f"score {hit.score:.3f} is below min_score {least}") for hit in hits[len(enough) :])
    over = (Dropped(hit.entry, f"over the limit of {query.limit}") for hit in enough[query.limit :])
    return Recalled(query.text, tuple(enough[: query.limit]), tuple(islice(chain(over, weak), MAX_DROPPED)))


def _admits(query: Query, now: datetime) -> Callable[[MemoryEntry], bool]:
    """Tells which entries a recall may show: live or held at `as_of`, and no other session's scratch."""

    def admits(entry: MemoryEntry) -> bool:
        shown = entry.is_live(now) if query.as_of is None else entry.held_at(query.as_of)
        return (
            shown
            and (entry.category is not Category.WORKING or entry.session == query.session)
            and (query.categories is None or entry.category in query.categories)
            and (query.tags is None or set(query.tags) <= set(entry.tags))
            and (query.session is None or entry.session == query.session)
        )

    return admits
