from __future__ import annotations

import json
from typing import Any

import pytest

from memoranda.errors import ImportFormatError, InvalidMessages
from memoranda.records.message import WireFormat
from memoranda.service.transcripts import read_transcript

HELLO = {"role": "user", "content": "hello"}
HI = {"role": "assistant", "content": "hi"}
LISTED = [HELLO, HI]


@pytest.mark.parametrize(
    ("data", "format"),
    [
        (json.dumps(LISTED, indent=2), WireFormat.CHAT),
        (json.dumps({"model": "m", "messages": LISTED, "n": 1}), WireFormat.CHAT),
        (json.dumps({"messages": LISTED, "n": 1}, indent=2), WireFormat.CHAT),
        (json.dumps({"system": "be kind", "messages": LISTED}), WireFormat.ANTHROPIC),
        (json.dumps({"instructions": "be kind", "input": LISTED}), WireFormat.RESPONSES),
        ("\n".join(map(json.dumps, LISTED)), WireFormat.CHAT),
    ],
)
def test_a_transcript_is_written_in_the_shape_that_it_has(data: str, format: WireFormat) -> None:
    transcript = read_transcript(data, "a.json")
    assert transcript.format is format
    assert transcript.messages == LISTED
    assert transcript.written(transcript.messages) == data
    shorter = transcript.written([HI])
    assert read_transcript(shorter, "b.json", format.value).messages == [HI]


def test_what_stands_beside_the_messages_is_known() -> None:
    tools = [{"name": "t"}]
    transcript = read_transcript(json.dumps({"system": "be kind", "messages": LISTED, "tools": tools}), "a.json")
    assert (transcript.system, transcript.tools) == ("be kind", tools)
    assert read_transcript(json.dumps({"instructions": "x", "input": LISTED}), "a.json").system == "x"


def test_text_that_is_not_ascii_stays_as_it_is() -> None:
    for text in ("schön 東京", "half a pair \ud83d"):
        transcript = read_transcript(json.dumps([{"role": "user", "content": text}]), "a.json")
        written = transcript.written(transcript.messages)
        assert json.loads(written.encode())[0]["content"] == text
        assert text in written or "\\ud83d" in written


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "holds no messages"),
        ("[]", "holds no messages"),
        ('{"messages": []}', "holds no messages"),
        (json.dumps([{"messages": LISTED}, {"messages": LISTED}]), "holds 2 lists of messages"),
        (json.dumps(LISTED)[:-4], "a.json, line 1: broken JSON starts here"),
        (json.dumps(HELLO) + "\n{broken", "a.json, line 2: is not whole JSON"),
        ('{"type": "user", "sessionId": "s"}', "a.json, line 1: is of type 'user' and has no `message`"),
        ('[\n\n{"role": "user", "content": "\udcff"}]', "a.json is not UTF-8 text: byte 0xff in line 3"),
    ],
)
def test_what_is_no_transcript_is_refused_with_its_place(data: str, message: str) -> None:
    with pytest.raises(ImportFormatError) as raised:
        read_transcript(data, "a.json")
    assert message in str(raised.value)


def test_a_message_that_cannot_be_read_is_refused_with_its_place() -> None:
    for data in (json.dumps([HELLO, {"role": "judge"}]), json.dumps({"messages": [HELLO, 7]})):
        with pytest.raises(InvalidMessages, match=r"messages\[1\]"):
            read_transcript(data, "a.json", "chat")
    with pytest.raises(InvalidMessages, match=r"messages\[0\]"):
        read_transcript(json.dumps([{"role": "tool", "content": "x"}]), "a.json", "anthropic")


def record(role: str, content: object, id: str | None = None, **more: Any) -> str:
    message = {"role": role, "content": content, **({} if id is None else {"id": id, "model": "m"})}
    return json.dumps({"type": role, "sessionId": "s", "message": message, **more})


def use(id: str) -> dict[str, Any]:
    return {"type": "tool_use", "id": id, "name": "Read", "input": {}}


def result(id: str) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id, "content": "ok"}


def test_a_session_of_claude_code_is_read_as_the_messages_of_its_main_chain() -> None:
    lines = [
        json.dumps({"type": "summary", "summary": "x", "leafUuid": "l"}),
        record("user", "fix it"),
        record("user", "look around", isSidechain=True),
        record("assistant", [{"type": "text", "text": "I read."}], "r-1"),
        record("assistant", [use("a")], "r-1"),
        record("assistant", [use("b")], "r-1"),
        record("user", [result("a")]),
        record("user", [result("b")]),
        record("user", "So far: much", isCompactSummary=True),
        record("assistant", [{"type": "text", "text": "Done."}], "r-2"),
    ]
    transcript = read_transcript("\n".join(lines), "s.jsonl")
    assert transcript.format is WireFormat.ANTHROPIC
    assert transcript.messages == [
        {"role": "user", "content": "fix it"},
        {"role": "assistant", "content": [{"type": "text", "text": "I read."}, use("a"), use("b")]},
        {"role": "user", "content": [result("a"), result("b")]},
        {"role": "assistant", "content": [{"type": "text", "text": "Done."}]},
    ]
    assert json.loads(transcript.written(transcript.messages)) == transcript.messages


def test_a_file_of_a_subagent_alone_is_read_as_its_own_chain() -> None:
    lines = [record("user", "look around", isSidechain=True), record("assistant", "I did.", isSidechain=True)]
    transcript = read_transcript("\n".join(lines), "agent.jsonl", "claude-code")
    assert [message["role"] for message in transcript.messages if isinstance(message, dict)] == ["user", "assistant"]


def test_a_session_that_is_still_written_to_is_read_up_to_its_last_whole_line() -> None:
    row = {"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "hi"}}
    whole = read_transcript(json.dumps(row) + "\n", "s.jsonl", "claude-code")
    cut = read_transcript(json.dumps(row) + "\n" + json.dumps(row)[:30], "s.jsonl", "claude-code")
    assert cut.messages == whole.messages
    assert (whole.note, "not finished" in cut.note) == ("", True)
