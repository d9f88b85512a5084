"""Reading the files of data sets: JSON or JSON lines, plain or compressed with gzip or xz."""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, cast

from memoranda.errors import InvalidInput

_BROKEN = (EOFError, UnicodeDecodeError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)


def json_of(path: Path) -> Any:
    """Returns the value of a JSON file.

    Raises:
        InvalidInput: it is no JSON, no UTF-8, or damaged.
        OSError: it cannot be opened.
    """
    with _opened(path) as file:
        return _parsed(file.read(), path.name)


def json_items_of(path: Path) -> Iterator[Any]:
    """Yields the items of a JSON list or of JSON lines, one at a time, whatever the file's name.

    In JSON lines, blank lines are passed over, and only a line feed ends a line.

    Raises:
        InvalidInput: the file or a line is no JSON (the message names the line), or the file is no UTF-8 or damaged.
        OSError: it cannot be opened.
    """
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if number == 1 and line.lstrip().startswith("["):
                yield from _parsed(line + file.read(), path.name)
                return
            if line.strip():
                yield _parsed(line, f"{path.name}: line {number}")


@contextmanager
def expected_shape(path: Path, suite: str) -> Iterator[None]:
    """Turns what a parser stumbles over into one error that names the file and the suite.

    Raises:
        InvalidInput: the block looked for something that the file does not hold.
    """
    try:
        yield
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        lacking = f"it lacks {error}" if isinstance(error, KeyError) else str(error)
        raise InvalidInput(
            f"{path.name} does not have the shape of suite {suite}: {lacking}; give the suite that the file belongs to"
        ) from error


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is no JSON ({error}); is it the data set's own file, and whole?") from error


def _file(path: Path) -> TextIO:
    match path.suffix.lower():
        case ".gz":
            return cast("TextIO", gzip.open(path, "rt", encoding="utf-8", newline="\n"))
        case ".xz":
            return cast("TextIO", lzma.open(path, "rt", encoding="utf-8", newline="\n"))
    return path.open(encoding="utf-8", newline="\n")


@contextmanager
def _opened(path: Path) -> Iterator[TextIO]:
    with _file(path) as file:
        try:
            yield file
        except _BROKEN as error:
            raise InvalidInput(f"{path.name} cannot be read: {error}; fetch the file again") from error
