"""Reading: a few connections beside the writer, each in use by one thread at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

import apsw


class Readers:
    """Lends connections that only read, at most `most` at once; a caller waits for one that comes back.

    What is read inside one loan is one state of the file: a write that is committed meanwhile is not seen, and is
    not held up either.
    """

    def __init__(self, connect: Callable[[], apsw.Connection], most: int) -> None:
        self._connect = connect
        self._most = most
        self._free: list[apsw.Connection] = []
        self._lock = Lock()
        self._turns = BoundedSemaphore(most)

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """Lends a connection inside a read transaction."""
        with self._turns:
            with self._lock:
                connection = self._free.pop() if self._free else None
            connection = connection or self._connect()
            try:
                connection.execute("BEGIN")
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                with self._lock:
                    self._free.append(connection)

    def close(self) -> None:
        """Waits for the loans to end and closes the connections."""
        for _ in range(self._most):
            self._turns.acquire()
        with self._lock:
            while self._free:
                self._free.pop().close()
        for _ in range(self._most):
            self._turns.release()
