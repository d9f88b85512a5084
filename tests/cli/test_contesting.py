"""What folds and what is contested, at the command line (design D9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.fixture
def pair(remember: Callable[..., str]) -> tuple[str, str]:
    """Remembers two entries that cannot both be true."""
    older = remember("The release day is Tuesday", "--occurred-at", "2026-03-04T10:00Z")
    return older, remember("The release day is Wednesday", "--origin", "host")


def test_a_restatement_shows_how_often_it_was_said(call: Call, remember: Callable[..., str]) -> None:
    id = remember("The release day is Tuesday")
    answer = call("remember", "Release day: Tuesday.")
    assert answer.out.splitlines()[1:] == [
        "  now     Release day: Tuesday.", "  seen    2 times", f"  id      {id}",
        "  before  The release day is Tuesday",
    ]  # fmt: skip
    assert answer.out.startswith("folded: ")
    same = call("remember", "Release day: Tuesday.")
    assert "seen    3 times" in same.out
    assert "before" not in same.out
    assert "seen 3 times" in call("list").out
    assert "seen 3 times" in call("recall", "release day", env={"COLUMNS": "60"}).out
    assert call("get", id, "--json").json["seen_count"] == 3
    assert "seen_count" in call("get", id).out


def test_a_contradiction_shows_both_with_their_times(call: Call, pair: tuple[str, str]) -> None:
    older, newer = pair
    answer = call("remember", "The release day is Friday")
    assert answer.out.startswith("contested: ")
    assert "against The release day is " in answer.out
    assert answer.out.count("  time    ") == 2
    out = call("list").out
    assert f"contested with {older}" in out or f"contested with {newer}" in out
    assert "contested" in call("recall", "release day").out
    assert newer in call("get", older, "--json").json["contested_with"]


def test_contested_lists_each_pair_once(call: Call, pair: tuple[str, str]) -> None:
    newer = pair[1]
    found = call("contested", "--json").json["pairs"]
    assert [(one["older"]["id"], one["newer"]["id"]) for one in found] == [pair]
    out = call("contested").out
    assert "2026-03-04 10:00" in out
    assert "user" in out
    assert "host" in out
    assert call("retract", newer).code == 0
    assert call("contested", "--json").json == {"pairs": []}
    nothing = call("contested")
    assert (nothing.code, nothing.out, nothing.err) == (0, "", "nothing is contested\n")


def test_other_scopes_are_not_told(call: Call, pair: tuple[str, str]) -> None:
    assert call("contested", "--scope", "other", "--json").json == {"pairs": []}
