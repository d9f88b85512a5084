"""The store contract on `SqliteStore`, in a file and in memory."""

from pathlib import Path

import pytest

from memoranda.protocols.store import MemoryStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing import Check, MakeStore, contract_checks


class InFile:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "memory.db"

    def __call__(self) -> MemoryStore:
        return SqliteStore(self.path)

    async def reopen(self, store: SqliteStore) -> MemoryStore:
        store.close()
        return self()


@pytest.mark.anyio
@pytest.mark.parametrize("kept", ["in a file", "in memory"])
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract(check: Check, kept: str, tmp_path: Path) -> None:
    make: MakeStore = InFile(tmp_path) if kept == "in a file" else lambda: SqliteStore(":memory:")
    await check(make)
