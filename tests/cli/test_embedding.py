"""The command `reembed` (design D14; issue part 2, point 4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Call = Callable[..., Any]


def test_entries_without_a_vector_get_one_and_a_second_run_has_nothing_to_do(with_weights: Call) -> None:
    for scope in ("a", "b"):
        assert with_weights("remember", "Mira is allergic to peanuts", "--scope", scope, "--embedder", "none").code == 0
    asked = ("recall", "which food intolerance does she have?", "--scope", "a", "--json")
    assert with_weights(*asked).json["hits"] == []
    assert with_weights("reembed", "--scope", "a").out == "a: 1 entries got a vector\n"
    assert [hit["entry"]["memory"] for hit in with_weights(*asked).json["hits"]] == ["Mira is allergic to peanuts"]
    found = with_weights("reembed", "--all", "--json").json
    assert found["embedder"].startswith("bge-small")
    assert (found["embedded"], found["scopes"][1]) == (1, {"scope": "b", "embedded": 1})
    assert "nothing to do" in with_weights("reembed", "--all").out
    assert "nothing to do: every live entry of scope a " in with_weights("reembed", "--scope", "a").out


def test_what_was_loaded_is_told_to_have_no_vectors(with_weights: Call) -> None:
    with_weights("remember", "blue cluster", "--scope", "a")
    with_weights("dump", "a.jsonl", "--scope", "a")
    assert "memoranda reembed" in with_weights("load", "a.jsonl", "--scope", "b").err


def test_without_an_embedder_it_says_what_to_do(call: Call) -> None:
    answer = call("reembed")
    assert (answer.code, answer.out) == (1, "")
    assert "run `" in answer.err
    assert "EmbedderUnavailable" in call("reembed", "--json", "--embedder", "none").err


def test_one_scope_or_all(call: Call) -> None:
    assert call("reembed", "--all", "--scope", "a").code == 2
