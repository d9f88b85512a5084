from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memoranda.bench.speed.measure import percentile
from memoranda.bench.speed.run import Extent, run_speed
from memoranda.bench.speed.stored import MEASURED, Opening, bytes_on_disk, fill
from memoranda.bench.speed.texts import Language
from memoranda.bench.speed.vectors import DIMENSIONS, RandomVectors
from memoranda.errors import InvalidInput
from memoranda.records.settings import Settings
from memoranda.runtime.sync import Memory


@pytest.mark.parametrize(
    ("values", "share", "expected"),
    [([3.0, 1.0, 2.0], 50, 2.0), ([1.0, 2.0], 50, 1.0), ([5.0], 99, 5.0), ([float(i) for i in range(1, 201)], 99, 198)],
)
def test_percentile_is_the_nearest_rank(values: list[float], share: int, expected: float) -> None:
    assert percentile(values, share) == expected


def test_files_hold_what_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    seconds = fill(path, Language(), 1100, Opening(), others=2000)
    assert len(seconds) == 2
    with Memory(path, embedder=None) as memory:
        assert memory.scope(MEASURED).count() == 1100
        assert memory.stats().live == 3100
    assert bytes_on_disk(path) == sum(part.stat().st_size for part in tmp_path.iterdir())


def test_a_run_tells_every_figure(tmp_path: Path) -> None:
    extent = Extent(sizes=(30, 60), others=1000, disk_entries=60, queries=5, writes=3, repeats=1)
    steps: list[str] = []
    report: dict[str, Any] = run_speed(extent, settings=Settings(readers=2), folder=tmp_path, progress=steps.append)
    assert json.loads(json.dumps(report)) == report
    assert "words_and_vectors" not in report
    figures = report["words"]
    assert [row["entries"] for row in figures["recall"]] == [30, 60]
    for row in figures["recall"]:
        assert 0 < row["warm_p50_ms"] <= row["warm_p99_ms"]
        assert row["cold_process_ms"] > 0
        assert row["cold_reopened_ms"] > 0
    assert figures["isolation"]["warm_ratio"] > 0
    assert figures["isolation"]["cold_ratio"] > 0
    assert figures["disk"]["bytes_per_entry"] > 100
    assert figures["write"]["remember_per_s"] > 0
    assert figures["write"]["remember_many_per_s"] > 0
    assert report["machine"]["sqlite"].startswith("3.")
    assert steps
    assert report["settings"] == {"readers": 2}
    assert list(tmp_path.iterdir()) == [], "the files are removed"


def test_sizes_are_numbers_of_entries() -> None:
    with pytest.raises(InvalidInput, match="1000,10000"):
        Extent(sizes=(0,))


@pytest.mark.anyio
async def test_random_vectors_are_the_same_for_the_same_text() -> None:
    first, second, third = await RandomVectors().embed(["a", "a", "b"], kind="query")
    assert first == second != third
    assert len(first) == DIMENSIONS
