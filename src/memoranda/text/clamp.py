"""Cutting text to a limit without breaking a character, the marker of the cut counted inside the limit.

What a reader sees as one character may be several code points: a letter with its marks, an emoji family, a flag.
A cut goes before such a cluster, never through it.
"""

import unicodedata
from typing import Final

from memoranda.text.clean import storable

MARKER: Final = "…"

# A longer cluster is no character of any script (stream-safe text has at most 30 marks in a row): it is cut anyway.
_MAX_CLUSTER: Final = 64
_JOINER: Final = "\u200d"
_EXTENDING_LETTERS: Final = "\u0e33\u0eb3"  # Thai and Lao AM: letters to Unicode, half of a syllable to a reader


def clamp_chars(text: str, limit: int, marker: str = MARKER) -> str:
    """Returns the text cut to at most ``limit`` characters (code points), marker included (S0.7, S0.8).

    A text that fits comes back without marker. Where the limit is smaller than the marker, the marker is dropped;
    where not even the first cluster fits, only the marker is left. Lone surrogates become U+FFFD.

    Raises:
        ValueError: if ``limit`` is negative.
    """
    _check(limit)
    if len(text) <= limit:
        return storable(text)
    room, mark = (limit - len(marker), marker) if len(marker) <= limit else (limit, "")
    return storable(text[: _boundary(text, room)]) + mark


def clamp_bytes(text: str, limit: int, marker: str = MARKER) -> str:
    """Returns the text cut to at most ``limit`` bytes of UTF-8, marker included (S1.4).

    Otherwise as `clamp_chars`. Of a long text no more than ``limit + 1`` characters are copied.

    Raises:
        ValueError: if ``limit`` is negative.
    """
    _check(limit)
    head = storable(text[: limit + 1])
    encoded = head.encode()
    if len(encoded) <= limit:
        return head
    size = len(marker.encode())
    room, mark = (limit - size, marker) if size <= limit else (limit, "")
    fitting = encoded[:room].decode(errors="ignore")  # drops only the bytes of a character that was cut in two
    return head[: _boundary(head, len(fitting))] + mark


def _check(limit: int) -> None:
    if limit < 0:
        raise ValueError(f"a limit is 0 or more, not {limit}: pass the number of bytes or characters that fit")


def _boundary(text: str, position: int) -> int:
    """Returns the last place at or before ``position`` where no cluster is cut; ``position`` lies inside the text."""
    for place in range(position, max(position - _MAX_CLUSTER, 0), -1):
        if not _joined(text, place):
            return place
    return 0 if position <= _MAX_CLUSTER else position


def _joined(text: str, place: int) -> bool:
    """Tells whether the characters before and after a place belong to one cluster."""
    before, after = text[place - 1], text[place]
    if after.isascii():
        return before == "\r" and after == "\n"
    if before == _JOINER and unicodedata.category(after) == "So":
        return True
    if _is_flag_letter(after) and _is_flag_letter(before):
        return _flag_letters_before(text, place) % 2 == 1
    return _extends(after)


def _extends(character: str) -> bool:
    return (
        character == _JOINER
        or character in _EXTENDING_LETTERS
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= character <= "\U000e007f"  # tags: the flags of England, Scotland and Wales
        or "\u1160" <= character <= "\u11ff"  # vowels and finals of decomposed Hangul
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def _is_flag_letter(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flag_letters_before(text: str, place: int) -> int:
    start = place
    while start > 0 and _is_flag_letter(text[start - 1]):
        start -= 1
    return place - start
