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

from typing import TYPE_CHECKING

from memoranda.doors import door

if TYPE_CHECKING:
    from memoranda.core.limits import CoreLimits
    from memoranda.core.stored import StoredCoreMemory
    from memoranda.errors import (
        BlockNotFound,
        BlockOverLimit,
        CapacityReached,
        Conflict,
        EmbedderError,
        EmbedderUnavailable,
        EntryNotFound,
        ForeignFile,
        HandleNotFound,
        IdempotencyConflict,
        ImportFormatError,
        InsideEventLoop,
        InvalidBlock,
        InvalidEntry,
        InvalidGraph,
        InvalidInput,
        InvalidMessages,
        InvalidScope,
        MemorandaError,
        NewerVersion,
        NothingToRestore,
        NotPermitted,
        StoreBusy,
        StoreClosed,
        StoreDamaged,
        StoreError,
        StoreFull,
        StoreReadOnly,
        StoreUnavailable,
        SummarizerError,
        Unsupported,
    )
    from memoranda.protocols.clock import Clock, Ids
    from memoranda.protocols.core import CoreMemory
    from memoranda.protocols.embedder import Embedder, EmbedderIdentity
    from memoranda.protocols.plan import PlanWriter
    from memoranda.protocols.store import (
        DocumentReader,
        DurableStore,
        EntryReader,
        MemoryStore,
        ScopeLister,
    )
    from memoranda.recall.recalled import Recalled
    from memoranda.recall.render import RenderedBlock
    from memoranda.records.block import BlockChange, BlockRevision, CoreMemoryBlock, render_blocks
    from memoranda.records.budget import Budget
    from memoranda.records.document import Document, DocumentKey, DocumentKind
    from memoranda.records.entry import Category, MemoryEntry, Origin
    from memoranda.records.erasure import ErasureCounts, ErasureProof, ErasureReceipt
    from memoranda.records.new_entry import NewEntry
    from memoranda.records.recalled import Dropped, Hit
    from memoranda.records.receipt import Outcome, WriteReceipt
    from memoranda.records.revision import Change, Revision
    from memoranda.records.session import SessionKey
    from memoranda.records.settings import Settings
    from memoranda.records.stats import ConsolidationStats, LoadReport, Refused, StoreStats
    from memoranda.records.upkeep import DoctorReport, Finding, VerifyReport
    from memoranda.runtime.archive import SessionArchive
    from memoranda.runtime.core import AsyncCore, Core
    from memoranda.runtime.graphs import AsyncSessionGraph, SessionGraph
    from memoranda.runtime.memory import AsyncMemory
    from memoranda.runtime.scope import AsyncScope
    from memoranda.runtime.session import AsyncSession, Session
    from memoranda.runtime.sync import Memory, Scope
    from memoranda.stores.in_memory.store import InMemoryStore
    from memoranda.stores.sqlite.store import SqliteStore

__version__ = "0.1.0"

_HOMES = {
    "core.limits": ("CoreLimits",),
    "core.stored": ("StoredCoreMemory",),
    "errors": (
        "BlockNotFound",
        "BlockOverLimit",
        "CapacityReached",
        "Conflict",
        "EmbedderError",
        "EmbedderUnavailable",
        "EntryNotFound",
        "ForeignFile",
        "HandleNotFound",
        "IdempotencyConflict",
        "ImportFormatError",
        "InsideEventLoop",
        "InvalidBlock",
        "InvalidEntry",
        "InvalidGraph",
        "InvalidInput",
        "InvalidMessages",
        "InvalidScope",
        "MemorandaError",
        "NewerVersion",
        "NotPermitted",
        "NothingToRestore",
        "StoreBusy",
        "StoreClosed",
        "StoreDamaged",
        "StoreError",
        "StoreFull",
        "StoreReadOnly",
        "StoreUnavailable",
        "SummarizerError",
        "Unsupported",
    ),
    "protocols.clock": ("Clock", "Ids"),
    "protocols.core": ("CoreMemory",),
    "protocols.embedder": ("Embedder", "EmbedderIdentity"),
    "protocols.plan": ("PlanWriter",),
    "protocols.store": ("DocumentReader", "DurableStore", "EntryReader", "MemoryStore", "ScopeLister"),
    "recall.recalled": ("Recalled",),
    "recall.render": ("RenderedBlock",),
    "records.block": ("BlockChange", "BlockRevision", "CoreMemoryBlock", "render_blocks"),
    "records.budget": ("Budget",),
    "records.document": ("Document", "DocumentKey", "DocumentKind"),
    "records.entry": ("Category", "MemoryEntry", "Origin"),
    "records.erasure": ("ErasureCounts", "ErasureProof", "ErasureReceipt"),
    "records.new_entry": ("NewEntry",),
    "records.recalled": ("Dropped", "Hit"),
    "records.receipt": ("Outcome", "WriteReceipt"),
    "records.revision": ("Change", "Revision"),
    "records.session": ("SessionKey",),
    "records.settings": ("Settings",),
    "records.stats": ("ConsolidationStats", "LoadReport", "Refused", "StoreStats"),
    "records.upkeep": ("DoctorReport", "Finding", "VerifyReport"),
    "runtime.archive": ("SessionArchive",),
    "runtime.core": ("AsyncCore", "Core"),
    "runtime.graphs": ("AsyncSessionGraph", "SessionGraph"),
    "runtime.memory": ("AsyncMemory",),
    "runtime.scope": ("AsyncScope",),
    "runtime.session": ("AsyncSession", "Session"),
    "runtime.sync": ("Memory", "Scope"),
    "stores.in_memory.store": ("InMemoryStore",),
    "stores.sqlite.store": ("SqliteStore",),
}

__all__ = [
    "AsyncCore",
    "AsyncMemory",
    "AsyncScope",
    "AsyncSession",
    "AsyncSessionGraph",
    "BlockChange",
    "BlockNotFound",
    "BlockOverLimit",
    "BlockRevision",
    "Budget",
    "CapacityReached",
    "Category",
    "Change",
    "Clock",
    "Conflict",
    "ConsolidationStats",
    "Core",
    "CoreLimits",
    "CoreMemory",
    "CoreMemoryBlock",
    "DoctorReport",
    "Document",
    "DocumentKey",
    "DocumentKind",
    "DocumentReader",
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
    "HandleNotFound",
    "Hit",
    "IdempotencyConflict",
    "Ids",
    "ImportFormatError",
    "InMemoryStore",
    "InsideEventLoop",
    "InvalidBlock",
    "InvalidEntry",
    "InvalidGraph",
    "InvalidInput",
    "InvalidMessages",
    "InvalidScope",
    "LoadReport",
    "MemorandaError",
    "Memory",
    "MemoryEntry",
    "MemoryStore",
    "NewEntry",
    "NewerVersion",
    "NotPermitted",
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
    "Session",
    "SessionArchive",
    "SessionGraph",
    "SessionKey",
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
    "StoredCoreMemory",
    "SummarizerError",
    "Unsupported",
    "VerifyReport",
    "WriteReceipt",
    "__version__",
    "render_blocks",
]

if not TYPE_CHECKING:  # a type checker would take any name for one of ours
    __getattr__, __dir__ = door(__name__, __all__, _HOMES)
