from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda.service import demo

Call = Callable[..., Any]


def test_the_demo_is_readable_and_leaves_the_users_memory_alone(call: Call, tmp_path: Path) -> None:
    answer = call("demo")
    assert answer.code == 0, answer.out
    assert len(answer.out.splitlines()) < 80
    assert max(map(len, answer.out.splitlines())) <= 120
    assert "memoranda import conversations.json" in answer.out
    assert "WRONG" not in answer.out
    assert not (tmp_path / "memory.db").exists()


def test_the_demo_as_json_and_kept(call: Call, tmp_path: Path) -> None:
    answer = call("demo", "--keep", "files", "--json")
    assert answer.json["ok"]
    assert [step["problems"] for step in answer.json["steps"]] == [[]] * 8
    assert (tmp_path / "files" / "demo.jsonl").read_bytes() == (tmp_path / "files" / "second.jsonl").read_bytes()
    again = call("demo", "--keep", "files")
    assert (again.code, "empty folder" in again.err) == (1, True)


def test_a_wrong_answer_is_told_and_ends_with_1(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo, "_PORT_KEY", "another.key")
    answer = call("demo")
    assert answer.code == 1
    assert "WRONG: " in answer.out
    assert call("demo", "--json").json["ok"] is False
