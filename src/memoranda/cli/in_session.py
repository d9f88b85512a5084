"""Which session a command is about, and its core blocks or its graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memoranda.cli import failures, render
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.records.erasure import ErasureReceipt
    from memoranda.runtime.core import Core
    from memoranda.runtime.graphs import SessionGraph

F = TypeVar("F", bound=Callable[..., Any])


class NotInGraph(click.ClickException):
    """No node or relationship of that id in the graph of the session."""

    exit_code = failures.NOT_FOUND

    def __init__(self, what: str, id: str) -> None:
        super().__init__(f"the graph of this session has no {what} {id!r}; `graph show` shows those that it has")


def session_options(*, required: bool) -> Callable[[F], F]:
    """Adds the options that name a session: `session`, `agent` and `slot`."""
    of_whom = "Whose graph: the id of the conversation." if required else "The blocks of this session, not the scope's."

    def decorate(function: F) -> F:
        for option in (
            click.option("--slot", metavar="NAME", help="Which of several conversations of agent and session."),
            click.option("--agent", metavar="NAME", help="Which agent holds the conversation; none by default."),
            click.option("--session", required=required, metavar="ID", help=of_whom),
        ):
            function = option(function)
        return function

    return decorate


@contextmanager
def opened_core(
    state: State, *, session: str | None = None, agent: str | None = None, slot: str | None = None
) -> Iterator[Core]:
    """Opens the store, gives the core blocks of the scope, or of a session of it, and closes the store in the end."""
    if session is None and (agent is not None or slot is not None):
        raise click.UsageError("--agent and --slot belong to --session")
    with state.scope() as scope:
        yield scope.core if session is None else scope.session(session, agent=agent or "", slot=slot or "").core


@contextmanager
def opened_graph(
    state: State, *, session: str, agent: str | None = None, slot: str | None = None
) -> Iterator[SessionGraph]:
    """Opens the store, gives the working graph of a session, and closes the store in the end."""
    with state.scope() as scope:
        yield scope.session(session, agent=agent or "", slot=slot or "").graph


def show_erased(state: State, what: str, receipt: ErasureReceipt) -> None:
    """Shows the receipt of an erasure of documents.

    Args:
        state: how to show it.
        what: what was erased, as it stands behind a number.
        receipt: the receipt.
    """
    if state.json:
        render.show_json(receipt.to_json())
        return
    render.show_lines(
        f"erased: {receipt.counts.documents} {what}",
        f"  verified  {receipt.verified}: {receipt.because}",
    )
    if receipt.verified != "yes":
        render.note("`memoranda finish-erasures` finishes the proof")
