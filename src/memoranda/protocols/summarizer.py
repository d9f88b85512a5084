"""What turns old messages into a short text."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from memoranda.records.summary import SummaryRequest


@runtime_checkable
class Summarizer(Protocol):
    """Writes summaries. `memoranda.testing.ScriptedSummarizer` answers as it was told."""

    async def summarize(self, request: SummaryRequest) -> str:
        """Returns a summary of `request`.

        Whatever it raises leaves the messages as they are and is reported; so does a text that is empty, or longer than
        what it stands for.
        """
        ...
