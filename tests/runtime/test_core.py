"""The core blocks of scopes and sessions, as a host holds them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path

import anyio
import pytest

from memoranda import AsyncMemory, InMemoryStore, Memory, Settings, SqliteStore
from memoranda.errors import BlockOverLimit, InsideEventLoop, StoreClosed, Unsupported
from memoranda.protocols.core import CoreMemory
from memoranda.protocols.store import MemoryStore
from memoranda.records.block import CoreMemoryBlock
from memoranda.runtime.core import AsyncCore, Core
from memoranda.testing import FrozenClock

STORES: list[Callable[[Path], MemoryStore]] = [
    lambda folder: SqliteStore(folder / "m.db"),
    lambda folder: SqliteStore(":memory:"),
    lambda folder: InMemoryStore(),
]


@pytest.fixture(params=STORES, ids=["file", "memory", "in_memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    with Memory(store=request.param(tmp_path), embedder=None, clock=FrozenClock()) as memory:
        yield memory


def test_both_faces_have_the_same_names_and_arguments() -> None:
    public = {name for name in dir(AsyncCore) if not name.startswith("_")}
    assert {name for name in dir(Core) if not name.startswith("_")} == public
    for name in public:
        one, other = getattr(Core, name), getattr(AsyncCore, name)
        assert inspect.signature(one) == inspect.signature(other), name
        assert inspect.getdoc(one) == inspect.getdoc(other), name


def test_every_call(memory: Memory) -> None:
    core = memory.scope("acme/alice").core
    core.put_block("persona", "helpful", limit=20)
    core.put_blocks([CoreMemoryBlock("user", "likes tea")])
    core.append_block("persona", " and brief")
    core.replace_in_block("user", "tea", "cake")
    assert core.render() == "## persona\nhelpful and brief\n\n## user\nlikes cake"
    assert core.get_block("persona") == CoreMemoryBlock("persona", "helpful and brief", limit=20)
    assert [revision.block.value for revision in core.revisions("user")] == ["likes tea"]
    assert core.remove_block("user")
    assert [block.label for block in core.blocks()] == ["persona"]
    with pytest.raises(BlockOverLimit):
        core.append_block("persona", "!" * 4)


def test_a_scope_and_its_sessions_have_blocks_of_their_own(memory: Memory) -> None:
    """S2.15, S2.17: what becomes of a session's messages and entries does not touch blocks."""
    scope = memory.scope("acme/alice")
    cores = [scope.core, scope.session("s").core, scope.session("s", agent="b").core, memory.scope("acme").core]
    for number, core in enumerate(cores):
        core.put_block("a", str(number))
    scope.remember("a note", session="s")
    scope.consolidate()
    assert [core.render() for core in cores] == [f"## a\n{number}" for number in range(4)]
    assert scope.session("s").core.render() == "## a\n1"
    scope.erase_scope(confirm="acme/alice")
    assert [core.render() for core in cores] == ["", "", "", "## a\n3"]


def test_settings_reach_the_blocks(tmp_path: Path) -> None:
    settings = Settings(max_revisions=2, redact=False)
    with Memory(tmp_path / "m.db", embedder=None, settings=settings) as memory:
        core = memory.scope("a").core
        for number in range(5):
            core.put_block("a", f"password=hunter2hunter{number}")
        assert core.render().endswith("hunter4")
        assert [revision.number for revision in core.revisions("a")] == [1, 4]


def test_an_erased_block_leaves_nothing(memory: Memory, tmp_path: Path) -> None:
    """Design D16: the block, its revisions, and the file's bytes."""
    core = memory.scope("acme/alice").core
    core.put_block("secret", "first xylophone")
    core.append_block("secret", " and second xylophone")
    core.put_block("kept", "other")
    core.remove_block("secret")
    assert len(core.revisions("secret")) == 2
    receipt = core.erase_block("secret")
    assert (receipt.verified, receipt.counts.documents) == ("yes", 3)
    assert core.revisions("secret") == []
    assert core.render() == "## kept\nother"
    for path in tmp_path.iterdir():
        assert b"xylophone" not in path.read_bytes()
    again = core.erase_block("secret")
    assert (again.verified, again.counts.documents) == ("yes", 0)


def test_what_a_dump_brought_in_is_erased_too(memory: Memory, tmp_path: Path) -> None:
    """A dump may hold more revisions of a label than the block that is there knows of."""
    scope, other = memory.scope("a"), memory.scope("b")
    for number in range(5):
        scope.core.put_block("a", f"xylophone {number}")
    scope.dump(tmp_path / "dump")
    other.core.put_block("a", "its own")
    other.load(tmp_path / "dump")
    assert other.core.erase_block("a").counts.documents == 5
    assert other.core.blocks() == []
    assert other.core.revisions("a") == []
    other.load(tmp_path / "dump")
    assert [one.block.value for one in other.core.revisions("a")] == [f"xylophone {number}" for number in range(4)]
    assert other.core.render() == scope.core.render()


def test_without_a_store_nothing_is_there_and_nothing_is_swallowed() -> None:
    """S0.4."""
    with Memory(None) as memory:
        scope = memory.scope("a")
        assert (scope.core.blocks(), scope.core.render(), scope.session("s").graph.render()) == ([], "", "")
        for call in (lambda: scope.core.put_block("a", "1"), lambda: scope.session("s").graph.upsert_node("n")):
            with pytest.raises(Unsupported, match="no store is attached"):
                call()


def test_read_only_blocks_can_be_erased(memory: Memory) -> None:
    core = memory.scope("a").core
    core.put_block("a", "x", read_only=True)
    assert core.erase_block("a").counts.documents == 1
    assert core.blocks() == []


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_awaited(backend: str, tmp_path: Path) -> None:
    if backend == "trio":
        pytest.importorskip("trio")

    async def work() -> str:
        async with AsyncMemory(tmp_path / "m.db", embedder=None) as memory:
            core = memory.scope("a").core
            assert isinstance(core, CoreMemory)
            await core.put_block("a", "")
            async with anyio.create_task_group() as tasks:
                for number in range(20):
                    tasks.start_soon(core.append_block, "a", f"<{number}>")
            return await core.render()

    rendered = anyio.run(work, backend=backend)
    assert all(f"<{number}>" in rendered for number in range(20))


def test_inside_a_running_loop_the_synchronous_face_says_what_to_do(memory: Memory) -> None:
    core = memory.scope("a").core

    async def work() -> None:
        with pytest.raises(InsideEventLoop):
            core.put_block("a", "1")

    anyio.run(work)
    assert core.blocks() == []


def test_closed_is_closed(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", embedder=None) as memory:
        core = memory.scope("a").core
        core.put_block("a", "1")
    for call in (core.blocks, core.render, lambda: core.put_block("a", "2"), lambda: core.erase_block("a")):
        with pytest.raises(StoreClosed):
            call()
