"""Running coroutines for callers that do not await (design D1)."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from threading import Lock, Thread
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast
from weakref import finalize

import anyio
from anyio.from_thread import BlockingPortal

from memoranda.bridge.offload import in_event_loop
from memoranda.errors import InsideEventLoop

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")
A_co = TypeVar("A_co", covariant=True)


class Driver(Protocol):
    """Runs a coroutine to its end in the caller's place."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns, or raises what it raises."""
        ...

    def close(self) -> None:
        """Lets go of what the driver holds."""
        ...


class Stepper:
    """Runs coroutines that never suspend, in the caller's own thread: no event loop, no hand-over.

    Args:
        anywhere: whether a thread that runs an event loop may use it, too. Only for what waits for nothing.
    """

    def __init__(self, *, anywhere: bool = False) -> None:
        self._anywhere = anywhere

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns.

        Raises:
            InsideEventLoop: this thread runs an event loop, which the call would block.
        """
        if not self._anywhere and in_event_loop():
            work.close()
            raise InsideEventLoop
        try:
            work.send(None)
        except StopIteration as end:
            return cast("T", end.value)
        work.close()
        raise RuntimeError("a store that is marked with `never_suspends` suspended; remove the mark from it")

    def close(self) -> None:
        """Holds nothing."""


class Portal:
    """Runs coroutines that suspend, on an event loop in a thread of its own, started at the first call.

    The thread ends with the portal, and with the process, so a memory that was never closed does not keep it alive. A
    child of a fork, which has none of its parent's threads, starts its own (case L02).
    """

    def __init__(self) -> None:
        self._portal: BlockingPortal | None = None
        self._thread: Thread | None = None
        self._start_afresh()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns.

        Raises:
            InsideEventLoop: this thread runs an event loop, which the call would block.
        """
        if in_event_loop():
            work.close()
            raise InsideEventLoop
        if os.getpid() != self._process:
            self._start_afresh()

        async def awaited() -> T:
            return await work

        return self._running().call(awaited)

    def close(self) -> None:
        """Ends the event loop and its thread."""
        portal, thread, self._portal, self._thread = self._portal, self._thread, None, None
        if portal is not None and thread is not None and os.getpid() == self._process:
            portal.call(portal.stop)
            thread.join()

    def _start_afresh(self) -> None:
        self._process = os.getpid()
        self._lock = Lock()
        self._portal = self._thread = None

    def _running(self) -> BlockingPortal:
        with self._lock:
            if self._portal is None:
                # Not `start_blocking_portal`: its generator would wait for ever for a thread that the end of the
                # process or a fork has stopped.
                started: Future[BlockingPortal] = Future()
                self._thread = Thread(target=anyio.run, args=(_serve, started), name="memoranda", daemon=True)
                self._thread.start()
                self._portal = started.result()
                finalize(self, _end, self._portal, self._process).atexit = False
            return self._portal


async def _serve(started: Future[BlockingPortal]) -> None:
    async with BlockingPortal() as portal:
        started.set_result(portal)
        await portal.sleep_until_stopped()


def _end(portal: BlockingPortal, process: int) -> None:
    """Ends the event loop of a `Portal` that is gone; the thread ends with it."""
    if os.getpid() == process:
        with suppress(RuntimeError):  # it was closed before
            portal.start_task_soon(portal.stop)


class Driven(Protocol[A_co]):
    """A synchronous face: what it stands for, and what runs its coroutines."""

    @property
    def _awaited(self) -> A_co: ...
    @property
    def _driver(self) -> Driver: ...


def behind(given: A | Driven[A]) -> A:
    """Returns what a synchronous face stands for; anything else as it is."""
    return cast("A", getattr(given, "_awaited", given))


def driven(verb: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Driven[A], P], T]:
    """Returns an asynchronous method as a synchronous one of the same name, arguments and documentation."""

    @functools.wraps(verb)
    def call(self: Driven[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._driver.run(verb(self._awaited, *args, **kwargs))

    return call
