"""Ranking the units of one corpus for its questions, through the calls that a user's program would make."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from time import perf_counter
from typing import Any

from memoranda.bench.corpus import Corpus, Question, Unit, UnitKind
from memoranda.bench.embedding import embedder_of
from memoranda.records.entry import Category, Origin
from memoranda.records.new_entry import NewEntry
from memoranda.records.settings import Settings
from memoranda.runtime.sync import Memory, Scope
from memoranda.testing.fakes import CountingIds, FrozenClock

UNDATED = datetime(2026, 1, 1, tzinfo=UTC)
"""When questions are asked to a corpus in which nothing is dated."""

_LIMITS: dict[UnitKind, int] = {"turn": 100, "session": 1000}
"""How many turns are recalled. Sessions are told from their turns, so that more are needed for as long a ranking."""

_PLACE = "bench/corpus"

_embedder = lru_cache(maxsize=1)(embedder_of)  # a model is loaded once, not for each corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """How corpora are ranked.

    Attributes:
        unit: what is ranked.
        embedder: name of the embedder, as `embedder_of` takes it.
        cache: folder in which its vectors are kept from run to run.
        settings: settings of the memory.
    """

    unit: UnitKind = "turn"
    embedder: str = "default"
    cache: Path | None = None
    settings: Settings = field(default_factory=Settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The answer to one question: ids of units, best first, each once."""

    question_id: str
    ranked: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """What became of one corpus.

    Attributes:
        rankings: one for each question, in order.
        remembered: how many units were remembered.
        blank: how many were not, since their text is blank.
        remember_seconds, recall_seconds: how long that took, all questions together.
    """

    rankings: tuple[Ranking, ...]
    remembered: int
    blank: int
    remember_seconds: float
    recall_seconds: float


def rank(corpus: Corpus, approach: Approach) -> Ranked:
    """Remembers the corpus in a memory of its own and recalls for each question.

    The memory's clock stands at the question's date; where there is none, at the corpus's last. Ids are counted up,
    so that the same run gives the same rankings.
    """
    asked_at = _asked_at(corpus)
    clock = FrozenClock(asked_at[0] if asked_at else UNDATED)
    # Typed loosely: which embedders it takes is for Memory to say.
    embedder: Any = _embedder(approach.embedder, approach.cache)
    with Memory(":memory:", embedder=embedder, settings=approach.settings, clock=clock, ids=CountingIds()) as memory:
        scope = memory.scope(_PLACE)
        began = perf_counter()
        units = _remember(scope, corpus.units)
        remembered = perf_counter()
        rankings = []
        for question, moment in zip(corpus.questions, asked_at, strict=True):
            clock.set(moment)
            rankings.append(_answer(scope, question, units, approach.unit))
        ended = perf_counter()
    return Ranked(
        rankings=tuple(rankings),
        remembered=len(units),
        blank=len(corpus.units) - len(units),
        remember_seconds=remembered - began,
        recall_seconds=ended - remembered,
    )


def _asked_at(corpus: Corpus) -> list[datetime]:
    last = max((unit.occurred_at for unit in corpus.units if unit.occurred_at is not None), default=UNDATED)
    return [question.asked_at or last for question in corpus.questions]


def _remember(scope: Scope, units: Sequence[Unit]) -> dict[str, Unit]:
    """Remembers what has a text and returns the units by the ids of their entries."""
    kept = [unit for unit in units if unit.text.strip()]
    receipts = scope.remember_many(_entry(unit) for unit in kept)
    return {receipt.entry.id: unit for receipt, unit in zip(receipts, kept, strict=True) if receipt.entry is not None}


def _entry(unit: Unit) -> NewEntry:
    return NewEntry(
        unit.text,
        category=Category.EPISODE,
        origin=Origin.IMPORT,
        source=unit.id,
        speaker=unit.speaker,
        session=unit.session,
        position=unit.position,
        occurred_at=unit.occurred_at,
        metadata=unit.metadata,
    )


def _answer(scope: Scope, question: Question, units: dict[str, Unit], unit: UnitKind) -> Ranking:
    found = (units[hit.entry.id] for hit in scope.recall(question.text, limit=_LIMITS[unit]))
    # A session stands where its best turn stands.
    ids: Iterator[str | None] = (one.session if unit == "session" else one.id for one in found)
    return Ranking(question_id=question.id, ranked=tuple(dict.fromkeys(id for id in ids if id is not None)))
