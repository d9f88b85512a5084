"""Commands that read core blocks: core list, show, revisions, render."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.in_session import opened_core, session_options
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.errors import BlockNotFound
    from memoranda.records.block import CoreMemoryBlock
    from memoranda.runtime.core import Core

_in_scope_or_session = session_options(required=False)


@verb("core list --scope acme/alice", "core list --session s-1 --json")
@_in_scope_or_session
def list_command(state: State, **where: Any) -> None:
    """Lists the blocks in the order in which they were put, each with its characters and its limit."""
    with opened_core(state, **where) as core:
        blocks = core.blocks()
    if state.json:
        from memoranda.service.core_views import blocks_view

        render.show_json(blocks_view(blocks))
        return
    if not blocks:
        render.note("no core blocks; `core put` makes one")
        return
    render.show_records(
        ("label", "characters", "value", "writable by"),
        [(block.label, size_of(block), _value_cell(block), _writers(block)) for block in blocks],
        wide="value",
    )


@verb("core show persona", "core show persona --session s-1 --json")
@click.argument("label")
@_in_scope_or_session
def show_command(state: State, label: str, **where: Any) -> None:
    """Shows the whole block LABEL."""
    with opened_core(state, **where) as core:
        block = _found(core, label)
    if state.json:
        from memoranda.service.core_views import block_view

        render.show_json(block_view(block))
        return
    render.show_fields(
        {
            "label": block.label,
            "value": block.value,
            "characters": size_of(block),
            "description": block.description,
            "writable by": _writers(block),
        }
    )


@verb("core revisions human", "core revisions human --json")
@click.argument("label")
@_in_scope_or_session
def revisions_command(state: State, label: str, **where: Any) -> None:
    """Shows what the block LABEL was before each change, oldest first, and who made it.

    Those of a block that was removed are shown too.
    """
    with opened_core(state, **where) as core:
        revisions = core.revisions(label)
        if not revisions and core.get_block(label) is None:
            raise missing(core, label)
    if state.json:
        from memoranda.service.core_views import block_revision_view

        render.show_json({"revisions": [block_revision_view(one) for one in revisions]})
        return
    if not revisions:
        render.note("it was never changed")
        return
    render.show_records(
        ("number", "change", "by", "value", "time", "because"),
        [
            (
                str(one.number),
                one.change.value,
                one.by.value,
                render.excerpt(one.block.value),
                render.local_time(one.at),
                one.because,
            )
            for one in revisions
        ],
        wide="value",
    )


@verb("core render --scope acme/alice", "core render --session s-1")
@_in_scope_or_session
def render_command(state: State, **where: Any) -> None:
    """Shows the blocks as the text that a model is given: each under a heading with its label."""
    with opened_core(state, **where) as core:
        text = core.render()
    if state.json:
        render.show_json({"text": text})
        return
    if not text:
        render.note("no core blocks, so no text")
        return
    render.show_text(text)


def _found(core: Core, label: str) -> CoreMemoryBlock:
    """Returns a block that must be there.

    Raises:
        BlockNotFound: it is not.
    """
    block = core.get_block(label)
    if block is None:
        raise missing(core, label)
    return block


def missing(core: Core, label: str) -> BlockNotFound:
    """Returns the error that there is no such block, with the labels that there are."""
    from memoranda.errors import BlockNotFound

    return BlockNotFound(label, [block.label for block in core.blocks()])


def size_of(block: CoreMemoryBlock) -> str:
    """Returns how many characters a block has of how many."""
    return f"{len(block.value)}, no limit" if block.limit is None else f"{len(block.value)}/{block.limit}"


def _value_cell(block: CoreMemoryBlock) -> str:
    about = f"\n({render.excerpt(block.description)})" if block.description else ""
    return f"{render.excerpt(block.value)}{about}"


def _writers(block: CoreMemoryBlock) -> str:
    return "put by the host only" if block.read_only else block.writable_by.value
