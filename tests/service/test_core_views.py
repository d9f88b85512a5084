"""Core blocks as JSON objects."""

from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime

from memoranda import BlockChange, BlockRevision, CoreMemoryBlock, Origin
from memoranda.service.core_views import block_revision_view, block_view, blocks_view


def test_a_block_has_all_its_fields_and_its_size() -> None:
    block = CoreMemoryBlock("human", "Ana 🌍", limit=9, description="who", writable_by=Origin.MODEL)
    view = block_view(block)
    assert set(view) == {field.name for field in fields(CoreMemoryBlock)} | {"characters"}
    assert (view["characters"], view["limit"], view["writable_by"]) == (5, 9, "model")
    assert blocks_view([block, CoreMemoryBlock("b", "xy")])["characters"] == 7


def test_a_revision_has_the_block_as_it_was() -> None:
    revision = BlockRevision(
        number=1,
        at=datetime(2026, 3, 4, tzinfo=UTC),
        by=Origin.USER,
        change=BlockChange.APPEND,
        because="asked",
        block=CoreMemoryBlock("human", "Ana"),
    )
    assert block_revision_view(revision) == {
        "number": 1,
        "at": "2026-03-04T00:00:00Z",
        "by": "user",
        "change": "append",
        "because": "asked",
        "block": block_view(revision.block),
    }
