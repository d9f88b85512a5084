"""Entries, indexes and questions made by hand, for the pure rooms of recall."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np

from memoranda.protocols.store import Changes
from memoranda.recall.index import ScopeIndex
from memoranda.recall.quantize import quantize
from memoranda.recall.question import Filter, Question
from memoranda.recall.rank import Ranking, rank
from memoranda.recall.view import View
from memoranda.records.entry import Category, MemoryEntry
from memoranda.text.words import Analyser

NOW = datetime(2026, 6, 1, tzinfo=UTC)
ANALYSER = Analyser()
Numbers = Sequence[float]
Vector = np.ndarray[Any, np.dtype[np.float32]]


def number(place: int) -> str:
    """Returns the id of the entry of that number."""
    return f"00000000-0000-4000-8000-{place:012x}"


def entry(text: str, place: int = 0, **fields: Any) -> MemoryEntry:
    """Returns a fact recorded at `NOW` with confidence 1; its id counts its place."""
    given: dict[str, Any] = {"id": number(place), "created_at": NOW, "confidence": 1.0}
    return MemoryEntry(fields.pop("category", Category.FACT), text, **(given | fields))


def entries(*texts: str, **fields: Any) -> list[MemoryEntry]:
    """Returns an entry for each text, in order."""
    return [entry(text, place, **fields) for place, text in enumerate(texts)]


def unit(numbers: Numbers | Vector) -> Vector:
    """Returns a vector brought to length 1; zeros stay zeros."""
    vector = np.asarray(numbers, np.float64)
    length = np.linalg.norm(vector)
    return (vector / length if length else vector).astype(np.float32)


def changes(
    given: Sequence[MemoryEntry], vectors: Mapping[str, Numbers] | None = None, version: int = 1, complete: bool = True
) -> Changes:
    """Returns a change of a scope; vectors by id, of any length."""
    kept = {id: quantize(list(unit(numbers))) for id, numbers in (vectors or {}).items()}
    return Changes(version=version, entries=given, complete=complete, vectors=kept)


def view(given: Sequence[MemoryEntry], vectors: Sequence[Numbers | None] = (), dimensions: int | None = None) -> View:
    """Returns the view of an index of these entries; vectors in their order, None for an entry without one."""
    found = {one.id: numbers for one, numbers in zip(given, vectors, strict=False) if numbers is not None}
    width = dimensions or (len(next(iter(found.values()))) if found else None)
    return ScopeIndex(ANALYSER, width).apply(changes(given, found)).view()


def question(text: str, vector: Numbers | None = None, **fields: Any) -> Question:
    """Returns a query at `NOW`; with a vector it has the floor 0.25."""
    asked = Question(terms=ANALYSER.query(text), now=NOW)
    if vector is not None:
        asked = replace(asked, vector=unit(vector), floor=0.25)
    return replace(asked, **fields)


def ranking(seen: View, asked: Question | str, most: int = 8, **shown: Any) -> Ranking:
    """Returns the ranking of a view; a text is asked without a vector."""
    asked = question(asked) if isinstance(asked, str) else asked
    return rank(seen, asked, Filter(**{"now": asked.now} | shown), most)


def texts(found: Ranking) -> list[str]:
    """Returns the texts of the hits, best first."""
    return [hit.entry.memory for hit in found.hits]
