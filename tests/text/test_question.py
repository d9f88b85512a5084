"""The question in a long paste, and telling questions from statements."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.question import MAX_CHARS, is_question, question_of

LOG = "2026-01-05 12:00:01 WARN retry of http://host/a?id=1 failed.\n" * 400


@pytest.mark.parametrize(
    "text",
    [
        "Do you like it?",
        "你喜欢茶吗",
        "何时出发？",
        '"Really?"',
        "when did we meet",
        "how many dogs do you have",
        "is it raining",
        "Who painted this",
        "Wann kommt Anna",
        "Wo ist mein Schlüssel",
        "dónde vives",
        "¿Qué hora es",
    ],
)
def test_questions(text: str) -> None:
    assert is_question(text)


@pytest.mark.parametrize(
    "text", ["", "I like it.", "When I was young I swam", "What a day!", "Will said hi", "我喜欢茶", "see a?b=1 there"]
)
def test_statements(text: str) -> None:
    assert not is_question(text)


def test_a_short_query_stays_as_it_is() -> None:
    assert question_of("  plan?\nnotes ") == "  plan?\nnotes "


@pytest.mark.parametrize("question", ["Why does the retry fail?", "重试为什么失败？", "¿Por qué falla?"])
def test_a_paste_is_cut_to_its_question(question: str) -> None:
    assert question_of(LOG + question) == question
    assert question_of(f"{question}\n{LOG}") == question


def test_first_and_last_question_are_kept() -> None:
    text = f"What went wrong?\n{LOG}Was it the disk?\n{LOG}And how do we fix it?"
    assert question_of(text) == "What went wrong?\nAnd how do we fix it?"


def test_without_a_question_the_first_and_last_lines_count() -> None:
    assert question_of(f"Summarise this log\n{LOG}Keep it short") == "Summarise this log\nKeep it short"


def test_a_limit_of_no_characters_is_refused() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        question_of("why?", 0)


@given(st.text(alphabet="ab ?？.\n。é🙂", max_size=80), st.integers(min_value=1, max_value=40))
def test_the_question_is_part_of_the_text_and_fits(text: str, limit: int) -> None:
    found = question_of(text, limit)
    assert len(found) <= limit
    assert all(part in text for part in found.split("\n"))
    assert question_of(found, limit) == found


def test_a_huge_paste_is_answered_from_its_ends() -> None:
    """Case Q09."""
    assert question_of("word " * 1_000_000 + "so what is it?").endswith("so what is it?")
    assert len(question_of("é" * 5_000_000)) == MAX_CHARS
