"""What is told how full the window is, and what tells how large it is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from memoranda.records.usage import ContextUsage


@runtime_checkable
class ContextUsageObserver(Protocol):
    """Is told once for each request how large it is."""

    def observe(self, usage: ContextUsage) -> None:
        """Takes the reading. What it raises fails the request before anything of it is changed (S4.2)."""
        ...


@runtime_checkable
class ContextWindowResolver(Protocol):
    """Knows the window of the model that a request goes to."""

    def window(self, model: str | None) -> int | None:
        """Returns the tokens of the model's window; None when it does not know the model (S4.4)."""
        ...
