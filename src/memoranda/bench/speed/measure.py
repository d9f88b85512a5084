"""The single measurements of `bench speed`. Times are in milliseconds unless a name says otherwise."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from statistics import median
from time import perf_counter

from memoranda.bench.machine import resident_bytes
from memoranda.bench.speed.stored import MEASURED, Opening, opened
from memoranda.bench.speed.texts import Language
from memoranda.records.entry import JsonValue
from memoranda.runtime.sync import Scope

Row = dict[str, JsonValue]


def recall_figures(path: Path, language: Language, how: Opening, *, queries: int, repeats: int) -> Row:
    """Measures recall cold and warm.

    Cold is the first recall of a process that has just started, opening the file included, and the first one of a
    file that is opened again in the same process. Warm are `queries` different recalls; of the 50th and 99th
    percentile of each repeat the median over the repeats is told.
    """
    asked = tuple(islice(language.queries(MEASURED), queries))
    fresh = [_in_fresh_process(path, asked[0], how) for _ in range(repeats)]
    reopened = [_first(path, asked[0], how) for _ in range(repeats)]
    halves, tails = [], []
    with opened(path, how) as memory:
        scope = memory.scope(MEASURED)
        scope.recall(asked[0])
        for _ in range(repeats):
            times = [timed(scope, query) for query in asked]
            halves.append(percentile(times, 50))
            tails.append(percentile(times, 99))
    return {
        "warm_p50_ms": _rounded(median(halves)),
        "warm_p99_ms": _rounded(median(tails)),
        "cold_process_ms": _rounded(median(one[0] for one in fresh)),
        "cold_reopened_ms": _rounded(median(reopened)),
        "resident_before_bytes": _middle([one[1] for one in fresh]),
        "resident_after_bytes": _middle([one[2] for one in fresh]),
    }


def isolation_figures(
    alone: Path, beside: Path, language: Language, how: Opening, *, queries: int, repeats: int
) -> Row:
    """Measures the same scope in a file of its own and in one that other scopes fill, query by query in turn."""
    asked = tuple(islice(language.queries(MEASURED), queries))
    cold: list[list[float]] = [[], []]
    warm: list[list[float]] = [[], []]
    for turn in range(repeats):
        for side in _in_turn(turn):
            cold[side].append(_first((alone, beside)[side], asked[0], how))
    with opened(alone, how) as first, opened(beside, how) as second:
        scopes = (first.scope(MEASURED), second.scope(MEASURED))
        for scope in scopes:
            scope.recall(asked[0])
        for turn in range(repeats):
            for number, query in enumerate(asked):
                for side in _in_turn(turn + number):
                    warm[side].append(timed(scopes[side], query))
    return {
        "warm_alone_ms": _rounded(median(warm[0])),
        "warm_beside_ms": _rounded(median(warm[1])),
        "warm_ratio": _rounded(median(warm[1]) / median(warm[0])),
        "cold_alone_ms": _rounded(median(cold[0])),
        "cold_beside_ms": _rounded(median(cold[1])),
        "cold_ratio": _rounded(median(cold[1]) / median(cold[0])),
    }


def remember_per_second(path: Path, language: Language, how: Opening, *, writes: int, repeats: int) -> float:
    """Returns how many single entries are remembered a second, each synced to disk; the median of the repeats."""
    texts = language.texts("remembered one by one")
    rates = []
    with opened(path, how) as memory:
        scope = memory.scope("bench/written")
        for _ in range(repeats):
            batch = list(islice(texts, writes))
            began = perf_counter()
            for text in batch:
                scope.remember(text)
            rates.append(writes / (perf_counter() - began))
    return round(median(rates), 1)


def timed(scope: Scope, query: str) -> float:
    """Returns how long one recall takes, in milliseconds."""
    began = perf_counter()
    scope.recall(query)
    return (perf_counter() - began) * 1000


def percentile(values: Sequence[float], share: int) -> float:
    """Returns the least value that at least `share` percent of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def first_recall(path: Path, query: str, how: Opening) -> tuple[float, int | None, int | None]:
    """Opens the file and recalls once; returns the milliseconds, and the resident bytes before and after."""
    before = resident_bytes()
    began = perf_counter()
    with opened(path, how) as memory:
        memory.scope(MEASURED).recall(query)
        return (perf_counter() - began) * 1000, before, resident_bytes()


def _first(path: Path, query: str, how: Opening) -> float:
    return first_recall(path, query, how)[0]


def _in_fresh_process(path: Path, query: str, how: Opening) -> tuple[float, int | None, int | None]:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(first_recall, path, query, how).result()


def _in_turn(number: int) -> tuple[int, int]:
    """Says which side goes first: each in turn, so that neither always finds the caches warm."""
    return (0, 1) if number % 2 == 0 else (1, 0)


def _middle(values: Sequence[int | None]) -> int | None:
    known = [value for value in values if value is not None]
    return int(median(known)) if known else None


def _rounded(value: float) -> float:
    return round(value, 3)
