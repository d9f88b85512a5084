"""Commands about the command line itself: settings, completion."""

from __future__ import annotations

import click

from memoranda.cli import render
from memoranda.cli.command import verb
from memoranda.cli.state import State
from memoranda.records.entry import JsonValue

_AFTER_PLACES = 2
"""Store and scope come first."""


@verb("settings", "settings --set durability=relaxed --json")
def settings_command(state: State) -> None:
    """Shows store, scope, embedder and settings, and where each comes from.

    A flag wins over the environment, that over the configuration file, that over the default. The last line says what
    recall works with, and why.
    """
    chosen, embedding = state.configuration().chosen, state.embedding()
    rows = [(one.name, one.value, one.source) for one in chosen]
    rows.insert(_AFTER_PLACES, ("embedder", embedding.chosen, embedding.source))
    if state.json:
        values: list[JsonValue] = [
            {"name": name, "value": value, "source": render.plain_name(source)} for name, value, source in rows
        ]
        file, used = state.file(), embedding.used
        render.show_json(
            {
                "file": None if file is None else render.plain_name(str(file)),
                "values": values,
                "embedder": {
                    "used": None if used is None else used.key,
                    "because": render.plain_name(embedding.because),
                },
            }
        )
        return
    render.show_records(
        ("name", "value", "source"), [(name, render.plain_value(value), at) for name, value, at in rows]
    )
    render.show_lines("", embedding.because)


@verb("completion bash >> ~/.bashrc", "completion fish > ~/.config/fish/completions/memoranda.fish")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion_command(ctx: click.Context, state: State, shell: str) -> None:
    """Writes the completion script for SHELL."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    script = found(ctx.find_root().command, {}, "memoranda", "_MEMORANDA_COMPLETE").source()
    if state.json:
        render.show_json({"shell": shell, "script": script})
        return
    click.echo(script)
