"""A vector as it is kept: one byte a number."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QuantizedVector:
    """A vector of length 1 as whole numbers from -127 to 127 and one factor.

    Attributes:
        values: a signed byte for each number; `values * scale` is the vector. 384 numbers take 384 bytes.
        scale: the factor; 0 for a vector of zeros, which is like nothing.
    """

    values: bytes
    scale: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryVector:
    """The vector of an entry by one embedder.

    Attributes:
        id: the entry's.
        embedder: the key of the embedder's identity; only vectors of one embedder may be compared (C30).
        vector: the vector.
    """

    id: str
    embedder: str
    vector: QuantizedVector
