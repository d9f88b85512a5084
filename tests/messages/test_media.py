"""Pictures, sounds and files, in the blocks of all formats."""

from dataclasses import replace
from typing import Any

import pytest

from memoranda.errors import InvalidMessages
from memoranda.messages.blocks import read_block, write_block
from memoranda.messages.media import new_media
from memoranda.records.message import MediaPart, OpaquePart, WireFormat
from tests.messages import sdk
from tests.messages.lists import Json

DATA = "data:image/png;base64,QUJD"


@pytest.mark.parametrize(
    ("block", "part"),
    [
        (
            {"type": "image_url", "image_url": {"url": DATA, "detail": "low"}},
            MediaPart("image", "image/png", "QUJD", detail="low"),
        ),
        ({"type": "image_url", "image_url": DATA}, MediaPart("image", "image/png", "QUJD")),
        ({"type": "image_url", "image_url": {"url": "https://e.com"}}, MediaPart("image", url="https://e.com")),
        ({"type": "image_url", "image_url": {"url": "data:text,x"}}, MediaPart("image", url="data:text,x")),
        (
            {"type": "input_image", "detail": "high", "image_url": DATA},
            MediaPart("image", "image/png", "QUJD", detail="high"),
        ),
        ({"type": "input_image", "file_id": "f", "image_url": None}, MediaPart("image", url="f")),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}},
            MediaPart("image", "image/png", "QUJD"),
        ),
        ({"type": "image", "source": {"type": "url", "url": "https://e.com"}}, MediaPart("image", url="https://e.com")),
        ({"type": "image", "source": {"type": "file", "file_id": "f"}}, MediaPart("image", url="f")),
        ({"type": "image", "data": "QUJD", "mimeType": "image/png"}, MediaPart("image", "image/png", "QUJD")),
        ({"type": "image", "data": "QUJD", "media_type": "image/png"}, MediaPart("image", "image/png", "QUJD")),
        ({"type": "audio", "data": "QUJD", "mimeType": "audio/wav"}, MediaPart("audio", "audio/wav", "QUJD")),
        (
            {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}},
            MediaPart("audio", "audio/mp3", "QUJD"),
        ),
        ({"type": "file", "file": {"file_id": "f"}}, MediaPart("file", url="f")),
        ({"type": "file", "file": {"file_data": "QUJD", "filename": "a.pdf"}}, MediaPart("file", data="QUJD")),
        (
            {"type": "input_file", "file_data": "data:application/pdf;base64,QUJD"},
            MediaPart("file", "application/pdf", "QUJD"),
        ),
        ({"type": "input_file", "file_url": "https://e.com/a.pdf"}, MediaPart("file", url="https://e.com/a.pdf")),
        (
            {"type": "document", "source": {"type": "url", "url": "https://e.com"}},
            MediaPart("file", url="https://e.com"),
        ),
    ],
)
def test_blocks_of_media(block: Json, part: MediaPart) -> None:
    """Case B04: data is told from text, so that it is not counted as text."""
    assert read_block(block) == replace(part, wire=block)


@pytest.mark.parametrize(
    "block", [{"type": "image"}, {"type": "image_url", "image_url": 3}, {"type": "file", "file": {}}]
)
def test_media_without_data_or_address_are_carried_as_they_are(block: Json) -> None:
    assert read_block(block) == OpaquePart(block["type"], block)


def read_back(block: object) -> MediaPart:
    part = read_block(block)
    assert isinstance(part, MediaPart)
    return replace(part, wire=None, detail="")


PARTS = [
    MediaPart("image", "image/png", "QUJD"),
    MediaPart("image", url="https://e.com/a.png"),
    MediaPart("file", "application/pdf", "JVBERg=="),
]


@pytest.mark.parametrize("format", list(WireFormat))
@pytest.mark.parametrize("part", PARTS)
def test_new_media_are_accepted_by_the_official_sdks_and_read_back(part: MediaPart, format: WireFormat) -> None:
    block = new_media(part, format)
    sdk.check([{"role": "user", "content": [block]}], format)
    assert read_back(block) == part


@pytest.mark.parametrize(
    ("format", "kind"),
    [
        (format, kind)
        for format in WireFormat
        for kind in ("image", "file")
        if (format, kind) != (WireFormat.CHAT, "image")
    ],
)
def test_an_id_under_which_the_provider_keeps_it(format: WireFormat, kind: str) -> None:
    block = new_media(MediaPart(kind, url="file-1"), format)
    sdk.check([{"role": "user", "content": [block]}], format)
    assert read_back(block) == MediaPart(kind, url="file-1")


@pytest.mark.parametrize("format", [WireFormat.CHAT, WireFormat.RESPONSES])
def test_a_sound(format: WireFormat) -> None:
    block = new_media(MediaPart("audio", "audio/mp3", "QUJD"), format)
    assert block == {"type": "input_audio", "input_audio": {"data": "QUJD", "format": "mp3"}}


@pytest.mark.parametrize("part", [MediaPart("image"), MediaPart("audio", "audio/wav", "QUJD")])
def test_what_the_format_has_no_block_for_is_refused(part: MediaPart) -> None:
    with pytest.raises(InvalidMessages, match=r"give one of them|leave it out"):
        new_media(part, WireFormat.ANTHROPIC)


def test_changed_media_are_written_anew() -> None:
    block: Json = {"type": "image_url", "image_url": {"url": DATA}}
    part: Any = read_block(block)
    assert write_block(part, WireFormat.CHAT) is block
    new = write_block(replace(part, detail="low"), WireFormat.CHAT)
    assert new == {"type": "image_url", "image_url": {"url": DATA, "detail": "low"}}
