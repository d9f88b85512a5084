from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., Any]
NOBODY = "00000000-0000-4000-8000-000000000000"


def test_remember_takes_every_field(call: Call) -> None:
    answer = call(
        "remember", "Der Bericht ist fertig", "--category", "episode", "--tag", "work", "--tag", "report",
        "--origin", "model", "--source", "chat.json#m-1", "--speaker", "Mira", "--session", "s-1", "--position", "3",
        "--occurred-at", "2026-03-04T10:00:00+01:00", "--expires-at", "2999-01-01T00:00Z", "--confidence", "0.9",
        "--validated", "--idempotency-key", "k-1", "--metadata", '{"部门": ["测试"]}', "--json",
    )  # fmt: skip
    assert answer.code == 0
    assert answer.json["outcome"] == "added"
    entry = answer.json["entry"]
    expected = {
        "memory": "Der Bericht ist fertig", "category": "episode", "tags": ["work", "report"], "origin": "model",
        "source": "chat.json#m-1", "speaker": "Mira", "session": "s-1", "position": 3, "confidence": 0.9,
        "occurred_at": "2026-03-04T09:00:00Z", "expires_at": "2999-01-01T00:00:00Z", "validated": True,
        "metadata": {"部门": ["测试"]}, "key": None, "superseded_by": None, "seen_count": 1,
    }  # fmt: skip
    assert {name: entry[name] for name in expected} == expected


def test_remember_for_people(call: Call) -> None:
    answer = call("remember", "The port is 8080", "--key", "port")
    assert answer.code == 0
    assert answer.out.startswith("added: ")
    again = call("remember", "The port is 9090", "--key", "port")
    assert again.out.startswith("replaced: ")
    assert "The port is 8080" in again.out


def test_remember_from_stdin_keeps_line_breaks_but_the_last(call: Call) -> None:
    assert call("remember", "-", "--json", input="\ufeffeins\nzwei\r\n").json["entry"]["memory"] == "eins\nzwei"


def test_a_text_that_begins_with_a_dash_follows_two_dashes(call: Call) -> None:
    assert call("remember", "--json", "--", "--json is an option").json["entry"]["memory"] == "--json is an option"


def test_secrets_are_masked_and_told(call: Call) -> None:
    answer = call("remember", "password=hunter2-Zq81LmPx9")
    assert "hunter2" not in answer.out
    assert "masked" in answer.out


def test_the_same_request_is_done_once(call: Call) -> None:
    args = ("remember", "paid", "--idempotency-key", "k", "--json")
    assert call(*args).json["repeated"] is False
    assert call(*args).json["repeated"] is True
    assert call("count", "--json").json["count"] == 1
    assert call("remember", "other", "--idempotency-key", "k").code == 1


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("remember",), 2, "TEXT"),
        (("remember", ""), 1, "empty or blank"),
        (("remember", "x", "--category", "thought"), 2, "'thought'"),
        (("remember", "x", "--occurred-at", "2026-03-04"), 2, "offset"),
        (("remember", "x", "--expires-at", "soon"), 2, "'soon'"),
        (("remember", "x", "--confidence", "2"), 2, "--confidence"),
        (("remember", "x", "--position", "-1"), 2, "--position"),
        (("remember", "x", "--metadata", "{"), 2, "not JSON"),
        (("remember", "x", "--metadata", "[]"), 2, "no JSON object"),
        (("remember", "x", "--category", "working"), 1, "session"),
        (("update", NOBODY), 2, "TEXT"),
        (("update", NOBODY, "x"), 3, NOBODY),
        (("update", NOBODY, "x", "--tag", "a", "--no-tags"), 2, "--no-tags"),
        (("retract",), 2, "ID"),
        (("retract", NOBODY), 3, NOBODY),
        (("forget", "no id"), 3, "no id"),
        (("restore", NOBODY), 3, NOBODY),
        (("restore",), 2, "ID"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int, says: str) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (code, "")
    assert answer.err.startswith("error: ")
    assert answer.err.count("\n") == 1
    assert says in answer.err


def test_stdin_that_is_no_text_is_refused(call: Call) -> None:
    answer = call("remember", "-", input=b"ok \xff")
    assert answer.code == 2
    assert "0xff at 3" in answer.err


def test_update_replaces_and_takes_over(call: Call, remember: Callable[..., str]) -> None:
    old = remember("The port is 8080", "--tag", "infra", "--category", "learning")
    answer = call("update", old, "The port is 9090", "--json")
    assert answer.json["outcome"] == "replaced"
    assert answer.json["entry"]["tags"] == ["infra"]
    assert answer.json["entry"]["category"] == "learning"
    assert answer.json["previous"]["id"] == old
    bare = call("update", answer.json["entry"]["id"], "-", "--no-tags", "--json", input="The port is 1\n").json["entry"]
    assert (bare["memory"], bare["tags"]) == ("The port is 1", [])


def test_retract_and_restore(call: Call, remember: Callable[..., str]) -> None:
    id = remember("a joke")
    assert call("forget", id, "--because", "it was a joke").code == 0
    assert call("count").out == "0\n"
    assert "it was a joke" in call("revisions", id).out
    assert call("retract", id).code == 3
    assert call("restore", id, "--json").json["outcome"] == "restored"
    assert call("count").out == "1\n"
    assert call("restore", id).code == 1
