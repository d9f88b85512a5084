"""Commands about the store as a whole: scopes, stats, check-store."""

from __future__ import annotations

from typing import cast

import click

from memoranda.cli import failures, render
from memoranda.cli.command import verb
from memoranda.cli.state import State
from memoranda.records.entry import JsonValue


@verb("scopes --prefix acme")
@click.option("--prefix", default="", metavar="PATH", help="Only this scope and those below it, by whole segments.")
@click.option("--limit", type=int, metavar="N", help="Most scopes; all by default.")
@click.option("--after", metavar="PATH", help="The last scope of the page before.")
def scopes_command(state: State, prefix: str, limit: int | None, after: str | None) -> None:
    """Lists the scopes that hold entries.

    This is for the owner of the store: it shows every user's.
    """
    with state.memory() as memory:
        paths = memory.scopes(prefix, limit=limit, after=after)
    if state.json:
        render.show_json({"scopes": cast("list[JsonValue]", paths)})
        return
    render.show_lines(*paths)


@verb("stats", "stats --store agent.db --json")
def stats_command(state: State) -> None:
    """Shows what the store holds, over all scopes."""
    from memoranda.service.views import stats_view

    with state.memory() as memory:
        view = stats_view(memory.stats())
    if state.json:
        render.show_json(view)
        return
    render.show_fields({name: str(value) for name, value in view.items()})


@verb("check-store agent.db", "check-store :memory: --json")
@click.argument("url")
@click.pass_context
def check_store_command(ctx: click.Context, state: State, url: str) -> None:
    """Checks that the store at URL keeps its contract.

    URL is a path, `:memory:`, or a URL of an installed package. The check works in scopes of its own with random names
    and removes what it wrote. It ends with 1 when a check fails.
    """
    from anyio import run

    from memoranda.testing import check_url

    report = run(check_url, url)
    if state.json:
        render.show_json(report.to_json())
    else:
        render.show_text(str(report))
    if not report.ok:
        ctx.exit(failures.FAILED)
