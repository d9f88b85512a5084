"""Erasing: decide and write in one transaction, drop what is cached, then prove that nothing is left (design D16)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from memoranda.curation import erase as curation
from memoranda.errors import InvalidInput, InvalidScope
from memoranda.memory.context import Context
from memoranda.memory.masking import Masking
from memoranda.protocols.plan import Decide, Snapshot
from memoranda.protocols.store import ErasureProver
from memoranda.records.check import check_name
from memoranda.records.document import DocumentKey
from memoranda.records.erasure import Erased, ErasureProof, ErasureReceipt
from memoranda.records.scope import Scope


async def erase(context: Context, scope: Scope, id: str, *, reopen: bool = False) -> ErasureReceipt:
    """Erases one entry, live or not, with its revisions, vectors, idempotency keys and what was derived from it.

    Core blocks, graphs and archived spans that name one of them go, too.

    Raises:
        EntryNotFound: the scope has nothing of that id.
        Conflict: `reopen` would bring back what another live entry of its key stands for; nothing is erased.
    """
    now = context.clock.now()
    return await _erase(context, scope, lambda snapshot: curation.erase(snapshot, id, now=now, reopen=reopen))


async def erase_where(context: Context, scope: Scope, *, source: str) -> ErasureReceipt:
    """Erases every entry of a source, or of one place in it; nothing to erase is no error.

    Raises:
        InvalidEntry: `source` is no text, or blank.
    """
    check_name("" if source is None else source, "source")
    now = context.clock.now()
    # A secret in the source was masked when it was stored; entries loaded from a dump may have it as it was given.
    sources = (source, Masking(context.settings.redact).text(source))
    return await _erase(context, scope, lambda snapshot: curation.erase_where(snapshot, sources, now=now))


async def erase_documents(
    context: Context, scope: Scope, keys: Callable[[Snapshot], Iterable[DocumentKey]]
) -> ErasureReceipt:
    """Erases documents, such as a core block and its revisions, a working graph, or archived spans.

    Nothing to erase is no error. The entries that an erased span names say the same, so they go, too; see
    `curation.erase.erase_documents`.

    Args:
        context: the surroundings.
        scope: whose documents.
        keys: tells which ones, from the scope as it stands in the transaction of the erasure. The revisions of a block
            have keys of their own, and are erased only where they are named.

    Raises:
        Unsupported: the store keeps no documents.
    """
    context.documents()
    now = context.clock.now()
    return await _erase(context, scope, lambda snapshot: curation.erase_documents(snapshot, keys(snapshot), now=now))


async def erase_scope(context: Context, scope: Scope, *, confirm: str | None) -> ErasureReceipt:
    """Erases all that a scope holds; scopes below it are others and stay.

    Raises:
        InvalidScope: `confirm` is missing or empty (case X02).
        InvalidInput: `confirm` is another path than the scope's.
    """
    if not isinstance(confirm, str) or not confirm:
        raise InvalidScope(f"nothing was erased: to erase the whole scope give its path, confirm={scope.path!r}")
    if confirm != scope.path:
        raise InvalidInput(f"nothing was erased: `confirm` is {confirm!r}, and this scope is {scope.path!r}")
    return await _erase(context, scope, curation.erase_scope)


async def finish_erasures(context: Context) -> ErasureProof:
    """Proves the erasures whose proof is owed, as far as that can be done now.

    Raises:
        StoreError: the store cannot be worked on.
    """
    if not isinstance(context.store, ErasureProver):
        return ErasureProof(proved=True, because=f"{type(context.store).__name__} keeps no erasures for later")
    if not await context.store.owed_erasures():
        return ErasureProof(proved=True, because="no erasure waits for its proof")
    return await context.store.prove_erasures(None)


async def _erase(context: Context, scope: Scope, decide: Decide[Erased]) -> ErasureReceipt:
    at = context.clock.now()
    erased = await context.writer().write(scope, decide)
    context.indexes.forget(scope)
    proof = await _proof(context, erased)
    return ErasureReceipt(
        ids=erased.ids,
        counts=erased.counts,
        verified="yes" if proof.proved else "pending",
        because=proof.because,
        at=at,
    )


async def _proof(context: Context, erased: Erased) -> ErasureProof:
    nothing = not erased.ids and not erased.counts.revisions and not erased.counts.documents
    store = context.store
    if not isinstance(store, ErasureProver):
        because = f"{type(store).__name__} cannot prove what its files hold; it is no `ErasureProver`"
        return ErasureProof(proved=nothing, because="there was nothing to erase" if nothing else because)
    if nothing and not await store.owed_erasures():
        return ErasureProof(proved=True, because="there was nothing to erase")
    return await store.prove_erasures(erased)
