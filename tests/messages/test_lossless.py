"""What nobody changed comes out as it came in; what was changed changes nothing else."""

import gzip
import json
import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.blocks import holds_text
from memoranda.messages.formats import detect, read, read_one, write, write_one
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    OpaquePart,
    Part,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
)
from tests.messages import sdk
from tests.messages.lists import Json, broken_lists_of, lists_of

FORMATS = st.sampled_from(list(WireFormat))
MARK = "a text that stands nowhere else"


def said(message: Message) -> list[object]:
    """What a message says, without the objects that it came in."""
    return [message.role, *(_said(part) for part in message.parts)]


def _said(part: Part) -> object:
    if isinstance(part, ResultPart):
        return [part.id, part.is_error, part.server, [_said(inner) for inner in part.parts]]
    return part if isinstance(part, OpaquePart) else replace(part, wire=None)


def other(part: Part) -> Part | None:
    """The part with another text, in every way in which a strategy may change one; None where it has to stay."""
    match part:
        case TextPart():
            return replace(part, text=MARK)
        case CallPart() if isinstance(part.arguments, str) and part.wire and not part.server and part.name:
            return replace(part, arguments=json.dumps({"cut": MARK}))
        case CallPart() if part.wire and "input" in part.wire:
            return replace(part, arguments={"cut": MARK})
        case ResultPart() if holds_text(part):
            return replace(part, parts=(TextPart(MARK),))
        case _:
            return None


@given(st.data())
def test_an_untouched_list_is_written_as_the_same_objects(data: st.DataObject) -> None:
    format = data.draw(FORMATS)
    messages = data.draw(st.one_of(lists_of(format), broken_lists_of(format)))
    before = json.dumps(messages)
    found, views = read(messages, format)
    written = write(views, found)
    assert len(written) == len(messages)
    assert all(new is old for new, old in zip(written, messages, strict=True))
    assert json.dumps(messages) == before


@given(st.data())
def test_a_message_written_anew_is_the_same_json(data: st.DataObject) -> None:
    """Unknown fields and blocks, thinking, cache marks and the order of keys are kept: case P11."""
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format))
    anew = [replace(view, changed=True) for view in read(messages, format)[1]]
    assert [json.dumps(new) for new in write(anew, format)] == [json.dumps(old) for old in messages]


@given(st.data())
def test_a_changed_part_changes_its_own_block_only(data: st.DataObject) -> None:
    """Case P11: the signed thinking beside it, and blocks of unknown type, are the very objects that came."""
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format))
    before = json.dumps(messages)
    for old, view in zip(messages, read(messages, format)[1], strict=True):
        for place, part in enumerate(view.parts):
            new = other(part)
            if new is None:
                continue
            changed = view.with_part(place, new)
            written: Any = write_one(changed, format)
            assert said(read_one(written, format)) == said(changed)
            assert list(written) == list(old)
            fields = {name for name in old if written[name] != old[name]}
            assert len(fields) <= 1, fields
            for name in fields:
                if isinstance(old[name], list) and not isinstance(part, ResultPart):
                    assert sum(a is not b for a, b in zip(written[name], old[name], strict=True)) == 1
    assert json.dumps(messages) == before


@given(st.data())
def test_what_is_not_text_goes_whole_or_stays(data: st.DataObject) -> None:
    """Case P11: each thought is identical or gone; removing one part leaves the others."""
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format))
    for view in read(messages, format)[1]:
        if len(view.parts) < 2 or "mcp_call" in str(view.wire):
            continue
        for place in range(len(view.parts)):
            fewer = view.with_parts((*view.parts[:place], *view.parts[place + 1 :]))
            assert said(read_one(write_one(fewer, format), format)) == said(fewer)


@given(st.data())
def test_changed_lists_are_accepted_by_the_official_sdks(data: st.DataObject) -> None:
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format, known=True))
    sdk.check(messages, format)
    changed = []
    for view in read(messages, format)[1]:
        for place, part in enumerate(view.parts):
            view = view.with_part(place, other(part) or part)
        changed.append(view)
    sdk.check(write(changed, format), format)


@given(st.data())
def test_a_clamped_thought_is_written_as_it_came(data: st.DataObject) -> None:
    """C39, case P11: even where somebody cut its text, what is signed or encrypted goes out whole."""
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format))
    cut = []
    for view in read(messages, format)[1]:
        parts = tuple(replace(part, text="cut") if isinstance(part, ThinkingPart) else part for part in view.parts)
        cut.append(view.with_parts(parts))
    assert [json.dumps(new) for new in write(cut, format)] == [json.dumps(old) for old in messages]


def test_signed_thinking_of_the_case(case: Any) -> None:
    """Case P11."""
    blocks = case("P11")["input"]["messages"][1]["c"]
    message = {"role": "assistant", "content": blocks}
    view = read_one(message, "anthropic")
    written: Any = write_one(view.with_part(1, TextPart("cut", view.parts[1].wire)), "anthropic")
    assert written["content"][0] is blocks[0]
    assert written["content"][1] == {"type": "text", "text": "cut"}
    assert written["content"][2] is blocks[2]


