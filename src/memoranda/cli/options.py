"""Options that several commands take, and the values that they read."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from datetime import datetime
from functools import reduce
from typing import Any, TypeVar

import click

from memoranda.records.entry import Category, Origin

F = TypeVar("F", bound=Callable[..., Any])

CATEGORIES = click.Choice([category.value for category in Category])
ORIGINS = click.Choice([origin.value for origin in Origin])

_KINDS = ", ".join(Category)
_SAYERS = ", ".join(Origin)


class Moment(click.ParamType):  # type: ignore[type-arg]  # generic in newer releases of click only
    """A moment as in ISO 8601, with its offset from UTC: without one it could mean several moments."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Reads the moment; what is none is a usage error."""
        from memoranda.service.importing.times import read_time

        try:
            moment = read_time(value, "time")
        except ValueError as error:
            self.fail(str(error), param, ctx)
        assert moment is not None
        return moment


class JsonObject(click.ParamType):  # type: ignore[type-arg]  # the same
    """A JSON object."""

    name = "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """Reads the object; what is none is a usage error."""
        try:
            found = json.loads(value)
        except (ValueError, RecursionError) as error:
            self.fail(f"{value!r} is not JSON: {error}", param, ctx)
        if not isinstance(found, dict):
            self.fail(f'{value!r} is no JSON object; write it as \'{{"name": "value"}}\'', param, ctx)
        return found


def text_of(value: str) -> str:
    """Returns a text that was given as an argument, or what stands on stdin for `-`, less its last line break.

    Raises:
        click.UsageError: stdin is not UTF-8 text.
    """
    if value != "-":
        return value
    raw = sys.stdin.buffer.read()
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"stdin is not UTF-8 text: byte 0x{raw[error.start]:02x} at {error.start}") from error
    return text.removesuffix("\n").removesuffix("\r")


def _with(function: F, *options: Callable[[Any], Any]) -> F:
    decorated: F = reduce(lambda inner, option: option(inner), reversed(options), function)
    return decorated


def entry_options(function: F) -> F:
    """Adds what `remember` may say about an entry besides its text."""
    return _with(
        function,
        click.option(
            "--category",
            type=CATEGORIES,
            metavar="KIND",
            default="fact",
            show_default=True,
            help=f"Its kind: {_KINDS}.",
        ),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="A short label; may be given several times."),
        click.option("--key", metavar="KEY", help="The slot that it fills; a newer entry of the key takes its place."),
        click.option(
            "--origin", type=ORIGINS, metavar="WHO", default="user", show_default=True, help=f"Who said it: {_SAYERS}."
        ),
        click.option("--source", metavar="TEXT", help="Where it stands: a URI, a file and line, a message id."),
        click.option("--speaker", metavar="NAME", help="Who spoke the words."),
        click.option("--session", metavar="ID", help="The conversation that it comes from."),
        click.option("--position", type=click.IntRange(0), metavar="N", help="Its place in that conversation, from 0."),
        click.option("--occurred-at", type=Moment(), metavar="TIME", help="When it happened: 2026-03-04T10:00+01:00."),
        click.option("--expires-at", type=Moment(), metavar="TIME", help="From when it is no longer shown."),
        click.option("--confidence", type=click.FloatRange(0, 1), metavar="SHARE", help="How sure, 0 to 1; else 0.7."),
        click.option("--validated", is_flag=True, help="It was confirmed by a person."),
        click.option("--idempotency-key", metavar="KEY", help="Name of this request; given again, it is done once."),
        click.option("--metadata", type=JsonObject(), metavar="JSON", help="Further facts, as a JSON object."),
    )


def change_options(function: F) -> F:
    """Adds what `update` may change besides the text; what is left out is taken over."""
    return _with(
        function,
        click.option("--category", type=CATEGORIES, metavar="KIND", help=f"Its kind: {_KINDS}."),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="Its tags from now on; several times."),
        click.option("--no-tags", is_flag=True, help="It has no tags from now on."),
        click.option(
            "--origin",
            type=ORIGINS,
            metavar="WHO",
            default="user",
            show_default=True,
            help=f"Who says it now: {_SAYERS}.",
        ),
        click.option("--source", metavar="TEXT", help="Where the new text stands."),
        click.option("--confidence", type=click.FloatRange(0, 1), metavar="SHARE", help="How sure, 0 to 1."),
        click.option("--validated/--not-validated", default=None, help="Whether a person confirmed it."),
        click.option("--occurred-at", type=Moment(), metavar="TIME", help="Since when it holds, if not since now."),
        click.option("--expires-at", type=Moment(), metavar="TIME", help="From when it is no longer shown."),
        click.option("--metadata", type=JsonObject(), metavar="JSON", help="Further facts, as a JSON object."),
    )


def filter_options(function: F) -> F:
    """Adds what narrows entries down."""
    return _with(
        function,
        click.option(
            "--category",
            "categories",
            type=CATEGORIES,
            metavar="KIND",
            multiple=True,
            help=f"Only this kind; may be given several times: {_KINDS}.",
        ),
        click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only entries that have all these tags."),
        click.option("--session", metavar="ID", help="Only entries of this conversation, its scratch included."),
    )
