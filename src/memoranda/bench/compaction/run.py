"""A whole run of `bench compaction`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import Final

from memoranda.bench.compaction.counters import Row, counting_rows
from memoranda.bench.compaction.passes import compaction_rows
from memoranda.bench.compaction.prefix import prefix_figures
from memoranda.bench.compaction.texts import PIECE
from memoranda.bench.compaction.unchanged import unchanged_rows
from memoranda.bench.machine import machine
from memoranda.records.entry import JsonValue
from memoranda.text.encodings import tokenizer

Progress = Callable[[str], None]
"""Is told, in a few words, what is measured now."""
_PEERS: Final = ("bpe-openai", "tiktoken", "rs_bpe", "quicktok", "quicktok-v1", "langchain-core")


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """How much is measured.

    Attributes:
        characters: text of each kind that is counted.
        lists: messages of the lists that get one more.
        turns: turns of the conversation that is kept within a budget.
        compacted: messages of the lists that are compacted.
        repeats: how often each time is taken; the median is told.
    """

    characters: int = 400_000
    lists: tuple[int, ...] = (100, 1_000, 10_000)
    turns: int = 200
    compacted: tuple[int, ...] = (1_000, 10_000)
    repeats: int = 9


QUICK: Final = Extent(characters=20_000, lists=(100, 1_000), turns=40, compacted=(1_000,), repeats=3)
"""What `--quick` measures: enough to see that something broke, too little to compare machines."""


def run_compaction(extent: Extent, *, quick: bool = False, progress: Progress | None = None) -> Row:
    """Measures and returns the figures with the machine that they were made on, as one JSON object.

    Args:
        extent: how much is measured.
        quick: what the report says about the extent.
        progress: is told what is measured.
    """
    tell = progress or (lambda step: None)
    began = perf_counter()
    report: Row = {"machine": machine(), "versions": _versions(), "quick": quick, "counter": tokenizer().name}
    tell("counting tokens")
    counted, skipped = counting_rows(extent.characters, extent.repeats)
    report["counting"] = {"characters": extent.characters, "text_characters": PIECE, "rows": list(counted)}
    report["counters_skipped"] = dict(skipped)
    report["unchanged"] = _rows(unchanged_rows, extent.lists, extent.repeats, tell, "one new message after {:,}")
    tell(f"{extent.turns} turns within a budget")
    report["prefix"] = prefix_figures(extent.turns)
    report["compaction"] = _rows(compaction_rows, extent.compacted, extent.repeats, tell, "compacting {:,} messages")
    report["seconds"] = round(perf_counter() - began, 1)
    return report


def _rows(
    measure: Callable[[int, int], list[Row]], sizes: tuple[int, ...], repeats: int, tell: Progress, step: str
) -> list[JsonValue]:
    rows: list[JsonValue] = []
    for size in sizes:
        tell(step.format(size))
        rows += measure(size, repeats)
    return rows


def _versions() -> dict[str, JsonValue]:
    """Returns the versions of the packages that are measured, of those that are installed."""
    found: dict[str, JsonValue] = {}
    for name in _PEERS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found
