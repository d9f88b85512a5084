"""The command `compact`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memoranda.service import transcripts
from memoranda.service.importing import detect

Call = Callable[..., Any]
ROWS: list[dict[str, Any]] = [{"role": "system", "content": "Be kind."}]
for _number in range(10):
    ROWS += [
        {"role": "user", "content": f"Where is parcel {48200 + _number}? " + "I wait. " * 20},
        {"role": "assistant", "content": f"Parcel {48200 + _number} is on its way. " + "Have patience. " * 20},
    ]
ROWS.append({"role": "user", "content": "And parcel 48200?"})


@pytest.fixture
def chat(tmp_path: Path) -> Path:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps(ROWS), encoding="utf-8")
    return file


def test_it_writes_a_shorter_transcript_and_says_so_on_stderr(call: Call, chat: Path, tmp_path: Path) -> None:
    """S4.19: first system and last user message stay."""
    answer = call("compact", str(chat), "--budget", "300")
    assert answer.code == 0
    assert answer.json[0] == ROWS[0]
    assert answer.json[-1] == ROWS[-1]
    assert 2 < len(answer.json) < len(ROWS)
    assert "tokens in 22 messages, now" in answer.err
    assert call("compact", str(chat), "--budget", "300", "--quiet").err == ""
    assert not (tmp_path / "memory.db").exists()


def test_stdin_files_and_lines(call: Call, chat: Path, tmp_path: Path) -> None:
    expected = call("compact", str(chat), "--budget", "300").json
    assert call("compact", "-", "--budget", "300", input=json.dumps(ROWS)).json == expected
    lines = call("compact", "-", "--budget", "300", input="\n".join(map(json.dumps, ROWS))).out
    assert [json.loads(line) for line in lines.splitlines()] == expected
    answer = call("compact", str(chat), "--budget", "300", "--out", "short.json")
    assert (answer.code, answer.out) == (0, "")
    assert json.loads((tmp_path / "short.json").read_text(encoding="utf-8")) == expected


def test_a_file_that_is_there_is_replaced_only_by_force(call: Call, chat: Path) -> None:
    before = chat.read_text(encoding="utf-8")
    answer = call("compact", str(chat), "--budget", "300", "--out", str(chat))
    assert answer.code == 1
    assert "is there already" in answer.err
    assert chat.read_text(encoding="utf-8") == before
    assert call("compact", str(chat), "--budget", "300", "--out", str(chat), "--force").code == 0
    assert len(json.loads(chat.read_text(encoding="utf-8"))) < len(ROWS)


def test_the_report_in_words_and_as_json(call: Call, chat: Path) -> None:
    """S4.18."""
    words = call("compact", str(chat), "--budget", "300", "--report")
    assert words.code == 0
    assert "must stay: 1 (system, " in words.out
    assert "values that later messages refer to" in words.out
    report = call("compact", str(chat), "--budget", "300", "--json").json
    assert report["tokens_after"] <= 300 < report["tokens_before"]
    assert report["budget"]["tokens"] == 300
    assert [one["message"] for one in report["pinned"]] == [1, 22]
    assert report["fidelity"]["references"] >= 1


def test_a_budget_that_cannot_be_met_ends_with_1_and_says_why(call: Call, chat: Path) -> None:
    answer = call("compact", str(chat), "--budget", "5")
    assert answer.code == 1
    assert answer.json == [ROWS[0], ROWS[-1]]
    assert "still over the budget: " in answer.err
    as_json = call("compact", str(chat), "--budget", "5", "--json")
    assert (as_json.code, as_json.err) == (1, "")
    assert as_json.json["unmet"]


def test_the_options_decide_what_is_done(call: Call, chat: Path) -> None:
    untouched = call("compact", str(chat))
    assert untouched.json == ROWS
    half = call("compact", str(chat), "--fraction", "0.5", "--window", "600", "--json").json
    assert half["budget"]["tokens"] == 300
    named = call("compact", str(chat), "--budget", "300", "--strategies", "drop-turns", "--json").json
    assert {action.partition(":")[0] for action in named["actions"]} == {"drop_turns"}
    counted = call("compact", str(chat), "--encoder", "gpt-4", "--json").json
    assert counted["counter"].startswith("cl100k_base")


def test_a_body_of_anthropic_keeps_all_else(call: Call) -> None:
    body = {"model": "m", "system": "Be kind.", "messages": ROWS[1:], "max_tokens": 9}
    answer = call("compact", "-", "--budget", "300", input=json.dumps(body))
    assert answer.code == 0
    assert answer.json | {"messages": []} == body | {"messages": []}
    assert answer.json["messages"][0]["role"] == "user"
    assert answer.json["messages"][-1] == ROWS[-1]


@pytest.mark.parametrize(
    ("args", "input", "code", "message"),
    [
        (("-", "--budget", "9", "--fraction", "0.5"), "[]", 2, "either --budget or --fraction"),
        (("-", "--budget", "0"), "[]", 2, "--budget"),
        (("-", "--fraction", "1.5"), "[]", 2, "--fraction"),
        (("-", "--strategies", "forget"), "[]", 2, "there is no strategy 'forget'"),
        (("-", "--encoder", "abacus"), "[]", 2, "'abacus'"),
        (("-", "--format", "word"), "[]", 2, "--format"),
        (("-",), "[]", 1, "stdin holds no messages"),
        (("-",), "[{]", 1, "stdin, line 1: broken JSON"),
        (("-",), b"\xff", 1, "stdin is not UTF-8"),
        (("-",), '[{"role": "judge"}]', 1, "messages[0]"),
        (("missing.json",), None, 1, "missing.json"),
    ],
)
def test_what_cannot_be_done_is_told(
    call: Call, args: tuple[str, ...], input: str | bytes | None, code: int, message: str
) -> None:
    answer = call("compact", *args, input=input)
    assert answer.code == code
    assert answer.out == ""
    assert message in answer.err


def test_the_help_shows_an_example_and_the_formats(call: Call) -> None:
    help = call("compact", "--help").out
    assert "memoranda compact chat.json --budget 4000" in help
    assert f"--format [{'|'.join(transcripts.FORMATS)}]" in help
    assert "|".join(detect.FORMATS) in "".join(call("import", "--help").out.split())
