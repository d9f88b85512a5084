"""Rows to records and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from memoranda.records.check import encode_metadata
from memoranda.records.codec import entry_from_json, entry_to_json
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.revision import Change, Revision
from memoranda.records.tombstone import Tombstone

Row = Sequence[Any]
_START = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_CATEGORIES = {category.value: category for category in Category}
_ORIGINS = {origin.value: origin for origin in Origin}


def to_micros(moment: datetime | None) -> int | None:
    """Returns a moment as whole microseconds since 1970, exactly."""
    return None if moment is None else (moment - _START) // _MICROSECOND


def to_moment(micros: int | None) -> datetime | None:
    """Returns whole microseconds since 1970 as a moment in UTC, exactly."""
    return None if micros is None else _START + timedelta(microseconds=micros)


def to_blob(id: str) -> bytes:
    """Returns an id as the 16 bytes that are stored. Text that is no UUID gives bytes that no entry has."""
    try:
        found = UUID(id)
    except (ValueError, AttributeError, TypeError):
        return b""
    return found.bytes if str(found) == id else b""


def to_hex_list(ids: Iterable[str]) -> str:
    """Returns ids as a JSON array of the hex digits of what is stored; text that is no UUID is left out."""
    return json.dumps([blob.hex() for id in ids if (blob := to_blob(id))])


def to_id(blob: bytes) -> str:
    """Returns 16 stored bytes as an id."""
    text = blob.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def entry_of(row: Row) -> MemoryEntry:
    """Returns the entry of a row that holds `queries.COLUMNS`."""
    return MemoryEntry(
        _CATEGORIES[row[1]],
        row[2],
        id=to_id(row[0]),
        tags=tuple(json.loads(row[3])) if row[3] else (),
        created_at=_START + timedelta(microseconds=row[4]),
        relevance=row[5],
        access_count=row[6],
        validated=row[7] == 1,
        confidence=row[8],
        origin=_ORIGINS[row[9]],
        source=row[10],
        speaker=row[11],
        session=row[12],
        position=row[13],
        key=row[14],
        occurred_at=to_moment(row[15]),
        valid_from=to_moment(row[16]),
        valid_to=to_moment(row[17]),
        expires_at=to_moment(row[18]),
        last_accessed=to_moment(row[19]),
        last_decayed=to_moment(row[20]),
        seen_count=row[21],
        last_seen=to_moment(row[22]),
        superseded_by=to_id(row[23]) if row[23] else None,
        contested_with=tuple(json.loads(row[24])) if row[24] else (),
        metadata=json.loads(row[25]) if row[25] else {},
    )


def entry_values(entry: MemoryEntry) -> dict[str, Any]:
    """Returns an entry's columns by name; times that follow from others are left NULL."""
    begin = entry.occurred_at or entry.created_at
    return {
        "id": to_blob(entry.id),
        "category": entry.category.value,
        "memory": entry.memory,
        "tags": json.dumps(entry.tags, ensure_ascii=False) if entry.tags else None,
        "created_at": to_micros(entry.created_at),
        "relevance": entry.relevance,
        "access_count": entry.access_count,
        "validated": int(entry.validated),
        "confidence": entry.confidence,
        "origin": entry.origin.value,
        "source": entry.source,
        "speaker": entry.speaker,
        "session": entry.session,
        "position": entry.position,
        "key": entry.key,
        "occurred_at": to_micros(entry.occurred_at),
        "valid_from": None if entry.valid_from == begin else to_micros(entry.valid_from),
        "valid_to": to_micros(entry.valid_to),
        "expires_at": to_micros(entry.expires_at),
        "last_accessed": to_micros(entry.last_accessed),
        "last_decayed": to_micros(entry.last_decayed),
        "seen_count": entry.seen_count,
        "last_seen": None if entry.last_seen == entry.created_at else to_micros(entry.last_seen),
        "superseded_by": to_blob(entry.superseded_by) if entry.superseded_by else None,
        "contested_with": json.dumps(entry.contested_with) if entry.contested_with else None,
        "metadata": encode_metadata(entry.metadata) if entry.metadata else None,
    }


def revision_of(row: Row) -> Revision:
    """Returns the revision of a row."""
    moment = to_moment(row[2])
    assert moment is not None
    return Revision(
        number=row[0],
        change=Change(row[1]),
        at=moment,
        because=row[3],
        undone=row[4] == 1,
        entry=entry_from_json(json.loads(row[5])),
    )


def revision_values(revision: Revision) -> dict[str, Any]:
    """Returns a revision's columns by name."""
    return {
        "id": to_blob(revision.entry.id),
        "number": revision.number,
        "change": revision.change.value,
        "at": to_micros(revision.at),
        "because": revision.because,
        "undone": int(revision.undone),
        "entry": json.dumps(entry_to_json(revision.entry), ensure_ascii=False, separators=(",", ":")),
    }


def tombstone_of(id: str, row: Row) -> Tombstone:
    """Returns the note that an entry left."""
    moment = to_moment(row[0])
    assert moment is not None
    return Tombstone(id=id, at=moment, because=row[1])


def acknowledgement_of(row: Row) -> Acknowledgement:
    """Returns the acknowledgement of a row."""
    moment = to_moment(row[2])
    assert moment is not None
    return Acknowledgement(
        key=row[0], fingerprint=row[1], at=moment, outcome=Outcome(row[3]), entry_id=to_id(row[4]), because=row[5]
    )


def acknowledgement_values(acknowledgement: Acknowledgement) -> dict[str, Any]:
    """Returns an acknowledgement's columns by name."""
    return {
        "key": acknowledgement.key,
        "fingerprint": acknowledgement.fingerprint,
        "at": to_micros(acknowledgement.at),
        "outcome": acknowledgement.outcome.value,
        "id": to_blob(acknowledgement.entry_id),
        "because": acknowledgement.because,
    }


def document_of(row: Row) -> Document:
    """Returns the document of a row that holds `queries.DOCUMENT`."""
    moment = to_moment(row[3])
    assert moment is not None
    return Document(
        key=DocumentKey(kind=DocumentKind(row[0]), session=row[1], name=row[2]),
        at=moment,
        entries=tuple(to_id(bytes.fromhex(digits)) for digits in json.loads(row[4])),
        body=row[5],
    )


def document_key_values(key: DocumentKey) -> dict[str, Any]:
    """Returns the columns of a document's key by name."""
    return {"kind": key.kind.value, "session": key.session, "name": key.name}
