"""The group of commands `core`: the core blocks of a scope or a session."""

from __future__ import annotations

import click

from memoranda.cli import core_changing, core_reading
from memoranda.cli.command import VerbGroup, shared_options


@click.group(
    "core",
    cls=VerbGroup,
    no_args_is_help=True,
    examples=("core list --scope acme/alice", 'core put persona "You are terse." --limit 200'),
)
@shared_options
def core_command() -> None:
    """Keeps the core blocks: labelled texts of limited length that are always in a model's context."""


for _command in (
    core_reading.list_command,
    core_reading.show_command,
    core_reading.revisions_command,
    core_reading.render_command,
    core_changing.put_command,
    core_changing.append_command,
    core_changing.replace_command,
    core_changing.remove_command,
    core_changing.erase_command,
):
    core_command.add_command(_command)
