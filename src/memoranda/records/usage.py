"""How full a model's window is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextUsage:
    """The size of one request, before a warning or compaction changes it (S4.2, S4.3).

    Attributes:
        used_tokens: tokens of the request.
        window_tokens: tokens that the model's window has.
        resolved: whether the window was told by a `ContextWindowResolver`; False for `context_window_tokens`.
    """

    used_tokens: int
    window_tokens: int
    resolved: bool

    @property
    def fraction(self) -> float:
        """Which share of the window is used; above 1 when it does not fit."""
        return self.used_tokens / self.window_tokens
