"""The first bytes of pictures, as base64 text."""

from __future__ import annotations

import base64
import struct


def png(width: int, height: int, more: int = 0) -> str:
    """Returns the head of a PNG with `more` bytes after it."""
    head = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", width, height) + b"\x08\x06\x00\x00\x00"
    return text(head + b"\x00" * more)


def jpeg(width: int, height: int, before: int = 0) -> str:
    """Returns the head of a JPEG with an EXIF segment of `before` bytes."""
    exif = b"\xff\xe1" + struct.pack(">H", before + 2) + b"\xc0" * before
    frame = b"\xff\xff\xc2" + struct.pack(">HBHHB", 17, 8, height, width, 3) + b"\x00" * 9
    return text(b"\xff\xd8" + exif + frame)


def gif(width: int, height: int) -> str:
    """Returns the head of a GIF."""
    return text(b"GIF89a" + struct.pack("<HH", width, height) + b"\x00" * 20)


def webp(kind: str, width: int, height: int) -> str:
    """Returns the head of a WebP of one of its three layouts."""
    match kind:
        case "VP8X":
            body = b"\x00" * 4 + (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
        case "VP8L":
            body = b"\x2f" + ((width - 1) | (height - 1) << 14).to_bytes(4, "little") + b"\x00" * 9
        case _:
            body = b"\x00" * 3 + b"\x9d\x01\x2a" + struct.pack("<HH", width, height) + b"\x00" * 4
    return text(b"RIFF\x00\x00\x00\x00WEBP" + kind.encode() + struct.pack("<I", len(body)) + body)


def text(data: bytes) -> str:
    """Returns base64 text."""
    return base64.b64encode(data).decode()
