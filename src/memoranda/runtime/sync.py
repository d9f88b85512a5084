"""`Memory` and `Scope`: the same core for callers that do not await. Only how a coroutine is run differs."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Literal, Self

from memoranda.bridge.drive import Driver, Portal, Stepper, driven
from memoranda.bridge.offload import in_event_loop
from memoranda.errors import InsideEventLoop
from memoranda.protocols.clock import Clock, Ids
from memoranda.protocols.embedder import Embedder
from memoranda.protocols.store import MemoryStore
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.settings import Settings
from memoranda.runtime.core import Core
from memoranda.runtime.memory import OWN_FILE, AsyncMemory, _OwnFile
from memoranda.runtime.scope import AsyncScope
from memoranda.runtime.session import Session


class Memory:
    """A memory over one store: `Memory("agent.db")`, `Memory(":memory:")`, `Memory(store=mine)`, `Memory(None)`.

    Takes what `AsyncMemory` takes and offers the same calls, without `await`. A store in SQLite or in memory is worked
    in the caller's own thread. It may be shared by threads, is safe across a fork, and closes as a context manager:

        with Memory("agent.db") as memory:
            memory.scope("acme/alice").remember("Deploys go to the blue cluster")

    Raises:
        StoreError: the store cannot be opened; the message says why and what to do.
        InsideEventLoop: a call was made inside a running event loop; use `AsyncMemory` there.
    """

    def __init__(
        self,
        target: str | os.PathLike[str] | _OwnFile | None = OWN_FILE,
        *,
        store: MemoryStore | None = None,
        embedder: Embedder | Literal["default"] | None = "default",
        models: None = None,
        settings: Settings | None = None,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        if in_event_loop():
            raise InsideEventLoop
        self._awaited = AsyncMemory(
            target, store=store, embedder=embedder, models=models, settings=settings, clock=clock, ids=ids
        )
        self._driver: Driver = Stepper() if self._awaited.never_suspends else Portal()
        self._driver.run(self._awaited.open())

    @property
    def store(self) -> MemoryStore:
        """The store behind this memory."""
        return self._awaited.store

    def scope(self, path: str | ScopePath) -> Scope:
        """Returns the memory of one scope, such as `acme/alice`. Nothing is read or made yet.

        Raises:
            InvalidScope: the path cannot be a scope.
        """
        return Scope(self._awaited.scope(path), self._driver)

    scopes = driven(AsyncMemory.scopes)
    stats = driven(AsyncMemory.stats)
    reembed = driven(AsyncMemory.reembed)
    finish_erasures = driven(AsyncMemory.finish_erasures)
    backup = driven(AsyncMemory.backup)
    verify = driven(AsyncMemory.verify)
    doctor = driven(AsyncMemory.doctor)

    def close(self) -> None:
        """Closes the store. Later calls raise `StoreClosed`; closing twice is no error."""
        self._driver.run(self._awaited.close())
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Scope:
    """The memory of one scope. Made by `Memory.scope`; costs nothing to make or to keep. See `AsyncScope`."""

    def __init__(self, awaited: AsyncScope, driver: Driver) -> None:
        self._awaited = awaited
        self._driver = driver

    @property
    def path(self) -> str:
        """The scope's path."""
        return self._awaited.path

    @property
    def core(self) -> Core:
        """The scope's core blocks: labelled texts that are always in context."""
        return Core(self._awaited.core, self._driver)

    def session(self, id: str, *, agent: str = "", slot: str = "") -> Session:
        """Returns one conversation of this scope. Nothing is read or made yet.

        Args:
            id: the session's id, chosen by the host.
            agent: which agent holds the conversation; empty where there is only one.
            slot: tells conversations of the same agent and session apart.

        Raises:
            InvalidEntry: the id is blank, or one of the three is too long or no text.
        """
        return Session(self._awaited.session(id, agent=agent, slot=slot), self._driver)

    remember = driven(AsyncScope.remember)
    remember_many = driven(AsyncScope.remember_many)
    recall = driven(AsyncScope.recall)
    why_not = driven(AsyncScope.why_not)
    get = driven(AsyncScope.get)
    list = driven(AsyncScope.list)
    update = driven(AsyncScope.update)
    retract = driven(AsyncScope.retract)
    restore = driven(AsyncScope.restore)
    erase = driven(AsyncScope.erase)
    erase_where = driven(AsyncScope.erase_where)
    erase_scope = driven(AsyncScope.erase_scope)
    revisions = driven(AsyncScope.revisions)
    contested = driven(AsyncScope.contested)
    count = driven(AsyncScope.count)
    consolidate = driven(AsyncScope.consolidate)
    dump = driven(AsyncScope.dump)
    load = driven(AsyncScope.load)
