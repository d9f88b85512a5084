"""Where the time and new ids come from; injected, so that deciding stays pure (design D3)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol
from uuid import uuid4


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime:
        """Returns the present moment, aware and in UTC."""
        ...


class Ids(Protocol):
    """Mints ids."""

    def new(self) -> str:
        """Returns an id that was never returned before: a random UUID as text (S0.23)."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        """Returns the present moment, aware and in UTC."""
        return datetime.now(UTC)


class RandomIds:
    """Random UUIDs, version 4."""

    def new(self) -> str:
        """Returns a fresh random UUID as text."""
        return str(uuid4())
