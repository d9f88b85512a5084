"""Tells the format of a file and reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from types import MappingProxyType

from memoranda.errors import ImportFormatError
from memoranda.service.importing import chatgpt, jsonlines, markdown, plain
from memoranda.service.importing.item import ImportItem, Parser, Skipped, without_mark

PARSERS: Mapping[str, Parser] = MappingProxyType(
    {"plain": plain.parse, "markdown": markdown.parse, "jsonlines": jsonlines.parse, "chatgpt": chatgpt.parse}
)
"""The formats that can be imported, by name."""
FORMATS: tuple[str, ...] = tuple(PARSERS)
"""The names of the formats."""

_BY_SUFFIX = {
    ".txt": "plain",
    ".text": "plain",
    ".md": "markdown",
    ".markdown": "markdown",
    ".jsonl": "jsonlines",
    ".ndjson": "jsonlines",
    ".zip": "chatgpt",
}


def parse(data: str, name: str, format: str | None = None) -> Iterator[ImportItem | Skipped]:
    """Returns the records of a file, and what of it had to be left out, in their order.

    Args:
        data: the file's text.
        name: the file's name, without its folder; it becomes part of each record's source.
        format: one of `FORMATS`; told from name and content when left out.

    Raises:
        ImportFormatError: at once, when the format is not known or cannot be told. The reading itself never raises.
    """
    chosen = detect(name, data) if format is None else format
    if chosen not in PARSERS:
        raise ImportFormatError(f"there is no format {chosen!r}; choose one of {', '.join(FORMATS)}")
    return PARSERS[chosen](data, name=name)


def detect(name: str, data: str) -> str:
    """Returns the name of a file's format, by its suffix, else by its content.

    `.txt` is plain, `.md` markdown, `.jsonl` and `.ndjson` jsonlines, `.zip` chatgpt. A `.json` file, and one without
    a suffix that starts as JSON, is chatgpt if its conversations have a `mapping`, jsonlines if its first line
    is an object of its own or the file is empty. Other text without a suffix is plain.

    Raises:
        ImportFormatError: none of these holds.
    """
    suffix = PurePath(name).suffix.lower()
    if suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    start = without_mark(data).lstrip()[:1]
    if suffix == ".json" or (not suffix and start in {"{", "["}):
        found = _detect_json(data)
    else:
        found = None if suffix else "plain"
    if found is None:
        raise ImportFormatError(
            f"the format of {name} cannot be told; say which it is: {', '.join(FORMATS)}. "
            "A JSON file must be a ChatGPT export or hold one object a line"
        )
    return found


def _detect_json(data: str) -> str | None:
    text = without_mark(data).strip()
    if not text:
        return "jsonlines"
    # A whole export may stand on one line: it is a list, and is not read here.
    first = _read_line(text.partition("\n")[0]) if text[0] == "{" else None
    if isinstance(first, dict) and not isinstance(first.get("mapping"), dict):
        return "jsonlines"
    return "chatgpt" if text[0] in "[{" and '"mapping"' in text else None


def _read_line(line: str) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
