"""A lock that a fork cannot leave locked."""

from __future__ import annotations

import os
from threading import Lock
from types import TracebackType
from weakref import WeakSet


class ForkSafeLock:
    """Excludes threads from each other, and a fork from all of them.

    A child process has only the thread that forked. Were another one just then inside, the child's copy would stay
    half changed and locked for ever. So a fork waits until nobody is inside (case L02).
    """

    def __init__(self) -> None:
        self._lock = Lock()
        _LOCKS.add(self)

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lock.release()

    def renew(self) -> None:
        """Replaces the lock by one that nobody holds or waits for; for the child of a fork."""
        self._lock = Lock()


_LOCKS: WeakSet[ForkSafeLock] = WeakSet()
_FORKING = Lock()
_held: list[ForkSafeLock] = []


def _before() -> None:
    _FORKING.acquire()
    for lock in list(_LOCKS):
        lock.__enter__()
        _held.append(lock)


def _after_in_parent() -> None:
    for lock in _held:
        lock.__exit__(None, None, None)
    _held.clear()
    _FORKING.release()


def _after_in_child() -> None:
    global _FORKING
    for lock in _held:
        lock.renew()
    _held.clear()
    _FORKING = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
