from hypothesis import given
from hypothesis import strategies as st

from memoranda.models.batches import batches


@given(st.lists(st.integers(0, 50), max_size=60), st.integers(0, 200), st.integers(1, 10))
def test_each_text_is_in_one_group_within_both_bounds(lengths: list[int], budget: int, most: int) -> None:
    groups = batches(lengths, budget=budget, most=most)
    assert sorted(position for group in groups for position in group) == list(range(len(lengths)))
    for group in groups:
        padded = len(group) * max(lengths[position] for position in group)
        assert len(group) == 1 or (len(group) <= most and padded <= budget)


def test_like_lengths_stand_together() -> None:
    assert batches([9, 1, 8, 2], budget=20, most=2) == [[1, 3], [2, 0]]
