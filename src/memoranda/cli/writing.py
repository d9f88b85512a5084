"""Commands that write: remember, update, retract, restore."""

from __future__ import annotations

from typing import Any

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.options import change_options, entry_options, text_of
from memoranda.cli.state import State
from memoranda.records.entry import MemoryEntry
from memoranda.records.receipt import WriteReceipt


@verb(
    'remember "Deploys go to the blue cluster" --tag infra',
    'remember "The staging port is 9090" --key staging.port --scope acme/alice',
    "remember - --category episode < message.txt",
)
@click.argument("text")
@entry_options
def remember_command(state: State, text: str, **given: Any) -> None:
    """Remembers TEXT (`-` for stdin) and says what became of it.

    Secrets in it are masked. Times are ISO 8601 with an offset, such as 2026-03-04T10:00:00+01:00.
    """
    with state.scope_by_meaning() as scope:
        receipt = scope.remember(text_of(text), **given)
    show_receipt(state, receipt)


@verb('update 0b8f6c1e-... "The staging port is 9443"')
@click.argument("id")
@click.argument("text")
@change_options
def update_command(state: State, id: str, text: str, tags: tuple[str, ...], no_tags: bool, **given: Any) -> None:
    """Puts TEXT in the place of the live entry ID.

    TEXT is `-` for stdin. The old entry is kept as superseded. What is not given is taken over from the old entry.
    `restore` brings the old one back.
    """
    if tags and no_tags:
        raise click.UsageError("give either --tag or --no-tags")
    with state.scope_by_meaning() as scope:
        receipt = scope.update(id, text_of(text), tags=tags if tags or no_tags else None, **given)
    show_receipt(state, receipt)


@verb('retract 0b8f6c1e-... --because "it was a joke"', alias="forget")
@click.argument("id")
@click.option(
    "--because", metavar="TEXT", default="it was taken back", show_default=True, help="The reason, kept with it."
)
def retract_command(state: State, id: str, because: str) -> None:
    """Takes the live entry ID back; it is no longer shown.

    `restore` brings it back. Its row and its text are kept. This is no erasure.
    """
    with state.scope() as scope:
        receipt = scope.retract(id, because=because)
    show_receipt(state, receipt)


@verb("restore 0b8f6c1e-...")
@click.argument("id")
def restore_command(state: State, id: str) -> None:
    """Undoes the last change of the entry ID.

    A change is an update, a replacement under its key, or a retraction. ID is the id of the entry, or of the one that
    took its place.
    """
    with state.scope() as scope:
        receipt = scope.restore(id)
    show_receipt(state, receipt)


def show_receipt(state: State, receipt: WriteReceipt) -> None:
    """Shows what a write did."""
    if state.json:
        from memoranda.service.views import receipt_view

        render.show_json(receipt_view(receipt))
        return
    repeated = " (this request was carried out before; nothing was done again)" if receipt.repeated else ""
    render.show_lines(f"{receipt.outcome}: {receipt.because}{repeated}")
    entry, before = receipt.entry, receipt.previous
    if entry is not None:
        render.show_lines(*_described("now", entry, receipt.outcome), f"  id      {entry.id}")
    if before is not None and (entry is None or before.id != entry.id):
        label = "against" if receipt.outcome == "contested" else "before"
        render.show_lines(*_described(label, before, receipt.outcome), f"  id      {before.id}")
    elif before is not None and entry is not None and before.memory != entry.memory:
        render.show_lines(f"  before  {render.excerpt(before.memory)}")
    if receipt.redacted:
        render.show_lines(f"  masked  {', '.join(receipt.redacted)}")


def _described(label: str, entry: MemoryEntry, outcome: str) -> list[str]:
    """Returns lines about an entry: of contested ones with the time, of folded ones with how often it was said."""
    lines = [f"  {label:8}{render.excerpt(entry.memory)}"]
    if outcome == "contested":
        lines.append(f"  time    {render.happened(entry)}, said by {entry.origin}")
    elif outcome == "folded":
        lines.append(f"  seen    {entry.seen_count} times")
    return lines
