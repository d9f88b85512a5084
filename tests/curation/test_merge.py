"""Finding what says the same and making one of it (S0.46, S0.47, C33 to C35)."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.merge import MAX_COMPARED, clusters, merged
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.text.similarity import jaccard, seed_tokens

NOW = datetime(2026, 6, 1, tzinfo=UTC)
DAY = timedelta(days=1)
BLUE = "deploys go to the blue cluster"


def entry(memory: str, category: Category = Category.FACT, **fields: Any) -> MemoryEntry:
    return MemoryEntry(category, memory, **({"created_at": NOW} | fields))


def sizes(*entries: MemoryEntry, threshold: float = 0.6) -> list[int]:
    return [len(cluster) for cluster in clusters(entries, threshold)]


def test_s0_46_three_of_five_words_are_enough() -> None:
    assert sizes(entry("a b c d"), entry("a b c e")) == [2]
    assert sizes(entry("a b c d e"), entry("a b c x y")) == [1, 1]


def test_s0_46_case_and_punctuation_do_not_count() -> None:
    assert sizes(entry("Deploys go, to (the) blue cluster!"), entry(BLUE)) == [2]


def test_s0_46_every_member_is_compared_with_the_first() -> None:
    """ "a b c d" is like "a b c e", which is like "a b e f"; the third is not like the first."""
    assert sizes(entry("a b c d"), entry("a b c e"), entry("a b e f")) == [2, 1]


def test_s0_46_an_entry_joins_the_first_cluster_that_it_is_like() -> None:
    first, second = entry("a b c d x"), entry("a b c y z")
    assert [len(found) for found in clusters([first, second, entry("a b c d z")], 0.5)] == [2, 1]


@pytest.mark.parametrize(
    "difference",
    [
        {"category": Category.INSIGHT},
        {"origin": Origin.WEB},
        {"key": "cluster"},
        {"speaker": "Ann"},
        {"occurred_at": NOW - DAY},
        {"expires_at": NOW + DAY},
    ],
)
def test_only_entries_of_one_kind_merge(difference: dict[str, Any]) -> None:
    """S0.46 names the category; the others would lose a slot, trust (D10), a speaker, a date or an expiry."""
    assert sizes(entry(BLUE), entry(**({"memory": BLUE} | difference))) == [1, 1]


def test_c47_scratch_merges_within_its_session_only() -> None:
    def scratch(session: str) -> MemoryEntry:
        return entry(BLUE, Category.WORKING, session=session)

    assert sizes(scratch("s1"), scratch("s2"), scratch("s1")) == [2, 1]
    assert sizes(entry(BLUE, session="s1"), entry(BLUE, session="s2")) == [2]


@pytest.mark.parametrize("category", [Category.EPISODE, Category.TRAJECTORY])
def test_c35_append_only_categories_never_merge(category: Category) -> None:
    """S0.46 would merge them in the seed; design section 1 has them append only, and the design wins."""
    assert sizes(entry(BLUE, category), entry(BLUE, category)) == [1, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("do go there now", "do not go there now"),
        ("the port is 8080", "the port is 9090"),
        ("the aspirin trial does lose", "the aspirin trial does not lose"),
        ("churn fell by 22 percent in May", "churn fell by 31 percent in May"),
    ],
)
def test_c33_a_difference_is_never_merged_away(one: str, other: str) -> None:
    assert jaccard(seed_tokens(one), seed_tokens(other)) >= 0.6
    assert sizes(entry(one), entry(other)) == [1, 1]
    assert sizes(entry(one), entry(other), entry(one), entry(other)) == [2, 2]


def test_c34_two_validated_entries_both_keep_their_text() -> None:
    sure = entry(BLUE, validated=True)
    assert sizes(sure, entry(BLUE), entry(BLUE + " today", validated=True)) == [2, 1]


def test_a_cluster_never_has_more_tags_than_an_entry_may() -> None:
    many = [entry(BLUE, tags=tuple(f"{letter}{number}" for number in range(33))) for letter in "ab"]
    assert sizes(*many) == [1, 1]


def test_texts_without_words_stay_alone() -> None:
    assert sizes(entry("!!!"), entry("!!!"), threshold=0) == [1, 1]


def test_s0_47_what_becomes_of_a_cluster() -> None:
    best = entry("canonical", relevance=0.5, access_count=3, tags=("core",), last_accessed=NOW - 3 * DAY)
    first = entry("variant", relevance=0.1, access_count=2, tags=("core", "extra"), created_at=NOW - 9 * DAY)
    second = entry("other", relevance=0.1, access_count=1, tags=("late",), last_accessed=NOW - DAY, confidence=0.9)
    found = merged([first, best, second], now=NOW)
    assert (found.id, found.memory) == (best.id, "canonical")
    assert found.tags == ("core", "extra", "late")
    assert found.relevance == pytest.approx(0.7)
    assert found.access_count == 6
    assert found.seen_count == 3
    assert found.confidence == 0.9
    assert found.created_at == found.valid_from == NOW - 9 * DAY
    assert found.last_accessed == NOW - DAY
    assert found.last_seen == NOW
    assert not found.validated


def test_s0_47_relevance_is_capped_at_1() -> None:
    assert merged([entry("x", relevance=0.95), entry("x"), entry("x")], now=NOW).relevance == 1.0
    assert merged([entry("x", relevance=math.nan)] * 2, now=NOW).relevance <= 1.0


def test_s0_46_the_first_of_equals_is_canonical() -> None:
    pair = [entry("x"), entry("x")]
    assert merged(pair, now=NOW).id == pair[0].id


def test_s0_47_c34_the_validated_text_stands_whatever_the_quality() -> None:
    """S0.46 would keep the text of the highest quality and call it validated, though nobody confirmed that text."""
    popular, sure = entry(BLUE, access_count=50), entry(BLUE + " today", relevance=0.0, validated=True)
    found = merged([popular, sure], now=NOW)
    assert (found.id, found.memory, found.validated) == (sure.id, sure.memory, True)
    assert found.access_count == 50


def test_an_entry_alone_is_left_as_it_is() -> None:
    alone = entry("x")
    assert merged([alone], now=NOW) is alone


def test_the_bound_on_comparisons_only_leaves_merges_out() -> None:
    near = [entry(f"order {number} was shipped to the north") for number in range(3 * MAX_COMPARED)]
    again = [replace(each, id=entry("x").id) for each in near]
    assert sizes(*near, *again) == [2] * len(near)


WORDS = st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=6).map(" ".join)


@given(st.lists(WORDS, max_size=12), st.sampled_from([0.3, 0.5, 0.55, 0.6, 2 / 3, 0.75, 1.0]))
def test_s0_46_the_index_finds_what_comparing_all_finds(texts: list[str], threshold: float) -> None:
    entries = [entry(text) for text in texts]
    expected: list[list[str]] = []
    for each in entries:
        tokens = seed_tokens(each.memory)
        texts_of = {one.id: one.memory for one in entries}
        home = next(
            (found for found in expected if jaccard(tokens, seed_tokens(texts_of[found[0]])) >= threshold), None
        )
        if home is None:
            expected.append([each.id])
        else:
            home.append(each.id)
    assert [[one.id for one in found] for found in clusters(entries, threshold)] == expected
