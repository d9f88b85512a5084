"""Sentences of a text."""

from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.sentences import sentences


def test_marks_and_line_ends_end_sentences() -> None:
    assert list(sentences("One. Two (two?) Three\nfour。五！六 v1.2 ok?")) == [
        "One.",
        "Two (two?)",
        "Three",
        "four。",
        "五！",
        "六 v1.2 ok?",
    ]
    assert list(sentences(" \n ")) == []


@given(st.text(alphabet="ab .?!。\n\"'", max_size=60))
def test_nothing_but_blanks_is_lost(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
