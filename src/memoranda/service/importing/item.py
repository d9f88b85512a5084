"""What a parser gives: a record to import, or the place of one that it had to leave out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol, cast

from memoranda.errors import InvalidEntry
from memoranda.records.check import check_entry
from memoranda.records.entry import Category, JsonValue, MemoryEntry

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_TRIAL_ID = "00000000-0000-4000-8000-000000000000"


@dataclass(frozen=True, slots=True)
class ImportItem:
    """One record of an imported file, ready to be remembered.

    Its fields mean what they mean in `MemoryEntry`. The origin is not among them: what comes from a file is of
    origin `import`, whatever the file says about itself (design D10).

    Attributes:
        memory: the text; never blank.
        category: `episode` for a message, which is the default; `fact` for notes.
        speaker: who spoke the words, for a message.
        session: the conversation that it comes from.
        position: its place in that conversation, counted from 0.
        occurred_at: when it happened, in UTC; None when the file does not say.
        source: the file's name and the place in it, the same at every import of the same file.
        tags: short labels.
        key: the slot that it fills.
        metadata: further facts, as JSON values.
    """

    memory: str
    category: str = field(default="episode", kw_only=True)
    speaker: str | None = field(default=None, kw_only=True)
    session: str | None = field(default=None, kw_only=True)
    position: int | None = field(default=None, kw_only=True)
    occurred_at: datetime | None = field(default=None, kw_only=True)
    source: str | None = field(default=None, kw_only=True)
    tags: tuple[str, ...] = field(default=(), kw_only=True)
    key: str | None = field(default=None, kw_only=True)
    metadata: Mapping[str, JsonValue] | None = field(default=None, kw_only=True, hash=False)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A part of the file that is not imported; everything else is.

    Attributes:
        where: the place, such as `line 12` or `conversation c-1, message m-7`.
        reason: why, and what would make it importable.
    """

    where: str
    reason: str


class Parser(Protocol):
    """Reads the text of one file. It never raises: what it cannot read becomes a `Skipped`."""

    def __call__(self, data: str, /, *, name: str) -> Iterator[ImportItem | Skipped]:
        """Yields the records of `data` in their order; `name` is the file's name, for `source`."""


def checked(item: ImportItem, where: str) -> ImportItem | Skipped:
    """Returns the item, or a `Skipped` when a store would refuse it as it is."""
    try:
        check_entry(
            MemoryEntry(
                cast("Category", item.category),  # the entry itself refuses one that it does not know
                item.memory,
                id=_TRIAL_ID,
                created_at=_EPOCH,
                tags=item.tags,
                source=item.source,
                speaker=item.speaker,
                session=item.session,
                position=item.position,
                key=item.key,
                occurred_at=item.occurred_at,
                metadata=item.metadata or {},
            )
        )
    except InvalidEntry as error:
        return Skipped(where, str(error))
    return item


def file_name(name: str) -> str:
    """Returns `name` as text that can be stored: bytes of a path that are not Unicode become `?`."""
    return name.encode(errors="replace").decode()


def text_field(record: Mapping[str, object], name: str) -> str | None:
    """Returns a field that holds text, as text that can be stored; else None."""
    value = record.get(name)
    return file_name(value) if isinstance(value, str) and value.strip() else None


def without_mark(data: str) -> str:
    """Returns the text without a byte order mark at its start."""
    return data.removeprefix("\ufeff")
