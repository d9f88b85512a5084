"""Keeping blocking work off an event loop, and in the caller's thread where there is none (design D1, D5)."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from typing import TypeVar

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
    if in_event_loop():
        return await anyio.to_thread.run_sync(work)
    return work()
