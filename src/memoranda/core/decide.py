"""Deciding changes of core blocks: from a snapshot to a plan. Pure.

Every change of every block goes through `Draft.edit`, so none escapes its checks (case W02).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from memoranda.core.codec import Held, block_key, held_document, held_of, revision_document, revision_key
from memoranda.core.limits import CoreLimits
from memoranda.errors import CapacityReached, InvalidBlock, NotPermitted
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.block import BlockChange, BlockRevision, CoreMemoryBlock, check_block, check_label, check_text
from memoranda.records.document import Document, DocumentKey, DocumentKind
from memoranda.records.entry import Origin
from memoranda.text.redact import redact

T = TypeVar("T")

Make = Callable[[CoreMemoryBlock | None], CoreMemoryBlock | None]
"""What a block becomes: given the block as it is, None where there is none, returns the new one, None to remove it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change of one block.

    Attributes:
        change: what happens.
        by: who asks for it.
        because: why, in words.
    """

    change: BlockChange
    by: Origin
    because: str


class Draft:
    """One core memory within one write: what is there, and what is to change.

    Args:
        snapshot: the scope as it stands.
        session: the path of the session; empty for the scope's own blocks.
        limits: the bounds.
        now: the time of the write.
    """

    def __init__(self, snapshot: Snapshot, session: str, limits: CoreLimits, now: datetime) -> None:
        self._session, self._limits, self._now = session, limits, now
        found = map(held_of, snapshot.documents(DocumentKind.BLOCK, session))
        self._held = {held.label: held for held in found}
        self._before = self._blocks()
        self._documents: dict[DocumentKey, Document] = {}
        self._dropped: dict[DocumentKey, None] = {}

    def edit(self, label: str, step: Step, make: Make) -> bool:
        """Changes one block, after every check; returns whether it is another one now.

        Raises:
            InvalidBlock: a label or a block that cannot be.
            BlockOverLimit: the value would be longer than the limit.
            NotPermitted: `step.by` may not do this.
        """
        check_label(label)
        held = self._held.get(label, Held(label=label))
        before = held.block
        _permit(label, before, step)
        after = make(before)
        if after == before:
            return False
        if after is not None:
            _permit_rules(before, after, step)
            after = self._masked(after)
            check_block(after)
            if after == before:
                return False
        self._put(self._kept(held, step), after)
        return True

    def plan(self, result: T) -> Plan[T]:
        """Returns everything that changes.

        Raises:
            CapacityReached: there would be too many blocks, or too many characters in them.
        """
        self._check_room()
        self._forget_removed()
        return Plan(result=result, documents=tuple(self._documents.values()), dropped=tuple(self._dropped))

    def _blocks(self) -> list[CoreMemoryBlock]:
        return [held.block for held in self._held.values() if held.block is not None]

    def _masked(self, block: CoreMemoryBlock) -> CoreMemoryBlock:
        """Masks secrets in the texts of a block. One in its label is refused, since masking would make two labels one.

        Raises:
            InvalidBlock: the label holds a secret.
        """
        if not self._limits.redact:
            return block
        check_text(block.value, "value")
        check_text(block.description, "description")
        secret = redact(block.label).kinds
        if secret:
            raise InvalidBlock(f"the label of a core block holds a secret ({secret[0]}); name the block otherwise")
        return replace(block, value=redact(block.value).text, description=redact(block.description).text)

    def _kept(self, held: Held, step: Step) -> Held:
        """Keeps what a block was as a revision, and lets go of the one that is too many."""
        if held.block is None:
            return held
        number = held.revisions + 1
        revision = BlockRevision(
            number=number, at=self._now, by=step.by, change=step.change, because=step.because, block=held.block
        )
        most = self._limits.max_revisions
        since = held.since if number <= most else max(held.since, number - most + 2)
        self._drop_revisions(held.label, range(max(held.since, 2), since))
        self._write(revision_document(self._session, revision))
        return replace(held, revisions=number, since=since)

    def _put(self, held: Held, block: CoreMemoryBlock | None) -> None:
        label = held.label
        if (held.block is None) != (block is None):  # put or removed: it goes to the end of those of its sort
            self._held.pop(label, None)
            self._dropped[block_key(self._session, label)] = None
        self._held[label] = replace(held, block=block)
        self._write(held_document(self._session, self._held[label], self._now))

    def _forget_removed(self) -> None:
        """Lets go of the labels that were removed first, with their revisions, where there are too many."""
        removed = [held for held in self._held.values() if held.block is None]
        for held in removed[: max(0, len(removed) - self._limits.max_blocks)]:
            del self._held[held.label]
            self._drop(block_key(self._session, held.label))
            self._drop_revisions(held.label, held.numbers())

    def _write(self, document: Document) -> None:
        self._documents.pop(document.key, None)
        self._documents[document.key] = document

    def _drop(self, key: DocumentKey) -> None:
        self._documents.pop(key, None)
        self._dropped[key] = None

    def _drop_revisions(self, label: str, numbers: Iterable[int]) -> None:
        for number in numbers:
            self._drop(revision_key(self._session, label, number))

    def _check_room(self) -> None:
        blocks = self._blocks()
        most = self._limits.max_blocks
        if len(blocks) > max(most, len(self._before)):
            raise CapacityReached(
                f"there would be {len(blocks)} core blocks, and there may be {most}; nothing was changed: remove one "
                "first, or append to one that is there",
                most,
            )
        size, most = _size(blocks), self._limits.max_characters
        if size > max(most, _size(self._before)):
            raise CapacityReached(
                f"the core blocks would have {size} characters together, and may have {most}; nothing was changed: "
                "shorten or remove a block first, or remember it as an entry",
                most,
            )


def _size(blocks: Iterable[CoreMemoryBlock]) -> int:
    return sum(len(block.value) for block in blocks)


def _permit(label: str, before: CoreMemoryBlock | None, step: Step) -> None:
    """Refuses who may not change a block (design D10).

    Raises:
        NotPermitted: the block is made by the host alone, or read only, or writable by those trusted more.
    """
    if before is None:
        if step.by is not Origin.HOST and step.change in (BlockChange.PUT, BlockChange.APPEND):
            raise NotPermitted(
                f"there is no core block {label!r}, and only the host makes one, not {step.by.value!r}; the host can "
                f"put it with `writable_by={step.by.value!r}`"
            )
    elif before.read_only:
        if step.by is not Origin.HOST or step.change is not BlockChange.PUT:
            raise NotPermitted(
                f"the core block {label!r} is read only; the host can put it anew, with `read_only=False` to open it"
            )
    elif step.by.trust < before.writable_by.trust:
        raise NotPermitted(
            f"the core block {label!r} may be written by {before.writable_by.value!r} and who is trusted as much, not "
            f"by {step.by.value!r}; the host can put it with `writable_by={step.by.value!r}`"
        )


def _permit_rules(before: CoreMemoryBlock | None, after: CoreMemoryBlock, step: Step) -> None:
    """Refuses a change of what the host has laid down for a block, by anybody else.

    Raises:
        NotPermitted: more than the value would change.
    """
    if before is not None and step.by is not Origin.HOST and replace(after, value=before.value) != before:
        raise NotPermitted(
            f"only the host changes the limit, the description or the rights of the core block {after.label!r}; "
            f"{step.by.value!r} may change its value"
        )
