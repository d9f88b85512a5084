"""memoranda: the memory of an LLM agent in one Python library.

```python
from memoranda import Memory

with Memory("agent.db") as memory:
    alice = memory.scope("acme/alice")
    alice.remember("Deploys go to the blue cluster", tags=["infra"])
    for hit in alice.recall("which cluster do we deploy to?"):
        print(hit.score, hit.entry.memory, hit.because)
```

Importing this package opens no file and loads no store: each name is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memoranda.errors import (
        CapacityReached,
        Conflict,
        EmbedderError,
        EmbedderUnavailable,
        EntryNotFound,
        ForeignFile,
        IdempotencyConflict,
        ImportFormatError,
        InsideEventLoop,
        InvalidEntry,
        InvalidInput,
        InvalidScope,
        MemorandaError,
        NewerVersion,
        NothingToRestore,
        StoreBusy,
        StoreClosed,
        StoreDamaged,
        StoreError,
        StoreFull,
        StoreReadOnly,
        StoreUnavailable,
        Unsupported,
    )
    from memoranda.protocols.clock import Clock, Ids
    from memoranda.protocols.embedder import Embedder, EmbedderIdentity
    from memoranda.protocols.store import DurableStore, EntryReader, MemoryStore, PlanWriter, ScopeLister
    from memoranda.recall.recalled import Recalled
    from memoranda.recall.render import RenderedBlock
    from memoranda.records.budget import Budget
    from memoranda.records.entry import Category, MemoryEntry, Origin
    from memoranda.records.erasure import ErasureCounts, ErasureProof, ErasureReceipt
    from memoranda.records.new_entry import NewEntry
    from memoranda.records.recalled import Dropped, Hit
    from memoranda.records.receipt import Outcome, WriteReceipt
    from memoranda.records.revision import Change, Revision
    from memoranda.records.settings import Settings
    from memoranda.records.stats import ConsolidationStats, LoadReport, Refused, StoreStats
    from memoranda.records.upkeep import DoctorReport, Finding, VerifyReport
    from memoranda.runtime.memory import AsyncMemory
    from memoranda.runtime.scope import AsyncScope
    from memoranda.runtime.sync import Memory, Scope
    from memoranda.stores.in_memory.store import InMemoryStore
    from memoranda.stores.sqlite.store import SqliteStore

__version__ = "0.1.0"

_HOMES = {
    "errors": (
        "CapacityReached",
        "Conflict",
        "EmbedderError",
        "EmbedderUnavailable",
        "EntryNotFound",
        "ForeignFile",
        "IdempotencyConflict",
        "ImportFormatError",
        "InsideEventLoop",
        "InvalidEntry",
        "InvalidInput",
        "InvalidScope",
        "MemorandaError",
        "NewerVersion",
        "NothingToRestore",
        "StoreBusy",
        "StoreClosed",
        "StoreDamaged",
        "StoreError",
        "StoreFull",
        "StoreReadOnly",
        "StoreUnavailable",
        "Unsupported",
    ),
    "protocols.clock": ("Clock", "Ids"),
    "protocols.embedder": ("Embedder", "EmbedderIdentity"),
    "protocols.store": ("DurableStore", "EntryReader", "MemoryStore", "PlanWriter", "ScopeLister"),
    "recall.recalled": ("Recalled",),
    "recall.render": ("RenderedBlock",),
    "records.budget": ("Budget",),
    "records.entry": ("Category", "MemoryEntry", "Origin"),
    "records.erasure": ("ErasureCounts", "ErasureProof", "ErasureReceipt"),
    "records.new_entry": ("NewEntry",),
    "records.recalled": ("Dropped", "Hit"),
    "records.receipt": ("Outcome", "WriteReceipt"),
    "records.revision": ("Change", "Revision"),
    "records.settings": ("Settings",),
    "records.stats": ("ConsolidationStats", "LoadReport", "Refused", "StoreStats"),
    "records.upkeep": ("DoctorReport", "Finding", "VerifyReport"),
    "runtime.memory": ("AsyncMemory",),
    "runtime.scope": ("AsyncScope",),
    "runtime.sync": ("Memory", "Scope"),
    "stores.in_memory.store": ("InMemoryStore",),
    "stores.sqlite.store": ("SqliteStore",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "AsyncMemory",
    "AsyncScope",
    "Budget",
    "CapacityReached",
    "Category",
    "Change",
    "Clock",
    "Conflict",
    "ConsolidationStats",
    "DoctorReport",
    "Dropped",
    "DurableStore",
    "Embedder",
    "EmbedderError",
    "EmbedderIdentity",
    "EmbedderUnavailable",
    "EntryNotFound",
    "EntryReader",
    "ErasureCounts",
    "ErasureProof",
    "ErasureReceipt",
    "Finding",
    "ForeignFile",
    "Hit",
    "IdempotencyConflict",
    "Ids",
    "ImportFormatError",
    "InMemoryStore",
    "InsideEventLoop",
    "InvalidEntry",
    "InvalidInput",
    "InvalidScope",
    "LoadReport",
    "MemorandaError",
    "Memory",
    "MemoryEntry",
    "MemoryStore",
    "NewEntry",
    "NewerVersion",
    "NothingToRestore",
    "Origin",
    "Outcome",
    "PlanWriter",
    "Recalled",
    "Refused",
    "RenderedBlock",
    "Revision",
    "Scope",
    "ScopeLister",
    "Settings",
    "SqliteStore",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreStats",
    "StoreUnavailable",
    "Unsupported",
    "VerifyReport",
    "WriteReceipt",
    "__version__",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
