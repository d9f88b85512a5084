"""The seed's transparent scorer: relevance, words found in the text, tags (S0.28 to S0.36).

It is what `InMemoryStore` ranks by. Words are compared as substrings, so "deploy" is found in "deployment" and
"the" in "other"; nothing here knows meaning, inflection or rarity. `Scope.recall` over a durable store ranks better.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memoranda.records.entry import MemoryEntry

Scorer = Callable[[MemoryEntry, str], float]
"""Says how well an entry answers a query; more is better. NaN is taken as less than every number."""

_RELEVANCE = 0.5
_WORDS = 0.4
_TAG = 0.3
_BASELINE = 0.1


def overlap_score(entry: MemoryEntry, query: str) -> float:
    """Returns 0.5 * relevance + 0.4 * share of the query's words found + 0.3 * tag hit + 0.1: 0.1 to 1.3 (S0.28).

    A word is found when it is a substring of the entry's text; case does not matter, and a word that is asked twice
    counts twice (S0.29). The tag hit is 1 when any tag contains the whole query, blanks at its ends left out; a blank
    query hits no tag (S0.31, S0.32) and finds no word (S0.30). A relevance that is no number from 0 to 1 counts as 0
    (S0.34).
    """
    return _Question.of(query).score(entry)


def overlaps(entry: MemoryEntry, query: str) -> bool:
    """Tells whether the entry matches at all: a word of the query in its text, or the query in a tag (S0.43)."""
    question = _Question.of(query)
    return question.words_found(entry) > 0 or question.hits_tag(entry)


def rank(entries: Sequence[MemoryEntry], query: str, limit: int, scorer: Scorer | None = None) -> list[MemoryEntry]:
    """Returns at most `limit` entries, best first; equal scores keep the order given (S0.3, S0.33).

    Entries that match nothing are returned too when there is room for them (S0.36). None for a limit under 1.

    Args:
        entries: what there is to choose from.
        query: what is asked.
        limit: most entries to return.
        scorer: scores each entry once; `overlap_score` when not given.
    """
    if limit < 1:
        return []
    question = _Question.of(query)
    scores = [question.score(entry) if scorer is None else scorer(entry, query) for entry in entries]
    keys = [math.inf if math.isnan(score) else -score for score in scores]
    order = sorted(range(len(entries)), key=keys.__getitem__)
    return [entries[place] for place in order[:limit]]


@dataclass(frozen=True, slots=True)
class _Question:
    """A query, analysed once for all the entries.

    Attributes:
        words: its words in lower case, each with how often it was asked.
        total: how many words were asked, at least 1.
        phrase: the whole query in lower case, without blanks at its ends.
    """

    words: Counter[str]
    total: int
    phrase: str

    @classmethod
    def of(cls, query: str) -> _Question:
        lowered = query.lower()
        words = Counter(lowered.split())
        return cls(words, max(words.total(), 1), lowered.strip())

    def score(self, entry: MemoryEntry) -> float:
        relevance = entry.relevance if 0.0 <= entry.relevance <= 1.0 else 0.0
        share = self.words_found(entry) / self.total
        return _RELEVANCE * relevance + _WORDS * share + _TAG * self.hits_tag(entry) + _BASELINE

    def words_found(self, entry: MemoryEntry) -> int:
        text = entry.memory.lower()
        return sum(times for word, times in self.words.items() if word in text)

    def hits_tag(self, entry: MemoryEntry) -> bool:
        return bool(self.phrase) and any(self.phrase in tag.lower() for tag in entry.tags)
