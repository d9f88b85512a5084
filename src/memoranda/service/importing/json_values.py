"""Reads the values of a JSON list one by one, so that a file that was cut short still gives its first ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from memoranda.service.importing.item import Skipped

_DECODER = json.JSONDecoder()
_SPACE = re.compile(r"[ \t\n\r\ufeff]*")


def read_values(data: str) -> Iterator[object]:
    """Yields the elements of a JSON list, or the one value that is no list.

    Broken JSON ends the reading with a `Skipped` that names the line; the values before it stand. An empty text has
    no values.
    """
    at = _past_space(data, 0)
    is_list = data.startswith("[", at)
    at = _past_space(data, at + 1) if is_list else at
    while at < len(data) and not data.startswith("]", at):
        try:
            value, at = _DECODER.raw_decode(data, at)
        except RecursionError:
            yield Skipped(_place(data, at), "the JSON that starts here is nested too deeply; nothing after it is read")
            return
        except ValueError as error:
            yield Skipped(_place(data, at), f"broken JSON starts here, nothing after it is read: {error}")
            return
        yield value
        at = _past_space(data, at)
        if not (is_list and data.startswith(",", at)):
            break
        at = _past_space(data, at + 1)
    yield from _ending(data, at, is_list)


def _ending(data: str, at: int, is_list: bool) -> Iterator[Skipped]:
    """Reports a list that is not closed, and text after the end."""
    if is_list and at >= len(data):
        yield Skipped(_place(data, at), "the list of JSON values is not closed; the file was cut short")
        return
    if is_list and data.startswith("]", at):
        at = _past_space(data, at + 1)
    if at < len(data):
        yield Skipped(_place(data, at), "the JSON ends before this; nothing after it is read")


def _past_space(data: str, at: int) -> int:
    found = _SPACE.match(data, at)
    return found.end() if found else at


def _place(data: str, at: int) -> str:
    return f"line {data.count(chr(10), 0, at) + 1}"
