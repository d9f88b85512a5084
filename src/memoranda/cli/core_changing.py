"""Commands that change core blocks: core put, append, replace, remove, erase."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from memoranda.cli import failures, render
from memoranda.cli.asking import ask
from memoranda.cli.command import verb
from memoranda.cli.core_reading import missing, size_of
from memoranda.cli.in_session import F, opened_core, session_options, show_erased
from memoranda.cli.options import ORIGINS, text_of
from memoranda.cli.state import State
from memoranda.records.entry import Origin

if TYPE_CHECKING:
    from memoranda.records.block import CoreMemoryBlock

_WHO = ", ".join(Origin)
_in_scope_or_session = session_options(required=False)


def _change_options(function: F) -> F:
    function = click.option("--because", metavar="TEXT", default="", help="The reason, kept with the revision.")(
        function
    )
    return click.option(
        "--by", type=ORIGINS, metavar="WHO", default="host", show_default=True, help=f"Who asks for it: {_WHO}."
    )(function)


@verb(
    'core put persona "You are terse." --limit 200 --read-only',
    'core put human "Ana, speaks German" --writable-by model --description "What we know of the user"',
    "core put plan - --session s-1 < plan.txt",
)
@click.argument("label")
@click.argument("value")
@click.option("--limit", type=click.IntRange(0), metavar="N", help="Most characters; without it there is no limit.")
@click.option("--description", metavar="TEXT", help="What it is for; it is not shown to a model.")
@click.option("--read-only/--not-read-only", default=None, help="Whether only `put` by the host may change it.")
@click.option(
    "--writable-by",
    type=ORIGINS,
    metavar="WHO",
    help=f"Who may change its value, as may who is trusted more: {_WHO}; host at first.",
)
@_in_scope_or_session
@_change_options
def put_command(
    state: State,
    label: str,
    value: str,
    limit: int | None,
    description: str | None,
    read_only: bool | None,
    writable_by: str | None,
    by: str,
    because: str,
    **where: Any,
) -> None:
    """Makes the block LABEL with the text VALUE (`-` for stdin), or overwrites it.

    A value that is longer than the limit is refused. Overwritten, the block keeps its place, and its description and
    writers where they are not given, but no limit unless it is given again. Secrets are masked.
    """
    text = text_of(value)
    with opened_core(state, **where) as core:
        core.put_block(
            label,
            text,
            limit=limit,
            description=description,
            read_only=read_only,
            writable_by=writable_by,
            by=by,
            because=because,
        )
        block = core.get_block(label)
    _show_change(state, "put", label, block, text)


@verb('core append human ", likes short answers" --by user', "core append notes - < more.txt")
@click.argument("label")
@click.argument("text")
@_in_scope_or_session
@_change_options
def append_command(state: State, label: str, text: str, by: str, because: str, **where: Any) -> None:
    """Appends TEXT (`-` for stdin) to the block LABEL, with nothing in between.

    An unknown LABEL becomes a block without a limit.
    """
    given = text_of(text)
    with opened_core(state, **where) as core:
        core.append_block(label, given, by=by, because=because)
        block = core.get_block(label)
    _show_change(state, "append", label, block, given)


@verb('core replace human "German" "German and French" --because "she said so"', 'core replace human ", retired" ""')
@click.argument("label")
@click.argument("old")
@click.argument("new")
@_in_scope_or_session
@_change_options
def replace_command(state: State, label: str, old: str, new: str, by: str, because: str, **where: Any) -> None:
    """Replaces the one place where OLD stands in the block LABEL by NEW.

    With an empty NEW it is taken out. OLD must stand there exactly once.
    """
    with opened_core(state, **where) as core:
        core.replace_in_block(label, old, new, by=by, because=because)
        block = core.get_block(label)
    _show_change(state, "replace", label, block, new)


@verb("core remove plan --session s-1")
@click.argument("label")
@_in_scope_or_session
@_change_options
def remove_command(state: State, label: str, by: str, because: str, **where: Any) -> None:
    """Removes the block LABEL. Its revisions stay; `core erase` takes them too."""
    with opened_core(state, **where) as core:
        if not core.remove_block(label, by=by, because=because):
            raise missing(core, label)
    _show_change(state, "remove", label, None, "")


@verb("core erase human", "core erase human --yes --json")
@click.argument("label")
@click.option("--yes", is_flag=True, help="Do not ask before.")
@_in_scope_or_session
@click.pass_context
def erase_command(ctx: click.Context, /, state: State, label: str, yes: bool, **where: Any) -> None:
    """Erases the block LABEL and its revisions for good, and shows the receipt.

    It asks before, since nothing brings it back. It ends with 5 while something stands in the way of the proof.
    """
    with opened_core(state, **where) as core:
        ask(f"Erase the core block {label!r} and its {len(core.revisions(label))} revisions for good?", yes)
        receipt = core.erase_block(label)
    show_erased(state, f"texts of the core block {label}, now and before its changes", receipt)
    if receipt.verified != "yes":
        ctx.exit(failures.PENDING)


def _show_change(state: State, change: str, label: str, block: CoreMemoryBlock | None, given: str) -> None:
    """Shows what a change made of a block. Text that does not stand in it as it was given was masked."""
    masked = block is not None and given not in block.value
    if state.json:
        from memoranda.service.core_views import block_view

        view = None if block is None else block_view(block)
        render.show_json({"change": change, "label": label, "block": view, "masked": masked})
        return
    render.show_lines(f"{change}: {label}" if block is None else f"{change}: {label}, characters {size_of(block)}")
    if masked:
        render.show_lines("  masked  secrets in the text, before it was stored")
