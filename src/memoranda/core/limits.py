"""The bounds of one core memory."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Final

from memoranda.errors import InvalidInput

MAX_BLOCKS: Final = 32
"""Most blocks of a core memory, by default."""
MAX_CHARACTERS: Final = 100_000
"""Most characters of all values of a core memory together, by default."""
MAX_REVISIONS: Final = 100
"""Most revisions kept of one label, by default."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreLimits:
    """What a core memory may hold.

    Attributes:
        max_blocks: most blocks; one more is refused. As many removed labels keep their revisions; those of the label
            that was removed first go when one more is removed.
        max_characters: most characters of all values together; what would pass it is refused. A change that makes the
            blocks smaller is never refused.
        max_revisions: most revisions of one label; at the bound the oldest but the first goes.
        redact: whether secrets are masked before storing (S1.27).

    Raises:
        InvalidInput: a bound that is no whole number above 0, or fewer than 2 revisions.
    """

    max_blocks: int = MAX_BLOCKS
    max_characters: int = MAX_CHARACTERS
    max_revisions: int = MAX_REVISIONS
    redact: bool = True

    def __post_init__(self) -> None:
        for part in fields(self):
            value, least = getattr(self, part.name), 2 if part.name == "max_revisions" else 1
            if part.name != "redact" and (isinstance(value, bool) or not isinstance(value, int) or value < least):
                raise InvalidInput(f"`{part.name}` is {value!r}; it must be a whole number of at least {least}")
