"""Restatements are paid for once; differences are all shown."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.dedup import differs, distinct, words
from memoranda.records.entry import Category, MemoryEntry
from memoranda.text.similarity import containment

WORDS = st.sampled_from(
    ("deploys", "go", "to", "the", "blue", "green", "cluster", "not", "8080", "9090", "Köln", "漢字", "!")
)
texts = st.lists(WORDS, min_size=1, max_size=7).map(" ".join)


def fact(text: str, occurred_at: datetime | None = None) -> MemoryEntry:
    return MemoryEntry(Category.FACT, text, occurred_at=occurred_at)


def kept(*given: str) -> list[str]:
    return [entry.memory for entry in distinct([fact(text) for text in given])]


def test_words_are_folded_s1_10() -> None:
    assert words("The café's Đeploy_target: v2, ÉTÉ!") == {"the", "cafe", "s", "deploy", "target", "v2", "ete"}
    assert words("किताब เสื้อ") == {"किताब", "เสื้อ"}
    assert words("?!…") == frozenset()


@pytest.mark.parametrize(("a", "b", "share"), [("a b c d e", "a b c d f", 0.8), ("a b", "a b c d", 1), ("", "a", 0)])
def test_containment_is_a_share_of_the_smaller_set_s1_10(a: str, b: str, share: float) -> None:
    assert containment(words(a), words(b)) == share == containment(words(b), words(a))


def test_the_first_of_those_that_say_the_same_wins_and_order_stays_s1_10() -> None:
    assert kept(
        "The deploys go to the blue cluster on Fridays",
        "Lunch is at noon",
        "Deploys go to the blue cluster",
        "deploy goes to THE blue clusters",
        "Lunch is served at noon",
    ) == ["The deploys go to the blue cluster on Fridays", "Lunch is at noon", "deploy goes to THE blue clusters"]
    assert kept("one") == ["one"]
    assert kept() == []


def test_spellings_of_accents_collapse_and_distinct_facts_stay_s1_11() -> None:
    assert kept("Cà phê sữa đá buổi sáng", "Ca phe sua da buoi sang", "Họp lúc chín giờ") == [
        "Cà phê sữa đá buổi sáng",
        "Họp lúc chín giờ",
    ]
    three = ("Retention is at 22 percent", "Checkout loses most buyers", "Phones make four fifths of the visits")
    assert kept(*three) == list(three)


def test_texts_without_words_are_always_kept_s1_10() -> None:
    assert kept("!", "!", "?") == ["!", "!", "?"]


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("the app does lose data on exit", "the app does not lose data on exit"),
        ("D7 retention is 22 percent for new readers", "D7 retention is 31 percent for new readers"),
        ("The deploy target is cluster blue.", "The deploy target is cluster green."),
        ("Ana approves the deploys on the blue cluster", "Bob approves the deploys on the blue cluster"),
        ("we moved the job from staging to production", "we moved the job from production to staging"),
        ("the weekly sync of the team is on Monday", "the weekly sync of the team is on Tuesday"),
    ],
)
def test_a_difference_is_never_taken_for_a_restatement_c6(a: str, b: str) -> None:
    assert containment(words(a), words(b)) >= 0.8
    assert kept(a, b) == [a, b]
    assert kept(b, a) == [b, a]
    assert [entry.memory for entry in distinct([fact(a), fact(b)], difference=None)] == [a]


def test_the_same_on_another_day_is_another_event_d9() -> None:
    monday, tuesday = (datetime(2026, 5, day, tzinfo=UTC) for day in (4, 5))
    runs = [
        fact("went running", monday),
        fact("went running", tuesday),
        fact("went running", monday),
        fact("went running"),
    ]
    assert distinct(runs) == runs[:2]
    assert differs(runs[0], runs[1]) == "happened on 2026-05-04 and on 2026-05-05"


def test_a_text_that_says_much_more_is_no_restatement_d9() -> None:
    assert kept("Really?", "It was really good to see Ana again") == ["Really?", "It was really good to see Ana again"]
    assert kept("It was really good to see Ana again", "Really?") == ["It was really good to see Ana again"]
    assert kept("deploys go to the blue cluster", "the deploys go to the blue cluster now, as agreed") == [
        "deploys go to the blue cluster"
    ]
    assert len(distinct([fact("Really?"), fact("It was really good")], difference=None)) == 1  # S1.10 as it was


@given(st.lists(texts, max_size=8))
def test_what_is_left_out_restates_something_kept_s1_10(given_texts: list[str]) -> None:
    entries = [fact(text) for text in given_texts]
    left = distinct(entries)
    assert left == [entry for entry in entries if entry in left]
    assert distinct(left) == left
    for entry in entries:
        earlier = [other for other in left if entries.index(other) < entries.index(entry)]
        says = [containment(words(other.memory), words(entry.memory)) >= 0.8 for other in earlier]
        assert (entry in left) or any(says)
        assert (entry not in left) or not any(
            alike and differs(other, entry) is None for alike, other in zip(says, earlier, strict=True)
        )
