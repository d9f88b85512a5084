"""Bringing the channels together: a weighted sum of standardised scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from memoranda.recall.columns import Flags, Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What the channels count: the first seven for one standard deviation, the others as they are.

    Hints that are true or not are not standardised: a rare one would outweigh all evidence.

    Ranks are not fused: a sum of standardised scores keeps how far apart two entries are, takes small hints beside
    strong evidence, and is not wrecked by a channel that is blind to a language (anchors in
    docs/decisions/0005-ranking.md, with the measurements behind each number).

    Attributes:
        words: BM25 of the entry.
        passage_words: BM25 of the entry with its neighbours.
        session_words: BM25 of its session.
        meaning: cosine of the entry.
        passage_meaning: cosine of the entry with its neighbours.
        session_meaning: greatest cosine in its session.
        length: that it is longer than its speaker's usual words.
        speaker: that the one speaker whom the query names said it.
        user: that the user said it, not the assistant.
        question: that it asks rather than tells, by which share more than its speaker's usual words; negative.
        time: that it happened when the query says.
        tag: that the query names one of its tags.
        id: that the query names its id; more than all the others together.
    """

    words: float = 0.3
    passage_words: float = 0.3
    session_words: float = 0.5
    meaning: float = 0.7
    passage_meaning: float = 0.6
    session_meaning: float = 0.1
    length: float = 0.3
    speaker: float = 1.0
    user: float = 1.6
    question: float = -0.75
    time: float = 2.0
    tag: float = 1.0
    id: float = 20.0


def standardised(values: Floats, among: Flags, shown: Flags | None = None) -> Floats:
    """Returns values as standard deviations from their mean among some slots; all 0 where they are equal among them.

    Args:
        values: one for each slot.
        among: the slots whose mean and deviation count.
        shown: the slots that get a value, others get 0; those of `among` by default.
    """
    result: Floats = np.zeros(len(values), np.float32)
    wanted = among if shown is None else shown
    found = values[among]
    deviation = float(found.std()) if len(found) else 0.0
    if deviation >= LEAST_DEVIATION:
        result[wanted] = (values[wanted] - found.mean()) / deviation
    return result


LEAST_DEVIATION = 1e-6
"""A channel that differs by less says nothing; dividing by it would make noise loud."""


def fused(channels: Mapping[str, Floats], size: int) -> Floats:
    """Returns the sum of channels that are weighted already."""
    total = np.zeros(size, np.float32)
    for values in channels.values():
        total += values
    return total
