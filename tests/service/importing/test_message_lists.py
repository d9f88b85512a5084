from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoranda.runtime.sync import Memory
from memoranda.service.importing.detect import detect, parse
from memoranda.service.importing.item import ImportItem, Skipped
from memoranda.service.operations import import_file

HELLO = {"role": "user", "content": "hello"}
HI = {"role": "assistant", "content": "hi"}


def said(data: str, name: str = "a.json", format: str | None = None) -> list[tuple[str, str | None, int | None]]:
    return [(one.memory, one.session, one.position) for one in parse(data, name, format) if isinstance(one, ImportItem)]


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([HELLO, HI]),
        json.dumps([HELLO, HI], indent=1),
        json.dumps({"model": "m", "messages": [HELLO, HI]}),
        json.dumps({"messages": [HELLO, HI]}, indent=1),
        json.dumps({"system": "s", "messages": [HELLO, HI], "max_tokens": 9}),
        json.dumps({"input": [HELLO, HI]}),
        json.dumps([[HELLO, HI]]),
        json.dumps(HELLO) + "\n\n" + json.dumps(HI) + "\n",
        json.dumps({"messages": [HELLO, HI]}) + "\n",
    ],
)
def test_every_shape_of_a_list_is_read(data: str) -> None:
    assert said(data) == [("hello", "a.json#1", 0), ("hi", "a.json#1", 1)]
    assert [one for one in parse(data, "a.json") if isinstance(one, Skipped)] == []


def test_each_format_is_read_by_its_own_rules() -> None:
    chat = [
        {"role": "assistant", "tool_calls": [{"id": "c", "function": {"name": "t", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "ok"},
    ]
    responses = [
        {"type": "function_call", "call_id": "c", "name": "t", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": "ok"},
    ]
    anthropic = [
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "t", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "ok"}]},
    ]
    for format, rows in (("chat", chat), ("responses", responses), ("anthropic", anthropic)):
        assert detect("a.json", json.dumps(rows)) == format
        assert said(json.dumps(rows)) == [("tool=t; input={}; result=ok", "a.json#1", 0)]


def test_several_conversations_have_sessions_of_their_own() -> None:
    rows = [{"messages": [HELLO], "session_id": "mine"}, {"messages": [HELLO, HI]}, {"messages": [HI], "id": "mine"}]
    lines = "\n".join(map(json.dumps, rows))
    assert said(lines, "a.jsonl") == [
        ("hello", "mine", 0),
        ("hello", "a.jsonl#2", 0),
        ("hi", "a.jsonl#2", 1),
        ("hi", "mine", 1),
    ]
    sources = [one.source for one in parse(lines, "a.jsonl") if isinstance(one, ImportItem)]
    assert sources == ["a.jsonl#L1.message-1", "a.jsonl#L2.message-1", "a.jsonl#L2.message-2", "a.jsonl#L3.message-1"]


def test_what_cannot_be_read_is_reported_with_its_place_and_the_rest_is_read() -> None:
    """Case K01."""
    lines = [json.dumps(HELLO), "{broken", json.dumps({"role": "judge", "content": "x"}), json.dumps(HI), "7"]
    found = list(parse("\n".join(lines), "a.jsonl"))
    assert [one.memory for one in found if isinstance(one, ImportItem)] == ["hello", "hi"]
    skipped = {one.where: one.reason for one in found if isinstance(one, Skipped)}
    assert set(skipped) == {"line 2", "line 3", "line 5"}
    assert "not whole JSON" in skipped["line 2"]
    assert "'judge'" in skipped["line 3"]
    listed = list(parse(json.dumps({"messages": [HELLO, 7, HI]}), "a.json", "chat"))
    assert [one.where for one in listed if isinstance(one, Skipped)] == ["line 1, message 2"]
    assert [one.position for one in listed if isinstance(one, ImportItem)] == [0, 1]


def test_a_list_that_was_cut_short_gives_its_first_messages() -> None:
    """Case K01: killed while writing."""
    data = json.dumps([HELLO, HI])[:-5]
    found = list(parse(data, "a.json"))
    assert isinstance(found[0], Skipped)
    assert [one.memory for one in found if isinstance(one, ImportItem)] == ["hello"]


def test_a_message_may_say_when_it_was_sent() -> None:
    rows = [HELLO | {"created_at": 0}, HI | {"timestamp": "2026-03-04T10:00:00+01:00"}, HI | {"timestamp": "noon"}]
    times = [one.occurred_at for one in parse(json.dumps(rows), "a.json") if isinstance(one, ImportItem)]
    assert times == [datetime(1970, 1, 1, tzinfo=UTC), datetime(2026, 3, 4, 9, tzinfo=UTC), None]


def test_a_string_as_input_is_the_users_message() -> None:
    assert said(json.dumps({"model": "m", "input": "hello"}), format="responses") == [("hello", "a.json#1", 0)]


def test_a_list_that_has_grown_adds_only_what_is_new(tmp_path: Path) -> None:
    """S0.28: what is there is not stored twice."""
    file = tmp_path / "chat.json"
    with Memory(":memory:", embedder=None) as memory:
        scope = memory.scope("a")
        for rows, new, known in (([HELLO, HI], 2, 0), ([HELLO, HI], 0, 2), ([HELLO, HI, HELLO], 1, 2)):
            file.write_text(json.dumps({"messages": rows}), encoding="utf-8")
            report = import_file(scope, file)
            assert (report.format, report.imported, report.unchanged) == ("chat", new, known)
        assert [entry.memory for entry in scope.list(session="chat.json#1")].count("hello") == 2
