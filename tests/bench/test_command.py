from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memoranda.cli.bench import bench_command
from tests.bench.made import write


@pytest.fixture(autouse=True)
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration of the machine's owner is read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "140")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bench_command, arguments)


def test_recall_prints_figures_and_writes_rankings(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    data = write(tmp_path, "locomo")
    done = run(
        "recall", "--suite", "locomo", "--data", str(data), "--rankings", str(out), "--embedder", "none", "--json"
    )
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["groups"]["all"]["n"] == 2
    assert told["machine"]["python"]
    assert [json.loads(line)["question_id"] for line in out.read_text("utf-8").splitlines()] == [
        "talk-1/0",
        "talk-1/1",
        "talk-1/2",
    ]


def test_recall_shows_a_table(tmp_path: Path) -> None:
    done = run("recall", "--suite", "xquad", "--data", str(write(tmp_path, "xquad", ".gz")), "--embedder", "none")
    assert done.exit_code == 0, done.output
    assert "3 questions, 3 units, memories: 1;" in done.stdout
    assert "nDCG@10" in done.stdout


def test_recall_says_that_a_file_has_no_evidence(tmp_path: Path) -> None:
    data = write(tmp_path, "xquad")
    data.write_text(data.read_text("utf-8").replace("answers", "none"), encoding="utf-8")
    done = run("recall", "--suite", "xquad", "--data", str(data), "--embedder", "none")
    assert done.exit_code == 0
    assert "no evidence" in done.stderr


@pytest.mark.parametrize("sizes", ["", "a", "0", "1,,2", "-5"])
def test_speed_refuses_sizes_that_are_none(sizes: str) -> None:
    done = run("speed", "--sizes", sizes)
    assert done.exit_code == 2
    assert "--sizes" in done.stderr


def test_speed_is_told_as_json_and_as_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    from memoranda.bench.speed import run as running

    small = running.Extent(others=0, disk_entries=20, queries=2, writes=1, repeats=1)
    monkeypatch.setattr(running, "QUICK", small)
    told = run("speed", "--quick", "--sizes", "20", "--json")
    assert told.exit_code == 0, told.output
    assert json.loads(told.stdout)["words"]["recall"][0]["entries"] == 20
    shown = run("speed", "--quick", "--sizes", "20")
    assert shown.exit_code == 0, shown.output
    assert "bytes an entry" in shown.stdout
