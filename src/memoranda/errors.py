"""Every error that memoranda raises, as one tree.

```
MemorandaError
├── InvalidInput            what was given cannot be used; nothing was changed
│   ├── InvalidScope        a scope path that is empty, blank, too long or holds NUL
│   ├── InvalidEntry        a text, field or filter that an entry or a query cannot have
│   ├── InvalidMessages     messages in no known format, or of several formats at once
│   ├── InvalidGraph        a node, relationship or snapshot that a working graph cannot have
│   ├── InvalidBlock        a label, value or edit that a core block cannot have
│   │   └── BlockOverLimit  a value longer than the limit of its block; the block is as it was
│   └── ImportFormatError   a file that is in none of the formats that can be imported
├── EntryNotFound           no entry of that id in that scope
├── BlockNotFound           no core block of that label
├── HandleNotFound          the archive holds nothing under that handle
├── NotPermitted            who asked may not write there; nothing was changed
├── Conflict                the request contradicts what is stored; nothing was changed
│   └── IdempotencyConflict an idempotency key that was used for something else
├── NothingToRestore        no fold, update or retraction is left to undo
├── CapacityReached         what is full holds only what must not go; nothing was stored
├── Unsupported             the attached store lacks the power that the call needs
├── InsideEventLoop         the synchronous facade was called inside a running event loop
├── SummarizerError         a summarizer gave nothing that can stand for the messages; they stay as they are
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

from collections.abc import Sequence


class MemorandaError(Exception):
    """Base of every error that memoranda raises."""


class InvalidInput(MemorandaError):
    """What was given cannot be used; nothing was changed."""


class InvalidScope(InvalidInput):
    """A scope path that is empty, blank, too long or holds NUL."""


class InvalidEntry(InvalidInput):
    """A text, field or filter that an entry or a query cannot have."""


class InvalidMessages(InvalidInput):
    """Messages in no known format, or of several formats at once; the message says which one it was."""


class InvalidGraph(InvalidInput):
    """A node, relationship or snapshot that a working graph cannot have; the graph is as it was."""


class InvalidBlock(InvalidInput):
    """A label, value or edit that a core block cannot have; the block is as it was."""


class BlockOverLimit(InvalidBlock):
    """A value longer than the limit of its block; the block is as it was (S2.14).

    Attributes:
        label: the block's label.
        limit: most characters of its value.
        size: characters that the value would have had.
    """

    def __init__(self, label: str, limit: int, size: int) -> None:
        self.label, self.limit, self.size = label, limit, size
        super().__init__(
            f"the core block {label!r} has a limit of {limit} characters, and its value would have {size}; nothing was "
            "changed: shorten it with `replace_in_block`, put a shorter value, or put the block with a higher limit"
        )


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


class BlockNotFound(MemorandaError):
    """No core block of that label.

    Attributes:
        label: the label that was asked for.
    """

    def __init__(self, label: str, known: Sequence[str] = ()) -> None:
        self.label = label
        there = f"there are {', '.join(map(repr, known))}" if known else "there are none yet; `put_block` makes one"
        super().__init__(f"no core block {label!r}; {there}")


class HandleNotFound(MemorandaError):
    """The archive holds nothing under that handle: it never did, or it was evicted or erased.

    Attributes:
        handle: the handle that was asked for.
    """

    def __init__(self, handle: str) -> None:
        self.handle = handle
        super().__init__(
            f"the archive holds nothing under {handle!r}: it was evicted or erased, or the handle is of another session"
        )


class NotPermitted(MemorandaError):
    """Who asked may not write there; nothing was changed."""


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
    """A bound is reached, and what is there must not go. Nothing was stored.

    Attributes:
        bound: the bound that was reached: a number of what the message names.
    """

    def __init__(self, message: str, bound: int) -> None:
        self.bound = bound
        super().__init__(message)


class SummarizerError(MemorandaError):
    """A summarizer gave nothing that can stand for the messages: it failed, or its text is empty or too long."""


class Unsupported(MemorandaError):
    """The attached store lacks the power that the call needs."""


class InsideEventLoop(MemorandaError):
    """The synchronous facade was called inside a running event loop."""

    def __init__(self) -> None:
        super().__init__(
            "this call would block the running event loop; use `AsyncMemory` or `AsyncCompactor`, and await its calls"
        )


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
