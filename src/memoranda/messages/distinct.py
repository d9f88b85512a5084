"""Telling calls apart that a provider would take for one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from memoranda.messages.mending import Mending, named
from memoranda.messages.pairs import Place
from memoranda.records.message import CallPart, Part, ResultPart, WireFormat

ID_CHARACTERS: Final = 40
"""Longest id of a call that OpenAI Chat takes; a new id keeps within it."""


def tell_apart(mending: Mending) -> None:
    """Gives calls another id that the provider would take for an earlier one.

    Chat pairs results with the message right before them, so an id must be the only one in its message; the others look
    through the whole list.
    """
    pairs = mending.pairs
    calls = [(place, part) for place in pairs.results if isinstance(part := mending.part(place), CallPart)]
    calls = [(place, part) for place, part in calls if not part.server and part.id]
    keys = [(place[0] if mending.format is WireFormat.CHAT else 0, part.id) for place, part in calls]
    if len(set(keys)) == len(keys):
        return
    used = {part.id for _, part in calls}
    counts: Counter[str] = Counter()
    # A call that is open keeps its id, by which the host will answer: an earlier one gives way.
    waiting = mending.waiting
    ranks = [0 if place in waiting else 1 if not pairs.results[place] else 2 for place, _ in calls]
    seen: set[tuple[int, str]] = set()
    changes: dict[Place, Part | None] = {}
    for _, key, (place, call) in sorted(zip(ranks, keys, calls, strict=True), key=lambda row: row[0]):
        if key not in seen:
            seen.add(key)
            continue
        id = _new_id(call.id, used, counts)
        mending.note(place[0], f"call {named(call.id)} has the id of another call; it is now {named(id)}")
        changes[place] = replace(call, id=id)
        for result in pairs.results[place]:
            if isinstance(part := mending.part(result), ResultPart):
                changes[result] = replace(part, id=id)
    mending.change(changes)


def _new_id(id: str, used: set[str], counts: Counter[str]) -> str:
    while True:
        counts[id] += 1
        end = f"_{counts[id] + 1}"
        new = f"{id[: ID_CHARACTERS - len(end)]}{end}"
        if new not in used:
            used.add(new)
            return new
