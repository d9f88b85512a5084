"""What an erasure took away, and whether it is proved that nothing of it is left (design D16)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from memoranda.records.entry import JsonValue

Verified = Literal["yes", "pending"]
"""Whether an erasure is proved: `yes`, or `pending` while something stands in the way of the proof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureCounts:
    """How many rows of each kind stand for some entries.

    Attributes:
        entries: the entries themselves, superseded ones included.
        revisions: what they were before their changes.
        vectors: their vectors, of every embedder.
        idempotency_keys: keys that were answered with one of them.
        documents: core blocks and their revisions, working graphs and archived spans that name one of them.
    """

    entries: int = 0
    revisions: int = 0
    vectors: int = 0
    idempotency_keys: int = 0
    documents: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What a decision to erase takes away; the store proves afterwards that it is gone.

    Attributes:
        ids: the entries that go, in the order in which they were found.
        counts: how many rows go with them.
        texts: every text that the entries have or had, and the bodies of the documents, to look for; None where there
            are too many to look for each, or not all are known.
        vectors: the numbers of every vector that they have, to look for, too.
        document_ids: the ids under which the store knows the documents that go (`Snapshot.document_ids`).
    """

    ids: tuple[str, ...]
    counts: ErasureCounts
    texts: tuple[str, ...] | None = ()
    vectors: tuple[bytes, ...] = ()
    document_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureProof:
    """What came of looking for what was erased.

    Attributes:
        proved: whether nothing of any erasure is left.
        because: how it was proved, or what stands in the way and what to do.
        settled: how many entries and documents whose proof was owed are proved to be gone now.
        owed: how many erased entries and documents still wait for their proof.
    """

    proved: bool
    because: str
    settled: int = 0
    owed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasureReceipt:
    """What one erasure did. It names ids, never texts.

    Attributes:
        ids: the entries that are gone, those derived from the ones that were named included.
        counts: how many rows of each kind went.
        verified: `yes` when it is proved that the store's files hold nothing of them; `pending` when something stands
            in the way, such as another process that still reads. `finish_erasures`, the next erasure or the next
            opening finishes it.
        because: how it was proved, or what it waits for and what to do.
        at: when it was done.
    """

    ids: tuple[str, ...]
    counts: ErasureCounts
    verified: Verified
    because: str
    at: datetime

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the receipt as a JSON object."""
        return {
            "ids": list(self.ids),
            "entries": self.counts.entries,
            "revisions": self.counts.revisions,
            "vectors": self.counts.vectors,
            "idempotency_keys": self.counts.idempotency_keys,
            "documents": self.counts.documents,
            "verified": self.verified,
            "because": self.because,
            "at": self.at.isoformat().replace("+00:00", "Z"),
        }
