"""A memory over each of the stores that come with memoranda, with a clock and ids that do as they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memoranda import InMemoryStore, Memory, Settings, SqliteStore
from memoranda.protocols.store import DurableStore
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock

OpenMemory = Callable[..., Memory]


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture(params=["file", "memory", "in_memory"])
def open_memory(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> Iterator[OpenMemory]:
    """Opens a memory over the store of this round; all of them are closed at the end."""
    opened: list[Memory] = []

    def store() -> DurableStore:
        if request.param == "in_memory":
            return InMemoryStore(clock=clock)
        place = tmp_path / "memory.db" if request.param == "file" else ":memory:"
        return SqliteStore(place, clock=clock)

    def open_one(**bounds: object) -> Memory:
        settings = Settings(**bounds)  # type: ignore[arg-type]  # each test passes what `Settings` takes
        opened.append(Memory(store=store(), clock=clock, ids=CountingIds(), embedder=None, settings=settings))
        return opened[-1]

    yield open_one
    for memory in opened:
        memory.close()


@pytest.fixture
def alice(open_memory: OpenMemory) -> Scope:
    return open_memory().scope("acme/alice")
