"""Sentences of a text, as far as marks and line ends show them."""

import re
from collections.abc import Iterator
from typing import Final

# A mark ends a sentence before a blank only (not in plan.md, 3.5 or ?id=1), a full-width one everywhere.
_END: Final = re.compile(r"(?:(?<![.!?؟।…])[.!?؟।…]++[\"'”’»)\]]*+(?=\s)|[。！？]+[”’」』）]*|\n)")


def sentences(text: str) -> Iterator[str]:
    """Gives the sentences of a text in order, each with its mark and without blanks at its ends; none is empty.

    A line end ends a sentence too. Abbreviations are not known: ``e.g. this`` is two.
    """
    start = 0
    for end in _END.finditer(text):
        if sentence := text[start : end.end()].strip():
            yield sentence
        start = end.end()
    if sentence := text[start:].strip():
        yield sentence
