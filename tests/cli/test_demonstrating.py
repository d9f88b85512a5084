from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda.service import demo_curation

Call = Callable[..., Any]


def test_the_demo_is_readable_and_leaves_the_users_memory_alone(call: Call, tmp_path: Path) -> None:
    answer = call("demo")
    assert answer.code == 0, answer.out
    assert len(answer.out.splitlines()) < 110
    assert max(map(len, answer.out.splitlines())) <= 120
    assert "memoranda import conversations.json" in answer.out
    assert "WRONG" not in answer.out
    assert not (tmp_path / "memory.db").exists()


def test_the_demo_as_json_and_kept(call: Call, tmp_path: Path) -> None:
    answer = call("demo", "--keep", "files", "--json")
    assert answer.json["ok"]
    assert [step["problems"] for step in answer.json["steps"]] == [[]] * 14
    assert (tmp_path / "files" / "demo.jsonl").read_bytes() == (tmp_path / "files" / "second.jsonl").read_bytes()
    again = call("demo", "--keep", "files")
    assert (again.code, "empty folder" in again.err) == (1, True)


@pytest.mark.parametrize("embedder", ["none", "default"])
def test_the_demo_folds_shows_a_contradiction_and_erases(call: Call, embedder: str, tmp_path: Path) -> None:
    """Design D9, D16: what was said twice is one entry, both sides are shown, and the bytes of what goes are gone."""
    steps = call("demo", "--keep", "files", "--json", "--embedder", embedder).json["steps"]
    restated, contradicted, erased = steps[4], steps[5], steps[10]
    assert (restated["outcome"], restated["seen_count"]) == ("folded", 2)
    assert (contradicted["outcome"], contradicted["pairs"], contradicted["pairs_after"]) == ("contested", 1, 0)
    assert (erased["receipt"]["verified"], erased["receipt"]["entries"], erased["receipt"]["revisions"]) == (
        "yes",
        1,
        1,
    )
    assert (erased["in_files_before"] > 0, erased["in_files_after"]) == (True, 0)
    assert not any(b"surprise party" in path.read_bytes() for path in (tmp_path / "files").iterdir())


def test_the_demo_shows_what_every_request_can_carry(call: Call) -> None:
    """Design D10, S2.11, S2.14: a model writes where it may, and only there; a graph is of its session alone."""
    step = call("demo", "--json", "--embedder", "none").json["steps"][12]
    assert step["blocks"].split("\n") == [
        "## persona", "You help the Ferry team. Be terse.", "", "## human", "Mira, backend; wants short answers"
    ]  # fmt: skip
    assert step["refused"] == {"persona": True, "human": True}
    assert "rel r1: ferry -[runs_on]-> green" in step["graph"]
    assert step["graph_of_another_session"] == ""


def test_without_an_embedder_the_step_that_needs_meaning_is_left_out_and_says_why(call: Call) -> None:
    out = call("demo").out
    assert "left out: recall works with words only:" in out
    step = call("demo", "--embedder", "none", "--json").json["steps"][2]
    assert (step["left_out"], step["problems"]) == ("recall works with words only: --embedder says so", [])


def test_with_an_embedder_only_meaning_finds_the_answer_in_other_words(with_weights: Call) -> None:
    answer = with_weights("demo", "--json")
    assert answer.json["ok"], answer.out
    step = answer.json["steps"][2]
    assert step["hits_by_words"] == 0
    assert "rollback" in step["answer"]


def test_a_wrong_answer_is_told_and_ends_with_1(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_curation, "_PORT_KEY", "another.key")
    answer = call("demo")
    assert answer.code == 1
    assert "WRONG: " in answer.out
    assert call("demo", "--json").json["ok"] is False
