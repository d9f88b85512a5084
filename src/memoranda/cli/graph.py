"""The group of commands `graph`: the working graph of a session."""

from __future__ import annotations

import click

from memoranda.cli import graph_changing, graph_reading
from memoranda.cli.command import VerbGroup, shared_options


@click.group(
    "graph",
    cls=VerbGroup,
    no_args_is_help=True,
    examples=("graph show --session s-1", "graph import plan.json --session s-1"),
)
@shared_options
def graph_command() -> None:
    """Shows and changes the working graph of a session: the nodes and relationships of the task at hand."""


for _command in (
    graph_reading.show_command,
    graph_reading.neighbors_command,
    graph_reading.stats_command,
    graph_reading.render_command,
    graph_reading.export_command,
    graph_changing.import_command,
    graph_changing.add_node_command,
    graph_changing.add_relationship_command,
    graph_changing.remove_node_command,
    graph_changing.remove_relationship_command,
    graph_changing.clear_command,
    graph_changing.erase_command,
):
    graph_command.add_command(_command)
