"""Core blocks as JSON objects, for programs; see `service.views`."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.records.block import BlockRevision, CoreMemoryBlock
from memoranda.records.entry import JsonValue

JsonObject = dict[str, JsonValue]


def block_view(block: CoreMemoryBlock) -> JsonObject:
    """Returns a block with all its fields, and how many characters its value has."""
    return {
        "label": block.label,
        "value": block.value,
        "characters": len(block.value),
        "limit": block.limit,
        "description": block.description,
        "read_only": block.read_only,
        "writable_by": block.writable_by.value,
    }


def blocks_view(blocks: Sequence[CoreMemoryBlock]) -> JsonObject:
    """Returns blocks in their order, and the characters of all values together."""
    return {
        "blocks": [block_view(block) for block in blocks],
        "characters": sum(len(block.value) for block in blocks),
    }


def block_revision_view(revision: BlockRevision) -> JsonObject:
    """Returns a revision with the whole block as it was."""
    return {
        "number": revision.number,
        "at": revision.at.isoformat().replace("+00:00", "Z"),
        "by": revision.by.value,
        "change": revision.change.value,
        "because": revision.because,
        "block": block_view(revision.block),
    }
