"""Standardised scores and their sum."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.fuse import LEAST_DEVIATION, fused, standardised

rows = st.lists(st.tuples(st.floats(-1000, 1000, width=32), st.booleans()), max_size=40)


@given(rows)
def test_among_the_slots_the_mean_is_0_and_the_deviation_1(given: list[tuple[float, bool]]) -> None:
    values = np.array([value for value, _ in given], np.float32)
    among = np.array([inside for _, inside in given], np.bool_)
    found = standardised(values, among)
    assert np.isfinite(found).all()
    assert not found[~among].any()
    if found.any() and values[among].std() > 0.01:
        assert found[among].mean() == pytest.approx(0, abs=0.02)
        assert found[among].std() == pytest.approx(1, abs=0.02)
        in_order = found[among][np.argsort(values[among])]
        assert (np.diff(in_order) >= 0).all()


@pytest.mark.parametrize("values", [[], [3.0], [0.5, 0.5, 0.5], [1.0, 1.0 + LEAST_DEVIATION / 10, 1.0]])
def test_a_channel_that_tells_nothing_apart_says_nothing(values: list[float]) -> None:
    given = np.array(values, np.float32)
    assert standardised(given, np.ones(len(values), np.bool_)).tolist() == [0.0] * len(values)


def test_among_nobody_nothing_is_said() -> None:
    assert standardised(np.array([1, 2], np.float32), np.zeros(2, np.bool_)).tolist() == [0, 0]


def test_channels_are_summed() -> None:
    one, other = np.array([1, 2], np.float32), np.array([-3, 0.5], np.float32)
    assert fused({"a": one, "b": other}, 2).tolist() == [-2, 2.5]
    assert fused({}, 2).tolist() == [0, 0]
    assert fused({}, 0).tolist() == []
