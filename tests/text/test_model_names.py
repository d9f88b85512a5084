"""Recognising models by their names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.model_names import family_of, plain_name

FAMILIES = ("gpt-4", "gpt-4o", "gpt-4-1", "claude-opus-4", "claude-opus-4-6", "llama-3-3", "gemini-")


@pytest.mark.parametrize(
    ("model", "plain"),
    [
        ("GPT-4o", "gpt-4o"),
        ("models/gemini-2.5-pro", "gemini-2-5-pro"),
        ("openrouter/anthropic/claude-3.5-sonnet", "claude-3-5-sonnet"),
        ("us.anthropic.claude-opus-4-6-v1:0", "claude-opus-4-6-v1:0"),
        ("ft:gpt-4o-mini:acme::x", "gpt-4o-mini:acme::x"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama-3-3-70b-instruct"),
        ("  ", ""),
    ],
)
def test_a_name_is_stripped_of_who_serves_it(model: str, plain: str) -> None:
    assert plain_name(model) == plain


@pytest.mark.parametrize(
    ("model", "family"),
    [
        ("gpt-4", "gpt-4"),
        ("gpt-4-0613", "gpt-4"),
        ("gpt-4o-mini-2024-07-18", "gpt-4o"),
        ("gpt-4.1-nano", "gpt-4-1"),
        ("gpt-4.7", None),
        ("gpt-45", None),
        ("claude-opus-4-20250514", "claude-opus-4"),
        ("claude-opus-4@20250514", "claude-opus-4"),
        ("anthropic/claude-opus-4.6:beta", "claude-opus-4-6"),
        ("claude-opus-4-9", None),
        ("llama-3.3-70b-instruct", "llama-3-3"),
        ("gemini-9.5-ultra", "gemini-"),
        ("my-gpt-4", None),
        ("", None),
    ],
)
def test_a_family_ends_before_another_version(model: str, family: str | None) -> None:
    assert family_of(model, FAMILIES) == family


@given(st.text(max_size=40))
def test_any_text_may_be_asked_for(model: str) -> None:
    assert family_of(model, FAMILIES) in {*FAMILIES, None}
    assert plain_name(plain_name(model)) == plain_name(model) or "/" in model or "." in model or ":" in model
