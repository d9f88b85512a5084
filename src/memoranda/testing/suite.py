"""Running the whole contract on a store, or on what a URL names."""

from __future__ import annotations

from collections.abc import Sequence

import anyio

from memoranda.protocols.plan import Plan, PlanWriter
from memoranda.protocols.store import Closable, EntryFilter, EntryReader, MemoryStore
from memoranda.records.scope import Scope
from memoranda.records.settings import Settings
from memoranda.runtime.wiring import open_store
from memoranda.testing import (
    concurrency,
    documents,
    durability,
    erasure,
    expiry,
    idempotency,
    isolation,
    limits,
    paging,
    plans,
    reading,
    revisions,
    scopes,
    texts,
    vectors,
    verbs,
)
from memoranda.testing.check import Check
from memoranda.testing.ground import EVERYTHING, FUTURE, MakeStore, NotOffered
from memoranda.testing.report import CheckResult, ContractReport, Verdict

_GROUPS = (
    verbs.GROUP,
    texts.GROUP,
    limits.GROUP,
    isolation.GROUP,
    reading.GROUP,
    paging.GROUP,
    plans.GROUP,
    revisions.GROUP,
    vectors.GROUP,
    idempotency.GROUP,
    expiry.GROUP,
    documents.GROUP,
    erasure.GROUP,
    scopes.GROUP,
    concurrency.GROUP,
    durability.GROUP,
)


def contract_checks() -> list[Check]:
    """Returns every check of a store's contract, in order; for `pytest.mark.parametrize` with `ids=str`."""
    return [check for group in _GROUPS for check in group.checks]


async def run_contract(make: MakeStore, *, name: str = "") -> ContractReport:
    """Runs every check, each on a fresh store, and reports what came of it.

    Args:
        make: makes a fresh store.
        name: what the report calls the store; the maker's own name when empty.
    """
    results = [await _result(check, make) for check in contract_checks()]
    return ContractReport(store=name or getattr(make, "__name__", type(make).__name__), results=tuple(results))


async def check_url(url: str) -> ContractReport:
    """Runs the contract on what a URL names: a path, `:memory:`, or a URL of an installed store.

    Existing data is neither read nor changed: each check works in scopes of a fresh random name and removes its own
    entries again.

    Raises:
        StoreError: nothing can be opened there.
    """
    probe = _open(url)
    if isinstance(probe, Closable):
        probe.open()
        probe.close()
    make = _StoreOnce(url) if url == ":memory:" else _StoreThere(url)
    return await run_contract(make, name=url)


async def _result(check: Check, make: MakeStore) -> CheckResult:
    verdict, because = Verdict.PASSED, ""
    try:
        await check(make)
    except NotOffered as error:
        verdict, because = Verdict.NOT_OFFERED, str(error)
    except Exception as error:  # noqa: BLE001  whatever a stranger's store raises is the finding, not the end of the run
        plain = isinstance(error, AssertionError)
        verdict, because = Verdict.FAILED, str(error) if plain else f"{type(error).__name__}: {error}"
    return CheckResult(capability=check.capability, name=check.name, verdict=verdict, because=because)


def _open(url: str) -> MemoryStore:
    return open_store(url, Settings())


class _StoreOnce:
    """Makes stores that begin empty."""

    def __init__(self, url: str) -> None:
        self._url = url

    def __call__(self) -> MemoryStore:
        return _open(self._url)


class _StoreThere(_StoreOnce):
    """Makes stores over data that stays, some of it other people's."""

    async def reopen(self, store: MemoryStore) -> MemoryStore:
        if not isinstance(store, Closable):
            raise NotOffered("not `Closable`: it cannot be closed and opened again")
        store.close()
        return self()

    async def tidy(self, scopes: Sequence[Scope]) -> None:
        store = self()
        try:
            if isinstance(store, EntryReader) and isinstance(store, PlanWriter):
                async with anyio.create_task_group() as tasks:
                    for scope in dict.fromkeys(scopes):
                        tasks.start_soon(_empty, store, store, scope)
        finally:
            if isinstance(store, Closable):
                store.close()


async def _empty(reader: EntryReader, writer: PlanWriter, scope: Scope) -> None:
    everything = await reader.page(scope, EntryFilter(now=FUTURE, superseded=True), EVERYTHING)
    ids = tuple(entry.id for entry in everything)
    keys = tuple(document.key for document in (await reader.whole(scope)).documents)
    plan = Plan(result=None, removals=ids, dropped=keys, acknowledged_before=FUTURE)
    await writer.write(scope, lambda snapshot: plan)
