"""OpenAI Chat Completions, message by message."""

from typing import Any

import pytest

from memoranda.errors import InvalidMessages
from memoranda.messages.chat import read_chat, write_chat
from memoranda.messages.formats import write_one
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    OpaquePart,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
)
from tests.messages import sdk
from tests.messages.lists import Json

CALL: Json = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}, "index": 0}
CUSTOM: Json = {"id": "c2", "type": "custom", "custom": {"name": "sql", "input": "select 1"}}
ASKED: Json = {"role": "assistant", "content": None, "tool_calls": [CALL, CUSTOM], "name": "ann"}


@pytest.mark.parametrize(
    ("said", "role"),
    [("developer", Role.SYSTEM), ("system", Role.SYSTEM), ("user", Role.USER), ("assistant", Role.ASSISTANT)],
)
def test_roles(said: str, role: Role) -> None:
    view = read_chat({"role": said, "content": "hello"})
    assert view == Message(role, (TextPart("hello"),))


@pytest.mark.parametrize("content", [None, "", []])
def test_content_that_is_nothing_has_no_parts(content: object) -> None:
    """Case S03: nothing was said, so there is nothing to send."""
    assert read_chat({"role": "assistant", "content": content}).parts == ()
    assert read_chat({"role": "tool", "tool_call_id": "c1", "content": content}).parts[0].parts == ()  # type: ignore[union-attr]


def test_calls_of_both_kinds() -> None:
    view = read_chat(ASKED)
    assert view.parts == (
        CallPart("c1", "read", '{"path": "a"}', wire=CALL),
        CallPart("c2", "sql", "select 1", wire=CUSTOM),
    )


def test_changed_arguments_change_their_call_only() -> None:
    """S4.26: string arguments may be cut."""
    view = read_chat(ASKED)
    written: Any = write_chat(view.with_part(0, CallPart("c1", "read", "{}", wire=CALL)))
    assert written["tool_calls"][0] == {**CALL, "function": {"name": "read", "arguments": "{}"}}
    assert written["tool_calls"][1] is CUSTOM
    assert written["content"] is None
    custom: Any = write_chat(view.with_part(1, CallPart("c2", "sql", "…", wire=CUSTOM)))
    assert custom["tool_calls"] == [CALL, {**CUSTOM, "custom": {"name": "sql", "input": "…"}}]


def test_a_removed_call_leaves_the_other_and_the_last_one_the_field() -> None:
    view = read_chat(ASKED)
    assert write_chat(view.with_parts(view.parts[:1]))["tool_calls"] == [CALL]
    assert "tool_calls" not in write_chat(view.with_parts((TextPart("done"),)))


def test_a_call_of_unknown_kind_is_kept_and_cannot_be_changed() -> None:
    call: Json = {"id": "c3", "type": "later", "later": {"x": 1}}
    view = read_chat({"role": "assistant", "content": "x", "tool_calls": [call]})
    written = write_chat(view.with_part(0, TextPart("y")))
    assert written["tool_calls"] == [call]
    with pytest.raises(InvalidMessages, match="only removed"):
        write_chat(view.with_part(1, CallPart("c3", "later", "{}", wire=call)))


def test_arguments_that_came_as_an_object_stay_one() -> None:
    call: Json = {"function": {"name": "read", "arguments": {"path": "a"}}}
    view = read_chat({"role": "assistant", "content": "", "tool_calls": [call]})
    changed = view.with_part(0, CallPart("", "read", {"path": "b"}, wire=call))
    assert write_chat(changed)["tool_calls"] == [{"id": "", "function": {"name": "read", "arguments": {"path": "b"}}}]


def test_calls_of_the_old_form_pair_by_name() -> None:
    asked = {"role": "assistant", "content": None, "function_call": {"name": "calc", "arguments": "{}"}}
    answered = {"role": "function", "name": "calc", "content": "42"}
    call, result = read_chat(asked).parts[0], read_chat(answered).parts[0]
    assert isinstance(call, CallPart)
    assert isinstance(result, ResultPart)
    assert call.id == result.id == "calc"
    cut = read_chat(asked).with_part(0, CallPart("calc", "calc", "…", wire=call.wire))
    assert write_chat(cut) == {**asked, "function_call": {"name": "calc", "arguments": "…"}}
    assert "function_call" not in write_chat(cut.with_parts((TextPart("x"),)))
    blanked = read_chat(answered).with_part(0, ResultPart("calc", (TextPart("[cleared]"),), wire=answered))
    assert write_chat(blanked) == {**answered, "content": "[cleared]"}


