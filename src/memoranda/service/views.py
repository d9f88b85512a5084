"""Answers as JSON objects, for programs: the same at the command line and over HTTP.

Every field is present, those that have their default too. Times are ISO 8601 in UTC.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import cast

from memoranda.recall.recalled import Recalled
from memoranda.records.check import ENTRY_FIELDS
from memoranda.records.codec import entry_to_json, revision_to_json
from memoranda.records.entry import JsonValue, MemoryEntry
from memoranda.records.erasure import ErasureProof
from memoranda.records.recalled import Hit
from memoranda.records.receipt import WriteReceipt
from memoranda.records.revision import Revision
from memoranda.records.stats import ConsolidationStats, LoadReport, StoreStats

JsonObject = dict[str, JsonValue]


def entry_view(entry: MemoryEntry) -> JsonObject:
    """Returns an entry with all its fields, in the order of the record."""
    given = entry_to_json(entry)
    view = {name: given[name] if name in given else _plain(getattr(entry, name)) for name in ENTRY_FIELDS}
    return {"id": view.pop("id"), **view}


def revision_view(revision: Revision) -> JsonObject:
    """Returns a revision with the whole entry as it was."""
    return {**revision_to_json(revision), "entry": entry_view(revision.entry)}


def receipt_view(receipt: WriteReceipt) -> JsonObject:
    """Returns what a write did."""
    return {
        "outcome": receipt.outcome.value,
        "because": receipt.because,
        "entry": None if receipt.entry is None else entry_view(receipt.entry),
        "previous": None if receipt.previous is None else entry_view(receipt.previous),
        "redacted": list(receipt.redacted),
        "repeated": receipt.repeated,
    }


def contested_view(pairs: Sequence[tuple[MemoryEntry, MemoryEntry]]) -> JsonObject:
    """Returns the pairs of entries that cannot both be true."""
    return {"pairs": [{"older": entry_view(older), "newer": entry_view(newer)} for older, newer in pairs]}


def proof_view(proof: ErasureProof) -> JsonObject:
    """Returns what came of proving erasures; `verified` is named as in a receipt."""
    verified = "yes" if proof.proved else "pending"
    return {"verified": verified, "because": proof.because, "settled": proof.settled, "owed": proof.owed}


def hit_view(hit: Hit) -> JsonObject:
    """Returns a hit with its score parts."""
    return {"score": hit.score, "parts": dict(hit.parts), "because": hit.because, "entry": entry_view(hit.entry)}


def recalled_view(recalled: Recalled) -> JsonObject:
    """Returns the answer of a recall, what was left out included."""
    return {
        "query": recalled.query,
        "hits": [hit_view(hit) for hit in recalled.hits],
        "dropped": [{"reason": one.reason, "entry": entry_view(one.entry)} for one in recalled.dropped],
    }


def page_view(entries: Sequence[MemoryEntry], limit: int) -> JsonObject:
    """Returns a page; `next` is what to give as `after` for the next one, null when this one was not full."""
    full = 0 < limit <= len(entries)
    return {"entries": [entry_view(entry) for entry in entries], "next": entries[-1].id if full else None}


def stats_view(stats: StoreStats | ConsolidationStats | LoadReport) -> JsonObject:
    """Returns a report of numbers as it is."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(stats).items()}


def _plain(value: object) -> JsonValue:
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return list(value)
    return cast("JsonValue", dict(value) if isinstance(value, Mapping) else value)
