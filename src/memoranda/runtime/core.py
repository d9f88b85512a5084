"""`AsyncCore` and `Core`: the core blocks of a scope or a session, as a host holds them."""

from __future__ import annotations

from memoranda.bridge.drive import Driver, driven
from memoranda.core.codec import keys_of
from memoranda.core.limits import CoreLimits
from memoranda.core.stored import StoredCoreMemory
from memoranda.memory.context import Context
from memoranda.memory.erase import erase_documents
from memoranda.protocols.plan import Snapshot
from memoranda.records.block import check_label
from memoranda.records.document import DocumentKey, DocumentKind
from memoranda.records.erasure import ErasureReceipt
from memoranda.records.scope import Scope as ScopePath
from memoranda.records.session import SessionKey


class AsyncCore(StoredCoreMemory):
    """The core blocks of a scope, or of one of its sessions. Made by `AsyncScope.core` and `AsyncSession.core`.

    It costs nothing to make or to keep. See `StoredCoreMemory` for what holds of all its calls.
    """

    def __init__(self, context: Context, scope: ScopePath, session: SessionKey | None = None) -> None:
        settings = context.settings
        limits = CoreLimits(
            max_blocks=settings.max_blocks,
            max_characters=settings.max_block_characters,
            max_revisions=settings.max_revisions,
            redact=settings.redact,
        )
        super().__init__(context.store, scope, session, limits=limits, clock=context.clock)
        self._context = context

    async def erase_block(self, label: str) -> ErasureReceipt:
        """Erases a block and all its revisions for good, and proves that the store's files hold nothing more of them.

        Who may write the block does not matter here: erasing is for the host alone. Nothing to erase is no error.

        Raises:
            InvalidBlock: a label that no block can have.
        """
        check_label(label)
        session = self._session

        def keys(snapshot: Snapshot) -> list[DocumentKey]:
            return list(keys_of(session, label, snapshot.documents(DocumentKind.BLOCK_REVISION, session)))

        return await erase_documents(self._context, self._scope, keys)


class Core:
    """The core blocks of a scope, or of one of its sessions. Made by `Scope.core` and `Session.core`.

    See `AsyncCore`.
    """

    def __init__(self, awaited: AsyncCore, driver: Driver) -> None:
        self._awaited = awaited
        self._driver = driver

    blocks = driven(AsyncCore.blocks)
    get_block = driven(AsyncCore.get_block)
    render = driven(AsyncCore.render)
    put_block = driven(AsyncCore.put_block)
    put_blocks = driven(AsyncCore.put_blocks)
    append_block = driven(AsyncCore.append_block)
    replace_in_block = driven(AsyncCore.replace_in_block)
    remove_block = driven(AsyncCore.remove_block)
    revisions = driven(AsyncCore.revisions)
    erase_block = driven(AsyncCore.erase_block)
