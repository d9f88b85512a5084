"""One byte a number: what it costs."""

from __future__ import annotations

import math
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from memoranda.recall.quantize import LARGEST, as_floats, quantize
from memoranda.records.quantized import QuantizedVector
from tests.recall.made import Vector, unit

vectors = (
    st.integers(1, 64).flatmap(lambda size: arrays(np.float32, size, elements=st.floats(-1, 1, width=32))).map(unit)
)


def floats(vector: QuantizedVector) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.frombuffer(vector.values, np.int8).astype(np.float64) * vector.scale


@given(vectors)
def test_it_has_length_1_again_and_turns_by_no_more_than_its_rounding(vector: Vector) -> None:
    kept = quantize(list(vector))
    whole = np.frombuffer(kept.values, np.int8)
    assert len(whole) == len(vector)
    if not vector.any():
        assert (kept.scale, any(kept.values)) == (0.0, False)
        return
    assert np.abs(whole.astype(int)).max() == LARGEST
    assert np.linalg.norm(floats(kept)) == pytest.approx(1)
    off = float(np.abs(vector).max()) / LARGEST / 2 * math.sqrt(len(vector))
    assert float(floats(kept) @ vector) >= math.sqrt(max(0.0, 1 - off**2)) - 1e-5


@given(st.integers(0, 2**32 - 1))
def test_at_384_numbers_a_cosine_changes_by_less_than_0003(seed: int) -> None:
    """Random vectors of length 1, their cosines with each other and with what is near to them."""
    chance = np.random.default_rng(seed)
    documents = np.array([unit(row) for row in chance.standard_normal((40, 384))])
    queries = np.array([unit(row) for row in documents + chance.standard_normal((40, 384)) * 0.05])
    kept = np.array([floats(quantize(list(row))) for row in documents])
    assert np.abs(kept @ queries.T - documents @ queries.T).max() < 0.003


@pytest.mark.parametrize("given", [[], [0.0], [0.0] * 7, [-0.0, 0.0]])
def test_zeros_are_like_nothing(given: list[float]) -> None:
    """Case V03: a vector of zeros gets the factor 0, never a NaN."""
    assert quantize(given) == QuantizedVector(values=bytes(len(given)), scale=0.0)


def test_any_row_of_numbers_will_do() -> None:
    row = array("f", [0.6, -0.8])
    assert quantize(row) == quantize([0.6, -0.8]) == QuantizedVector(values=b"\x5f\x81", scale=1 / math.hypot(95, 127))
    assert as_floats(row).dtype == np.float32
    same = np.array([1, 2], np.float32)
    assert as_floats(list(same)).tolist() == [1, 2]
