"""Running coroutines for callers that do not await (design D1)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine
from contextlib import AbstractContextManager
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar, cast

from anyio.from_thread import BlockingPortal, start_blocking_portal

from memoranda.errors import InsideEventLoop
from memoranda.memory.offload import in_event_loop

P = ParamSpec("P")
T = TypeVar("T")
A = TypeVar("A")


class Driver(Protocol):
    """Runs a coroutine to its end in the caller's place."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns, or raises what it raises."""
        ...

    def close(self) -> None:
        """Lets go of what the driver holds."""
        ...


class Stepper:
    """Runs coroutines that never suspend, in the caller's own thread: no event loop, no hand-over."""

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns.

        Raises:
            InsideEventLoop: this thread runs an event loop, which the call would block.
        """
        if in_event_loop():
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
    """Runs coroutines that suspend, on an event loop in a thread of its own, started at the first call."""

    def __init__(self) -> None:
        self._manager: AbstractContextManager[BlockingPortal] | None = None
        self._portal: BlockingPortal | None = None

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Returns what `work` returns.

        Raises:
            InsideEventLoop: this thread runs an event loop, which the call would block.
        """
        if in_event_loop():
            work.close()
            raise InsideEventLoop
        if self._portal is None:
            self._manager = start_blocking_portal()
            self._portal = self._manager.__enter__()

        async def awaited() -> T:
            return await work

        return self._portal.call(awaited)

    def close(self) -> None:
        """Ends the event loop and its thread."""
        manager, self._manager, self._portal = self._manager, None, None
        if manager is not None:
            manager.__exit__(None, None, None)


class Driven(Protocol[A]):
    """A synchronous face: what it stands for, and what runs its coroutines."""

    _awaited: A
    _driver: Driver


def driven(verb: Callable[Concatenate[A, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[Driven[A], P], T]:
    """Returns an asynchronous method as a synchronous one of the same name, arguments and documentation."""

    @functools.wraps(verb)
    def call(self: Driven[A], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._driver.run(verb(self._awaited, *args, **kwargs))

    return call
