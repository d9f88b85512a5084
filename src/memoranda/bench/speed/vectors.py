"""Vectors that cost nothing to make, so that what is measured is the store and not a model."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from hashlib import shake_128

from memoranda.protocols.embedder import EmbedderIdentity, Kind

DIMENSIONS = 384
"""Numbers in a vector: those of the small models that are used most."""

_FLOOR = 0.1
"""Two standard deviations of the cosine of random vectors of that width: about one text in forty is a candidate."""


class RandomVectors:
    """An embedder whose vectors are noise, the same for the same text."""

    never_suspends = True
    identity = EmbedderIdentity(name="random-vectors", dimensions=DIMENSIONS, floor=_FLOOR)

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[array[int]]:
        """Returns a vector of signed bytes for each text, in order; not of length 1."""
        return [array("b", shake_128(text.encode()).digest(DIMENSIONS)) for text in texts]
