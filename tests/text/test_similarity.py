"""Likeness of texts by their words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.similarity import jaccard, seed_tokens


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
