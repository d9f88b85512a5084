"""A summarizer for tests: it answers as it was told."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import anyio

from memoranda.records.summary import SummaryRequest

Reply = str | None | Exception | Callable[[SummaryRequest], str | None]
"""An answer: a text, None as broken summarizers give it, an error to raise, or what makes the answer of a request."""


class ScriptedSummarizer:
    """Answers each call with the next of its replies, the last one again and again.

    Args:
        replies: the answers, or one for every call.
        gate: awaited in each call before it answers, so that a test decides when; None for no waiting.

    Attributes:
        requests: what it was asked, in order; calls that were cancelled or failed included.

    Raises:
        ValueError: there is no reply.
    """

    def __init__(self, replies: Reply | Iterable[Reply], *, gate: anyio.Event | None = None) -> None:
        single = replies is None or isinstance(replies, str | Exception) or callable(replies)
        self._replies: list[Reply] = [replies] if single else list(replies)  # type: ignore[arg-type,list-item]  # told apart above
        if not self._replies:
            raise ValueError("`replies` holds no reply; give at least one")
        self._gate = gate
        self.requests: list[SummaryRequest] = []

    async def summarize(self, request: SummaryRequest) -> str:
        """Returns the next reply, whatever it is."""
        reply = self._replies[min(len(self.requests), len(self._replies) - 1)]
        self.requests.append(request)
        if self._gate is not None:
            await self._gate.wait()
        if isinstance(reply, Exception):
            raise reply
        return reply(request) if callable(reply) else reply  # type: ignore[return-value]  # None stands for a broken one
