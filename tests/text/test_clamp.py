"""Cuts that break no character."""

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.text.clamp import clamp_bytes, clamp_chars
from memoranda.text.clean import storable

FAMILY = "👩\u200d👩\u200d👧\u200d👦"
CLUSTERS = st.lists(
    st.sampled_from(
        [
            "a",
            "é",
            "e\u0301",
            "後",
            FAMILY,
            "👍🏽",
            "🇩🇪",
            "❤\ufe0f",
            "หน้ำ",
            "क्षि",
            "\r\n",
            "🏴\U000e0067\U000e007f",
            "\ud800",
        ]
    ),
    max_size=30,
)


def test_cuts_of_the_case_are_valid_and_whole(case: Callable[[str], dict[str, Any]]) -> None:
    """Case T03."""
    given_case = case("T03")["input"]
    for text in given_case["texts"]:
        for limit in given_case["cuts_bytes"]:
            cut = clamp_bytes(text, limit)
            assert len(cut.encode()) <= limit
            kept = cut.removesuffix("…") if cut != text else ""
            assert text.startswith(kept)
            assert not kept.endswith("\u200d")
            rest = text[len(kept) :]
            assert not rest or unicodedata.category(rest[0]) not in ("Mn", "Me", "Mc")
            assert kept.count("\U0001f1e9") == kept.count("\U0001f1ea")  # no half of a flag


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "ab…"),
        ("abcdef", 3, "…"),
        ("abcdef", 2, "ab"),
        ("abcdef", 0, ""),
        ("後後後", 8, "後…"),
        ("後", 2, ""),
        (FAMILY * 2, 49, FAMILY + "…"),
        (FAMILY * 2, 27, "…"),
        ("🇩🇪🇫🇷🇯🇵", 16, "🇩🇪…"),
        ("👍🏽👍🏽", 15, "👍🏽…"),
        ("xe\u0301e\u0301", 6, "x…"),
        ("a\ud800", 10, "a\ufffd"),
    ],
)
def test_bytes(text: str, limit: int, cut: str) -> None:
    """S1.4, case T03: UTF-8 safe, the marker inside the limit."""
    assert clamp_bytes(text, limit) == cut


@pytest.mark.parametrize(
    ("text", "limit", "cut"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdef", 5, "abcd…"),
        ("後後後", 2, "後…"),
        ("ae\u0301x", 2, "a…"),
        ("ab", 1, "…"),
        ("ab", 0, ""),
    ],
)
def test_characters(text: str, limit: int, cut: str) -> None:
    """S0.7, S0.8: the cut counts characters and splits none."""
    assert clamp_chars(text, limit) == cut


def test_another_marker() -> None:
    """S1.4: the marker of an entry is inside its 600 bytes; a limit below the marker drops it."""
    marker = "\n…[truncated]"
    cut = clamp_bytes("x" * 1000, 600, marker)
    assert cut.endswith("x" + marker)
    assert len(cut.encode()) == 600
    assert clamp_bytes("x" * 1000, 5, marker) == "xxxxx"
    assert clamp_chars("x" * 1000, 5, marker) == "xxxxx"


def test_an_endless_cluster_is_cut_anyway() -> None:
    assert clamp_chars("a" + "\u0301" * 100_000, 500, "") == "a" + "\u0301" * 499
    assert clamp_chars("a" + "\u0301" * 100, 64, "") == ""
    assert len(clamp_bytes("🇩" * 100_001, 499, "").encode()) == 496


def test_a_negative_limit_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 or more"):
        clamp_bytes("a", -1)
    with pytest.raises(ValueError, match="0 or more"):
        clamp_chars("a", -1)


@given(CLUSTERS, st.integers(0, 300), st.sampled_from(["…", "", "\n…[truncated]"]))
def test_a_cut_is_within_the_limit_and_at_a_cluster(clusters: list[str], limit: int, marker: str) -> None:
    """S0.8, S1.4, case T03."""
    text = "".join(clusters)
    clean = storable(text)
    for cut, size in (
        (clamp_bytes(text, limit, marker), len(clean.encode())),
        (clamp_chars(text, limit, marker), len(clean)),
    ):
        assert len(cut.encode() if size == len(clean.encode()) else cut) <= limit
        if size <= limit:
            assert cut == clean
        else:
            kept = cut.removesuffix(marker)
            assert clean.startswith(kept)
            starts = {len("".join(clusters[:count])) for count in range(len(clusters) + 1)}
            assert len(kept) in starts or "ห" in text or "क" in text  # those two hold several clusters each


@given(st.text(max_size=40), st.integers(0, 60))
def test_any_text_is_cut_to_valid_text(text: str, limit: int) -> None:
    assert len(clamp_bytes(text, limit).encode()) <= limit
    assert len(clamp_chars(text, limit)) <= limit
    assert clamp_bytes(clamp_bytes(text, limit), limit) == clamp_bytes(text, limit)
