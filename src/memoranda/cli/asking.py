"""Asking a person before something that cannot be taken back."""

from __future__ import annotations

import click

from memoranda.text.clean import printable


class Declined(click.ClickException):
    """The person said no; nothing was changed."""


def ask(question: str, yes: bool) -> None:
    """Asks on stderr and returns when the answer is yes, or when `yes` says that none is needed.

    Raises:
        Declined: the answer is no.
        click.UsageError: nobody answers, as in a script without --yes.
        click.Abort: Ctrl-C.
    """
    if yes:
        return
    try:
        agreed = click.confirm(printable(question, keep_newlines=False), err=True)
    except click.Abort as error:
        if isinstance(error.__context__, EOFError):
            raise click.UsageError("nothing was done: nobody answers on stdin; with --yes nothing is asked") from error
        raise
    if not agreed:
        raise Declined("nothing was done: the answer was no")
