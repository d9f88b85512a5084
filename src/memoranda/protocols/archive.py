"""Where what compaction took from requests stays readable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from memoranda.records.archived import ArchivedSpan, ArchiveReceipt, ArchiveUsage
from memoranda.records.recalled import Hit
from memoranda.records.span import Span


@runtime_checkable
class Archive(Protocol):
    """Keeps the spans of one session (S4.49 to S4.52, C52)."""

    async def keep(self, spans: Sequence[Span]) -> ArchiveReceipt:
        """Keeps all of them, oldest first, or none. One that is there already is not kept twice.

        Raises:
            InvalidInput: a span is larger than the archive takes; it is refused and never cut.
            StoreError: they cannot be kept.
        """
        ...

    async def expand(self, handle: str) -> ArchivedSpan:
        """Returns the span of a handle, whole.

        Raises:
            HandleNotFound: there is none, or it was evicted or erased.
        """
        ...

    async def recall(self, query: str, *, limit: int = 4) -> list[Hit]:
        """Returns what of the archived spans answers a query, best first; `hit.entry.source` names the handle.

        Raises:
            InvalidEntry: the query is no text, or the limit is not above 0 (S4.49).
        """
        ...

    async def usage(self) -> ArchiveUsage:
        """Returns how full it is."""
        ...
