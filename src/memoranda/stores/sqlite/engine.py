"""The open file: its writer, its readers, and what happens to them at a fork and at closing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock
from typing import TypeVar
from weakref import WeakSet

import apsw

from memoranda.errors import StoreClosed, StoreReadOnly
from memoranda.records.settings import Settings
from memoranda.stores.sqlite.connect import Place, open_reader, open_writer, require_sound_engine, use_log
from memoranda.stores.sqlite.failures import translated
from memoranda.stores.sqlite.migrate import check_format, migrate
from memoranda.stores.sqlite.readers import Readers
from memoranda.stores.sqlite.writer import Writer

T = TypeVar("T")


class _Gate:
    """Lets many through, until it is shut: then it waits for those inside and holds back the others."""

    def __init__(self) -> None:
        self._condition = Condition()
        self._inside = 0
        self._shut = False

    @contextmanager
    def passing(self) -> Iterator[None]:
        with self._condition:
            while self._shut:
                self._condition.wait()
            self._inside += 1
        try:
            yield
        finally:
            with self._condition:
                self._inside -= 1
                self._condition.notify_all()

    def shut(self) -> None:
        with self._condition:
            while self._shut:
                self._condition.wait()
            self._shut = True
            while self._inside:
                self._condition.wait()

    def open(self) -> None:
        with self._condition:
            self._shut = False
            self._condition.notify_all()


class Engine:
    """One database that threads share. Opens its file at the first call, or when `open` is called.

    SQLite's connections and locks do not survive a fork: a child that used them, or only closed them, could take away
    the parent's log. So all work is let end and every connection is closed before a fork; parent and
    child open their own again at their next call (case L02).

    Args:
        place: where the database is.
        settings: durability, timeout, number of readers.
    """

    def __init__(self, place: Place, settings: Settings) -> None:
        self.place = place
        self.format = 0
        self._settings = settings
        self._gate = _Gate()
        self._opening = Lock()
        self._writer: Writer | None = None
        self._readers: Readers | None = None
        self._is_open = False
        self._gone = ""
        _ENGINES.add(self)

    def open(self) -> None:
        """Opens the file, makes it if there is none, and brings it to this version's format.

        Raises:
            StoreError: it cannot be opened; the message says why and what to do.
        """
        with self._gate.passing():
            self._ensure_open()

    def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """Runs `work` on one state of the file; it must not write."""
        with self._gate.passing():
            self._ensure_open()
            if self._readers is None:
                return self._writing().run(work)
            with translated(self.place.path), self._readers.reading() as connection:
                return work(connection)

    def write(self, work: Callable[[apsw.Connection], T]) -> T:
        """Runs `work` in a transaction and returns what it returns once that is durable."""
        with self._gate.passing():
            self._ensure_open()
            return self._writing().run(work)

    def alone(self, work: Callable[[apsw.Connection], T]) -> T:
        """Runs `work` on the writing connection outside any transaction: for what cannot be done inside one."""
        with self._gate.passing():
            self._ensure_open()
            with translated(self.place.path):
                return self._writing().alone(work)

    def close(self) -> None:
        """Waits for the calls that are running and closes every connection. Closing twice is no error."""
        self._gate.shut()
        try:
            self._disconnect()
            self._gone = self._gone or "the store is closed; open it again"
        finally:
            self._gate.open()

    def _writing(self) -> Writer:
        if self._writer is None:
            raise StoreReadOnly(f"{self.place.path}: it cannot be written; check that file and folder may be written")
        return self._writer

    def _ensure_open(self) -> None:
        if self._is_open:
            return
        with self._opening:
            if self._gone:
                raise StoreClosed(f"{self.place.path}: {self._gone}")
            if not self._is_open:
                with translated(self.place.path):
                    self._connect()
                self._is_open = True

    def _connect(self) -> None:
        place, settings = self.place, self._settings
        require_sound_engine()
        place.check()
        if place.is_read_only():
            self._readers = Readers(lambda: open_reader(place, settings), settings.readers)
            with self._readers.reading() as connection:
                self.format = check_format(connection, place)
            return
        connection = open_writer(place, settings)
        try:
            check_format(connection, place)
            use_log(connection, settings)
            self.format = migrate(connection, place)
        except BaseException:
            connection.close()
            raise
        self._writer = Writer(connection, place.path)
        if not place.in_memory:
            self._readers = Readers(lambda: open_reader(place, settings), settings.readers)

    def _disconnect(self) -> None:
        self._is_open = False
        if self._readers is not None:
            self._readers.close()
        if self._writer is not None:
            self._writer.close()
        self._readers = self._writer = None

    def before_fork(self) -> None:
        """Lets all work end, and closes the file's connections so that none is inherited."""
        self._gate.shut()
        if not self.place.in_memory:
            self._disconnect()

    def after_fork(self, *, child: bool) -> None:
        """Lets work begin again: in the parent as before, in a child with locks of its own."""
        if not child:
            self._gate.open()
            return
        self._gate = _Gate()
        self._opening = Lock()
        if self.place.in_memory and self._is_open:
            # The child's copy would drift from the parent's without a sign; its connection is never used again.
            self._is_open = False
            self._gone = self._gone or "a database in memory does not cross a fork; open another one in the child"


_ENGINES: WeakSet[Engine] = WeakSet()
_FORKING: list[Engine] = []


def _before() -> None:
    _FORKING.extend(_ENGINES)
    for engine in _FORKING:
        engine.before_fork()


def _after(*, child: bool) -> None:
    for engine in _FORKING:
        engine.after_fork(child=child)
    _FORKING.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_before, after_in_parent=lambda: _after(child=False), after_in_child=lambda: _after(child=True)
    )
