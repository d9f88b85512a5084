"""What can be shown in a request beside the messages."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol, runtime_checkable

from memoranda.records.graph import GraphContextConfig


@runtime_checkable
class ShownContext(Protocol):
    """Something that is rendered into each request: a working graph, or one that a store keeps."""

    def render(self, text: str = "", config: GraphContextConfig | None = None) -> str | Awaitable[str]:
        """Returns what a model is shown, or what can be awaited for it; empty for nothing.

        Args:
            text: what the turn is about, for choosing when not everything fits.
            config: how much is shown, and how; None for the defaults.
        """
        ...
