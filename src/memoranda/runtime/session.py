"""`AsyncSession` and `Session`: one conversation of a scope, and what belongs to it alone."""

from __future__ import annotations

from memoranda.bridge.drive import Driver
from memoranda.memory.context import Context
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey
from memoranda.runtime.core import AsyncCore, Core
from memoranda.runtime.graphs import AsyncSessionGraph, SessionGraph


class AsyncSession:
    """One conversation of a scope. Made by `AsyncScope.session`; costs nothing to make or to keep.

    Attributes:
        key: which conversation: its id, agent and slot.
        core: the core blocks of this session; those of its scope are others.
        graph: the working graph of this session.
    """

    def __init__(self, context: Context, scope: ScopePath, key: SessionKey) -> None:
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


class Session:
    """One conversation of a scope. Made by `Scope.session`; costs nothing to make or to keep. See `AsyncSession`."""

    def __init__(self, awaited: AsyncSession, driver: Driver) -> None:
        self._key = awaited.key
        self._core = Core(awaited.core, driver)
        self._graph = SessionGraph(awaited.graph, driver)

    @property
    def key(self) -> SessionKey:
        """Which conversation: its id, agent and slot."""
        return self._key

    @property
    def core(self) -> Core:
        """The core blocks of this session; those of its scope are others."""
        return self._core

    @property
    def graph(self) -> SessionGraph:
        """The working graph of this session."""
        return self._graph
