"""A clock that stands still and ids that count: what makes a test's outcome the same each time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import count

from memoranda.records.entry import as_utc

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
"""Where a `FrozenClock` stands unless told otherwise."""


class FrozenClock:
    """A clock that moves only when told to.

    Args:
        now: where it stands at first; aware.
    """

    def __init__(self, now: datetime = START) -> None:
        self._now = as_utc(now, "now")

    def now(self) -> datetime:
        """Returns the moment at which it stands, in UTC."""
        return self._now

    def set(self, now: datetime) -> None:
        """Puts it to an aware moment, later or earlier."""
        self._now = as_utc(now, "now")

    def advance(self, by: timedelta) -> datetime:
        """Moves it on and returns the new moment."""
        self._now += by
        return self._now


class CountingIds:
    """Valid UUIDs of version 4 that count up, so that the same run mints the same ids. Safe in several threads."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def new(self) -> str:
        """Returns the next id: `00000000-0000-4000-8000-000000000001` first."""
        return f"00000000-0000-4000-8000-{next(self._numbers):012x}"
