"""From the name of a suite to its reader."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from memoranda.bench.corpus import Corpus
from memoranda.bench.reading import expected_shape
from memoranda.bench.suites import beam, locomo, longmemeval, memdaily, xquad
from memoranda.errors import InvalidInput

_READERS: dict[str, Callable[[Path], Iterator[Corpus]]] = {
    "locomo": locomo.read,
    "longmemeval": longmemeval.read,
    "beam": beam.read,
    "memdaily": memdaily.read,
    "xquad": xquad.read,
}

SUITES = tuple(_READERS)
"""The suites that can be run."""

WITH_SESSIONS = ("locomo", "longmemeval")
"""The suites whose evidence can be scored by session too."""


def corpora_of(suite: str, path: Path) -> Iterator[Corpus]:
    """Yields the corpora of a data file, one at a time.

    Raises:
        InvalidInput: there is no such suite, or the file is damaged or of another shape.
        OSError: the file cannot be opened.
    """
    if suite not in _READERS:
        raise InvalidInput(f"there is no suite {suite!r}; the suites are {', '.join(SUITES)}")
    with expected_shape(path, suite):
        yield from _READERS[suite](path)
