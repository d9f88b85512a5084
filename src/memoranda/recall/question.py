"""What is asked of one scope: the query as recall reads it, and which entries may be shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from memoranda.recall import channels
from memoranda.recall.columns import Flags, Floats
from memoranda.recall.fuse import Weights
from memoranda.recall.view import View, micros
from memoranda.records.entry import Category, MemoryEntry
from memoranda.text.words import QueryTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A query, ready to be ranked for.

    Attributes:
        terms: its terms.
        now: the present moment.
        vector: its vector, of length 1; None without an embedder.
        floor: the cosine under which an entry is no answer by meaning.
        coverage: how well the embedder reads the query, 0 to 1; the meaning channels weigh that much.
        ranges: the times that it names, in microseconds since 1970, the end left out.
        ids: the ids of entries that it names.
        half_life_days: after how many days the recency share has halved.
        weights: what the channels count.
    """

    terms: QueryTerms
    now: datetime
    vector: Floats | None = None
    floor: float = 1.0
    coverage: float = 1.0
    ranges: Sequence[tuple[int, int]] = ()
    ids: Sequence[str] = ()
    half_life_days: float = 30.0
    weights: Weights = field(default_factory=Weights)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which entries a recall may show.

    Attributes:
        now: the present moment.
        as_of: what held at that moment, instead of what is live now.
        categories: only these; None for all.
        tags: only entries with every one of these tags.
        session: only entries of this conversation; also shows its `working` entries, which no other recall does (C47).
    """

    now: datetime
    as_of: datetime | None = None
    categories: tuple[Category, ...] | None = None
    tags: tuple[str, ...] | None = None
    session: str | None = None

    def admits_entry(self, entry: MemoryEntry) -> bool:
        """Tells of one entry what `admits` tells of all."""
        return (
            (entry.is_live(self.now) if self.as_of is None else entry.held_at(self.as_of))
            and not entry.is_expired(self.as_of or self.now)
            and (entry.category is not Category.WORKING or entry.session in (None, self.session))
            and (self.categories is None or entry.category in self.categories)
            and (self.tags is None or set(self.tags) <= set(entry.tags))
            and (self.session is None or entry.session == self.session)
        )

    def admits(self, view: View) -> Flags:
        """Returns which entries may be shown."""
        if self.as_of is None:
            found = view.live & (view.expires > micros(self.now))
        else:
            moment = micros(self.as_of)
            found = (view.begins <= moment) & (moment < view.ends) & (moment < view.expires)
        codes = {category: code for code, category in enumerate(Category)}
        if self.session is None:
            found &= (view.category != codes[Category.WORKING]) | ~view.in_session
        else:
            found &= view.session == view.sessions.get(self.session, -2)
        if self.categories is not None:
            found &= np.isin(view.category, [codes[category] for category in self.categories])
        for tag in self.tags or ():
            found &= channels.tagged(view, [tag])
        return found
