import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidInput
from memoranda.models.unit import cosine, unit, view, zero

numbers = st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=16)


@given(numbers)
def test_a_unit_vector_has_length_one_or_is_zero(values: list[float]) -> None:
    vector = unit(values)
    length = math.sqrt(math.fsum(number * number for number in vector))
    assert len(vector) == len(values)
    assert length == 0 or length == pytest.approx(1, abs=1e-6)
    assert length > 0 or max(map(abs, values)) < 1e-12


@given(numbers, numbers)
def test_a_cosine_is_a_number_from_minus_one_to_one(one: list[float], other: list[float]) -> None:
    width = min(len(one), len(other))
    assert -1 <= cosine(unit(one[:width]), unit(other[:width])) <= 1


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_v03_nan_and_infinity_are_refused(bad: float) -> None:
    with pytest.raises(InvalidInput, match="NaN or an infinity"):
        unit([1.0, bad])


@pytest.mark.parametrize("bad", ["text", None, 10**400])
def test_what_is_no_number_is_refused(bad: Any) -> None:
    with pytest.raises(InvalidInput, match="no number"):
        unit([1.0, bad])


def test_v03_zeros_are_similar_to_nothing() -> None:
    good, half = unit([1, 0]), unit([0.5, 0.5])
    assert cosine(good, half) == pytest.approx(math.sqrt(0.5))
    assert cosine(good, zero(2)) == 0
    assert cosine(zero(2), zero(2)) == 0
    assert list(unit([0, 0])) == [0, 0]


def test_huge_and_tiny_numbers_keep_their_direction() -> None:
    assert list(unit([1e308, 0])) == [1, 0]
    assert list(unit([1e-11, 0])) == [1, 0]


def test_v01_vectors_of_two_widths_are_not_compared() -> None:
    with pytest.raises(InvalidInput, match="2 and 3 numbers"):
        cosine(zero(2), zero(3))


def test_a_vector_is_read_only() -> None:
    with pytest.raises(TypeError):
        unit([1, 0])[0] = 2
    assert list(view(bytes(4))) == [0]
