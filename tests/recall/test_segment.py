"""Segments: merging neighbours gives what building the whole gives."""

from __future__ import annotations

import math
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.segment import MOST_COUNTED, Segment, grown, postings

TERMS = ("deploy", "blue", "cluster", "金", "")
counted = st.dictionaries(st.sampled_from(TERMS), st.integers(1, 5), max_size=4)
run_of_slots = st.lists(counted, max_size=20)

Plain = dict[str, list[tuple[int, int]]]


def plain(segment: Segment) -> Plain:
    found = {term: segment.postings(term) for term in segment.terms}
    return {term: list(zip(pair[0].tolist(), pair[1].tolist(), strict=True)) for term, pair in found.items() if pair}


def expected(rows: list[dict[str, int]]) -> Plain:
    found: Plain = {}
    for slot, row in enumerate(rows):
        for term, count in row.items():
            found.setdefault(term, []).append((slot, count))
    return found


@given(run_of_slots, run_of_slots, run_of_slots)
def test_merged_neighbours_are_the_segment_of_the_whole(
    first: list[dict[str, int]], second: list[dict[str, int]], third: list[dict[str, int]]
) -> None:
    parts = [
        Segment.build(0, first),
        Segment.build(len(first), second),
        Segment.build(len(first) + len(second), third),
    ]
    rows = first + second + third
    left, right = parts[0].merged(parts[1]).merged(parts[2]), parts[0].merged(parts[1].merged(parts[2]))
    for whole in (left, right, Segment.build(0, rows)):
        assert plain(whole) == expected(rows)
        assert whole.size == len(rows)
        assert [part.dtype.name for part in (whole.slots, whole.counts, whole.starts)] == ["uint32", "uint16", "uint32"]


@given(st.lists(st.lists(counted, min_size=1, max_size=9), max_size=40))
def test_however_it_grew_nothing_is_lost_and_there_are_few_segments(batches: list[list[dict[str, int]]]) -> None:
    """Each segment is at least twice as large as the one after it, so there are about log2(n) of them."""
    segments: tuple[Segment, ...] = ()
    rows: list[dict[str, int]] = []
    for batch in batches:
        segments = grown(segments, Segment.build(len(rows), batch))
        rows += batch
        sizes = [segment.size for segment in segments]
        assert sum(sizes) == len(rows)
        assert all(one > 2 * later for one, later in pairwise(sizes))
        assert len(sizes) <= math.log2(len(rows)) + 1
    for term in TERMS:
        slots, counts = postings(segments, term)
        assert slots.tolist() == sorted(slots.tolist())
        assert list(zip(slots.tolist(), counts.tolist(), strict=True)) == expected(rows).get(term, [])
        assert (slots.dtype.kind, counts.dtype.name) == ("i", "float32")


def test_a_segment_does_not_change_when_it_is_merged() -> None:
    one, two = Segment.build(0, [{"a": 1}, {"b": 2}]), Segment.build(2, [{"a": 3}])
    before = (plain(one), plain(two))
    one.merged(two)
    assert (plain(one), plain(two)) == before


def test_a_term_is_counted_up_to_a_bound() -> None:
    assert plain(Segment.build(7, [{"a": 10**9}])) == {"a": [(7, MOST_COUNTED)]}


def test_what_is_empty_has_no_postings() -> None:
    empty = Segment.build(0, [])
    assert (empty.size, plain(empty), empty.postings("a")) == (0, {}, None)
    assert plain(empty.merged(empty)) == {}
    assert [part.tolist() for part in postings((), "a")] == [[], []]
    assert [part.tolist() for part in postings((Segment.build(0, [{}, {}]),), "a")] == [[], []]
