"""The seed's scorer, exactly (S0.28 to S0.36)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.overlap import overlap_score, overlaps, rank
from memoranda.records.entry import Category, MemoryEntry

QUERY = "deploy the blue service"


def entry(memory: str, *tags: str, relevance: float = 1.0) -> MemoryEntry:
    return MemoryEntry(Category.FACT, memory, tags=tags, relevance=relevance)


def test_s0_40_the_worked_example_scores_080() -> None:
    assert overlap_score(entry("deploys go to the blue cluster", "infra", relevance=0.8), QUERY) == 0.80


def test_s0_41_the_pages_second_row_scores_060_by_the_formula_not_100() -> None:
    """The page gives 1.00: "the" is no part of the text, and the tag does not hold the whole query (C10)."""
    assert overlap_score(entry("meetings are on tuesdays", "deploy"), QUERY) == 0.60


def test_s0_41_the_right_entry_of_the_worked_example_wins() -> None:
    wrong, right = entry("meetings are on tuesdays", "deploy"), entry("deploys go to the blue cluster", relevance=0.8)
    assert rank([wrong, right], QUERY, 5) == [right, wrong]


@pytest.mark.parametrize(
    ("memory", "query", "share"),
    [
        ("the deployment", "deploy", 1.0),
        ("The DEPLOYMENT", "dEpLoY", 1.0),
        ("blue", "blue green", 0.5),
        ("blue", "blue blue green", 2 / 3),
        ("blue", "blue\tgreen\n red", 1 / 3),
        ("blue", "", 0.0),
        ("blue", " \n ", 0.0),
    ],
)
def test_s0_29_s0_30_share_of_words_found(memory: str, query: str, share: float) -> None:
    assert overlap_score(entry(memory), query) == pytest.approx(0.6 + 0.4 * share)


@pytest.mark.parametrize(
    ("tag", "query", "hit"),
    [
        ("rust", " rust ", True),
        ("Rust-Lang", "rust", True),
        ("rust", "rust lang", False),
        ("the blue cluster", "BLUE cluster", True),
        ("rust", "", False),
        ("rust", "   ", False),
    ],
)
def test_s0_31_s0_32_tag_holds_the_whole_trimmed_query(tag: str, query: str, hit: bool) -> None:
    assert overlap_score(entry("-", tag), query) == pytest.approx(0.9 if hit else 0.6)
    assert overlaps(entry("-", tag), query) is hit


def test_s0_28_several_tag_hits_count_once() -> None:
    assert overlap_score(entry("-", "rust", "rusty"), "rust") == pytest.approx(0.9)


def test_s0_33_ties_keep_the_order_given() -> None:
    entries = [entry("same") for _ in range(20)]
    assert rank(entries, "same", 20) == entries


@pytest.mark.parametrize("relevance", [math.nan, math.inf, -math.inf, -0.1, 1.1, 1e300])
def test_s0_34_an_impossible_relevance_counts_as_0_and_disturbs_nothing(relevance: float) -> None:
    first, odd, last = entry("blue"), entry("blue", relevance=relevance), entry("blue", relevance=0.1)
    assert overlap_score(odd, "blue") == pytest.approx(0.5)
    assert rank([odd, last, first], "blue", 3) == [first, last, odd]


def test_s0_35_more_words_found_rank_higher() -> None:
    one, two = entry("blue"), entry("blue cluster")
    assert rank([one, two], "blue cluster", 2) == [two, one]


def test_s0_36_what_matches_nothing_fills_the_rest() -> None:
    """The baseline lets every entry through (C9): the floor is recall's, not this scorer's."""
    hit, miss = entry("blue"), entry("green")
    assert rank([miss, hit], "blue", 5) == [hit, miss]
    assert overlaps(hit, "blue")
    assert not overlaps(miss, "blue")


@pytest.mark.parametrize("limit", [0, -1, -100])
def test_s0_3_no_limit_no_entries(limit: int) -> None:
    assert rank([entry("blue")], "blue", limit) == []


def test_a_scorer_of_ones_own_is_called_once_for_each_entry_and_may_answer_nan() -> None:
    asked: list[tuple[str, str]] = []

    def length(entry: MemoryEntry, query: str) -> float:
        asked.append((entry.memory, query))
        return math.nan if entry.memory == "none" else len(entry.memory)

    entries = [entry("none"), entry("a"), entry("abc")]
    assert rank(entries, "q", 3, length) == [entries[2], entries[1], entries[0]]
    assert asked == [("none", "q"), ("a", "q"), ("abc", "q")]


@given(st.lists(st.tuples(st.text(max_size=12), st.floats()), max_size=8), st.text(max_size=12), st.integers(-1, 10))
def test_ranking_is_a_stable_descending_sort(rows: list[tuple[str, float]], query: str, limit: int) -> None:
    entries = [entry(memory, memory, relevance=relevance) for memory, relevance in rows]
    scores = [overlap_score(each, query) for each in entries]
    assert all(0.1 <= score <= 1.3 + 1e-9 for score in scores)
    expected = sorted(range(len(entries)), key=lambda place: (-scores[place], place))[: max(limit, 0)]
    assert [each.id for each in rank(entries, query, limit)] == [entries[place].id for place in expected]
