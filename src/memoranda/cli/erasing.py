"""Commands that take away for good: erase, finish-erasures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from memoranda.cli import failures, render
from memoranda.cli.asking import ask
from memoranda.cli.command import verb
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.records.erasure import ErasureReceipt
    from memoranda.runtime.sync import Scope

_IDS_SHOWN = 20


@verb(
    "erase 0b8f6c1e-...",
    "erase --source notes.md --yes --json",
    "erase --all-of-scope --scope acme/alice --confirm acme/alice",
)
@click.argument("id", required=False)
@click.option("--source", metavar="TEXT", help="Every entry of this source: notes.md takes notes.md#L7 with it.")
@click.option("--all-of-scope", "everything", is_flag=True, help="All that the scope holds; those below it stay.")
@click.option("--confirm", metavar="PATH", help="With --all-of-scope: the path of the scope once more.")
@click.option("--reopen", is_flag=True, help="With ID: what the entry replaced last is live again.")
@click.option("--yes", is_flag=True, help="Do not ask before.")
@click.pass_context
def erase_command(
    ctx: click.Context,
    state: State,
    id: str | None,
    source: str | None,
    everything: bool,
    confirm: str | None,
    reopen: bool,
    yes: bool,
) -> None:
    """Erases for good, proves that it is gone, and shows the receipt.

    With an entry go its revisions, its vectors and what was derived from it. It asks before, since nothing brings it
    back; `retract` keeps the text. It ends with 5 while something stands in the way of the proof.
    """
    _check_target(id, source, everything, confirm, reopen)
    with state.scope() as scope:
        if id is not None:
            ask(_question(scope, id), yes)
            receipt = scope.erase(id, reopen=reopen)
        elif source is not None:
            ask(f"Erase every entry of the source {source!r} in scope {scope.path} for good?", yes)
            receipt = scope.erase_where(source=source)
        else:
            if confirm == scope.path:
                ask(f"Erase all {scope.count()} live entries of scope {scope.path} and its history for good?", yes)
            receipt = scope.erase_scope(confirm=confirm)
    _show(state, receipt)
    if receipt.verified != "yes":
        ctx.exit(failures.PENDING)


@verb("finish-erasures --store agent.db")
@click.pass_context
def finish_erasures_command(ctx: click.Context, state: State) -> None:
    """Proves the erasures of the store whose receipts said `pending`.

    The next erasure and the next opening do the same. It ends with 5 while something still stands in the way.
    """
    from memoranda.service.views import proof_view

    with state.memory() as memory:
        proof = memory.finish_erasures()
    if state.json:
        render.show_json(proof_view(proof))
    else:
        render.show_lines(f"{'done' if proof.proved else 'pending'}: {proof.because}")
    if not proof.proved:
        ctx.exit(failures.PENDING)


def _check_target(id: str | None, source: str | None, everything: bool, confirm: str | None, reopen: bool) -> None:
    if (id is not None) + (source is not None) + everything != 1:
        raise click.UsageError("give an ID, or --source, or --all-of-scope")
    if everything and confirm is None:
        raise click.UsageError("--all-of-scope needs --confirm PATH with the path of the scope")
    if confirm is not None and not everything:
        raise click.UsageError("--confirm belongs to --all-of-scope")
    if reopen and id is None:
        raise click.UsageError("--reopen needs an ID")


def _question(scope: Scope, id: str) -> str:
    """Asks about an entry by its text. One that was removed may still have revisions, and no text to show."""
    entry = scope.get(id)
    named = id if entry is None else f"“{render.excerpt(entry.memory)}” ({id})"
    return f"Erase {named} for good?"


def _show(state: State, receipt: ErasureReceipt) -> None:
    if state.json:
        render.show_json(receipt.to_json())
        return
    counts = receipt.counts
    render.show_lines(
        f"erased: {counts.entries} entries, {counts.revisions} revisions, {counts.vectors} vectors, "
        f"{counts.idempotency_keys} idempotency keys",
        f"  verified  {receipt.verified}: {receipt.because}",
        *(f"  id        {id}" for id in receipt.ids[:_IDS_SHOWN]),
    )
    if len(receipt.ids) > _IDS_SHOWN:
        render.note(f"  ... and {len(receipt.ids) - _IDS_SHOWN} more; --json lists them all")
    if receipt.verified != "yes":
        render.note("`memoranda finish-erasures` finishes the proof")
