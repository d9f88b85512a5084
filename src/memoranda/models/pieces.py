"""Reading a text into the pieces that a model knows, and how well it knows them."""

from __future__ import annotations

import unicodedata
from typing import Any, Final

from memoranda.models.catalogue import ModelCard
from memoranda.models.extras import require
from memoranda.models.weights import read
from memoranda.text.clean import storable

MAX_CHARS_A_TOKEN: Final = 32
"""A text is handed to the tokenizer up to this many characters for each token of the window, so that a pasted book
costs no more than a page. English has four to five characters a token."""

_JUDGED_CHARS: Final = 1024
_CONTINUED: Final = "##"
_UNKNOWN: Final = "[UNK]"


class Pieces:
    """The tokenizer of one model.

    Args:
        card: the model. Its tokenizer is loaded and checked here.
    """

    def __init__(self, card: ModelCard) -> None:
        tokenizers = require("tokenizers", "embed")
        content = read(card, card.tokenizer_file)
        self._whole: Any = tokenizers.Tokenizer.from_buffer(content)
        self._cut: Any = tokenizers.Tokenizer.from_buffer(content)
        self._whole.no_truncation()
        self._whole.no_padding()
        self._cut.enable_truncation(card.window)
        self._cut.no_padding()
        self._window = card.window

    def ids(self, text: str) -> list[int]:
        """Returns the token numbers of a text, cut at the window, with those that frame it."""
        # One at a time: the library's batch call starts threads, which outlive a fork badly.
        ids: list[int] = self._cut.encode(self._start(text)).ids
        return ids

    def truncated(self, text: str) -> bool:
        """Tells whether the text goes on after the window."""
        start = self._start(text)
        return len(start) < len(text) or len(self._whole.encode(start).ids) > self._window

    def coverage(self, text: str) -> float:
        """Returns how well the model reads the text: the share of its pieces that are more than a foreign letter.

        A script that the model was not trained on falls apart into single letters or is unknown to the vocabulary, so
        no language need be detected (measured: docs/decisions/0003-embedders.md). Punctuation and emoji do not count;
        a text without a word is covered.
        """
        start = storable(text[:_JUDGED_CHARS])
        words = "".join(char if _is_of_a_word(char) else " " for char in start).split()
        pieces: list[str] = self._whole.encode(" ".join(words), add_special_tokens=False).tokens
        return 1 - sum(map(_is_foreign, pieces)) / len(pieces) if pieces else 1.0

    def _start(self, text: str) -> str:
        return storable(text[: self._window * MAX_CHARS_A_TOKEN])


def _is_of_a_word(char: str) -> bool:
    return char.isalnum() or unicodedata.category(char).startswith("M")


def _is_foreign(piece: str) -> bool:
    letters = piece.removeprefix(_CONTINUED)
    return piece == _UNKNOWN or (len(letters) == 1 and not letters.isascii())
