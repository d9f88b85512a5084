"""What counts the tokens of a text."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Tokenizer(Protocol):
    """Tells how many tokens a model reads a text as. Safe for many threads at once.

    Special tokens in a text, such as `<|endoftext|>`, are text like any other (case B01).

    Attributes:
        name: which encoding it is, such as `o200k_base`; reports name it.
        exact: whether it is the encoding itself; False for an estimate.
    """

    name: str
    exact: bool

    def count(self, text: str) -> int:
        """Returns the number of tokens; 0 for an empty text. Never raises for a text, whatever it holds."""
        ...
