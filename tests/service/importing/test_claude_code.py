from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memoranda.runtime.sync import Memory
from memoranda.service.importing.detect import detect, parse
from memoranda.service.importing.item import ImportItem, Skipped
from memoranda.service.operations import import_file


def record(uuid: str, role: str, content: object, **more: Any) -> dict[str, Any]:
    message = {"role": role, "content": content}
    at = "2026-02-14T10:04:22.123Z"
    return {"type": role, "uuid": uuid, "sessionId": "s-1", "timestamp": at, "message": message, **more}


def use(id: str, name: str = "Read") -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": id, "name": name, "input": {"path": "a"}}]


def result(id: str, text: str = "ok", **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": id, "content": text, **more}]


def read(*records: object) -> list[ImportItem | Skipped]:
    data = "\n".join(one if isinstance(one, str) else json.dumps(one) for one in records)
    return list(parse(data, "s.jsonl", "claude-code"))


def said(*records: object) -> list[str]:
    return [one.memory for one in read(*records) if isinstance(one, ImportItem)]


def left_out(*records: object) -> dict[str, str]:
    return {one.reason.rpartition(": ")[0]: one.where for one in read(*records) if isinstance(one, Skipped)}


def test_messages_and_parallel_calls_in_the_order_of_the_file() -> None:
    found = read(
        {"type": "summary", "summary": "about files", "leafUuid": "x"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}},
        record("u-1", "user", "Fix a"),
        record("a-1", "assistant", [{"type": "thinking", "thinking": "hm", "signature": "x"}]),
        record("a-2", "assistant", [{"type": "text", "text": "I read."}]),
        record("a-3", "assistant", use("c-1")),
        record("a-4", "assistant", use("c-2", "Grep")),
        {"type": "progress", "uuid": "p", "sessionId": "s-1", "data": {}},
        record("u-2", "user", result("c-1", "one")),
        record("u-3", "user", result("c-2", "two")),
        {"type": "system", "subtype": "turn_duration", "uuid": "y", "sessionId": "s-1", "content": "1 s"},
    )
    items = [one for one in found if isinstance(one, ImportItem)]
    assert items == found
    assert [(one.memory, one.category, one.speaker, one.position, one.source) for one in items] == [
        ("Fix a", "episode", "user", 0, "s.jsonl#u-1"),
        ("I read.", "episode", "assistant", 1, "s.jsonl#a-2"),
        ('tool=Read; input={"path": "a"}; result=one', "trajectory", None, 2, "s.jsonl#a-3"),
        ('tool=Grep; input={"path": "a"}; result=two', "trajectory", None, 3, "s.jsonl#a-4"),
    ]
    assert {one.session for one in items} == {"s-1"}
    assert all(one.occurred_at is not None and one.occurred_at.microsecond == 123_000 for one in items)


def test_what_nobody_said_is_left_out_and_counted() -> None:
    records = [
        record("1", "user", "go", isSidechain=True),
        record("2", "assistant", "went", isSidechain=True),
        record("3", "user", "Caveat", isMeta=True),
        record("4", "user", "<system-reminder>be quick</system-reminder>"),
        record("5", "user", "[Request interrupted by user]"),
        record("6", "user", "So far: much", isCompactSummary=True),
        record("7", "assistant", "API Error: 500", isApiErrorMessage=True),
        record("8", "assistant", use("c-1")),
        record("9", "user", result("c-1", "no such file", is_error=True)),
    ]
    assert said(*records) == []
    found = [(one.where, one.reason) for one in read(*records) if isinstance(one, Skipped)]
    assert found == [
        ("conversation s-1", "calls of tools that failed: 1"),
        ("s.jsonl", "messages of a subagent (sidechain): 2"),
        ("s.jsonl", "messages that the program put in (reminders, notices, commands): 3"),
        ("s.jsonl", "summaries of what was compacted, which is imported itself: 1"),
        ("s.jsonl", "messages about a failed request: 1"),
    ]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("<system-reminder>be\nquick</system-reminder>\nPlease fix b", ["Please fix b"]),
        ("<command-name>/clear</command-name><command-args></command-args>", []),
        (
            "<command-message>p</command-message>\n<command-name>/p</command-name>\n<command-args>b now</command-args>",
            ["/p b now"],
        ),
        ("<local-command-stdout>listing</local-command-stdout>", []),
        ("<div>is this valid?</div>", ["<div>is this valid?</div>"]),
        ("<system-reminder> never closed", ["<system-reminder> never closed"]),
        ([{"type": "text", "text": "<system-reminder>x</system-reminder>"}, {"type": "text", "text": "b"}], ["b"]),
    ],
)
def test_the_words_of_a_person_are_kept_where_the_program_adds_to_them(content: object, expected: list[str]) -> None:
    assert said(record("1", "user", content)) == expected


