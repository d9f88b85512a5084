from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda.testing import MakeStore, suite, verbs
from memoranda.testing.check import Group

Call = Callable[..., Any]


def test_scopes(call: Call, remember: Callable[..., str]) -> None:
    for path in ("b/2", "a", "b", "b/1", "团队\u202e"):
        remember("x", "--scope", path)
    assert call("scopes").out.splitlines()[:4] == ["a", "b", "b/1", "b/2"]
    assert "\u202e" not in call("scopes").out
    assert call("scopes", "--prefix", "b", "--limit", "1", "--after", "b", "--json").json == {"scopes": ["b/1"]}


def test_stats(call: Call, remember: Callable[..., str]) -> None:
    remember("one", "--key", "k")
    remember("two", "--key", "k")
    found = call("stats", "--json").json
    assert (found["scopes"], found["live"], found["superseded"]) == (1, 1, 1)
    assert "superseded" in call("stats").out


def test_check_store_runs_the_contract(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suite, "_GROUPS", (verbs.GROUP,))  # the whole contract is run by the stores' own tests
    report = call("check-store", ":memory:", "--json")
    assert report.code == 0
    assert report.json["ok"] is True
    assert len(report.json["results"]) == len(verbs.GROUP.checks)
    assert "contract of" in call("check-store", str(tmp_path / "memory.db")).out


def test_check_store_ends_with_1_when_a_promise_is_broken(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    group = Group("promises")

    @group.check
    async def check_the_moon(make: MakeStore) -> None:
        raise AssertionError("it is no cheese")

    monkeypatch.setattr(suite, "_GROUPS", (group,))
    answer = call("check-store", ":memory:")
    assert (answer.code, "it is no cheese" in answer.out) == (1, True)
    assert call("check-store", ":memory:", "--json").code == 1


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("check-store",), 2),
        (("check-store", "nowhere://x"), 4),
        (("check-store", "no/such/folder/x.db"), 4),
        (("stats", "--store", "no/such/folder/x.db"), 4),
        (("scopes", "--store", "nowhere://x"), 4),
        (("scopes", "--limit", "x"), 2),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1


def test_a_file_of_another_program_is_left_as_it_is(call: Call, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine " * 400, "utf-8")
    assert call("remember", "x", "--store", "mine.txt").code == 4
    assert (tmp_path / "mine.txt").read_text("utf-8") == "mine " * 400
