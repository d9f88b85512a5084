"""Core blocks as documents: one for each label, one for each revision."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from memoranda.errors import InvalidBlock, StoreDamaged
from memoranda.records.block import BlockChange, BlockRevision, CoreMemoryBlock
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import JsonValue, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What is kept of one label.

    Attributes:
        label: the label.
        block: the block; None since it was removed.
        revisions: how many revisions there ever were.
        since: the revisions from this number on are kept, and the first one.
    """

    label: str
    block: CoreMemoryBlock | None = None
    revisions: int = 0
    since: int = 1

    def numbers(self) -> Iterator[int]:
        """Gives the numbers of the revisions that are kept, oldest first."""
        if self.since > 1 and self.revisions:
            yield 1
        yield from range(self.since, self.revisions + 1)


def block_key(session: str, label: str) -> DocumentKey:
    """Returns where a label's block stands."""
    return DocumentKey(kind=DocumentKind.BLOCK, session=session, name=label)


def revision_key(session: str, label: str, number: int) -> DocumentKey:
    """Returns where one of a label's revisions stands. No two share a key: the number has no slash."""
    return DocumentKey(kind=DocumentKind.BLOCK_REVISION, session=session, name=f"{number}/{label}")


def keys_of(session: str, label: str, revisions: Iterable[Document]) -> list[DocumentKey]:
    """Returns where everything of a label stands: its block, and those of the session's revisions that are its own."""
    return [block_key(session, label), *(one.key for one in revisions if one.key.name.partition("/")[2] == label)]


def held_document(session: str, held: Held, at: datetime) -> Document:
    """Returns a label's document."""
    body: dict[str, JsonValue] = {"block": None if held.block is None else _from_block(held.block)}
    if held.revisions:
        body |= {"revisions": held.revisions, "since": held.since}
    return Document(key=block_key(session, held.label), body=_dumped(body), at=at)


def held_of(document: Document) -> Held:
    """Reads a label's document.

    Raises:
        StoreDamaged: it is none.
    """
    try:
        body = json.loads(document.body)
        label, block = document.key.name, body.pop("block")
        return Held(label=label, block=None if block is None else _to_block(label, block), **body)
    except (ValueError, TypeError, LookupError, AttributeError, InvalidBlock) as error:
        raise _unreadable(document) from error


def revision_document(session: str, revision: BlockRevision) -> Document:
    """Returns a revision's document."""
    body: dict[str, JsonValue] = {
        "number": revision.number,
        "by": revision.by.value,
        "change": revision.change.value,
        "because": revision.because,
        "label": revision.block.label,
        "block": _from_block(revision.block),
    }
    key = revision_key(session, revision.block.label, revision.number)
    return Document(key=key, body=_dumped(body), at=revision.at)


def revision_of(document: Document) -> BlockRevision:
    """Reads a revision's document.

    Raises:
        StoreDamaged: it is none.
    """
    try:
        body = json.loads(document.body)
        return BlockRevision(
            number=body["number"],
            at=document.at,
            by=Origin(body["by"]),
            change=BlockChange(body["change"]),
            because=body["because"],
            block=_to_block(body["label"], body["block"]),
        )
    except (ValueError, TypeError, LookupError, InvalidBlock) as error:
        raise _unreadable(document) from error


def _unreadable(document: Document) -> StoreDamaged:
    return StoreDamaged(
        f"the {document.key.kind.value} {document.key.name!r} cannot be read: its text is not what memoranda writes; "
        "`erase_block` removes it"
    )


def _from_block(block: CoreMemoryBlock) -> dict[str, JsonValue]:
    """Returns what a block says besides its label. Fields that have their default are left out."""
    found: dict[str, JsonValue] = {"value": block.value}
    if block.limit is not None:
        found["limit"] = block.limit
    if block.description:
        found["description"] = block.description
    if block.read_only:
        found["read_only"] = True
    if block.writable_by is not Origin.HOST:
        found["writable_by"] = block.writable_by.value
    return found


def _to_block(label: str, found: dict[str, str]) -> CoreMemoryBlock:
    return CoreMemoryBlock(label, **found)  # type: ignore[arg-type]  # JSON that `_from_block` wrote


def _dumped(body: dict[str, JsonValue]) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))
