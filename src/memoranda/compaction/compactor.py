"""`Compactor`: every request of a conversation goes through it and comes out fitting and valid."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from inspect import iscoroutinefunction
from threading import Lock
from typing import Any

import anyio

from memoranda.bridge.drive import Driven, Driver, Portal, Stepper, behind
from memoranda.compaction.config import CompactionConfig
from memoranda.compaction.conversation import Conversation
from memoranda.compaction.report import Compacted
from memoranda.compaction.request import Beside, Request, Surroundings
from memoranda.compaction.strategies.offload import Offload
from memoranda.compaction.strategies.summarize import Summarize
from memoranda.compaction.strategy import AwaitingStrategy, Seams
from memoranda.errors import InvalidInput
from memoranda.protocols.archive import Archive
from memoranda.protocols.context import ShownContext
from memoranda.protocols.summarizer import Summarizer
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.records.message import WireFormat
from memoranda.text.encodings import tokenizer as named_tokenizer


class AsyncCompactor:
    """Makes the requests of one conversation fit (seed 4).

    It remembers what it did: a host may send the whole conversation each time, or go on with the list that it was
    given; either way what was taken stays taken, so that the beginning of the request stays the same. Use one for each
    conversation. Safe for many tasks at once: they take turns.

    Attributes:
        config: when it compacts, and how.
        archive: where what it takes stays readable; None for nowhere.

    Args:
        config: `CompactionConfig()` when not given.
        summarizer: what `Summarize` needs; None for no summaries.
        archive: where what is taken is kept, and what `Offload` needs; `session.archive` is one.
        graph: what `config.graph_context` shows in each request: a `WorkingGraph`.
        tokenizer: what counts; by `config.encoder_name` when not given.
        format: the format of the messages; detected when not given.
        emitted: `emitted` of an earlier compactor of this conversation, so that what it put into a list is known again.

    Raises:
        InvalidInput: the encoder or the format is not known.
    """

    def __init__(
        self,
        config: CompactionConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        archive: Archive | None = None,
        graph: ShownContext | None = None,
        tokenizer: Tokenizer | None = None,
        format: WireFormat | str | None = None,
        emitted: Collection[str] = (),
    ) -> None:
        self.config = config or CompactionConfig()
        self.archive = archive
        self._around = Surroundings(
            config=self.config,
            tokenizer=tokenizer or named_tokenizer(self.config.encoder_name),
            seams=Seams(archive=archive, summarizer=summarizer),
            graph=graph,
            format=_format_of(format),
        )
        self._past = Conversation(emitted=dict.fromkeys(emitted))
        self._lock: anyio.Lock | None = None

    @property
    def emitted(self) -> frozenset[str]:
        """Hashes of the messages that were last put into requests beside the host's own; no texts."""
        return frozenset(self._past.emitted)

    async def on_request(
        self,
        messages: Sequence[object],
        *,
        system: object = None,
        tools: Sequence[Mapping[str, Any]] | None = (),
        pending: Collection[str] = (),
        text: str | None = None,
    ) -> Compacted:
        """Returns the request as it is to be sent (S4.1): counted, observed, warned of, compacted, the graph put in.

        The list and its messages are left as they are.

        Args:
            messages: the conversation, in the format of OpenAI Chat, OpenAI Responses or Anthropic.
            system: the system prompt where the format has it beside the messages; it is counted, not changed.
            tools: the definitions of the tools that go with the request; they are counted.
            pending: ids of calls that still wait for their answer, such as a person's consent; they stay.
            text: what the turn is about, for choosing what of the graph is shown; the last user message when not given.

        Raises:
            InvalidMessages: the messages cannot be read.
            Exception: what an observer raised; the request then has not been changed.
        """
        beside = Beside(system=system, tools=tools, pending=pending, text=text)
        async with self._turn():
            return await self._answer(messages, beside)

    async def _answer(self, messages: Sequence[object], beside: Beside) -> Compacted:
        # What was there before is looked at only now: another task may have made room meanwhile (case D06).
        past, compacted = await Request(self._around, self._past, messages, beside).answer()
        # Only when all is done: a request that failed or was cancelled leaves nothing behind (case D07).
        self._past = past
        return compacted

    async def compress(self, messages: Sequence[object], *, pending: Collection[str] = ()) -> Compacted:
        """Returns the list after one pass of every strategy, without a bound (S4.9): each takes all that it may.

        No observer is told, no warning and no graph is put in.

        Raises:
            InvalidMessages: the messages cannot be read.
        """
        beside = Beside(pending=pending)
        async with self._turn():
            return await self._compress(messages, beside)

    async def _compress(self, messages: Sequence[object], beside: Beside) -> Compacted:
        alone = Conversation(emitted=self._past.emitted)
        emitted, compacted = await Request(self._around, alone, messages, beside).compress()
        self._past = replace(self._past, emitted=emitted)
        return compacted

    def count_tokens(self, messages: Sequence[object]) -> int:
        """Returns the tokens of a list as they are counted for the triggers (S4.10).

        Raises:
            InvalidMessages: the messages cannot be read.
        """
        return Request(self._around, Conversation(), messages).count()

    def record_usage(self, input_tokens: int) -> None:
        """Takes the number of input tokens that the provider reported for the last request.

        Later counts are corrected by it, those of an exact encoding too: a provider frames messages in its own way, and
        its model may read another encoding. Give `on_request` what goes beside the messages, or it counts as an error.

        Args:
            input_tokens: as reported, those read from the provider's cache included; 0 or less is no report.

        Raises:
            InvalidInput: it is no whole number.
        """
        if isinstance(input_tokens, bool) or not isinstance(input_tokens, int):
            raise InvalidInput(f"`input_tokens` is {input_tokens!r}; give the whole number that the provider reported")
        calibration = self._around.calibration.updated(self._past.counted, input_tokens)
        self._around = replace(self._around, calibration=calibration)

    def _turn(self) -> anyio.Lock:
        if self._lock is None:  # not before: a compactor may be made where no event loop runs
            self._lock = anyio.Lock()
        return self._lock


