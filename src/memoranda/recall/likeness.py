"""Finding entries whose wording may be like that of a text, without going through all of them."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from memoranda.recall.segment import postings
from memoranda.recall.view import View


def with_rare_terms(view: View, terms: Iterable[str], *, rare: int, least: int, most: int) -> list[str]:
    """Returns the ids of at most `most` live entries that have `least` or more of a text's `rare` rarest terms."""
    found = [slots for term in set(terms) if len(slots := postings(view.segments, term)[0])]
    rarest = sorted(found, key=len)[:rare]
    if not rarest:
        return []
    slots, counts = np.unique(np.concatenate(rarest), return_counts=True)
    shown = view.live[slots] & (counts >= least)
    slots, counts = slots[shown], counts[shown]
    best = np.lexsort((-view.seen[slots], -counts))[:most]
    return [entry.id for slot in slots[best] if (entry := view.entries[int(slot)]) is not None]
