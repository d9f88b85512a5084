"""What consolidation, loading and counting report."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

EVICTED_NAMED: Final = 100
"""Most evicted entries that a report names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationStats:
    """What one consolidation did (S0.21).

    Attributes:
        entries_before: live entries before, those about to go included.
        entries_after: live entries after.
        pruned: entries removed because they were expired, evicted or worth too little, superseded ones included.
        merged: entries that joined another one.
        bytes_saved: bytes of UTF-8 text of the entries pruned and merged away (S0.51).
        expired: entries removed because they were expired; part of `pruned`.
        evicted: live entries removed to keep `Settings.max_entries`; part of `pruned`, as is the history of each.
        evicted_ids: their ids, at most `EVICTED_NAMED`; a tombstone tells of each of them.
    """

    entries_before: int = 0
    entries_after: int = 0
    pruned: int = 0
    merged: int = 0
    bytes_saved: int = 0
    expired: int = 0
    evicted: int = 0
    evicted_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A line that could not be loaded, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadReport:
    """What loading a dump did. Nothing that was stored before is overwritten.

    Attributes:
        added: entries and documents that are new.
        unchanged: entries and documents that were there already, equal in every field.
        refused: the lines that were left out, with their number and the reason.
    """

    added: int = 0
    unchanged: int = 0
    refused: tuple[Refused, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreStats:
    """What a store holds.

    Attributes:
        scopes: scopes that hold at least one entry or document.
        live: entries that are shown.
        superseded: entries that were replaced or retracted and are kept.
        revisions: what entries were before their changes.
        bytes: size on disk, log included; 0 for a store in memory.
        format: version of the file format.
        sqlite: version of the engine, empty for a store without one.
    """

    scopes: int = 0
    live: int = 0
    superseded: int = 0
    revisions: int = 0
    bytes: int = 0
    format: int = 0
    sqlite: str = ""
