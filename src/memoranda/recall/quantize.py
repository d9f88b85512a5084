"""Vectors to one byte a number.

What that costs: a cosine of random vectors of 384 numbers changes by less than 0.003. One number far larger than all
the others would cost more, since it sets the step of all; embedders do not give such vectors.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from memoranda.recall.columns import Floats
from memoranda.records.quantized import QuantizedVector

LARGEST = 127
"""The largest whole number of a signed byte that has a negative of its own."""


def quantize(vector: Sequence[float]) -> QuantizedVector:
    """Returns a vector of length 1 as whole numbers, the largest of them 127, and one factor.

    The factor is chosen so that the result has the length 1 again. A vector of zeros gets the factor 0.
    """
    numbers = np.asarray(vector, dtype=np.float32)
    largest = float(np.abs(numbers).max(initial=0.0))
    if largest == 0.0:
        return QuantizedVector(values=bytes(len(numbers)), scale=0.0)
    whole = np.rint(numbers * (LARGEST / largest)).astype(np.int8)
    length = float(np.sqrt(np.square(whole.astype(np.float64)).sum()))
    return QuantizedVector(values=whole.tobytes(), scale=1 / length)


def as_floats(vector: Sequence[float]) -> Floats:
    """Returns a vector as an array, without a copy where it is one already."""
    return np.asarray(vector, dtype=np.float32)
