"""Memory files for measuring: made through the calls that a user's program makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from memoranda.bench.speed.texts import Language
from memoranda.bench.speed.vectors import RandomVectors
from memoranda.records.entry import Category
from memoranda.records.new_entry import NewEntry
from memoranda.records.settings import Settings
from memoranda.runtime.sync import Memory

MEASURED = "bench/measured"
"""The scope that is measured."""

BATCH = 1000
"""Entries of one `remember_many`, and of one of the other scopes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """How memory files are opened.

    Attributes:
        vectors: with vectors of random numbers, or with words only.
        settings: settings of the memory.
    """

    vectors: bool = False
    settings: Settings = field(default_factory=Settings)


def opened(path: Path, how: Opening) -> Memory:
    """Opens a memory file."""
    # Typed loosely: which embedders it takes is for Memory to say.
    embedder: Any = RandomVectors() if how.vectors else None
    return Memory(path, embedder=embedder, settings=how.settings)


def fill(path: Path, language: Language, entries: int, how: Opening, *, others: int = 0) -> list[float]:
    """Makes a file whose measured scope has so many entries, amid other scopes with so many together.

    Returns:
        The seconds of each commit of `BATCH` entries into the measured scope.
    """
    seconds = []
    with opened(path, how) as memory:
        # Half of the others come first, so that the measured entries lie between theirs in the file.
        _fill_others(memory, language, range(others // BATCH // 2))
        for batch in _batches(language, MEASURED, entries):
            began = perf_counter()
            memory.scope(MEASURED).remember_many(batch)
            seconds.append(perf_counter() - began)
        _fill_others(memory, language, range(others // BATCH // 2, others // BATCH))
    return seconds


def bytes_on_disk(path: Path) -> int:
    """Returns the size of a memory file with all that lies beside it: its log and the like."""
    return sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*"))


def _fill_others(memory: Memory, language: Language, numbers: range) -> None:
    for number in numbers:
        scope = memory.scope(f"bench/other/{number}")
        for batch in _batches(language, scope.path, BATCH):
            scope.remember_many(batch)


def _batches(language: Language, name: str, entries: int) -> Iterator[list[NewEntry]]:
    # Episodes are append only: no two are folded into one, so that the number of entries is as it was asked for.
    items = (NewEntry(text, category=Category.EPISODE) for text in islice(language.texts(name), entries))
    while batch := list(islice(items, BATCH)):
        yield batch