def test_broken_lines_are_reported_with_their_number_and_the_rest_is_read() -> None:
    """Case K01."""
    records = [
        record("1", "user", "one"),
        '{"type": "user", "mess',
        "[]",
        {"type": "user", "uuid": "4", "sessionId": "s-1", "message": "text"},
        {"uuid": "5"},
        record("6", "user", "six", timestamp="noon"),
        record("7", "judge", "seven", type="user"),
        record("1", "user", "one"),
        record("9", "user", "nine"),
    ]
    assert said(*records) == ["one", "nine"]
    places = [one.where for one in read(*records) if isinstance(one, Skipped)]
    assert places == ["line 2", "line 3", "line 4", "line 5", "line 6", "line 7"]


def test_each_session_of_a_file_counts_its_own_positions() -> None:
    found = read(
        record("1", "user", "a", sessionId="s-1"),
        record("2", "user", "b", sessionId="s-2"),
        record("3", "user", "c", sessionId="s-1"),
    )
    assert [(one.memory, one.session, one.position) for one in found if isinstance(one, ImportItem)] == [
        ("a", "s-1", 0),
        ("c", "s-1", 1),
        ("b", "s-2", 0),
    ]


def real_sessions(shared: Path) -> list[tuple[str, str]]:
    folder = shared / "data" / "transcripts" / "claude_code"
    if not folder.is_dir():
        pytest.skip("the shared material holds no transcripts of Claude Code")
    return [(path.stem, lzma.open(path, "rt", encoding="utf-8").read()) for path in sorted(folder.glob("*.xz"))]


def test_real_sessions_give_each_answered_call_and_each_message_once(shared: Path) -> None:
    for name, data in real_sessions(shared):
        assert detect(name, data) == "claude-code"
        found = list(parse(data, name))
        items = [one for one in found if isinstance(one, ImportItem)]
        rows = [json.loads(line) for line in data.splitlines()]
        chain = [row for row in rows if row["type"] in ("user", "assistant") and not row["isSidechain"]]
        blocks = [
            block for row in chain if isinstance(row["message"]["content"], list) for block in row["message"]["content"]
        ]
        kinds = Counter(block["type"] for block in blocks)
        failed = sum(block["type"] == "tool_result" and block.get("is_error") is True for block in blocks)
        assert sum(one.category == "trajectory" for one in items) == kinds["tool_result"] - failed
        for session in {one.session for one in items}:
            own = [one for one in items if one.session == session]
            assert [one.position for one in own] == list(range(len(own)))
        typed = [row["message"]["content"] for row in chain if not (row.get("isMeta") or row.get("isCompactSummary"))]
        prose = {text.strip() for text in typed if isinstance(text, str) and not text.startswith("<")}
        assert prose <= {one.memory for one in items}


def test_importing_a_session_again_adds_nothing(shared: Path, tmp_path: Path) -> None:
    """S0.28: what is there is not stored twice."""
    name, data = real_sessions(shared)[-1]
    file = tmp_path / name
    file.write_text(data, encoding="utf-8")
    with Memory(":memory:", embedder=None) as memory:
        scope = memory.scope("a")
        first = import_file(scope, file)
        assert (first.format, first.imported) == ("claude-code", scope.count())
        assert first.imported > 0
        again = import_file(scope, file)
        assert (again.imported, again.unchanged) == (0, first.imported)
        file.write_text(data + "\n" + json.dumps(record("new", "user", "one more")), encoding="utf-8")
        assert import_file(scope, file).imported == 1
