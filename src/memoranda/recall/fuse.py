"""Bringing the channels together: a weighted sum of standardised scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from memoranda.recall.columns import Flags, Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """What one standard deviation of each channel counts.

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
        speaker: that the one speaker whom the query names said it.
        user: that the user said it, not the assistant.
        length: that it is longer than its speaker's usual words.
        question: that it asks rather than tells; negative.
        time: that it happened when the query says.
        tag: that the query names one of its tags.
    """

    words: float = 0.3
    passage_words: float = 0.3
    session_words: float = 0.5
    meaning: float = 0.7
    passage_meaning: float = 0.6
    session_meaning: float = 0.1
    speaker: float = 0.5
    user: float = 0.8
    length: float = 0.3
    question: float = -0.3
    time: float = 0.5
    tag: float = 0.3


def standardised(values: Floats, among: Flags) -> Floats:
    """Returns values as standard deviations from their mean among some slots; 0 elsewhere and where all are equal."""
    found = values[among]
    deviation = float(found.std()) if len(found) else 0.0
    if deviation < LEAST_DEVIATION:
        return np.zeros(len(values), np.float32)
    return np.where(among, (values - found.mean()) / deviation, 0).astype(np.float32)


LEAST_DEVIATION = 1e-6
"""A channel that differs by less says nothing; dividing by it would make noise loud."""


def fused(channels: Mapping[str, Floats], size: int) -> Floats:
    """Returns the sum of channels that are weighted already."""
    total = np.zeros(size, np.float32)
    for values in channels.values():
        total += values
    return total
