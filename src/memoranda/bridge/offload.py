"""Keeping blocking work off an event loop, and in the caller's thread where there is none (design D1, D5)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.lowlevel
import anyio.to_thread

T = TypeVar("T")


def in_event_loop() -> bool:
    """Tells whether this thread runs an event loop: asyncio's or trio's."""
    if asyncio._get_running_loop() is not None:
        return True
    trio = sys.modules.get("trio")
    return trio is not None and bool(trio.lowlevel.in_trio_run())


async def offload(work: Callable[[], T]) -> T:
    """Runs blocking work: in a worker thread under an event loop, else here and now, without suspending.

    A task that is cancelled meanwhile waits for the work to end, so a write is there whole or not at all (case L06).
    """
    if asyncio._get_running_loop() is not None:
        await anyio.lowlevel.checkpoint_if_cancelled()
        return await _waited_for(asyncio.ensure_future(anyio.to_thread.run_sync(work)))
    if in_event_loop():
        return await anyio.to_thread.run_sync(work)
    return work()


async def _waited_for(running: asyncio.Future[T]) -> T:
    """Waits to the end, since a thread cannot be stopped; a cancellation is passed on then.

    anyio shields from its own cancel scopes only, not from `Task.cancel`.
    """
    cancelled: asyncio.CancelledError | None = None
    with anyio.CancelScope(shield=True):
        while not running.done():
            try:
                await asyncio.wait([running])
            except asyncio.CancelledError as error:
                cancelled = error
    if cancelled is None:
        return running.result()
    if not running.cancelled():
        running.exception()  # seen: the cancellation stands for it
    raise cancelled
