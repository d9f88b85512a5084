"""`Memory` and `AsyncMemory` are one core: the same names, arguments, documentation and answers."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from memoranda import (
    AsyncMemory,
    AsyncScope,
    InMemoryStore,
    InsideEventLoop,
    InvalidInput,
    Memory,
    SqliteStore,
    StoreClosed,
)
from memoranda.protocols.store import DurableStore
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock

UNSYNC = {"open", "never_suspends"}
"""`Memory` opens its store when it is made, and chooses by itself how it runs what is awaited."""


def _public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "awaited"), [(Memory, AsyncMemory), (Scope, AsyncScope)])
def test_names_arguments_and_documentation_are_the_same(sync: type, awaited: type) -> None:
    assert _public(sync) == _public(awaited) - UNSYNC
    for name in _public(sync):
        one, other = inspect.getattr_static(sync, name), inspect.getattr_static(awaited, name)
        assert inspect.getdoc(one) == inspect.getdoc(other), name
        if not isinstance(one, property) and name not in {"scope", "session"}:
            assert inspect.signature(one) == inspect.signature(other), name
            assert inspect.iscoroutinefunction(other), name
            assert not inspect.iscoroutinefunction(one) or name in _public(awaited), name


STORES: list[Callable[[Path], DurableStore]] = [
    lambda folder: SqliteStore(folder / "m.db"),
    lambda folder: SqliteStore(":memory:"),
    lambda folder: InMemoryStore(),
]


async def _every_verb(scope: Any, folder: Path, call: Callable[[Any], Any]) -> list[Any]:
    """Calls every verb once and returns the answers; `call` awaits, or passes on what is there already."""
    first = await call(scope.remember("port 8080", key="port", tags=["infra"]))
    many = await call(scope.remember_many(["a note", {"text": "port 9090", "key": "port"}]))
    answers = [first, many]
    answers.append(await call(scope.recall("port")))
    answers.append(await call(scope.get(first.entry.id)))
    answers.append(await call(scope.list(limit=10)))
    answers.append(await call(scope.update(many[0].entry.id, "another note")))
    answers.append(await call(scope.restore(many[0].entry.id)))
    answers.append(await call(scope.retract(many[0].entry.id)))
    answers.append(await call(scope.revisions(many[1].entry.id)))
    answers.append(await call(scope.count()))
    answers.append(await call(scope.dump(folder / "dump")))
    answers.append(await call(scope.load(folder / "dump")))
    answers.append(await call(scope.consolidate()))
    return answers


async def _awaited(answer: Any) -> Any:
    return await answer


async def _at_hand(answer: Any) -> Any:
    return answer


@pytest.mark.parametrize("make", STORES, ids=["file", "memory", "in_memory"])
@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_both_faces_give_the_same_answers(make: Callable[[Path], DurableStore], backend: str, tmp_path: Path) -> None:
    """S0.2: asynchronous on asyncio and on trio; synchronous with no loop at all."""
    if backend == "trio":
        pytest.importorskip("trio")
    folders = [tmp_path / "a", tmp_path / "b"]
    for folder in folders:
        folder.mkdir()

    async def work() -> list[Any]:
        async with AsyncMemory(store=make(folders[0]), embedder=None, clock=FrozenClock(), ids=CountingIds()) as memory:
            answers = await _every_verb(memory.scope("acme/alice"), tmp_path, _awaited)
            return [*answers, await memory.scopes(), await memory.scopes("acme")]

    with Memory(store=make(folders[1]), embedder=None, clock=FrozenClock(), ids=CountingIds()) as memory:
        verbs = _every_verb(memory.scope("acme/alice"), tmp_path, _at_hand)
        with pytest.raises(StopIteration) as end:
            verbs.send(None)
        wanted = [*end.value.value, memory.scopes(), memory.scopes("acme")]
    assert anyio.run(work, backend=backend) == wanted


def test_both_are_made_with_the_same_arguments() -> None:
    assert inspect.signature(Memory) == inspect.signature(AsyncMemory)


def test_inside_a_running_loop_the_synchronous_face_says_what_to_do(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db") as memory:
        scope = memory.scope("a")

        async def work() -> None:
            with pytest.raises(InsideEventLoop, match="use `AsyncMemory`"):
                scope.remember("x")
            with pytest.raises(InsideEventLoop):
                Memory(tmp_path / "other.db")

        for backend in ("asyncio", "trio"):
            if backend == "trio":
                pytest.importorskip("trio")
            anyio.run(work, backend=backend)
        assert scope.count() == 0
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("make", STORES, ids=["file", "memory", "in_memory"])
def test_closed_is_closed(make: Callable[[Path], DurableStore], tmp_path: Path) -> None:
    memory = Memory(store=make(tmp_path))
    scope = memory.scope("a")
    scope.remember("x")
    memory.close()
    memory.close()
    for call in (lambda: scope.remember("y"), lambda: scope.recall("x"), scope.count, memory.scopes, memory.stats):
        with pytest.raises(StoreClosed, match="closed"):
            call()


def test_a_with_block_closes_after_an_error_too(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "m.db")

    def work() -> None:
        with memory:
            memory.scope("a").remember("x")
            raise KeyError

    with pytest.raises(KeyError):
        work()
    with pytest.raises(StoreClosed):
        memory.scope("a").count()
    with Memory(tmp_path / "m.db") as again:
        assert again.scope("a").count() == 1


def test_a_target_or_a_store() -> None:
    with pytest.raises(InvalidInput, match="not both"):
        Memory(":memory:", store=InMemoryStore())


def test_a_scope_knows_its_path() -> None:
    with Memory(":memory:") as memory:
        assert memory.scope("acme/alice").path == "acme/alice"
        assert isinstance(memory.store, SqliteStore)
