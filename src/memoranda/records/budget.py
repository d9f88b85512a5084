"""What a text for a model may cost."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

from memoranda.errors import InvalidInput

TokenCounter = Callable[[str], int]
"""Tells how many tokens a model reads a text as, 0 or more. It is given whole texts: tokens do not add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The bounds of one text that is made for a model; every bound holds at once, and bytes are bytes of UTF-8.

    The defaults are those of seed 1 (S1.4, S1.5). There is always a bound in bytes, so that a token counter that is
    wrong cannot let a text grow without end (design D11).

    Attributes:
        tokens: most tokens of the whole text, headings included; None for no bound of this kind.
        bytes: most bytes of the whole text, headings included.
        entry_bytes: most bytes of the text of one entry as it is shown, the marker of a cut included and what stands
            before it, such as its category, left out.
        entries: most entries; None for no bound of this kind.

    Raises:
        InvalidInput: a bound that is no whole number of 0 or more; the message names it.
    """

    tokens: int | None = None
    bytes: int = 6000
    entry_bytes: int = 600
    entries: int | None = None

    def __post_init__(self) -> None:
        for part in fields(self):
            value = getattr(self, part.name)
            if value is None and part.default is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise InvalidInput(f"`{part.name}` of a budget is {value!r}; it must be a whole number of 0 or more")

    @classmethod
    def of(cls, value: Budget | int | None) -> Budget:
        """Returns a budget as it is, a number as a budget of that many tokens, and the default budget for None.

        Raises:
            InvalidInput: something else was given.
        """
        if isinstance(value, Budget):
            return value
        return cls() if value is None else cls(tokens=value)
