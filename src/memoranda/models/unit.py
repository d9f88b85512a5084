"""Vectors of length 1 in float32, and their cosine, without numpy."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from memoranda.errors import InvalidInput

_BYTES_A_NUMBER: Final = 4
_NOTHING: Final = 1e-12

if TYPE_CHECKING:
    FloatView = memoryview[float]
else:
    FloatView = memoryview
    """A read-only view of float32 numbers: a sequence that numpy takes over without a copy."""


def unit(values: Iterable[float]) -> FloatView:
    """Returns the vector brought to length 1.

    A vector of zeros has no direction and stays what it is; its cosine with anything is 0 (case V03).

    Raises:
        InvalidInput: it holds NaN, an infinity, or what is no number.
    """
    try:
        numbers = array("d", values)
    except (TypeError, OverflowError) as error:
        raise InvalidInput(f"a vector holds something that is no number of a float's size: {error}") from error
    if not all(map(math.isfinite, numbers)):
        raise InvalidInput("a vector holds NaN or an infinity, which can be compared with nothing")
    largest = max(map(abs, numbers), default=0.0)
    if largest < _NOTHING:
        return zero(len(numbers))
    # Divided by the largest first, so that no square is too large or too small for a float.
    scaled = [number / largest for number in numbers]
    length = math.sqrt(math.fsum(number * number for number in scaled))
    return view(array("f", [number / length for number in scaled]).tobytes())


def zero(dimensions: int) -> FloatView:
    """Returns a vector of zeros."""
    return view(bytes(_BYTES_A_NUMBER * dimensions))


def view(data: bytes) -> FloatView:
    """Returns the vector whose float32 numbers, in this machine's order, are these bytes."""
    return memoryview(data).cast("f")


def cosine(one: Sequence[float], other: Sequence[float]) -> float:
    """Returns the cosine of two vectors of length 1, from -1 to 1; 0 where one of them is zeros.

    Raises:
        InvalidInput: they have different widths, so that they come from different embedders.
    """
    if len(one) != len(other):
        raise InvalidInput(f"vectors of {len(one)} and {len(other)} numbers cannot be compared: embed with one model")
    return max(-1.0, min(1.0, math.fsum(a * b for a, b in zip(one, other, strict=True))))
