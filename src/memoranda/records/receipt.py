"""What a write answers, and what is kept to answer the same request again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memoranda.records.entry import MemoryEntry


class Outcome(StrEnum):
    """What a write did."""

    ADDED = "added"
    FOLDED = "folded"
    REPLACED = "replaced"
    CONTESTED = "contested"
    REJECTED = "rejected"
    RETRACTED = "retracted"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteReceipt:
    """What one write did, and why.

    Attributes:
        outcome: what it did.
        entry: the entry that now stands for what was given; None only when it was rejected.
        because: the reason, in words that a person understands.
        previous: the entry that it replaced or changed, as it was before; None when there was none.
        redacted: the kinds of secrets that were masked before storing, such as `password`.
        repeated: whether this answers a request that was carried out before, by its idempotency key.
    """

    outcome: Outcome
    entry: MemoryEntry | None
    because: str
    previous: MemoryEntry | None = None
    redacted: tuple[str, ...] = ()
    repeated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Acknowledgement:
    """That a request with an idempotency key was carried out; kept for `Settings.idempotency_days`.

    Attributes:
        key: the idempotency key.
        fingerprint: a hash of the request, so that the key cannot stand for another one.
        at: when it was carried out.
        outcome: what it did.
        entry_id: the entry that stands for it.
        because: the reason that was given.
    """

    key: str
    fingerprint: str
    at: datetime
    outcome: Outcome
    entry_id: str
    because: str
