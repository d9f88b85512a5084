"""A guess at tokens where no tokenizer is given."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.tokens import estimated_tokens


@pytest.mark.parametrize(("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("漢字", 2), ("\ud800", 1)])
def test_counts_four_bytes_as_one_rounded_up_c1(text: str, tokens: int) -> None:
    assert estimated_tokens(text) == tokens


@given(st.text(), st.text())
def test_a_longer_text_never_has_fewer(head: str, tail: str) -> None:
    assert estimated_tokens(head) <= estimated_tokens(head + tail) <= estimated_tokens(head) + estimated_tokens(tail)
