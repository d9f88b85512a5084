"""What pictures, sounds and files cost in tokens: the rules that providers publish, where they can be applied.

A provider counts a picture by its pixels, never by its bytes, so three megabytes of base64 are a thousand tokens and
not a million (case B04). Without the model's name the rule is that of the newest models of the format's provider, which
is the dearer one: a request that is counted too large is compacted early, one that is counted too small is refused.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Protocol

from memoranda.messages.image_size import Size, image_size
from memoranda.records.message import MediaPart, WireFormat
from memoranda.text.model_names import family_of

UNKNOWN_IMAGE: Final = 1_600
"""Tokens of a picture whose size cannot be read, such as one behind a URL: those of about 1,200 by 1,100 pixels."""
MOST_OF_AN_IMAGE: Final = 10_000
"""The most that is counted for a picture by its patches. No provider charges more in the detail that it takes by
default, but for photographs of 10 megapixels and more with OpenAI's newest models (case B04), and gpt-4o-mini, whose
tiles are dear to make up for its low price."""

_AUDIO_TOKENS: Final = {"openai": 10, "other": 32}
"""Tokens of a second: OpenAI's guide to realtime costs (one for 100 ms of input), Google's page on token counting."""
_AUDIO_BYTES: Final = {"wav": 48_000, "pcm16": 48_000, "x-wav": 48_000, "flac": 30_000}
_COMPRESSED_AUDIO: Final = 16_000
"""Bytes of a second: 16 bits at 24 kHz for plain sound, 128 kbit/s for compressed sound such as MP3."""
_UNKNOWN_AUDIO_SECONDS: Final = 60

_PAGE_TOKENS: Final = 3_000
_PAGE_BYTES: Final = 60_000
_MOST_PAGES: Final = 100
"""A PDF costs 1,500 to 3,000 tokens a page beside the picture of the page (Anthropic's page on PDF support, which takes
100 pages a request from most models). How many pages a file has is guessed from its size."""
_TEXT_BYTES: Final = 4
"""Bytes of a token in a file of plain text."""


class ImageRule(Protocol):
    """How a provider counts a picture."""

    def tokens(self, size: Size, detail: str) -> float:
        """Returns the tokens of a picture of that size, looked at in that detail (`low`, `high`, `auto` or empty)."""
        ...


@dataclass(frozen=True, slots=True)
class Tiles:
    """A picture costs a base and so much for each square of 512 pixels (OpenAI's guide to images and vision).

    It is first made to fit 2048 by 2048 pixels, then made smaller until the shorter side has 768. In low detail it
    costs the base only.
    """

    base: int = 85
    tile: int = 170

    def tokens(self, size: Size, detail: str) -> float:
        """Returns the tokens."""
        if detail == "low":
            return self.base
        scale = min(1.0, 2048 / max(size))
        scale = min(scale, 768 / min(size))
        across, down = (math.ceil(round(side * scale, 6) / 512) for side in size)
        return self.base + self.tile * across * down


@dataclass(frozen=True, slots=True, kw_only=True)
class Patches:
    """A picture costs so much for each square of 32 pixels (OpenAI's guide to images and vision).

    One with more patches than allowed is made smaller: by the square root of what is too much, then until whole patches
    fill one side. Measured values agree (data set `image-token-cost`: 1920 by 1080 pixels are 2,448
    tokens, 2560 by 1440 in high detail 2,931).

    Attributes:
        most: patches in high detail.
        most_by_default: patches in any other detail but low.
        each: tokens of a patch.
    """

    most: int = 2_500
    most_by_default: int = 10_000
    each: float = 1.2

    def tokens(self, size: Size, detail: str) -> float:
        """Returns the tokens."""
        if detail == "low":
            size = _within(size, 512)
        most = self.most if detail == "high" else self.most_by_default
        across, down = (side / 32 for side in size)
        if math.ceil(across) * math.ceil(down) > most:
            scale = math.sqrt(most / (across * down))
            across, down = across * scale, down * scale
            scale = min(max(1, math.floor(side)) / side for side in (across, down))
            across, down = across * scale, down * scale
        tokens = min(most, math.ceil(round(across, 6)) * math.ceil(round(down, 6))) * self.each
        return min(MOST_OF_AN_IMAGE, tokens)


@dataclass(frozen=True, slots=True)
class Cells:
    """A picture costs a token for each square of 28 pixels (Anthropic's page on vision).

    For earlier models that page says width times height divided by 750, which is nearly the same. The picture is first
    made to fit both bounds: of the longer side, and of the tokens. The data set named above agrees up to 1920 by 1080
    pixels; of larger pictures ours is more than it measured with the newest models.
    """

    longest: int
    most: int

    def tokens(self, size: Size, detail: str) -> float:
        """Returns the tokens; Claude knows no detail."""
        del detail
        width, height = _within(size, self.longest)
        return min(self.most, math.ceil(width / 28) * math.ceil(height / 28))


@dataclass(frozen=True, slots=True)
class Flat:
    """Each picture costs the same."""

    each: int

    def tokens(self, size: Size, detail: str) -> float:
        """Returns the tokens."""
        del size, detail
        return self.each


_TILES: Final = Tiles()
_TILES_OF_GPT_5: Final = Tiles(70, 140)
_TILES_OF_O: Final = Tiles(75, 150)
_TILES_OF_4O_MINI: Final = Tiles(2_833, 5_667)
_SMALL_PATCHES: Final = Patches(most=1_536, most_by_default=1_536, each=1.62)
_SMALLEST_PATCHES: Final = Patches(most=1_536, most_by_default=1_536, each=2.46)
_CLAUDE: Final = Cells(2576, 4784)
_EARLIER_CLAUDE: Final = Cells(1568, 1568)
_GEMINI: Final = Flat(1_120)
"""Gemini 3 in its default resolution (Google's page on media resolution); earlier ones take 258 for a tile of 768."""

_RULES: Final[dict[str, ImageRule]] = {
    **dict.fromkeys(("gpt-4o", "chatgpt-4o", "gpt-4-turbo", "gpt-4-1", "gpt-4-5"), _TILES),
    **dict.fromkeys(("gpt-5", "gpt-5-1"), _TILES_OF_GPT_5),
    **dict.fromkeys(("o1", "o3"), _TILES_OF_O),
    "gpt-4o-mini": _TILES_OF_4O_MINI,
    **dict.fromkeys(("gpt-4-1-mini", "gpt-5-mini", "gpt-5-4-mini", "o4-mini"), _SMALL_PATCHES),
    **dict.fromkeys(("gpt-4-1-nano", "gpt-5-nano", "gpt-5-4-nano"), _SMALLEST_PATCHES),
    "claude-": _CLAUDE,
    **dict.fromkeys(("claude-3", "claude-3-5", "claude-3-7", "claude-haiku-4-5"), _EARLIER_CLAUDE),
    **dict.fromkeys(("claude-sonnet-4", "claude-sonnet-4-5", "claude-sonnet-4-6"), _EARLIER_CLAUDE),
    **dict.fromkeys(("claude-opus-4", "claude-opus-4-1", "claude-opus-4-5", "claude-opus-4-6"), _EARLIER_CLAUDE),
    "gemini-": _GEMINI,
}


def image_rule(format: WireFormat, model: str | None = None) -> ImageRule:
    """Returns the rule by which a model counts pictures; that of the format's provider where the model is not known."""
    family = None if model is None else family_of(model, _RULES)
    if family is not None:
        return _RULES[family]
    return _CLAUDE if format is WireFormat.ANTHROPIC else Patches()


def media_tokens(part: MediaPart, format: WireFormat = WireFormat.CHAT, model: str | None = None) -> int:
    """Returns about how many tokens a model reads a picture, a sound or a file as.

    A picture costs what its provider's rule says of its size in pixels, at least a token; `UNKNOWN_IMAGE` where the
    size is not in its first bytes. A sound costs by its length, a file by its pages or its text; both are guessed from
    the number of bytes. Never raises, whatever the data is.

    Args:
        part: the medium.
        format: the format of the message, which tells the provider.
        model: the model's name, where it is known.
    """
    if part.kind == "image":
        size = None if part.data is None else image_size(part.data)
        cost = (
            UNKNOWN_IMAGE if size is None else math.ceil(round(image_rule(format, model).tokens(size, part.detail), 6))
        )
        return max(1, cost)
    length = None if part.data is None else len(part.data) * 3 // 4
    if part.kind == "audio" or part.media_type.startswith("audio/"):
        return _audio(part.media_type, length, "other" if model is not None and "gemini" in model.lower() else "openai")
    return _file(part.media_type, length)


def _audio(media_type: str, length: int | None, provider: str) -> int:
    a_second = _AUDIO_BYTES.get(media_type.rpartition("/")[2], _COMPRESSED_AUDIO)
    seconds = _UNKNOWN_AUDIO_SECONDS if length is None else length / a_second
    return max(1, math.ceil(seconds * _AUDIO_TOKENS[provider]))


def _file(media_type: str, length: int | None) -> int:
    if length is None:
        return _PAGE_TOKENS
    if media_type.startswith("text/") or media_type in {"application/json", "application/xml"}:
        return max(1, length // _TEXT_BYTES)
    return _PAGE_TOKENS * min(_MOST_PAGES, max(1, round(length / _PAGE_BYTES)))


def _within(size: Size, longest: int) -> Size:
    """Returns the size of a picture that is made smaller until its longer side has so many pixels."""
    scale = min(1.0, longest / max(size))
    width, height = (max(1, round(side * scale)) for side in size)
    return width, height
