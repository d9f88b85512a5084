"""`SessionArchive`: the archive of a session for callers that do not await."""

from __future__ import annotations

from memoranda.bridge.drive import Driver, driven
from memoranda.memory.archive import StoreArchive


class SessionArchive:
    """What compaction took from the requests of a session, to read. Made by `Session.archive`. See `StoreArchive`."""

    def __init__(self, awaited: StoreArchive, driver: Driver) -> None:
        self._awaited = awaited
        self._driver = driver

    keep = driven(StoreArchive.keep)
    expand = driven(StoreArchive.expand)
    recall = driven(StoreArchive.recall)
    usage = driven(StoreArchive.usage)
