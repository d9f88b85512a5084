"""An embedder for tests: no model, no package, and the same vectors everywhere."""

from __future__ import annotations

import math
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b

from memoranda.protocols.embedder import EmbedderIdentity, Kind, Vector

_TRIGRAM_WEIGHT = 0.5


class HashingEmbedder:
    """Vectors from hashed words and their parts of three letters (S0.55, C51). Not a model: it knows no meaning.

    Texts that share words, or most letters of words (`deploy`, `deployed`), are near; others are not, but for chance
    that falls with the dimensions. The same text has the same vector on every machine and in every release.

    Args:
        dimensions: numbers in a vector.
        floor: the cosine under which an entry is no answer.
        name: what its vectors are stored under; give two embedders two names to test a change of embedder.
    """

    never_suspends = True

    def __init__(self, dimensions: int = 256, *, floor: float = 0.25, name: str = "hashing") -> None:
        self._identity = EmbedderIdentity(name=name, dimensions=dimensions, floor=floor)

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns what its vectors are stored under."""
        return self._identity

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        """Returns a vector of length 1 for each text, in order; zeros for a text without a letter or digit."""
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> list[float]:
        numbers = [0.0] * self._identity.dimensions
        for feature, weight in _features(text).items():
            digest = blake2b(feature.encode("utf-8", "replace"), digest_size=8).digest()
            number = int.from_bytes(digest, "big")
            sign = 1 if number & 1 else -1
            numbers[(number >> 1) % len(numbers)] += sign * weight
        length = math.sqrt(math.fsum(number * number for number in numbers))
        return [number / length for number in numbers] if length else numbers


def _features(text: str) -> dict[str, float]:
    features: defaultdict[str, float] = defaultdict(float)
    for word in _words(text):
        features[word] += 1
        framed = f"<{word}>"
        for start in range(len(framed) - 2):
            features[framed[start : start + 3]] += _TRIGRAM_WEIGHT
    return features


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(char if char.isalnum() else " " for char in folded).split()
