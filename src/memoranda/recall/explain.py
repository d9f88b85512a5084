"""Saying in words why an entry was found."""

from __future__ import annotations

import numpy as np

from memoranda.recall.evidence import Evidence
from memoranda.recall.question import Question
from memoranda.recall.segment import Segment
from memoranda.recall.view import View
from memoranda.records.entry import MemoryEntry

MOST_QUOTED = 80
"""Most characters of another entry that a reason quotes."""
MOST_WORDS = 6
"""Most words that a reason names."""


def because(view: View, question: Question, found: Evidence, slot: int) -> str:
    """Returns the reason why the entry of a slot was found, in words that a person understands."""
    reasons = [*_words(view, question, found, slot), *_meaning(question, found, slot)]
    if len(found.speakers) == 1 and view.speaker[slot] == found.speakers[0]:
        reasons.append(f"said by {_speaker(view, slot)}, whom the query names")
    tags = [tag for tag in found.tags if slot in view.tagged.get(tag, ())]
    if tags:
        reasons.append(f"tagged {', '.join(tags)}")
    entry = view.entries[slot]
    if entry is not None and entry.id in question.ids:
        reasons.append("the query names its id")
    if found.happened[slot]:
        reasons.append("happened when the query says")
    return "; ".join((*reasons, *_contests(view, slot)))


def _contests(view: View, slot: int) -> list[str]:
    """Says what cannot be true together with the entry of a slot, with the days of both."""
    entry = view.entries[slot]
    found = []
    for id in entry.contested_with if entry is not None else ():
        other = view.entries[view.slots[id]] if id in view.slots else None
        if entry is not None and other is not None and other.superseded_by is None:
            said = other.memory if len(other.memory) <= MOST_QUOTED else f"{other.memory[:MOST_QUOTED]}..."
            found.append(f'contested ({day(entry)}): another entry says "{said}" ({day(other)})')
    return found


def day(entry: MemoryEntry) -> str:
    """Returns the day since which an entry holds, in UTC."""
    return (entry.valid_from or entry.created_at).date().isoformat()


def _words(view: View, question: Question, found: Evidence, slot: int) -> list[str]:
    own = _terms_of(view, question, slot)
    asked = len(question.terms.informative)
    if own:
        written = dict(zip(question.terms.terms, question.terms.written, strict=True))
        named = ", ".join(f'"{written[term]}"' for term in own[:MOST_WORDS])
        more = ", ..." if len(own) > MOST_WORDS else ""
        return [f"has {named}{more} ({len(own)} of {asked} words)"]
    if found.words.near[slot]:
        return ["stands beside an entry of its session that has words of the query"]
    return []


def _terms_of(view: View, question: Question, slot: int) -> list[str]:
    return [term for term in question.terms.informative if any(_holds(part, term, slot) for part in view.segments)]


def _holds(segment: Segment, term: str, slot: int) -> bool:
    found = segment.postings(term)
    if found is None:
        return False
    place = int(np.searchsorted(found[0], slot))
    return place < len(found[0]) and int(found[0][place]) == slot


def _meaning(question: Question, found: Evidence, slot: int) -> list[str]:
    if found.cosines is None:
        return []
    cosine = float(found.cosines[slot])
    if cosine < question.floor:
        return [f"meaning {cosine:.3f}, under the floor of {question.floor:g}"]
    return [f"meaning {cosine:.2f}"]


def _speaker(view: View, slot: int) -> str:
    entry = view.entries[slot]
    return (entry.speaker if entry else None) or "nobody"
