"""Likeness of texts by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.similarity import FOLD_SIMILARITY, containment, jaccard, seed_tokens, trigram_similarity, trigrams


def test_tokens_of_the_seed() -> None:
    """S0.46: lower case, split on whitespace, trimmed of non-alphanumerics, empties dropped."""
    assert seed_tokens('  "Do\tnot" go -- to\nPORT-9090!  ') == ["do", "not", "go", "to", "port-9090"]
    assert seed_tokens("... -- !") == []


@pytest.mark.parametrize(
    ("a", "b", "likeness"),
    [
        ("do go there", "do not go there", 0.75),
        ("the port is 8080 now", "the port is 9090 now", 4 / 6),
        ("", "", 0.0),
        ("a", "b", 0.0),
    ],
)
def test_jaccard(a: str, b: str, likeness: float) -> None:
    """C33: contradictions are alike above the merge threshold of 0.6."""
    assert jaccard(seed_tokens(a), seed_tokens(b)) == pytest.approx(likeness)


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_jaccard_is_symmetric_and_between_0_and_1(a: list[str], b: list[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0.0 <= jaccard(a, b) <= 1.0
    assert jaccard(a, a) == (1.0 if a else 0.0)


@given(st.text())
def test_tokens_begin_and_end_with_letters_or_digits(text: str) -> None:
    for token in seed_tokens(text):
        assert token[0].isalnum()
        assert token[-1].isalnum()


def test_trigrams_have_two_blanks_before_a_word_and_one_behind() -> None:
    assert trigrams("A cat!") == {"  a", " a ", "  c", " ca", "cat", "at "}
    assert trigrams("...") == frozenset()


def test_similarity_is_that_of_pg_trgm_s1_22() -> None:
    """The pair is the example of its manual."""
    assert trigram_similarity("word", "two words") == pytest.approx(0.363636, abs=1e-6)
    assert trigram_similarity("Deploys go to BLUE", "deploys, go to blue") == 1.0


def test_unrelated_facts_are_far_apart_and_reworded_ones_near_s1_24() -> None:
    assert trigram_similarity("Deploys go to the blue cluster", "The user is allergic to peanuts") < 0.15
    assert trigram_similarity("Deploys go to the blue cluster", "Deploys go to blue cluster now") > 0.7
    assert trigram_similarity("the app does lose data on exit", "the app does not lose data on exit") > 0.8  # C6


def test_the_order_of_a_chinese_sentence_counts_little() -> None:
    assert trigram_similarity("周一我去北京", "我周一去北京") >= FOLD_SIMILARITY


def test_containment_is_a_share_of_the_smaller_set_s1_10() -> None:
    assert containment(["a", "b"], ["a", "b", "c"]) == 1.0
    assert containment(["a", "x"], ["a", "b", "c"]) == 0.5
    assert containment([], ["a"]) == 0.0


@given(st.text(), st.text())
def test_trigram_similarity_is_symmetric_between_0_and_1_and_1_for_equal_texts(a: str, b: str) -> None:
    assert trigram_similarity(a, b) == trigram_similarity(b, a)
    assert 0.0 <= trigram_similarity(a, b) <= 1.0
    assert trigram_similarity(a, a) == 1.0


@given(st.lists(st.sampled_from("abcdef")), st.lists(st.sampled_from("abcdef")))
def test_containment_is_symmetric(a: list[str], b: list[str]) -> None:
    assert containment(a, b) == containment(b, a)
    assert containment(a, a) == (1.0 if a else 0.0)
