"""`StoredCoreMemory`: core memory over a store that keeps documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from memoranda.core import edits
from memoranda.core.codec import Held, block_key, held_of, revision_key, revision_of
from memoranda.core.decide import Draft, Make, Step
from memoranda.core.limits import CoreLimits
from memoranda.errors import BlockNotFound, InvalidBlock, InvalidEntry, Unsupported
from memoranda.protocols.clock import Clock, SystemClock
from memoranda.protocols.core import CoreMemory
from memoranda.protocols.plan import Plan, PlanWriter, Snapshot
from memoranda.protocols.store import DocumentReader, MemoryStore
from memoranda.records.block import (
    BlockChange,
    BlockRevision,
    CoreMemoryBlock,
    check_block,
    check_text,
    origin_of,
)
from memoranda.records.check import MAX_NAME
from memoranda.records.document import DocumentKind
from memoranda.records.entry import Origin
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.text.redact import redact

T = TypeVar("T")


class StoredCoreMemory(CoreMemory):
    """The core blocks of a scope, or of one of its sessions, which are others (S2.15).

    Each change is decided inside the store's transaction, so that several processes may edit one block and none
    overwrites what another wrote. A change that is refused has changed nothing. What a block was before a change is
    kept as a revision; a change that leaves it as it was keeps none.

    Who may change what (design D10), by the `by` of each call:

    - Only the host makes a block, and lays down its limit, description, `read_only` and `writable_by`.
    - Its value is changed, and it is removed, by whom `writable_by` names, and by who is trusted as much or more.
    - What is read only is changed by the host alone, with `put_block`.

    Secrets in values are masked before they are stored, where `limits.redact` is on.

    Args:
        store: a store that is a `DocumentReader` and a `PlanWriter`.
        scope: whose blocks.
        session: whose blocks within the scope; None for the scope's own.
        limits: the bounds; None for the defaults.
        clock: tells when a change is made.
    """

    def __init__(
        self,
        store: MemoryStore,
        scope: Scope | str,
        session: SessionKey | None = None,
        *,
        limits: CoreLimits | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._store = store
        self._scope = Scope.of(scope)
        self._session = session.path if session else ""
        self._limits = limits or CoreLimits()
        self._clock = clock or SystemClock()

    async def blocks(self) -> list[CoreMemoryBlock]:
        """Returns all blocks in the order in which they were first put; one that was removed and put again is last."""
        found = await self._reader().documents(self._scope, DocumentKind.BLOCK, self._session)
        return [block for block in (held_of(document).block for document in found) if block is not None]

    async def get_block(self, label: str) -> CoreMemoryBlock | None:
        """Returns the block of that label, None where there is none."""
        held = await self._held(label)
        return held.block if held else None

    async def put_block(
        self,
        label: CoreMemoryBlock | str,
        value: str | None = None,
        *,
        limit: int | None = None,
        description: str | None = None,
        read_only: bool | None = None,
        writable_by: Origin | str | None = None,
        by: Origin | str = Origin.HOST,
        because: str = "",
    ) -> None:
        """Makes a block at the end, or overwrites the one with its label, which keeps its place.

        Args:
            label: the label of the block, with a value and what else there is to say; or the whole block.
            value: its text.
            limit: most characters of the value; overwritten with it, so None takes a limit away. From anybody but the
                host None leaves it as it is.
            description: what it is for; None leaves what there is.
            read_only: whether only the host may change it; None leaves that as it is.
            writable_by: who may change its value; None leaves that as it is. A new block is the host's.
            by: who asks for it.
            because: why, in words, for the revision.

        Raises:
            BlockOverLimit: the value is longer than the limit.
            InvalidBlock: a block that cannot be; the message says what is wrong.
            NotPermitted: `by` may not do this.
            CapacityReached: there are too many blocks, or too many characters in all.
        """
        step = self._step(BlockChange.PUT, by, because)
        if isinstance(label, CoreMemoryBlock):
            if any(part is not None for part in (value, limit, description, read_only, writable_by)):
                raise InvalidBlock("give a CoreMemoryBlock, or a label with its parts, not both")
            await self._edit(label.label, step, edits.put(label))
            return
        if value is None:
            raise InvalidBlock(f"`value` is missing; write put_block({label!r}, text)")
        parts = edits.Parts(
            value=value, limit=limit, description=description, read_only=read_only, writable_by=writable_by
        )
        await self._edit(label, step, parts.put(label, step.by))

    async def put_blocks(
        self, blocks: Iterable[CoreMemoryBlock], *, by: Origin | str = Origin.HOST, because: str = ""
    ) -> None:
        """Puts several blocks in one commit: all, or none when one is refused (S2.16).

        Of two with the same label the later one is put, in the place of the first.

        Raises:
            BlockOverLimit, InvalidBlock, NotPermitted, CapacityReached: as `put_block` says; nothing was changed.
        """
        step = self._step(BlockChange.PUT, by, because)
        given = list(blocks)
        for block in given:
            check_block(block)
        last = {block.label: block for block in given}

        def change(draft: Draft) -> None:
            for label, block in last.items():
                draft.edit(label, step, edits.put(block))

        await self._write(change)

    async def append_block(self, label: str, text: str, *, by: Origin | str = Origin.HOST, because: str = "") -> None:
        """Appends to a block's value, with nothing in between; the limit stays. An empty text changes nothing.

        An unknown label becomes a block without a limit of its own.

        Raises:
            BlockOverLimit: the value would be longer than the limit.
            InvalidBlock: a label or a text that cannot be.
            NotPermitted: `by` may not do this.
            CapacityReached: there would be too many blocks, or too many characters in all.
        """
        await self._edit(label, self._step(BlockChange.APPEND, by, because), edits.append(label, text))

    async def replace_in_block(
        self, label: str, old: str, new: str, *, by: Origin | str = Origin.HOST, because: str = ""
    ) -> None:
        """Replaces the one place where `old` stands in a block's value. With an empty `new` it is taken out.

        Raises:
            BlockNotFound: there is no such block.
            InvalidBlock: `old` does not stand there exactly once; the message says how often.
            BlockOverLimit: the value would be longer than the limit.
            NotPermitted: `by` may not do this.
            CapacityReached: there would be too many characters in all.
        """
        step, make = self._step(BlockChange.REPLACE, by, because), edits.replace_in(label, old, new)
        try:
            await self._edit(label, step, make)
        except BlockNotFound as error:
            raise BlockNotFound(label, [block.label for block in await self.blocks()]) from error

    async def remove_block(self, label: str, *, by: Origin | str = Origin.HOST, because: str = "") -> bool:
        """Removes a block and returns whether it was there. Its revisions stay until they are erased.

        Raises:
            NotPermitted: `by` may not do this.
            InvalidBlock: a label that no block can have.
        """
        return await self._edit(label, self._step(BlockChange.REMOVE, by, because), edits.remove)

    async def revisions(self, label: str) -> list[BlockRevision]:
        """Returns what a block was before each change, oldest first; none for a label that never was.

        The first one is kept, and the newest up to `limits.max_revisions` in all.
        """
        held, reader = await self._held(label), self._reader()
        keys = [revision_key(self._session, label, number) for number in held.numbers()] if held else []
        found = [await reader.document(self._scope, key) for key in keys]
        return [revision_of(document) for document in found if document is not None]

    async def _held(self, label: str) -> Held | None:
        """Returns what is kept of a label; None too where no block can have it."""
        try:
            key = block_key(self._session, label)
        except InvalidEntry:
            return None
        document = await self._reader().document(self._scope, key)
        return held_of(document) if document else None

    async def _edit(self, label: str, step: Step, make: Make) -> bool:
        return await self._write(lambda draft: draft.edit(label, step, make))

    async def _write(self, change: Callable[[Draft], T]) -> T:
        now = self._clock.now()

        def decide(snapshot: Snapshot) -> Plan[T]:
            draft = Draft(snapshot, self._session, self._limits, now)
            result = change(draft)
            return draft.plan(result)

        self._reader()
        if not isinstance(self._store, PlanWriter):
            raise self._lacks("PlanWriter")
        return await self._store.write(self._scope, decide)

    def _step(self, change: BlockChange, by: Origin | str, because: str) -> Step:
        check_text(because, "because")
        reason = redact(because).text if self._limits.redact else because
        if len(reason) > MAX_NAME:
            raise InvalidBlock(f"`because` has {len(reason)} characters; at most {MAX_NAME} are kept")
        return Step(change=change, by=origin_of(by, "by"), because=reason)

    def _reader(self) -> DocumentReader:
        if not isinstance(self._store, DocumentReader):
            raise self._lacks("DocumentReader")
        return self._store

    def _lacks(self, protocol: str) -> Unsupported:
        name = type(self._store).__name__
        return Unsupported(f"{name} does not keep core blocks; it would have to implement `memoranda.{protocol}`")
