"""The commands `core ...`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda import BlockNotFound
from memoranda.cli.failures import exit_code_of

Call = Callable[..., Any]


def test_blocks_are_put_listed_shown_and_rendered(call: Call) -> None:
    """S2.10, S2.11: in the order in which they were first put."""
    assert call("core", "put", "persona", "You are terse.", "--limit", "40").out == "put: persona, characters 14/40\n"
    assert call("core", "put", "human", "-", input="Ana\n").out == "put: human, characters 3, no limit\n"
    call("core", "put", "persona", "You are short.", "--limit", "40", "--description", "who you are", "--read-only")
    listed = call("core", "list", "--json").json
    assert [block["label"] for block in listed["blocks"]] == ["persona", "human"]
    assert listed["characters"] == 17
    assert listed["blocks"][0] == {
        "label": "persona",
        "value": "You are short.",
        "characters": 14,
        "limit": 40,
        "description": "who you are",
        "read_only": True,
        "writable_by": "host",
    }
    assert call("core", "show", "persona", "--json").json == listed["blocks"][0]
    assert call("core", "render").out == "## persona\nYou are short.\n\n## human\nAna\n"
    assert call("core", "render", "--json").json == {"text": "## persona\nYou are short.\n\n## human\nAna"}
    for shown in (call("core", "list").out, call("core", "show", "persona").out):
        assert "14/40" in shown
        assert "You are short." in shown
        assert "who you are" in shown
        assert "put by the host only" in shown


def test_nothing_is_an_answer(call: Call) -> None:
    listed = call("core", "list")
    assert (listed.code, listed.out, listed.err) == (0, "", "no core blocks; `core put` makes one\n")
    rendered = call("core", "render")
    assert (rendered.code, rendered.out) == (0, "")
    assert call("core", "render", "--json").json == {"text": ""}
    assert call("core", "list", "--json").json == {"blocks": [], "characters": 0}


def test_changes_leave_revisions_that_say_who_and_why(call: Call) -> None:
    call("core", "put", "human", "Ana", "--writable-by", "model", "--limit", "20")
    assert call("core", "append", "human", ", likes tea", "--by", "model").out == "append: human, characters 14/20\n"
    changed = call("core", "replace", "human", "tea", "mate", "--by", "user", "--because", "she said so", "--json").json
    assert (changed["change"], changed["block"]["value"], changed["masked"]) == ("replace", "Ana, likes mate", False)
    revisions = call("core", "revisions", "human", "--json").json["revisions"]
    assert [(one["change"], one["by"], one["because"], one["block"]["value"]) for one in revisions] == [
        ("append", "model", "", "Ana"),
        ("replace", "user", "she said so", "Ana, likes tea"),
    ]
    shown = call("core", "revisions", "human").out
    assert "she said so" in shown
    assert "Ana, likes tea" in shown
    call("core", "replace", "human", ", likes mate", "")
    assert call("core", "show", "human", "--json").json["value"] == "Ana"
    call("core", "put", "new", "x")
    assert call("core", "revisions", "new").err == "it was never changed\n"


def test_what_is_too_long_or_not_permitted_changes_nothing(call: Call) -> None:
    """S2.3, S2.14, design D10."""
    call("core", "put", "human", "Ana", "--limit", "5")
    call("core", "put", "persona", "terse", "--read-only", "--writable-by", "web")
    over = call("core", "append", "human", "abc", "--json")
    assert (over.code, over.out) == (1, "")
    assert json.loads(over.err)["error"]["type"] == "BlockOverLimit"
    assert "'human' has a limit of 5 characters, and its value would have 6" in over.err
    for args in (("append", "human", "!"), ("put", "human", "Eve"), ("remove", "human"), ("append", "persona", "!")):
        refused = call("core", *args, "--by", "model")
        assert (refused.code, refused.out) == (1, "")
        assert refused.err.startswith("error: the core block ")
    assert call("core", "render").out == "## human\nAna\n\n## persona\nterse\n"


def test_put_anew_takes_the_limit_away_and_keeps_the_writers(call: Call) -> None:
    """S2.2."""
    call("core", "put", "human", "Ana", "--limit", "5", "--writable-by", "model", "--description", "who")
    block = call("core", "put", "human", "Ana Belém", "--json").json["block"]
    assert (block["limit"], block["writable_by"], block["description"]) == (None, "model", "who")


def test_secrets_are_masked_and_that_is_told(call: Call, tmp_path: Path) -> None:
    answer = call("core", "put", "human", "password=hunter2-Zq81LmPx9")
    assert "masked" in answer.out
    assert call("core", "append", "human", "!", "--json").json["masked"] is False
    assert call("core", "show", "human", "--json").json["value"] == "password=[REDACTED]!"
    assert not any(b"hunter2" in path.read_bytes() for path in tmp_path.glob("memory.db*"))


def test_a_session_has_blocks_of_its_own(call: Call) -> None:
    """S2.15: so has each agent and slot of it, and each scope."""
    places = [
        (),
        ("--session", "s"),
        ("--session", "s", "--agent", "a"),
        ("--session", "s", "--slot", "a"),
        ("--scope", "other", "--session", "s"),
    ]
    for number, place in enumerate(places):
        assert call("core", "put", "plan", str(number), *place).code == 0
    for number, place in enumerate(places):
        assert call("core", "show", "plan", *place, "--json").json["value"] == str(number)


def test_removed_keeps_its_revisions_and_erased_keeps_nothing(call: Call, tmp_path: Path) -> None:
    """Design D16."""
    call("core", "put", "human", "the vault code is tango foxtrot")
    call("core", "append", "human", ", not kilo")
    assert call("core", "remove", "human", "--json").json == {
        "change": "remove", "label": "human", "block": None, "masked": False
    }  # fmt: skip
    assert call("core", "list", "--json").json["blocks"] == []
    assert len(call("core", "revisions", "human", "--json").json["revisions"]) == 2
    no = call("core", "erase", "human", input="n\n")
    assert (no.code, no.out) == (1, "")
    assert "its 2 revisions" in no.err
    receipt = call("core", "erase", "human", "--yes", "--json").json
    assert (receipt["verified"], receipt["documents"]) == ("yes", 3)
    assert not any(b"foxtrot" in path.read_bytes() for path in tmp_path.glob("memory.db*"))
    assert call("core", "revisions", "human").code != 0
    again = call("core", "erase", "human", input="y\n")
    assert again.code == 0
    assert "nothing to erase" in again.out


@pytest.mark.parametrize(
    "args", [("show", "x"), ("replace", "x", "a", "b"), ("remove", "x"), ("revisions", "x")], ids=lambda args: args[0]
)
def test_an_unknown_label_is_told_with_those_that_are_there(call: Call, args: tuple[str, ...]) -> None:
    call("core", "put", "human", "Ana")
    answer = call("core", *args)
    assert (answer.code, answer.out) == (exit_code_of(BlockNotFound("x")), "")
    assert answer.err == "error: no core block 'x'; there are 'human'\n"


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("list", "--agent", "a"), 2, "belong to --session"),
        (("put", "x"), 2, "VALUE"),
        (("put", "x", "y", "--limit", "-1"), 2, "--limit"),
        (("put", "x", "y", "--by", "nobody"), 2, "--by"),
        (("put", "a\nb", "y"), 1, "line break"),
        (("put", "x", "y", "--session", " "), 1, "session"),
        (("put", "x", "-"), 2, "UTF-8"),
        (("append", "x", "y", "--by", "user"), 1, "host"),
        (("replace", "human", "tea", "mate"), 1, "stands 2 times"),
        (("erase", "human"), 2, "--yes"),
    ],
)
def test_wrong_input_is_one_line_and_a_code(call: Call, args: tuple[str, ...], code: int, says: str) -> None:
    call("core", "put", "human", "tea and tea")
    answer = call("core", *args, input=b"\xff" if "-" in args else None)
    assert (answer.code, answer.out) == (code, "")
    assert "error: " in answer.err
    assert says in answer.err
    assert call("core", "render").out == "## human\ntea and tea\n"


def test_nothing_of_a_block_acts_on_the_terminal(call: Call) -> None:
    call("core", "put", "human", "\x1b[31mred [bold]x[/bold]")
    for verb in (("list",), ("show", "human"), ("render",)):
        out = call("core", *verb).out
        assert "\x1b" not in out
        assert "[bold]x[/bold]" in out
