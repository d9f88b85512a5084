"""Reading how large a picture is out of its first bytes."""

from __future__ import annotations

import binascii
from typing import Final

_FIRST: Final = 64
"""Characters of base64 that hold the size of a PNG, GIF or WebP."""
_JPEG: Final = 400_000
"""Characters of base64 that are looked through for the size of a JPEG: what stands before it, such as a preview."""
_URL_SAFE: Final = str.maketrans("-_", "+/")

Size = tuple[int, int]
"""Width and height in pixels, both above 0."""


def image_size(data: str) -> Size | None:
    """Returns the size of a PNG, JPEG, GIF or WebP; None for anything else. Never raises, whatever it is given.

    Only the beginning is decoded, so the cost does not grow with the picture. The layouts are those of the PNG
    specification (IHDR), GIF89a (logical screen), ITU T.81 (SOF segments) and the WebP container specification.

    Args:
        data: the picture as base64 text.
    """
    head = _decoded(data[:_FIRST])
    if head.startswith(b"\xff\xd8"):
        size = _jpeg(_decoded(data[:_JPEG]))
    elif head.startswith(b"\x89PNG\r\n\x1a\n") and len(head) >= 24:
        size = int.from_bytes(head[16:20]), int.from_bytes(head[20:24])
    elif head[:6] in {b"GIF87a", b"GIF89a"} and len(head) >= 10:
        size = int.from_bytes(head[6:8], "little"), int.from_bytes(head[8:10], "little")
    elif head[:4] == b"RIFF" and head[8:12] == b"WEBP" and len(head) >= 30:
        size = _webp(head)
    else:
        size = None
    return size if size is not None and min(size) > 0 else None


def _decoded(text: str) -> bytes:
    """Returns the bytes of base64 text that may have been cut anywhere; nothing where it is no base64."""
    whole = "".join(text.split()).translate(_URL_SAFE).rstrip("=")
    try:
        return binascii.a2b_base64(whole[: len(whole) // 4 * 4])
    except ValueError:
        return b""


def _jpeg(data: bytes) -> Size | None:
    """Returns the size in the first SOF segment; the segments before it, such as EXIF, are stepped over."""
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        kind = data[place + 1]
        if kind == 0xFF:  # a byte of filling
            place += 1
        elif 0xC0 <= kind <= 0xCF and kind not in {0xC4, 0xC8, 0xCC}:
            return int.from_bytes(data[place + 7 : place + 9]), int.from_bytes(data[place + 5 : place + 7])
        else:
            place += 2 + int.from_bytes(data[place + 2 : place + 4])
    return None


def _webp(head: bytes) -> Size | None:
    match head[12:16]:
        case b"VP8X":
            return int.from_bytes(head[24:27], "little") + 1, int.from_bytes(head[27:30], "little") + 1
        case b"VP8L" if head[20] == 0x2F:
            bits = int.from_bytes(head[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 " if head[23:26] == b"\x9d\x01\x2a":
            width, height = int.from_bytes(head[26:28], "little"), int.from_bytes(head[28:30], "little")
            return width & 0x3FFF, height & 0x3FFF
        case _:
            return None
