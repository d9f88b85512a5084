"""`AsyncMemory`: the one core, awaited."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Literal, Self

from memoranda.bridge.offload import offload
from memoranda.errors import InvalidInput
from memoranda.memory import browse, embedding, upkeep
from memoranda.memory import erase as erasing
from memoranda.memory.context import Context
from memoranda.memory.indexes import Indexes
from memoranda.memory.nothing import Nothing
from memoranda.protocols.clock import Clock, Ids, RandomIds, SystemClock
from memoranda.protocols.embedder import Embedder
from memoranda.protocols.store import Closable, MemoryStore
from memoranda.records.erasure import ErasureProof
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.settings import Settings
from memoranda.records.stats import StoreStats
from memoranda.records.upkeep import DoctorReport, VerifyReport
from memoranda.runtime.scope import AsyncScope
from memoranda.runtime.wiring import default_path, open_store

if TYPE_CHECKING:
    from memoranda.models.checked import CheckedEmbedder

logger = logging.getLogger("memoranda")


class _OwnFile:
    """Stands for the user's own memory file as the default target; None would mean no store at all."""

    def __repr__(self) -> str:
        return "<the user's own file>"


OWN_FILE: Final = _OwnFile()


class AsyncMemory:
    """A memory over one store, for callers that await. `Memory` is the same for callers that do not.

    Args:
        target: a path, `:memory:`, or a URL of an installed store. Without one, the user's own file. None attaches
            no store: every call does nothing and says so (S0.4).
        store: a store of your own, instead of a target.
        embedder: `"default"`: the model that `memoranda models fetch` has put on this machine; without one recall
            works with words, which is logged. None: words only. Or an embedder of your own.
        models: None; no part of this version calls a model.
        settings: durability, bounds and switches.
        clock: tells the time; the machine's by default.
        ids: mints ids; random UUIDs by default.

    Raises:
        InvalidInput: both a target and a store were given, or something that is no embedder, or models.
        StoreUnavailable: no installed package serves the target.
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
        if store is not None and target is not OWN_FILE:
            raise InvalidInput("give a target or a store, not both")
        if models is not None:
            raise InvalidInput("this version calls no chat model; leave `models` out")
        chosen = settings or Settings()
        if store is None:
            store = _store_of(target, chosen)
        checked = _embedder_of(embedder)
        self._context = Context(
            store=store,
            settings=chosen,
            clock=clock or SystemClock(),
            ids=ids or RandomIds(),
            indexes=Indexes(chosen, checked.identity if checked else None),
            embedder=checked,
        )

    @property
    def store(self) -> MemoryStore:
        """The store behind this memory."""
        return self._context.store

    @property
    def never_suspends(self) -> bool:
        """Whether neither the store nor the embedder suspends outside an event loop (design D1)."""
        parts = (self._context.store, *filter(None, (self._context.embedder,)))
        return all(getattr(part, "never_suspends", False) for part in parts)

    def scope(self, path: str | ScopePath) -> AsyncScope:
        """Returns the memory of one scope, such as `acme/alice`. Nothing is read or made yet.

        Raises:
            InvalidScope: the path cannot be a scope.
        """
        return AsyncScope(self._context, ScopePath.of(path))

    async def scopes(self, prefix: str = "", *, limit: int | None = None, after: str | None = None) -> list[str]:
        """Returns the scopes that hold entries, in order. For the host: it sees every user's.

        Args:
            prefix: only this scope and what stands below it, by whole segments; all when empty.
            limit: most paths; all when None.
            after: the last path of the page before.
        """
        return await browse.scopes(self._context, prefix, limit=limit, after=after)

    async def stats(self) -> StoreStats:
        """Returns what the whole store holds, over all scopes."""
        return await browse.stats(self._context)

    async def reembed(self, scope: str | ScopePath, on_progress: Callable[[int], None] | None = None) -> int:
        """Gives every live entry of a scope a vector of the present embedder and returns how many got one.

        It goes on where it was stopped, and words find everything meanwhile. Needed after a change of the embedder,
        and for entries that were written while it failed.

        Args:
            scope: the scope.
            on_progress: called with the number of entries done so far, after each batch.

        Raises:
            EmbedderError: there is no embedder, or it failed; what was done before is kept.
        """
        return await embedding.reembed(self._context, ScopePath.of(scope), on_progress)

    async def finish_erasures(self) -> ErasureProof:
        """Proves the erasures whose receipts said `pending`, as far as that can be done now; `because` says more.

        The next erasure and the next opening of the store do the same. Where nothing waits it costs nothing.
        """
        return await erasing.finish_erasures(self._context)

    async def backup(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a copy of one state of the whole store to a file, while everybody keeps working.

        The copy is complete or not there, and is opened like the original. It is no part of the store: what is erased
        later stays in it.

        Args:
            path: the new file.
            force: whether a file that is there already is replaced.

        Raises:
            InvalidInput: the file is there already, or cannot be written.
            Unsupported: the store keeps nothing in a file.
        """
        await upkeep.back_up(self._context, path, force=force)

    async def verify(self) -> VerifyReport:
        """Verifies that the store is sound, that all entries can be read, and that recall finds a sample of them.

        It changes nothing and may take seconds on a large file. `str` of the report is made to be read.
        """
        return await upkeep.verify(self._context)

    async def doctor(self, *, fix: bool = False) -> DoctorReport:
        """Finds what is wrong with the store, and what could be better.

        Args:
            fix: whether to mend what can be mended without loss. A copy of the file is made before rows are changed.
        """
        return await upkeep.doctor(self._context, fix=fix)

    async def open(self) -> Self:
        """Opens the store now, so that what is wrong with it shows here rather than at the first call."""
        store = self._context.store
        if isinstance(store, Closable):
            await offload(store.open)
        return self

    async def close(self) -> None:
        """Closes the store. Later calls raise `StoreClosed`; closing twice is no error."""
        store = self._context.store
        if isinstance(store, Closable):
            await offload(store.close)

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


def _embedder_of(embedder: Embedder | Literal["default"] | None) -> CheckedEmbedder | None:
    from memoranda.models.checked import CheckedEmbedder
    from memoranda.models.default import default_embedder

    if embedder is None:
        return None
    if isinstance(embedder, Embedder):
        return CheckedEmbedder(embedder)
    if embedder != "default":
        raise InvalidInput(f"`embedder` is {embedder!r}; give 'default', None, or what has `identity` and `embed`")
    found = default_embedder()
    if found.embedder is None:
        logger.info(found.reason)
        return None
    return CheckedEmbedder(found.embedder)


def _store_of(target: str | os.PathLike[str] | _OwnFile | None, settings: Settings) -> MemoryStore:
    if target is None:
        return Nothing()
    return open_store(default_path() if isinstance(target, _OwnFile) else target, settings)
