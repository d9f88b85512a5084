"""Which wire format a list is in, and what is said where it cannot be told or read."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidMessages
from memoranda.messages.formats import detect, format_named, read, read_one, write, write_one
from memoranda.records.message import Message, Role, TextPart, WireFormat, system_message, user_message
from tests.messages import sdk
from tests.messages.lists import lists_of

FORMATS = st.sampled_from(list(WireFormat))
USER = {"role": "user", "content": "hello"}
CHAT = {"role": "tool", "tool_call_id": "c1", "content": "ok"}
ITEM = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": "{}"}
CLAUDE = {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "f", "input": {}}]}


@given(st.data())
def test_made_lists_are_what_the_official_sdks_send(data: st.DataObject) -> None:
    format = data.draw(FORMATS)
    sdk.check(data.draw(lists_of(format, known=True)), format)


@pytest.mark.parametrize("format", list(WireFormat))
def test_the_check_with_the_sdks_can_fail(format: WireFormat) -> None:
    with pytest.raises(ValueError, match="validation error"):
        sdk.check([{"role": "user", "content": [{"type": "hologram"}]}], format)


@given(st.data())
def test_a_list_is_read_the_same_whether_its_format_is_named_or_found(data: st.DataObject) -> None:
    format = data.draw(FORMATS)
    messages = data.draw(lists_of(format))
    assert read(messages)[1] == read(messages, format)[1]


@pytest.mark.parametrize(
    ("message", "format"),
    [
        (CHAT, "chat"),
        ({"role": "assistant", "content": None, "tool_calls": [{"id": "c1"}]}, "chat"),
        ({"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": ""}}, "chat"),
        ({"role": "function", "name": "f", "content": "1"}, "chat"),
        ({"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com"}}]}, "chat"),
        (ITEM, "responses"),
        ({"role": "user", "content": [{"type": "input_text", "text": "hello"}]}, "responses"),
        ({"type": "message", "role": "user", "content": "hello"}, "responses"),
        ({"id": "msg_1"}, "responses"),
        ({"type": "later_call", "id": "l1"}, "responses"),
        (CLAUDE, "anthropic"),
        ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1"}]}, "anthropic"),
        (
            {"role": "user", "content": [{"type": "image", "source": {"type": "url", "url": "https://e.com"}}]},
            "anthropic",
        ),
        ({"role": "assistant", "content": [{"type": "thinking", "thinking": "", "signature": "s"}]}, "anthropic"),
        ({"role": "assistant", "content": [{"type": "later_tool_result", "tool_use_id": "s"}]}, "anthropic"),
        ({"type": "message", "role": "assistant", "content": [], "stop_reason": "end_turn"}, "anthropic"),
    ],
)
def test_one_mark_decides_for_the_list(message: dict[str, Any], format: str) -> None:
    assert detect([USER, message, USER]) == format


@pytest.mark.parametrize("messages", [[], [USER], [{"role": "system", "content": "s"}, USER]])
def test_a_list_without_marks_counts_as_chat(messages: list[object]) -> None:
    assert detect(messages) is WireFormat.CHAT


def test_thinking_that_other_vendors_write_is_no_mark() -> None:
    """A gateway that speaks Chat may give a thought as a list of blocks, unsigned."""
    thought = {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}
    assert detect([{"role": "assistant", "content": [thought]}, CHAT]) is WireFormat.CHAT


@pytest.mark.parametrize(("one", "two"), [(CHAT, ITEM), (ITEM, CLAUDE), (CLAUDE, CHAT)])
def test_a_mixed_list_is_refused_with_the_places(one: dict[str, Any], two: dict[str, Any]) -> None:
    with pytest.raises(InvalidMessages, match=r"messages\[1\] is in the format .* messages\[3\]"):
        read([USER, one, one, two])


def test_a_mixed_list_whose_format_is_named_is_carried_through() -> None:
    messages = [CHAT, CLAUDE]
    found, views = read(messages, "chat")
    assert write(views, found) == messages


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (None, "a NoneType is no object of a wire format"),
        ("hello", "'hello' is no object of a wire format"),
        (Message, "a type is no object of a wire format"),
        ({}, "neither a `role` nor the `type`"),
        ({"type": "human", "content": "hi"}, "neither a `role` nor the `type`"),
        ({"role": "model", "parts": []}, "the role 'model'; the roles of its format are system, developer, user"),
        ({"role": ["user"], "content": "hi"}, "the role a list; the roles"),
        ({"role": "user", "content": 7}, "its content is 7; give a string or a list of blocks"),
        ({"role": "user", "content": [7]}, "7 is no object of a wire format"),
        ({"role": "user", "content": (part for part in "x")}, "its content is a generator"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_place(item: object, said: str) -> None:
    with pytest.raises(InvalidMessages, match=r"messages\[1\] cannot be read: ") as error:
        read([USER, item])
    assert said in str(error.value)


@pytest.mark.parametrize("format", list(WireFormat))
@pytest.mark.parametrize(
    "item", [{"role": "nobody", "content": "hi"}, {"content": "hi"}, 3, {"role": "user", "content": 3}]
)
def test_each_format_refuses_what_is_no_message(item: object, format: WireFormat) -> None:
    with pytest.raises(InvalidMessages):
        read_one(item, format)


@pytest.mark.parametrize("messages", ["hello", {"role": "user", "content": "hi"}, b"hi", iter([USER]), None])
def test_what_is_no_list_is_refused(messages: Any) -> None:
    with pytest.raises(InvalidMessages, match="a list of messages is needed"):
        read(messages)


def test_a_format_that_does_not_exist_is_refused() -> None:
    with pytest.raises(InvalidMessages, match="'chat', 'responses', 'anthropic'"):
        read([USER], "gemini")
    assert format_named("chat") is WireFormat.CHAT


@pytest.mark.parametrize("format", list(WireFormat))
def test_new_messages_are_accepted_by_the_official_sdks(format: WireFormat) -> None:
    new = [system_message("be brief"), user_message("hello"), Message(Role.ASSISTANT, (TextPart("hi"),))]
    written = write(new, format)
    sdk.check(written, format)
    assert [message["content"] for message in written] == ["be brief", "hello", "hi"]  # type: ignore[index]


@pytest.mark.parametrize("format", list(WireFormat))
def test_nobodys_message_cannot_be_made(format: WireFormat) -> None:
    with pytest.raises(InvalidMessages, match="opaque"):
        write_one(Message(Role.OPAQUE, (TextPart("?"),)), format)


REASONING = {"type": "reasoning", "id": "rs_1", "summary": []}
NEW_ITEM = {"type": "hologram", "beam": "x9"}


def test_an_item_of_an_unknown_type_is_carried_through_where_the_list_tells_its_format() -> None:
    """Item 1: what is not understood is carried through in order."""
    found, messages = read([USER, NEW_ITEM, REASONING])
    assert found is WireFormat.RESPONSES
    assert [message.role for message in messages] == [Role.USER, Role.OPAQUE, Role.ASSISTANT]
    assert write(messages, found) == [USER, NEW_ITEM, REASONING]


@pytest.mark.parametrize("messages", [[USER, NEW_ITEM], [NEW_ITEM], [{"type": "text", "text": "hi"}]])
def test_an_unknown_type_alone_tells_no_format(messages: list[object]) -> None:
    """A block that was taken for a message must not be sent as an item."""
    with pytest.raises(InvalidMessages, match="name the format"):
        detect(messages)
    assert read(messages, "responses")[1][-1].role is Role.OPAQUE