def _tau_bench(folder: Path) -> Iterator[list[Json]]:
    with gzip.open(folder / "tau_bench" / "tau-airline-dev80.json.gz", "rt", encoding="utf-8") as file:
        for run in json.load(file):
            yield run["traj"]


def _swe_agent(folder: Path) -> Iterator[list[Json]]:
    for path in sorted((folder / "swe_agent").glob("*.json.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield json.load(file)["history"]


def _claude_code(folder: Path) -> Iterator[list[Json]]:
    for path in sorted((folder / "claude_code").glob("*.jsonl.xz")):
        with lzma.open(path, "rt", encoding="utf-8") as file:
            rows = [json.loads(line) for line in file]
        yield [row["message"] for row in rows if "message" in row]


@pytest.mark.parametrize(
    ("source", "format", "least"),
    [(_tau_bench, WireFormat.CHAT, 80), (_swe_agent, WireFormat.CHAT, 10), (_claude_code, WireFormat.ANTHROPIC, 10)],
)
def test_transcripts_come_out_as_they_came_in(source: Any, format: WireFormat, least: int, shared: Path) -> None:
    folder = shared / "data" / "transcripts"
    if not folder.is_dir():
        pytest.skip("the shared material holds no data/transcripts")
    runs = list(source(folder))
    assert len(runs) >= least
    for messages in runs:
        before = json.dumps(messages)
        found, views = read(messages)
        assert found is format
        assert all(new is old for new, old in zip(write(views, found), messages, strict=True))
        anew = write([replace(view, changed=True) for view in views], found)
        assert json.dumps(anew) == before
        assert not any(view.of_kind(OpaquePart) for view in views)


def test_calls_and_results_of_the_transcripts_find_each_other(shared: Path) -> None:
    folder = shared / "data" / "transcripts"
    if not folder.is_dir():
        pytest.skip("the shared material holds no data/transcripts")
    pairs = 0
    for messages in (*_tau_bench(folder), *_swe_agent(folder), *_claude_code(folder)):
        _, views = read(messages)
        asked = {part.id for view in views for part in view.of_kind(CallPart)}
        answered = {part.id for view in views for part in view.of_kind(ResultPart)}
        assert answered <= asked
        assert "" not in asked
        pairs += len(answered)
    assert pairs > 1000


def test_objects_of_an_sdk_are_handed_back_as_they_are() -> None:
    """Replies of the official SDKs, whole and as blocks of a message."""
    from anthropic.types import ToolUseBlock
    from openai.types.chat import ChatCompletionMessage
    from openai.types.responses import ResponseFunctionToolCall

    call = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}}
    reply = ChatCompletionMessage.model_validate(
        {"role": "assistant", "content": "one moment", "tool_calls": [call], "reasoning_content": "hm"}
    )
    messages = [{"role": "user", "content": "read a"}, reply, {"role": "tool", "tool_call_id": "c1", "content": "A"}]
    found, views = read(messages)
    assert found is WireFormat.CHAT
    assert [type(part) for part in views[1].parts] == [ThinkingPart, TextPart, CallPart]
    assert all(new is old for new, old in zip(write(views, found), messages, strict=True))
    assert write_one(views[1].with_part(1, TextPart("…")), found) == {
        "role": "assistant",
        "content": "…",
        "tool_calls": [call],
        "reasoning_content": "hm",
    }

    item = ResponseFunctionToolCall(arguments="{}", call_id="c1", name="read", type="function_call")
    assert detect([item]) is WireFormat.RESPONSES
    assert write(read([item])[1], "responses")[0] is item

    block = ToolUseBlock(id="t1", name="read", input={"path": "a", "limit": None}, type="tool_use")
    said_by_model = {"role": "assistant", "content": [block]}
    assert detect([said_by_model]) is WireFormat.ANTHROPIC
    view = read_one(said_by_model, "anthropic")
    assert view.parts[0] == CallPart("t1", "read", {"path": "a", "limit": None}, wire=view.parts[0].wire)
    assert write_one(view, "anthropic") is said_by_model
    more: Any = write_one(view.with_parts((*view.parts, TextPart("!"))), "anthropic")
    assert more["content"][0] == {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a", "limit": None}}


def test_media_are_never_changed_by_a_change_beside_them() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,QUJD", "detail": "low"}, "x": 1}
    view = read_one({"role": "user", "content": [{"type": "text", "text": "?"}, image]}, "chat")
    written: Any = write_one(view.with_part(0, TextPart("!")), "chat")
    assert written["content"] == [{"type": "text", "text": "!"}, image]
    assert isinstance(view.parts[1], MediaPart)
    assert view.role is Role.USER
