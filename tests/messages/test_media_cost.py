"""What pictures, sounds and files cost in tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.media_cost import MOST_OF_AN_IMAGE, UNKNOWN_IMAGE, media_tokens
from memoranda.records.message import MediaPart, WireFormat
from tests.messages.pictures import png

CHAT, RESPONSES, ANTHROPIC = WireFormat


def picture(width: int, height: int, detail: str = "") -> MediaPart:
    return MediaPart("image", "image/png", data=png(width, height), detail=detail)


@pytest.mark.parametrize(
    ("width", "height", "detail", "tokens"),
    [
        (1024, 1024, "high", 765),
        (2048, 4096, "high", 1105),
        (4096, 8192, "low", 85),
        (512, 512, "", 255),
        (100, 100, "auto", 255),
    ],
)
def test_tiles_are_counted_as_in_openais_examples(width: int, height: int, detail: str, tokens: int) -> None:
    """The first three are the examples of OpenAI's guide to images and vision."""
    assert media_tokens(picture(width, height, detail), CHAT, "gpt-4o-2024-08-06") == tokens


@pytest.mark.parametrize(
    ("width", "height", "detail", "tokens"),
    [
        (256, 256, "", 77),
        (1024, 1024, "", 1229),
        (1920, 1080, "", 2448),
        (3840, 2160, "", 9792),
        (2560, 1440, "high", 2931),
        (4032, 3024, "high", 2942),
        (4032, 3024, "low", 231),
    ],
)
def test_patches_are_counted_as_measured(width: int, height: int, detail: str, tokens: int) -> None:
    """All but the last are measured values of the data set `image-token-cost`."""
    assert media_tokens(picture(width, height, detail), RESPONSES) == tokens


def test_patches_of_small_models_are_counted_as_in_openais_example() -> None:
    """1,800 by 2,400 pixels are 1,452 patches (OpenAI's guide), here times 1.62."""
    assert media_tokens(picture(1800, 2400), CHAT, "gpt-4.1-mini") == 2353


@pytest.mark.parametrize(
    ("width", "height", "model", "tokens"),
    [
        (1024, 1024, None, 1369),
        (256, 256, None, 100),
        (1920, 1080, None, 2691),
        (8000, 6000, None, 4784),
        (1920, 1080, "claude-haiku-4-5-20251001", 1568),
        (1024, 1024, "claude-3-5-sonnet-latest", 1369),
        (1920, 1080, "claude-opus-4-7", 2691),
    ],
)
def test_claude_counts_cells_of_28_pixels(width: int, height: int, model: str | None, tokens: int) -> None:
    assert media_tokens(picture(width, height), ANTHROPIC, model) == tokens


def test_gemini_counts_every_picture_alike() -> None:
    assert media_tokens(picture(4000, 30), CHAT, "google/gemini-3.1-pro") == 1_120


@pytest.mark.parametrize(
    "part",
    [
        MediaPart("image", url="https://example.org/a.png"),
        MediaPart("image", "image/png", data="QUJD" * 750_000),
        MediaPart("image", data=""),
        MediaPart("image"),
    ],
)
def test_a_picture_of_unknown_size_costs_the_same_whatever_its_bytes_b04(part: MediaPart) -> None:
    for format in WireFormat:
        assert media_tokens(part, format) == UNKNOWN_IMAGE


@given(
    st.integers(1, 2**31),
    st.integers(1, 2**31),
    st.sampled_from(["", "low", "high", "auto", "original", "?"]),
    st.sampled_from([None, "gpt-4o", "gpt-5-mini", "claude-3-opus", "claude-opus-9", "gemini-3-pro", "llama"]),
    st.sampled_from(WireFormat),
)
def test_every_picture_costs_between_1_and_10_000_b04(
    width: int, height: int, detail: str, model: str | None, format: WireFormat
) -> None:
    assert 1 <= media_tokens(picture(width, height, detail), format, model) <= MOST_OF_AN_IMAGE


def test_a_sound_costs_by_its_length() -> None:
    minute = MediaPart("audio", "audio/wav", data="A" * (48_000 * 60 * 4 // 3))
    assert media_tokens(minute) == 600
    assert media_tokens(minute, CHAT, "gemini-2.5-pro") == 1_920
    assert media_tokens(MediaPart("audio", "audio/mp3", data="A" * (16_000 * 60 * 4 // 3))) == 600
    assert media_tokens(MediaPart("audio", "audio/mp3", url="sound-1")) == 600
    assert media_tokens(MediaPart("audio", "audio/mp3", data="")) == 1


def test_a_file_costs_by_its_pages_or_its_text() -> None:
    assert media_tokens(MediaPart("file", "application/pdf", data="A" * 800_000)) == 30_000
    assert media_tokens(MediaPart("file", "application/pdf", data="A" * 80_000_000)) == 300_000
    assert media_tokens(MediaPart("file", "application/pdf", data="A")) == 3_000
    assert media_tokens(MediaPart("file", "text/plain", data="A" * 4_000)) == 750
    assert media_tokens(MediaPart("file", url="file-123")) == 3_000


@pytest.mark.parametrize(
    ("model", "low", "high"),
    [
        ("gpt-4o-mini-2024-07-18", 2_833, 8_500),
        ("gpt-4o-2024-11-20", 85, 255),
        ("o3-2025-04-16", 75, 225),
        ("o1", 75, 225),
        ("gpt-5", 70, 210),
        ("gpt-5-chat-latest", 70, 210),
    ],
)
def test_each_model_has_its_own_base_and_tile(model: str, low: int, high: int) -> None:
    """The table of OpenAI's guide to images and vision; one tile in high detail."""
    assert media_tokens(picture(128, 64, "low"), CHAT, model) == low
    assert media_tokens(picture(128, 64, "high"), CHAT, model) == high


def test_four_tiles_of_gpt_4o_mini_are_counted_in_full() -> None:
    assert media_tokens(picture(1024, 1024, "high"), CHAT, "gpt-4o-mini") == 25_501
