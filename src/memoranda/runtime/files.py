"""Reading and writing whole files of lines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from memoranda.errors import InvalidInput


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Writes lines to a file, which is complete and synced, or left as it was.

    Raises:
        InvalidInput: the file cannot be written; the message says why.
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        with unfinished.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)
    except OSError as error:
        unfinished.unlink(missing_ok=True)
        raise InvalidInput(f"{path} cannot be written: {error.strerror}") from error


def read_lines(path: Path) -> list[str]:
    """Returns the lines of a UTF-8 file; a line ends at a line feed only, as in JSON lines.

    Bytes that are not UTF-8 become lone surrogates, so that they spoil their own line and no other.

    Raises:
        InvalidInput: the file cannot be read.
    """
    try:
        return path.read_bytes().decode("utf-8-sig", errors="surrogateescape").split("\n")
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}") from error
