"""A virtual file system that notes when the log is written and when it is synced."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock

import apsw

NAME = "memoranda-watched"


@dataclass
class Watch:
    """What happened, in order: ("write", the bytes), ("sync", b""), and ("ack", the id) as the test notes it."""

    events: list[tuple[str, bytes]] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def note(self, what: str, data: bytes = b"") -> None:
        with self.lock:
            self.events.append((what, data))


class _Log(apsw.VFSFile):
    def __init__(self, name: apsw.URIFilename | str | None, flags: list[int], watch: Watch) -> None:
        super().__init__("", name, flags)
        path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        self._watch = watch if path.endswith("-wal") else None

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802  the engine's name
        if self._watch is not None:
            self._watch.note("write", bytes(data))
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802  the engine's name
        super().xSync(flags)
        if self._watch is not None:
            self._watch.note("sync")


class _Disk(apsw.VFS):
    def __init__(self, watch: Watch) -> None:
        super().__init__(NAME, "")
        self._watch = watch

    def xOpen(self, name: apsw.URIFilename | str | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _Log(name, flags, self._watch)


@contextmanager
def watched_disk() -> Iterator[Watch]:
    """Registers the file system under `NAME` and gives what it notes."""
    watch = Watch()
    disk = _Disk(watch)
    try:
        yield watch
    finally:
        disk.unregister()
