import threading
from collections.abc import Sequence

import anyio
import pytest

from memoranda.bridge.drive import Stepper
from memoranda.models.function import from_function

pytestmark = pytest.mark.anyio


async def test_l05_a_blocking_function_leaves_the_event_loop_free() -> None:
    started, release = threading.Event(), threading.Event()

    def blocking(texts: list[str]) -> list[list[float]]:
        started.set()
        assert release.wait(10)
        return [[1.0]] * len(texts)

    embedder = from_function("slow", 1, blocking, floor=0.5)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(lambda: embedder.embed(["q"], kind="query"))
        # Only a free loop comes to these lines while the function is blocked.
        await anyio.to_thread.run_sync(started.wait)
        release.set()


async def test_a_coroutine_function_is_awaited() -> None:
    async def embed(texts: list[str]) -> Sequence[Sequence[float]]:
        await anyio.lowlevel.checkpoint()
        return [[float(len(text))] for text in texts]

    embedder = from_function("awaited", 1, embed, floor=0.5)
    assert not embedder.never_suspends
    assert await embedder.embed(["ab", "c"], kind="document") == [[2.0], [1.0]]


async def test_queries_may_have_their_own_function() -> None:
    embedder = from_function("two", 1, lambda texts: [[1.0]], queries=lambda texts: [[2.0]], floor=0.5)
    assert await embedder.embed(["t"], kind="document") == [[1.0]]
    assert await embedder.embed(["t"], kind="query") == [[2.0]]


def test_a_plain_function_needs_no_event_loop() -> None:
    caller: list[int] = []

    def embed(texts: list[str]) -> list[list[float]]:
        caller.append(threading.get_ident())
        return [[1.0]] * len(texts)

    embedder = from_function("plain", 1, embed, floor=0.5)
    assert embedder.never_suspends
    assert Stepper().run(embedder.embed(["t"], kind="document")) == [[1.0]]
    assert caller == [threading.get_ident()]
