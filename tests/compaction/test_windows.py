"""The windows of models, by their names."""

from __future__ import annotations

import json
from datetime import date
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.windows import ModelWindows, table
from memoranda.errors import InvalidInput
from memoranda.protocols.usage import ContextWindowResolver
from memoranda.text.model_names import plain_name


def test_it_is_a_resolver_s4_4() -> None:
    assert isinstance(ModelWindows(), ContextWindowResolver)


@pytest.mark.parametrize(
    ("model", "tokens"),
    [
        ("gpt-4o", 128_000),
        ("gpt-4o-mini-2024-07-18", 128_000),
        ("openai/gpt-4.1-nano", 1_047_576),
        ("gpt-5", 272_000),
        ("gpt-5.1-codex-max", 272_000),
        ("gpt-5-chat-latest", 128_000),
        ("claude-sonnet-4-5-20250929", 200_000),
        ("us.anthropic.claude-sonnet-4-5-20250929-v1:0", 200_000),
        ("claude-sonnet-4@20250514", 200_000),
        ("anthropic/claude-opus-4.6", 1_000_000),
        ("models/gemini-2.5-flash", 1_048_576),
        ("google/gemini-3.1-pro-preview", 1_048_576),
        ("mistral-large-2512", 262_144),
        ("mistralai/Mixtral-8x7B-Instruct-v0.1", 32_768),
        ("meta-llama/Llama-3.3-70B-Instruct", 128_000),
        ("llama3.3:70b", 128_000),
        ("deepseek/deepseek-chat", 131_072),
        ("Qwen/Qwen2.5-72B-Instruct", 32_768),
        ("x-ai/grok-4.20", 1_000_000),
        ("openai/gpt-oss-120b", 131_072),
        ("us.amazon.nova-lite-v1:0", 300_000),
    ],
)
def test_models_are_found_whoever_serves_them_and_whatever_their_date(model: str, tokens: int) -> None:
    assert ModelWindows().window(model) == tokens


@pytest.mark.parametrize("model", [None, "", "gpt-99", "claude-opus-4-99", "my-model", "gpt", "/", "ministry"])
def test_what_nobody_knows_is_none_s4_4(model: str | None) -> None:
    assert ModelWindows().window(model) is None


def test_what_the_host_says_goes_before_the_table() -> None:
    windows = ModelWindows({"gpt-4o": 32_000, "vendor/My.Model": 9_000, "claude-sonnet-4": 1_000_000})
    assert windows.window("openai/gpt-4o-2024-08-06") == 32_000
    assert windows.window("my-model-2026-01-01") == 9_000
    assert windows.window("claude-sonnet-4-20250514") == 1_000_000
    assert windows.window("claude-sonnet-4-5") == 200_000
    assert ModelWindows().window("gpt-4o") == 128_000


@pytest.mark.parametrize("overrides", [{"m": 0}, {"m": -1}, {"m": True}, {"m": 1.5}, {"m": "8k"}, {"": 5}, {"x/": 5}])
def test_bad_windows_are_refused(overrides: dict[str, int]) -> None:
    with pytest.raises(InvalidInput):
        ModelWindows(overrides)


def test_each_maker_has_a_source_and_a_date_and_each_name_is_plain() -> None:
    makers = json.loads(files("memoranda.compaction").joinpath("windows.json").read_text(encoding="utf-8"))["makers"]
    assert len(makers) >= 8
    for maker in makers:
        assert maker["source"]
        assert date.fromisoformat(maker["read"]) >= date(2026, 11, 30)
        assert all(name == plain_name(name) for name in maker["windows"])
    assert len(table()) == sum(len(maker["windows"]) for maker in makers)
    assert all(1_000 <= tokens <= 10_000_000 for tokens in table().values())


@given(st.text(max_size=60))
def test_any_name_may_be_asked_for(model: str) -> None:
    window = ModelWindows().window(model)
    assert window is None or window in table().values()
