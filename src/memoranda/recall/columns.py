"""Columns of numbers that grow at their end while others read what was there before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Slots = NDArray[np.intp]


class Column:
    """One value, or one row of values, for each slot.

    Appending never moves what a reader holds: a full column is copied to a larger one, and the reader keeps the old.

    Args:
        kind: the numpy type of a value.
        width: values in a row; None for one value.
    """

    def __init__(self, kind: type[np.generic], width: int | None = None) -> None:
        self._width = width
        self._values: Array = np.zeros(self._shape(64), dtype=kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def extend(self, values: Sequence[object]) -> None:
        """Adds values at the end; for rows, rows of zeros."""
        size = self._size + len(values)
        if size > len(self._values):
            larger = np.zeros(self._shape(max(size, 2 * len(self._values))), dtype=self._values.dtype)
            larger[: self._size] = self._values[: self._size]
            self._values = larger
        if self._width is None:
            self._values[self._size : size] = values
        self._size = size

    def append(self, value: object) -> None:
        """Adds a value, or a row, at the end."""
        self.extend((0,))
        self.put(self._size - 1, value)

    def put(self, slot: int, value: object) -> None:
        """Changes the value of a slot; readers see it, unless `detach` was called after they looked."""
        self._values[slot] = value

    def add(self, slot: int, value: float) -> None:
        """Adds to the value of a slot."""
        self._values[slot] += value

    def detach(self) -> None:
        """Lets readers keep the values as they are: what is put from now on is put into a copy."""
        self._values = self._values.copy()

    def get(self, slot: int) -> Any:
        """Returns the value of a slot."""
        return self._values[slot]

    def view(self) -> Array:
        """Returns the values as they are now, without copying them."""
        return self._values[: self._size]

    def _shape(self, size: int) -> tuple[int, ...]:
        return (size,) if self._width is None else (size, self._width)