@pytest.mark.parametrize(
    "fields",
    [
        {"reasoning_content": "hm"},
        {"reasoning": "hm"},
        {"thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
        {"reasoning_content": "hm", "thinking_blocks": [{"type": "thinking", "thinking": "hm", "signature": "s"}]},
        {"reasoning": "hm", "reasoning_details": [{"type": "reasoning.encrypted", "data": "x"}]},
        {"reasoning_details": [{"type": "reasoning.summary", "summary": "hm"}]},
    ],
)
def test_thinking_in_fields_goes_together_or_not_at_all(fields: dict[str, Any]) -> None:
    """Case P11."""
    wire = {"role": "assistant", "content": "yes", **fields}
    view = read_chat(wire)
    assert view.parts == (ThinkingPart("hm"), TextPart("yes"))
    assert write_chat(view.with_part(1, TextPart("no"))) == {**wire, "content": "no"}
    assert write_chat(view.with_parts(view.parts[1:])) == {"role": "assistant", "content": "yes"}


def test_a_refusal_and_a_sound_are_parts() -> None:
    refused = {"role": "assistant", "content": None, "refusal": "I will not"}
    view = read_chat(refused)
    assert view.text == "I will not"
    assert write_chat(view.with_part(0, TextPart("no", view.parts[0].wire))) == {**refused, "refusal": "no"}
    assert write_chat(view.with_parts((TextPart("x"),))) == {"role": "assistant", "content": "x", "refusal": None}
    heard = {"role": "assistant", "content": None, "audio": {"id": "a1"}}
    sound = read_chat(heard).parts
    assert sound == (MediaPart("audio", url="a1", wire={"id": "a1"}),)
    assert write_chat(read_chat(heard).with_parts((TextPart("x"),))) == {"role": "assistant", "content": "x"}


def test_a_string_stays_one_while_there_are_only_texts() -> None:
    view = read_chat({"role": "user", "content": "one"})
    assert write_chat(view.with_parts((*view.parts, TextPart("two")))) == {"role": "user", "content": "one\ntwo"}
    picture = MediaPart("image", "image/png", "QUJD")
    written: Any = write_chat(view.with_parts((*view.parts, picture)))
    assert [block["type"] for block in written["content"]] == ["text", "image_url"]


def test_text_that_leaves_calls_behind_leaves_no_empty_text() -> None:
    """Case S03: an empty text beside calls is refused by some."""
    for content in ("calling", [{"type": "text", "text": "calling"}]):
        view = read_chat({**ASKED, "content": content})
        assert write_chat(view.with_parts(view.parts[1:]))["content"] is None


def test_blocks_that_are_not_understood_are_carried() -> None:
    block: Json = {"type": "hologram", "beam": 1}
    view = read_chat({"role": "user", "content": [block, {"no": "type"}]})
    assert view.parts == (OpaquePart("hologram", block), OpaquePart("", {"no": "type"}))


def test_the_id_of_a_result_may_be_in_a_list() -> None:
    """As in the transcripts of swe_agent."""
    part = read_chat({"role": "tool", "tool_call_ids": ["c9"], "content": "x"}).parts[0]
    assert isinstance(part, ResultPart)
    assert part.id == "c9"


def test_a_result_may_lose_its_text_but_not_its_id() -> None:
    """S4.25: ids stay."""
    wire: Json = {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "long"}], "name": "read"}
    view = read_chat(wire)
    result = view.parts[0]
    assert isinstance(result, ResultPart)
    assert write_chat(view.with_part(0, ResultPart("c1", (), wire=wire))) == {**wire, "content": ""}
    placed = write_chat(view.with_part(0, ResultPart("c1", (TextPart("[cleared]"),), wire=wire)))
    assert placed == {**wire, "content": [{"type": "text", "text": "[cleared]"}]}


def test_new_messages() -> None:
    call = Message(Role.ASSISTANT, (ThinkingPart("hm"), TextPart("one moment"), CallPart("c1", "read", {"path": "é"})))
    result = Message(Role.TOOL, (ResultPart("c1", (TextPart("A"),), is_error=True),))
    written = [write_one(call, WireFormat.CHAT), write_one(result, WireFormat.CHAT)]
    sdk.check(written, WireFormat.CHAT)
    function = {"name": "read", "arguments": '{"path": "é"}'}
    assert written == [
        {
            "role": "assistant",
            "content": "one moment",
            "reasoning_content": "hm",
            "tool_calls": [{"id": "c1", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "A"},
    ]


@pytest.mark.parametrize(
    "message",
    [
        Message(Role.TOOL, ()),
        Message(Role.TOOL, (ResultPart("a"), ResultPart("b"))),
        Message(Role.USER, (ResultPart("a"),)),
        Message(Role.ASSISTANT, (TextPart("x"), ResultPart("a"))),
    ],
)
def test_what_one_message_cannot_hold_is_refused(message: Message) -> None:
    with pytest.raises(InvalidMessages, match=r"make one message of each|of its own"):
        write_chat(message)
