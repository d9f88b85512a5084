from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memoranda.bench.compaction import prefix
from memoranda.bench.compaction.counters import counters
from memoranda.bench.compaction.run import Extent, run_compaction
from memoranda.bench.compaction.texts import KINDS, PIECE, long_chat, pieces, requests, tool_loop
from memoranda.cli.bench import bench_command
from memoranda.compaction.compactor import Compactor
from memoranda.messages.formats import read
from memoranda.messages.validate import problems

OURS = ("memoranda, default strategies", "memoranda, DropTurns only")


@pytest.fixture(autouse=True)
def away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No configuration of the machine's owner is read."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "140")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(bench_command, ("compaction", *arguments))


@pytest.fixture(scope="module")
def report() -> dict[str, Any]:
    steps: list[str] = []
    small = Extent(characters=4 * PIECE, lists=(100, 400), turns=40, compacted=(400,), repeats=2)
    made: dict[str, Any] = run_compaction(small, progress=steps.append)
    assert steps
    assert json.loads(json.dumps(made)) == made
    return made


def test_each_counter_is_measured_or_the_report_says_why_not(report: dict[str, Any]) -> None:
    names = {row["counter"] for row in report["counting"]["rows"]} | {
        name.rpartition(",")[0] for name in report["counters_skipped"]
    }
    assert names == {"memoranda", "memoranda, estimate", "tiktoken", "rs_bpe", "quicktok"}
    assert {row["kind"] for row in report["counting"]["rows"]} == set(KINDS)
    for row in report["counting"]["rows"]:
        assert row["tokens_per_s"] > 0
        if row["counter"] != "memoranda, estimate":
            assert (row["mismatches"], row["ratio"]) == (0, 1.0)


def test_only_the_new_message_is_counted(report: dict[str, Any]) -> None:
    assert [row["messages"] for row in report["unchanged"]] == [100] * 4 + [400] * 4
    for row in report["unchanged"]:
        assert row["counted_tokens"] == row["new_tokens"] > 0
        assert 0 < row["unchanged_us"] < row["first_us"]


def test_more_of_the_beginning_is_kept_than_by_a_sliding_window(report: dict[str, Any]) -> None:
    """D12: what changes least comes first, and what was taken stays taken."""
    ways = {row["way"]: row for row in report["prefix"]["ways"]}
    window = ways["sliding window"]
    assert window["invalid_requests"] > 0, "it splits calls from their results"
    for name in OURS:
        ours = ways[name]
        assert ours["invalid_requests"] == ours["over_budget"] == 0
        assert ours["prefix_share"] > window["prefix_share"] + 0.2
        assert ours["tokens_anew"] < window["tokens_anew"] / 2


def test_time_of_strategies_is_part_of_that_of_compaction(report: dict[str, Any]) -> None:
    assert [row["low_fraction"] for row in report["compaction"]] == [0.75, 0.25]
    for row in report["compaction"]:
        assert row["messages"] == 401
        assert row["unmet"] == ""
        assert 0 < row["strategies_ms"] < row["ms"]
        assert row["tokens_after"] <= row["low_fraction"] * row["tokens_before"] + 1
        assert sum(row["by_strategy_ms"].values()) == pytest.approx(row["strategies_ms"], abs=0.02)


def test_quick_is_told_as_json_and_as_tables() -> None:
    told = run("--quick", "--json")
    assert told.exit_code == 0, told.output
    answer = json.loads(told.stdout)
    assert answer["quick"] is True
    assert answer["machine"]["python"]
    shown = run("--quick")
    assert shown.exit_code == 0, shown.output
    assert "tokens counted a second" in shown.stdout
    assert "one compaction with the default strategies" in shown.stdout
    assert all(name in shown.stdout for name in OURS)


def test_texts_are_the_same_in_every_run() -> None:
    for kind in KINDS:
        made = pieces(kind, 5 * PIECE)
        assert made == pieces(kind, 5 * PIECE)
        assert len(set(made)) == 5
        assert all(PIECE * 0.8 < len(text) <= PIECE for text in made)


def test_conversations_are_valid_and_as_long_as_asked_for() -> None:
    assert len(long_chat(1000)) == 1000
    assert list(requests(5)) == list(requests(5))
    assert len(tool_loop(1000)) == 1000
    for messages in (long_chat(100), tool_loop(100), *requests(5)):
        format, found = read(messages)
        assert problems(found, format) == []
    assert Compactor().on_request(long_chat(100)).report.repairs == ()


def test_what_is_not_installed_is_skipped_with_a_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("tiktoken", "rs_bpe", "quicktok", "langchain_core.messages"):
        monkeypatch.setitem(sys.modules, name, None)  # importing it fails
    _, skipped = counters("cl100k_base")
    assert {"tiktoken", "rs_bpe", "quicktok"} <= set(skipped)
    figures: dict[str, Any] = prefix.prefix_figures(2)
    assert "not installed" in figures["skipped"]["LangChain trim_messages"]
    assert len(figures["ways"]) == 3
