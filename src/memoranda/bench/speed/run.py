"""A whole run of `bench speed`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from memoranda.bench.machine import changed, machine
from memoranda.bench.speed.measure import Row, isolation_figures, recall_figures, remember_per_second
from memoranda.bench.speed.stored import BATCH, Opening, bytes_on_disk, fill
from memoranda.bench.speed.texts import CHARACTERS, Language
from memoranda.errors import InvalidInput
from memoranda.records.entry import JsonValue
from memoranda.records.settings import Settings

Progress = Callable[[str], None]
"""Is told, in a few words, what is measured now."""

ISOLATED = 1000
"""Entries of the scope that is measured alone and beside others, of one commit, and of the file that is written to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is measured.

    Attributes:
        sizes: numbers of entries of one scope to recall from.
        others: entries of other scopes beside the isolated one; a multiple of `BATCH`.
        disk_entries: entries of the file whose bytes are told.
        queries: different queries of one repeat.
        writes: single writes of one repeat.
        repeats: how often each figure is taken; the median is told.
    """

    sizes: tuple[int, ...] = (1_000, 10_000, 100_000)
    others: int = 300_000
    disk_entries: int = 10_000
    queries: int = 200
    writes: int = 100
    repeats: int = 5

    def __post_init__(self) -> None:
        if not self.sizes or min(self.sizes) < 1:
            raise InvalidInput(f"sizes are numbers of entries from 1 on, such as 1000,10000, not {self.sizes}")


QUICK = Extent(sizes=(1_000, 5_000), others=10_000, disk_entries=5_000, queries=50, writes=30, repeats=3)
"""What `--quick` measures: enough to see that something broke, too little to compare machines."""


def run_speed(
    extent: Extent,
    *,
    quick: bool = False,
    vectors: bool = False,
    settings: Settings | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, JsonValue]:
    """Measures and returns the figures with the machine that they were made on, as one JSON object.

    Args:
        extent: how much is measured.
        quick: what the report says about the extent.
        vectors: whether all is measured a second time with vectors of random numbers beside the words.
        settings: settings of the memories; the defaults by default.
        folder: where the files are made, and removed in the end; the system's folder for such files by default.
            What a durable write costs depends on the disk that it is on.
        progress: is told what is measured.

    Raises:
        InvalidInput: this version keeps no vectors.
        OSError: there is no such folder.
    """
    tell = progress or (lambda step: None)
    chosen = settings or Settings()
    began = perf_counter()
    report: dict[str, JsonValue] = {
        "machine": machine(),
        "quick": quick,
        "settings": changed(chosen),
        "characters": CHARACTERS,
    }
    for kind in ("words", "words and vectors") if vectors else ("words",):
        with TemporaryDirectory(prefix="memoranda-bench-", dir=folder) as made:
            how = Opening(vectors=kind != "words", settings=chosen)
            measured = _Round(Path(made), extent, how, partial(_tell, tell, kind))
            report[kind.replace(" ", "_")] = measured.figures()
    report["seconds"] = round(perf_counter() - began, 1)
    return report


def _tell(tell: Progress, kind: str, step: str) -> None:
    tell(f"{kind}: {step}")


class _Round:
    """All measurements of one kind of memory."""

    def __init__(self, folder: Path, extent: Extent, how: Opening, tell: Progress) -> None:
        self._folder = folder
        self._extent = extent
        self._how = how
        self._tell = tell
        self._language = Language()
        self._commits: dict[int, list[float]] = {}

    def figures(self) -> Row:
        """Returns the figures, in the order in which they are measured."""
        return {
            "recall": list[JsonValue](self._recall()),
            "isolation": self._isolation(),
            "disk": self._disk(),
            "write": self._write(),
        }

    def _recall(self) -> Sequence[Row]:
        rows = []
        for size in self._extent.sizes:
            path = self._file(size)
            self._tell(f"recall from {size:,} entries")
            figures = recall_figures(
                path,
                self._language,
                self._how,
                queries=self._extent.queries,
                repeats=self._extent.repeats,
            )
            rows.append({"entries": size, **figures})
        return rows

    def _isolation(self) -> Row:
        alone = self._file(ISOLATED)
        self._tell(f"writing {self._extent.others:,} entries of other scopes")
        beside = self._folder / "beside.db"
        fill(beside, self._language, ISOLATED, self._how, others=self._extent.others)
        self._tell(f"recall from {ISOLATED:,} entries, alone and beside others")
        figures = isolation_figures(
            alone,
            beside,
            self._language,
            self._how,
            queries=self._extent.queries,
            repeats=self._extent.repeats,
        )
        beside.unlink()
        return {"entries": ISOLATED, "others": self._extent.others, **figures}

    def _disk(self) -> Row:
        entries = self._extent.disk_entries
        size = bytes_on_disk(self._file(entries))
        return {"entries": entries, "bytes": size, "bytes_per_entry": round(size / entries, 1)}

    def _write(self) -> Row:
        self._tell("writing one by one")
        rate = remember_per_second(
            self._folder / "written.db",
            self._language,
            self._how,
            writes=self._extent.writes,
            repeats=self._extent.repeats,
        )
        commits = self._commits[self._extent.disk_entries]
        many = round(BATCH / median(commits), 1)
        return {"remember_per_s": rate, "remember_many_per_s": many, "remember_many_entries": BATCH}

    def _file(self, entries: int) -> Path:
        """Returns the file whose measured scope has so many entries; makes it where it is not there."""
        path = self._folder / f"{entries}.db"
        if entries not in self._commits:
            self._tell(f"writing {entries:,} entries")
            self._commits[entries] = fill(path, self._language, entries, self._how)
        return path
