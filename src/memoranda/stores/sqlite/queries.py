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
        .replace("{updates}", ", ".join(f"{name} = excluded.{name}" for name in COLUMNS))
    )