class Compactor:
    """The same for callers that do not await; threads take turns. See `AsyncCompactor` for what it takes.

    Where nothing is waited for it works anywhere, inside a running event loop, too: without a summarizer, an archive, a
    graph that a store keeps, and an `AwaitingStrategy` of the host's.

    Args:
        driver: runs what is awaited; chosen when not given.
    """

    def __init__(
        self,
        config: CompactionConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        archive: Archive | Driven[Archive] | None = None,
        graph: ShownContext | Driven[ShownContext] | None = None,
        tokenizer: Tokenizer | None = None,
        format: WireFormat | str | None = None,
        emitted: Collection[str] = (),
        driver: Driver | None = None,
    ) -> None:
        self._awaited = AsyncCompactor(
            config,
            summarizer=summarizer,
            archive=None if archive is None else behind(archive),
            graph=None if graph is None else behind(graph),
            tokenizer=tokenizer,
            format=format,
            emitted=emitted,
        )
        self._turn = Lock()
        waits = awaits_host(self.config, summarizer) or archive is not None or _is_awaited(graph)
        self._driver: Driver = driver or (Portal() if waits else Stepper(anywhere=True))

    @property
    def config(self) -> CompactionConfig:
        """When it compacts, and how."""
        return self._awaited.config

    @property
    def archive(self) -> Archive | None:
        """Where what it takes stays readable; None for nowhere."""
        return self._awaited.archive

    @property
    def emitted(self) -> frozenset[str]:
        """Hashes of the messages that were last put into requests beside the host's own; no texts."""
        return self._awaited.emitted

    def on_request(
        self,
        messages: Sequence[object],
        *,
        system: object = None,
        tools: Sequence[Mapping[str, Any]] | None = (),
        pending: Collection[str] = (),
        text: str | None = None,
    ) -> Compacted:
        """Returns the request as it is to be sent; see `AsyncCompactor.on_request`.

        Raises:
            InvalidMessages: the messages cannot be read.
            Exception: what an observer raised; the request then has not been changed.
        """
        beside = Beside(system=system, tools=tools, pending=pending, text=text)
        with self._turn:
            return self._driver.run(self._awaited._answer(messages, beside))

    def compress(self, messages: Sequence[object], *, pending: Collection[str] = ()) -> Compacted:
        """Returns the list after one pass of every strategy, without a bound; see `AsyncCompactor.compress`.

        Raises:
            InvalidMessages: the messages cannot be read.
        """
        beside = Beside(pending=pending)
        with self._turn:
            return self._driver.run(self._awaited._compress(messages, beside))

    def count_tokens(self, messages: Sequence[object]) -> int:
        """Returns the tokens of a list as they are counted for the triggers (S4.10).

        Raises:
            InvalidMessages: the messages cannot be read.
        """
        return self._awaited.count_tokens(messages)

    def record_usage(self, input_tokens: int) -> None:
        """Takes the number of input tokens that the provider reported; see `AsyncCompactor.record_usage`.

        Raises:
            InvalidInput: it is no whole number.
        """
        self._awaited.record_usage(input_tokens)


def awaits_host(config: CompactionConfig | None, summarizer: Summarizer | None) -> bool:
    """Tells whether a request may wait for something of the host's: a summarizer, or a strategy of its own."""
    ours = Offload | Summarize  # these wait for nothing but the archive and the summarizer
    chosen = config.chosen() if config is not None else ()
    return summarizer is not None or any(
        isinstance(one, AwaitingStrategy) and not isinstance(one, ours) for one in chosen
    )


def _is_awaited(graph: ShownContext | Driven[ShownContext] | None) -> bool:
    return graph is not None and iscoroutinefunction(behind(graph).render)


def _format_of(format: WireFormat | str | None) -> WireFormat | None:
    try:
        return None if format is None else WireFormat(format)
    except ValueError as error:
        known = ", ".join(repr(one.value) for one in WireFormat)
        raise InvalidInput(f"`format` is {format!r}; the formats are {known}") from error
