"""Correcting counted tokens by what a provider reports."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from memoranda.errors import InvalidInput

LEAST: Final = 0.5
MOST: Final = 2.0
"""Bounds of the factor: a count further off than this is of another text, or of another unit."""
LEAST_TOKENS: Final = 200
"""A request that was counted smaller tells nothing: framing that nobody knows of is most of the difference."""
_STEP: Final = 0.2
"""Share of a pair once there have been many; the first pairs weigh more, since there is little to be kept."""
_TRUST: Final = math.log(1.25)
"""From the second pair on a ratio moves the factor as if it were at most a quarter off."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """How many tokens a provider counts for each that is counted here.

    The factor is an exponentially weighted mean of the logarithms of what was reported divided by what was counted. One
    wild value moves it by 41 % when it is the first and by 8 % at most later; a lasting ratio is reached to a hundredth
    within forty requests. It is 1 until something is reported.

    Attributes:
        factor: reported tokens for one counted token, from 0.5 to 2.
        pairs: how many requests it rests on.

    Raises:
        InvalidInput: the factor is out of its bounds, or `pairs` is below 0.
    """

    factor: float = 1.0
    pairs: int = 0

    def __post_init__(self) -> None:
        if not LEAST <= self.factor <= MOST:
            raise InvalidInput(f"`factor` is {self.factor!r}; it must be from {LEAST} to {MOST}")
        if self.pairs < 0:
            raise InvalidInput(f"`pairs` is {self.pairs!r}; it must be 0 or more")

    def updated(self, estimated: int, reported: int) -> Calibration:
        """Returns the calibration with one more request.

        Args:
            estimated: tokens of the request as they were counted here, before any correction. Below `LEAST_TOKENS` the
                pair is left out.
            reported: input tokens that the provider reported, those read from its cache included. 0 or less is no
                report.
        """
        if estimated < LEAST_TOKENS or reported <= 0:
            return self
        now = math.log(self.factor)
        told = math.log(min(MOST, max(LEAST, reported / estimated)))
        if self.pairs:
            told = min(now + _TRUST, max(now - _TRUST, told))
        step = max(_STEP, 1 / (self.pairs + 2))
        factor = math.exp(now + step * (told - now))
        return Calibration(factor=min(MOST, max(LEAST, factor)), pairs=self.pairs + 1)

    def apply(self, tokens: int) -> int:
        """Returns what the provider would count for so many tokens counted here."""
        return round(tokens * self.factor)

    def undo(self, tokens: int) -> int:
        """Returns how many tokens counted here make so many of the provider's, rounded down."""
        return math.floor(tokens / self.factor)
