"""Writing: one connection, and one commit for all the writes that wait at the same moment."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Event, Lock
from time import perf_counter
from typing import Generic, TypeVar, cast

import apsw

from memoranda.errors import StoreError
from memoranda.stores.sqlite.failures import as_store_error

T = TypeVar("T")

COURTESY = 0.002
"""Seconds that a process leaves the file to others after a commit for which it had to wait. They ask for the lock once
a millisecond; a process that took it again at once would win nearly every time, and they would starve."""
CONTENDED = 0.001
"""Seconds of waiting for the lock from which on others are taken to write, too."""
MAX_GROUP = 128
"""Most writes of one commit. A commit costs one sync, a write far less; more would only let other processes wait."""


class Job(Generic[T]):
    """One write: what to do inside the transaction, and what came of it."""

    def __init__(self, work: Callable[[apsw.Connection], T]) -> None:
        self.work = work
        self.done = False
        self.error: Exception | None = None
        self.value: T | None = None

    def answer(self) -> T:
        """Returns what the work returned, or raises what it raised."""
        if self.error is not None:
            raise self.error
        return cast("T", self.value)


class Writer:
    """Runs writes one after the other on one connection, and commits those that wait together at once.

    Each caller queues its job and asks for the lock. Whoever gets it carries out everything that is queued, in order,
    each job under a savepoint, and commits once; the others find their job done. So there is no thread to start
    or to stop, a lone writer pays nothing, and many share one sync.
    """

    def __init__(self, connection: apsw.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._queue: deque[Job[object]] = deque()
        self._lead = Lock()
        self._contended = False
        self._released = 0.0
        self._pause = Event()

    def run(self, work: Callable[[apsw.Connection], T]) -> T:
        """Runs `work` inside a transaction and returns what it returns once that is committed.

        Raises whatever `work` raises, or a `StoreError` when the transaction fails; nothing is changed then.
        """
        job = Job(work)
        self._queue.append(cast("Job[object]", job))
        with self._lead:
            try:
                while not job.done:
                    self._commit([self._queue.popleft() for _ in range(min(len(self._queue), MAX_GROUP))])
            except BaseException:
                if job in self._queue:
                    self._queue.remove(cast("Job[object]", job))
                raise
        return job.answer()

    def alone(self, work: Callable[[apsw.Connection], T]) -> T:
        """Runs `work` on the connection outside any transaction, while no write of this process is carried out."""
        with self._lead:
            return work(self._connection)

    def close(self) -> None:
        """Waits for what is being written and closes the connection."""
        with self._lead:
            self._connection.close()

    def _commit(self, jobs: list[Job[object]]) -> None:
        """Carries out `jobs` in one transaction. A job that fails is undone alone."""
        try:
            self._begin()
            for job in jobs:
                self._carry_out(job)
            self._connection.execute("COMMIT")
            self._released = perf_counter()
        except apsw.Error as error:
            self._roll_back()
            for job in jobs:
                # What a job raised itself is its own answer; the others failed with the transaction.
                job.error = job.error or self._translated(error)
        except BaseException:
            # An interrupt of this thread: the other callers' jobs are carried out by the next one that leads.
            self._roll_back()
            for job in jobs:
                job.error = None
            self._queue.extendleft(reversed(jobs))
            raise
        for job in jobs:
            job.done = True

    def _begin(self) -> None:
        """Takes the file's write lock, after leaving it to other processes for a moment where there are any."""
        courtesy = self._released + COURTESY - perf_counter()
        if self._contended and courtesy > 0:
            self._pause.wait(courtesy)
        asked = perf_counter()
        self._connection.execute("BEGIN IMMEDIATE")
        self._contended = perf_counter() - asked > CONTENDED

    def _carry_out(self, job: Job[object]) -> None:
        self._connection.execute("SAVEPOINT job")
        try:
            job.value = job.work(self._connection)
        except Exception as error:
            if not self._connection.in_transaction:
                raise  # the engine gave the whole transaction up, as it does when the disk is full
            job.error = self._translated(error) if isinstance(error, apsw.Error) else error
            self._connection.execute("ROLLBACK TO job")
        self._connection.execute("RELEASE job")

    def _translated(self, error: apsw.Error) -> StoreError:
        failure = as_store_error(error, self._name)
        failure.__cause__ = error
        return failure

    def _roll_back(self) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
