"""The named statements of `queries.sql`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

COLUMNS = (
    "id",
    "category",
    "memory",
    "tags",
    "created_at",
    "relevance",
    "access_count",
    "validated",
    "confidence",
    "origin",
    "source",
    "speaker",
    "session",
    "position",
    "key",
    "occurred_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "last_accessed",
    "last_decayed",
    "seen_count",
    "last_seen",
    "superseded_by",
    "contested_with",
    "metadata",
)
"""Columns of an entry, in the order in which they are read and written."""

VALUE = """max(coalesce(last_seen, created_at), coalesce(last_accessed, created_at))
    + CAST(relevance * confidence * 15552000000000 AS INTEGER) + min(seen_count - 1, 12) * 2592000000000"""
"""`curation.capacity.value` of an entry, as the index `entries_by_value` has it."""

DOCUMENT = """kind, session, name, at,
    (SELECT json_group_array(hex(named.id) ORDER BY named.number) FROM document_entries AS named
     WHERE named.scope = documents.scope AND named.document = documents.place), body"""
"""What is read of a document, in the order that `codec.document_of` knows."""

NAMING = """
    WITH wanted (id) AS MATERIALIZED (SELECT unhex(value) FROM json_each(:ids))
    SELECT document FROM wanted CROSS JOIN document_entries
    ON document_entries.scope = :scope AND document_entries.id = wanted.id"""
"""The places of the documents that name one of some entries."""

_NAME = re.compile(r"^-- name: (\w+)$", re.MULTILINE)


@cache
def queries() -> dict[str, str]:
    """Returns the statements by name, with the lists of columns filled in."""
    text = files(__package__).joinpath("queries.sql").read_text(encoding="utf-8")
    _, *parts = _NAME.split(text)
    return {name: _fill(statement) for name, statement in zip(parts[::2], parts[1::2], strict=True)}


def _fill(statement: str) -> str:
    return (
        statement.strip()
        .replace("{columns}", ", ".join(COLUMNS))
        .replace("{values}", ", ".join(f":{name}" for name in COLUMNS))
        .replace("{value}", VALUE)
        .replace("{document}", DOCUMENT)
        .replace("{naming}", NAMING)
        .replace("{updates}", ", ".join(f"{name} = excluded.{name}" for name in COLUMNS))
    )
