"""Every error that memoranda raises, as one tree.

```
MemorandaError
├── InvalidInput            what was given cannot be used; nothing was changed
│   ├── InvalidScope        a scope path that is empty, blank, too long or holds NUL
│   ├── InvalidEntry        a text, field or filter that an entry or a query cannot have
│   └── ImportFormatError   a file that is in none of the formats that can be imported
├── EntryNotFound           no entry of that id in that scope
├── Conflict                the request contradicts what is stored; nothing was changed
│   └── IdempotencyConflict an idempotency key that was used for something else
├── NothingToRestore        no fold, update or retraction is left to undo
├── CapacityReached         the scope is full of entries that must not go; nothing was stored
├── Unsupported             the attached store lacks the power that the call needs
├── InsideEventLoop         the synchronous facade was called inside a running event loop
├── EmbedderError           texts could not be embedded now; entries are kept and found by their words
│   └── EmbedderUnavailable it cannot be loaded: a missing package, weights not fetched or damaged
└── StoreError              the store could not do its work
    ├── StoreUnavailable    it cannot be opened: wrong path, no such scheme, missing package
    ├── StoreClosed         it was closed before the call
    ├── StoreBusy           other writers held it for longer than `Settings.busy_timeout`
    ├── StoreFull           the disk or the quota is full; the file is still valid
    ├── StoreReadOnly       it can be read but not written
    ├── StoreDamaged        its file is not a sound database; it is left as it is
    ├── ForeignFile         its file belongs to another program; it is left as it is
    └── NewerVersion        its file was written by a newer memoranda; it is left as it is
```

Catch `MemorandaError` for all of them. Each message says what to do next.
"""

from __future__ import annotations


class MemorandaError(Exception):
    """Base of every error that memoranda raises."""


class InvalidInput(MemorandaError):
    """What was given cannot be used; nothing was changed."""


class InvalidScope(InvalidInput):
    """A scope path that is empty, blank, too long or holds NUL."""


class InvalidEntry(InvalidInput):
    """A text, field or filter that an entry or a query cannot have."""


class ImportFormatError(InvalidInput):
    """A file that is in none of the formats that can be imported."""


class EntryNotFound(MemorandaError):
    """No entry of that id in that scope that the call could work on; an id of another scope reads the same.

    Attributes:
        id: the id that was asked for.
    """

    def __init__(self, id: str, why: str = "`list` and `recall` show the ids that exist") -> None:
        self.id = id
        super().__init__(f"no such entry in this scope: {id!r}; {why}")


class Conflict(MemorandaError):
    """The request contradicts what is stored; nothing was changed."""


class IdempotencyConflict(Conflict):
    """An idempotency key that was already used for a different request.

    Attributes:
        key: the idempotency key.
    """

    def __init__(self, key: str) -> None:
        self.key = key
        super().__init__(f"idempotency key {key!r} was used for another request; use a new key for a new request")


class NothingToRestore(MemorandaError):
    """No fold, update or retraction of that entry is left to undo.

    Attributes:
        id: the entry's id.
    """

    def __init__(self, id: str, why: str) -> None:
        self.id = id
        super().__init__(f"nothing to restore for entry {id!r}: {why}")


class CapacityReached(MemorandaError):
    """The scope is full, and what is in it must not go: it is validated, or part of the request. Nothing was stored.

    Attributes:
        max_entries: the setting that bounds the scope.
    """

    def __init__(self, max_entries: int) -> None:
        self.max_entries = max_entries
        super().__init__(
            f"nothing was stored: a scope may hold {max_entries} live entries (`Settings.max_entries`), and what it "
            "holds is validated or part of this request; raise the setting, or retract what is no longer needed"
        )


class Unsupported(MemorandaError):
    """The attached store lacks the power that the call needs."""


class InsideEventLoop(MemorandaError):
    """The synchronous facade was called inside a running event loop."""

    def __init__(self) -> None:
        super().__init__("`Memory` would block the running event loop; use `AsyncMemory` and await its calls")


class EmbedderError(MemorandaError):
    """Texts could not be embedded now; entries are kept and found by their words."""


class EmbedderUnavailable(EmbedderError):
    """The embedder cannot be loaded: a missing package, weights that were not fetched or are damaged."""


class StoreError(MemorandaError):
    """The store could not do its work."""


class StoreUnavailable(StoreError):
    """The store cannot be opened: wrong path, no such scheme, missing package."""


class StoreClosed(StoreError):
    """The store was closed before the call."""


class StoreBusy(StoreError):
    """Other writers held the store for longer than `Settings.busy_timeout`."""


class StoreFull(StoreError):
    """The disk or the quota is full; the write was undone and the file is still valid."""


class StoreReadOnly(StoreError):
    """The store can be read but not written."""


class StoreDamaged(StoreError):
    """The store's file is not a sound database; it is left as it is."""


class ForeignFile(StoreError):
    """The store's file belongs to another program; it is left as it is."""


class NewerVersion(StoreError):
    """The store's file was written by a newer memoranda; it is left as it is."""
