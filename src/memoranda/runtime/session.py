"""`AsyncSession` and `Session`: one conversation of a scope, and what belongs to it alone."""

from __future__ import annotations

from collections.abc import Collection

from memoranda.bridge.drive import Driver
from memoranda.compaction.compactor import AsyncCompactor, Compactor, awaits_host
from memoranda.compaction.config import CompactionConfig
from memoranda.memory.archive import StoreArchive
from memoranda.memory.context import Context
from memoranda.protocols.summarizer import Summarizer
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.records.message import WireFormat
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey
from memoranda.runtime.archive import SessionArchive
from memoranda.runtime.core import AsyncCore, Core
from memoranda.runtime.graphs import AsyncSessionGraph, SessionGraph


class AsyncSession:
    """One conversation of a scope. Made by `AsyncScope.session`; costs nothing to make or to keep.

    Attributes:
        key: which conversation: its id, agent and slot.
        core: the core blocks of this session; those of its scope are others.
        graph: the working graph of this session.
        archive: where what compaction took from the requests of this session stays readable.
    """

    def __init__(self, context: Context, scope: ScopePath, key: SessionKey) -> None:
        self._context = context
        self._scope = scope
        self._key = key
        self._core = AsyncCore(context, scope, key)
        self._graph = AsyncSessionGraph(context, scope, key)

    @property
    def key(self) -> SessionKey:
        """Which conversation: its id, agent and slot."""
        return self._key

    @property
    def core(self) -> AsyncCore:
        """The core blocks of this session; those of its scope are others."""
        return self._core

    @property
    def graph(self) -> AsyncSessionGraph:
        """The working graph of this session."""
        return self._graph

    @property
    def archive(self) -> StoreArchive:
        """Where what compaction took from the requests of this session stays readable.

        Raises:
            Unsupported: the store keeps no documents.
        """
        return StoreArchive(self._context, self._scope, self._key, max_entries=self._context.settings.max_archived)

    def compactor(
        self,
        config: CompactionConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        tokenizer: Tokenizer | None = None,
        format: WireFormat | str | None = None,
        emitted: Collection[str] = (),
    ) -> AsyncCompactor:
        """Returns a compactor for the requests of this session: what it takes goes to `archive`.

        With `config.graph_context` the working graph of the session is shown. See `AsyncCompactor` for the arguments.

        Raises:
            Unsupported: the store keeps no documents.
        """
        return AsyncCompactor(
            config,
            summarizer=summarizer,
            archive=self.archive,
            graph=self._graph,
            tokenizer=tokenizer,
            format=format,
            emitted=emitted,
        )


class Session:
    """One conversation of a scope. Made by `Scope.session`; costs nothing to make or to keep. See `AsyncSession`."""

    def __init__(self, awaited: AsyncSession, driver: Driver) -> None:
        self._awaited = awaited
        self._driver = driver
        self._core = Core(awaited.core, driver)
        self._graph = SessionGraph(awaited.graph, driver)

    @property
    def key(self) -> SessionKey:
        """Which conversation: its id, agent and slot."""
        return self._awaited.key

    @property
    def core(self) -> Core:
        """The core blocks of this session; those of its scope are others."""
        return self._core

    @property
    def graph(self) -> SessionGraph:
        """The working graph of this session."""
        return self._graph

    @property
    def archive(self) -> SessionArchive:
        """Where what compaction took from the requests of this session stays readable.

        Raises:
            Unsupported: the store keeps no documents.
        """
        return SessionArchive(self._awaited.archive, self._driver)

    def compactor(
        self,
        config: CompactionConfig | None = None,
        *,
        summarizer: Summarizer | None = None,
        tokenizer: Tokenizer | None = None,
        format: WireFormat | str | None = None,
        emitted: Collection[str] = (),
    ) -> Compactor:
        """Returns a compactor for the requests of this session: what it takes goes to `archive`.

        With `config.graph_context` the working graph of the session is shown. See `AsyncCompactor` for the arguments.

        Raises:
            Unsupported: the store keeps no documents.
        """
        return Compactor(
            config,
            summarizer=summarizer,
            archive=self._awaited.archive,
            graph=self._awaited.graph,
            tokenizer=tokenizer,
            format=format,
            emitted=emitted,
            driver=None if awaits_host(config, summarizer) else self._driver,
        )
