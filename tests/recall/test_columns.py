"""Columns grow at their end, and what a reader holds stays."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.columns import Column


@given(st.lists(st.integers(-1000, 1000), max_size=300))
def test_what_is_appended_is_viewed_in_order(values: list[int]) -> None:
    column = Column(np.int64)
    views = []
    for value in values:
        column.append(value)
        views.append(column.view())
    assert len(column) == len(values)
    assert column.view().tolist() == values
    for size in (1, 63, 64, 65, 128, 129):
        if size <= len(views):
            assert views[size - 1].tolist() == values[:size]


def test_a_row_for_each_slot() -> None:
    column = Column(np.int8, 3)
    for row in range(70):
        column.append((row, -row, 1))
    assert column.view().shape == (70, 3)
    assert column.get(69).tolist() == [69, -69, 1]


def test_a_view_sees_what_is_put_unless_the_column_was_detached() -> None:
    column = Column(np.float32)
    for _ in range(3):
        column.append(1)
    before = column.view()
    column.put(0, 5)
    assert before.tolist() == [5, 1, 1]
    column.detach()
    column.put(1, 7)
    column.add(2, 0.5)
    assert before.tolist() == [5, 1, 1]
    assert column.view().tolist() == [5, 7, 1.5]


@pytest.mark.parametrize("width", [None, 2])
def test_an_empty_column_has_an_empty_view(width: int | None) -> None:
    assert len(Column(np.int8, width).view()) == 0
