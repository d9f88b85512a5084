"""The words of a token: a name is known by its whole and by its parts."""

import re
from collections.abc import Iterator
from typing import Final

from memoranda.text.scripts import STRONG_JOINT, WEAK_JOINT

MAX_TERM_CHARS: Final = 128
"""Longer words are known by their first 128 characters; longer compounds only by their parts."""
MAX_NAME_CHARS: Final = 64
"""A longer run of letters and digits is data (a digest, base64), not a name with parts."""

_MAX_NAME_PARTS: Final = 8

_UPPER: Final = "A-ZΑ-ΩА-ЯЄІЇҐ"
_LOWER: Final = "a-zα-ωа-яєіїґ"
_HUMP: Final = re.compile(f"[{_LOWER}][{_UPPER}]|[{_UPPER}]{{2}}[{_LOWER}]{{2}}")
_CAMEL_PART: Final = re.compile(f"[{_UPPER}]+(?=[{_UPPER}][{_LOWER}]{{2}})|[{_UPPER}]?[{_LOWER}]+|[{_UPPER}]+|[0-9]+")
_LETTERS_AND_NUMBER: Final = re.compile(r"([^\W\d_]+)([0-9]+)|([0-9]+)([^\W\d_]+)")


def words_of(token: str) -> Iterator[tuple[str, bool]]:
    """Gives the words of a token in lower case, and whether each is a name, which is never stemmed."""
    if token.isalnum():
        yield from _atom(token)
        return
    body = token.rstrip("%#+").replace(",", "")
    if token[-1] in "%#+":
        yield from _whole(token.replace(",", ""))
    segments = STRONG_JOINT.split(body)
    if len(segments) > 1:
        yield from _whole(body)
    for segment in segments:
        atoms = WEAK_JOINT.split(segment)
        if len(atoms) > 1:
            yield from _whole(segment)
        for atom in atoms:
            yield from _contraction(atom) if "'" in atom else _atom(atom)
    if token[-1] == "%":
        yield "%", True


def _whole(compound: str) -> Iterator[tuple[str, bool]]:
    if len(compound) <= MAX_TERM_CHARS:
        yield compound.casefold(), True


def _contraction(word: str) -> Iterator[tuple[str, bool]]:
    """Gives a word with apostrophes and the parts that are words: Melanie of Melanie's, amour of l'amour."""
    yield from _whole(word)
    if word[-2:].casefold() == "'t":  # don't is not "don" and "t"
        return
    for position, part in enumerate(word.split("'")):
        if len(part) > (1 if position == 0 else 2):
            yield from _atom(part)


def _atom(word: str) -> Iterator[tuple[str, bool]]:
    """Gives a word without joints, then the parts of camelCase and of letters with one number."""
    parts: list[str] = []
    if len(word) <= MAX_NAME_CHARS:
        if _HUMP.search(word):
            parts = _CAMEL_PART.findall(word)
        elif number := _LETTERS_AND_NUMBER.fullmatch(word):
            parts = [part for part in number.groups() if part]
    is_name = 1 < len(parts) <= _MAX_NAME_PARTS
    yield word[:MAX_TERM_CHARS].casefold(), is_name
    if is_name:
        for part in parts:
            if len(part) > 1 or part.isdecimal():
                yield part.casefold(), False
