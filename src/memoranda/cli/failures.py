"""From an error to an exit code and one line that says what to do."""

from __future__ import annotations

import errno
import json
import os
import sys

import click

OK = 0
FAILED = 1
USAGE = 2
NOT_FOUND = 3
STORE = 4
PENDING = 5
INTERRUPTED = 130
CLOSED_PIPE = 141

EXIT_CODES = (
    (OK, "done"),
    (FAILED, "the request failed, or a check did not pass"),
    (USAGE, "wrong usage: an option, a value or a setting that cannot be used"),
    (NOT_FOUND, "the scope has no such entry, block, node or relationship"),
    (STORE, "the store cannot be used"),
    (PENDING, "erased, but not proved yet: something still reads what was; see `finish-erasures`"),
    (INTERRUPTED, "interrupted with Ctrl-C"),
    (CLOSED_PIPE, "the reader of the output went away, as in `| head`"),
)
"""Exit codes and what they mean."""


def exit_code_of(error: Exception) -> int:
    """Returns the exit code that stands for an error."""
    from memoranda.errors import BlockNotFound, EntryNotFound, HandleNotFound, StoreError

    if isinstance(error, click.ClickException):
        return error.exit_code
    if isinstance(error, EntryNotFound | BlockNotFound | HandleNotFound):
        return NOT_FOUND
    return STORE if isinstance(error, StoreError) else FAILED


def show_error(error: Exception, *, as_json: bool) -> None:
    """Writes an error to stderr: one line `error: ...`, or one JSON document."""
    message = _message(error)
    if as_json:
        found = {"error": {"type": _type(error), "message": message}}
        click.echo(json.dumps(found), err=True)
        return
    from memoranda.text.clean import printable

    click.echo(f"error: {printable(message, keep_newlines=False)}", err=True)


def is_closed_pipe(error: OSError) -> bool:
    """Tells whether the reader of our output has gone away."""
    return isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE


def silence_output() -> None:
    """Sends what is still to be written to nowhere, so that the interpreter does not fail on it when it ends."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _type(error: Exception) -> str:
    return "UsageError" if isinstance(error, click.UsageError) else type(error).__name__


def _message(error: Exception) -> str:
    if isinstance(error, click.ClickException):
        message = error.format_message().rstrip(".")
        context = error.ctx if isinstance(error, click.UsageError) else None
        return message if context is None else f"{message}; `{context.command_path} --help` shows how it is used"
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        return f"{reason}: {error.filename}" if error.filename else reason
    return str(error)
