"""What a block becomes by each edit. Pure; `decide.Draft.edit` asks who may, checks what comes out, and keeps it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memoranda.core.decide import Make
from memoranda.errors import BlockNotFound, InvalidBlock
from memoranda.records.block import CoreMemoryBlock, check_text, origin_of
from memoranda.records.entry import Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A block that is put part by part.

    Attributes:
        value: its text.
        limit: most characters of it; None for no limit. From anybody but the host None leaves the limit as it is.
        description, read_only, writable_by: as in `CoreMemoryBlock`; None leaves them as they are.
    """

    value: str
    limit: int | None = None
    description: str | None = None
    read_only: bool | None = None
    writable_by: Origin | str | None = None

    def put(self, label: str, by: Origin) -> Make:
        """Puts the value under a label; the limit is overwritten with it (S2.2)."""
        given: dict[str, object] = {"value": self.value}
        if by is Origin.HOST or self.limit is not None:
            given["limit"] = self.limit
        if self.writable_by is not None:
            given["writable_by"] = origin_of(self.writable_by, "writable_by")
        for name in ("description", "read_only"):
            if getattr(self, name) is not None:
                given[name] = getattr(self, name)
        return lambda before: replace(before or CoreMemoryBlock(label), **given)  # type: ignore[arg-type]


def put(block: CoreMemoryBlock) -> Make:
    """Puts a block as it is, in the place of the one that is there."""
    return lambda before: block


def append(label: str, text: str) -> Make:
    """Appends to the value; an unknown label becomes a block without a limit (S2.4, S2.5, S2.7).

    Raises:
        InvalidBlock: the text is none.
    """
    check_text(text, "text")

    def make(before: CoreMemoryBlock | None) -> CoreMemoryBlock:
        return CoreMemoryBlock(label, text) if before is None else replace(before, value=before.value + text)

    return make


def replace_in(label: str, old: str, new: str) -> Make:
    """Replaces the one place where `old` stands in the value.

    Raises:
        InvalidBlock: `old` or `new` is no text, or `old` is empty; in use: `old` does not stand there exactly once.
        BlockNotFound: in use: there is no such block.
    """
    check_text(old, "old")
    check_text(new, "new")
    if not old:
        raise InvalidBlock("`old` is empty; give the text to replace, or use `append_block`")

    def make(before: CoreMemoryBlock | None) -> CoreMemoryBlock:
        if before is None:
            raise BlockNotFound(label)
        times = _occurrences(before.value, old)
        if times != 1:
            advice = "give more of the text around it" if times else "take it from the value as it is now"
            raise InvalidBlock(
                f"`old` stands {times} times in the core block {label!r}, and must stand there exactly once; nothing "
                f"was changed: {advice}"
            )
        return replace(before, value=before.value.replace(old, new))

    return make


def remove(before: CoreMemoryBlock | None) -> None:
    """Removes a block."""


def _occurrences(text: str, part: str) -> int:
    """Counts where a part stands, overlapping places included: `aa` stands twice in `aaa`."""
    count, place = 0, text.find(part)
    while place >= 0:
        count, place = count + 1, text.find(part, place + 1)
    return count
