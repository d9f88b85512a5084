"""The contract of a core memory on ours, over both stores, and on a stranger's that has the required verbs alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from memoranda.core.stored import StoredCoreMemory
from memoranda.errors import BlockOverLimit
from memoranda.protocols.core import CoreMemory
from memoranda.protocols.store import MemoryStore
from memoranda.records.block import CoreMemoryBlock
from memoranda.records.session import SessionKey
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing.core import CoreCheck, MakeCore, core_checks


class DictCore(CoreMemory):
    """What somebody else might write."""

    def __init__(self) -> None:
        self._kept: dict[str, CoreMemoryBlock] = {}

    async def blocks(self) -> list[CoreMemoryBlock]:
        return list(self._kept.values())

    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        if block.limit is not None and len(block.value) > block.limit:
            raise BlockOverLimit(block.label, block.limit, len(block.value))
        self._kept[block.label] = block

    async def append_block(self, label: str, text: str) -> None:
        block = self._kept.get(label, CoreMemoryBlock(label))
        await self.put_block(replace(block, value=block.value + text))

    async def remove_block(self, label: str) -> bool:
        return self._kept.pop(label, None) is not None


STORES: dict[str, Callable[[Path], MemoryStore]] = {
    "in memory": lambda folder: InMemoryStore(),
    "sqlite in a file": lambda folder: SqliteStore(folder / "m.db"),
    "sqlite in memory": lambda folder: SqliteStore(":memory:"),
}
SESSIONS = {"of a scope": None, "of a session": SessionKey("s-1", "helper")}


@pytest.mark.anyio
@pytest.mark.parametrize("session", SESSIONS.values(), ids=SESSIONS)
@pytest.mark.parametrize("store", STORES.values(), ids=STORES)
@pytest.mark.parametrize("check", core_checks(), ids=str)
async def test_our_own(
    check: CoreCheck, store: Callable[[Path], MemoryStore], session: SessionKey | None, tmp_path: Path
) -> None:
    """S2.1 to S2.14."""
    await check(lambda: StoredCoreMemory(store(tmp_path), "acme/alice", session))


@pytest.mark.anyio
@pytest.mark.parametrize("check", core_checks(), ids=str)
async def test_a_stranger_with_the_required_verbs_alone(check: CoreCheck) -> None:
    await check(DictCore)


class Unlimited(DictCore):
    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        self._kept[block.label] = block


class AtTheEnd(DictCore):
    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        await self.remove_block(block.label)
        await super().put_block(block)


class InBytes(DictCore):
    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        size = len(block.value.encode())
        if block.limit is not None and size > block.limit:
            raise BlockOverLimit(block.label, block.limit, size)
        self._kept[block.label] = block


class Forgeable(DictCore):
    async def render(self) -> str:
        return "\n\n".join(f"## {block.label}\n{block.value}" for block in self._kept.values())


class Folding(DictCore):
    async def put_block(self, block: CoreMemoryBlock, /) -> None:
        await super().put_block(replace(block, label=block.label.lower()))


@pytest.mark.anyio
@pytest.mark.parametrize("wrong", [Unlimited, AtTheEnd, InBytes, Forgeable, Folding])
async def test_what_breaks_a_promise_is_found(wrong: MakeCore) -> None:
    found = []
    for check in core_checks():
        try:
            await check(wrong)
        except (AssertionError, BlockOverLimit):
            found.append(str(check))
    assert found


def test_required_verbs_are_required() -> None:
    class Half(CoreMemory):
        async def blocks(self) -> list[CoreMemoryBlock]:
            return []

    with pytest.raises(TypeError, match="append_block"):
        Half()  # type: ignore[abstract]
