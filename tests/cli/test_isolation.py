"""What one scope holds cannot be reached from another through any command (X cases; design D4)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
OTHERS = ["acme/bob", "acme", "acme/alice/", "acme/alice/x", "ACME/alice", "acme/%", "acme/_lice", "../acme/alice", "*"]


@pytest.mark.parametrize("other", OTHERS)
def test_an_id_of_another_scope_is_not_found(call: Call, remember: Callable[..., str], other: str) -> None:
    id = remember("Alice's secret plan", "--scope", "acme/alice", "--key", "plan")
    before = call("get", id, "--scope", "acme/alice", "--json").json
    for args in (
        ("get", id), ("update", id, "mine now"), ("retract", id), ("forget", id), ("restore", id), ("revisions", id),
        ("list", "--after", id),
    ):  # fmt: skip
        answer = call(*args, "--scope", other)
        unknown = call(
            *(arg if arg != id else "00000000-0000-4000-8000-000000000000" for arg in args), "--scope", other
        )
        assert answer.code == unknown.code == 3
        assert answer.err.replace(id, "") == unknown.err.replace("00000000-0000-4000-8000-000000000000", "")
    assert call("get", id, "--scope", "acme/alice", "--json").json == before


@pytest.mark.parametrize("other", OTHERS)
def test_nothing_of_another_scope_is_seen(call: Call, remember: Callable[..., str], other: str, tmp_path: Path) -> None:
    remember("Alice's secret plan", "--scope", "acme/alice", "--key", "plan")
    assert call("recall", "secret plan", "--scope", other, "--json").json["hits"] == []
    assert call("recall", "", "--scope", other, "--json").json["hits"] == []
    assert call("list", "--superseded", "--scope", other, "--json").json["entries"] == []
    assert call("count", "--scope", other, "--json").json["count"] == 0
    assert call("dump", "other.jsonl", "--scope", other, "--json").json["entries"] == 0
    assert "secret" not in (tmp_path / "other.jsonl").read_text(encoding="utf-8")
    assert call("remember", "Bob's plan", "--key", "plan", "--scope", other, "--json").json["outcome"] == "added"
    assert call("consolidate", "--scope", other).code == 0
    assert call("count", "--scope", "acme/alice", "--json").json["count"] == 1


def test_scopes_are_listed_by_whole_segments(call: Call, remember: Callable[..., str]) -> None:
    for path in ("acme", "acme/alice", "acme2", "acmé"):
        remember("x", "--scope", path)
    assert call("scopes", "--prefix", "acme", "--json").json == {"scopes": ["acme", "acme/alice"]}
