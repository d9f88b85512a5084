"""Anthropic Messages, block by block."""

from collections.abc import Callable
from typing import Any

import pytest

from memoranda.errors import InvalidMessages
from memoranda.messages.anthropic import read_anthropic, write_anthropic
from memoranda.messages.formats import write_one
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
from tests.messages.lists import Json

CACHED: Json = {"cache_control": {"type": "ephemeral"}}


def read_blocks(*blocks: Json) -> tuple[Part, ...]:
    return read_anthropic({"role": "assistant", "content": list(blocks)}).parts


def written_with(old: Json, new: Part) -> Any:
    """What becomes of a block when its part is another one; the block beside it must stay the same object."""
    beside = {"type": "text", "text": "beside"}
    view = read_anthropic({"role": "assistant", "content": [old, beside]})
    content: Any = write_anthropic(view.with_part(0, new))["content"]
    assert content[1] is beside
    return content[0]


@pytest.mark.parametrize("role", [Role.USER, Role.ASSISTANT, Role.SYSTEM])
def test_roles(role: Role) -> None:
    """A system message may stand within the list."""
    wire: Json = {"role": role.value, "content": "hello", "clear_at": "never"}
    view = read_anthropic(wire)
    assert view == Message(role, (TextPart("hello"),))
    assert write_anthropic(view.with_part(0, TextPart("bye"))) == {**wire, "content": "bye"}


def test_results_stay_in_the_users_message(case: Callable[[str], Any]) -> None:
    """Case P08: they are read as results, so that nobody takes them for a user's words."""
    given = case("P08")["input"]["messages"]
    views = [read_anthropic({"role": message["r"], "content": message["c"]}) for message in given]
    assert [part.id for view in views for part in view.of_kind(ResultPart)] == [f"i{n}" for n in range(7)]
    genuine = [view.text for view in views if view.role is Role.USER and view.of_kind(TextPart)]
    assert genuine == ["import 7 images", "done?"]


def test_thinking_signed_or_encrypted() -> None:
    """Case P11."""
    thought = {"type": "thinking", "thinking": "hm", "signature": "s"}
    hidden = {"type": "redacted_thinking", "data": "EmwK"}
    assert read_blocks(thought, hidden) == (ThinkingPart("hm", thought), ThinkingPart("", hidden))


@pytest.mark.parametrize(("kind", "server"), [("tool_use", False), ("server_tool_use", True), ("mcp_tool_use", True)])
def test_calls(kind: str, server: bool) -> None:
    block: Json = {
        "type": kind,
        "id": "t",
        "name": "read",
        "input": {"path": "a"},
        "caller": {"type": "direct"},
        **CACHED,
    }
    assert read_blocks(block) == (CallPart("t", "read", {"path": "a"}, server, block),)
    assert written_with(block, CallPart("t", "read", {}, server, block)) == {**block, "input": {}}


@pytest.mark.parametrize(
    "content", ["long", [{"type": "text", "text": "long", **CACHED}, {"type": "image", "source": {}}]]
)
def test_a_result_is_blanked_and_keeps_its_fields(content: Any) -> None:
    """S4.25: ids stay."""
    block: Json = {"type": "tool_result", "tool_use_id": "t", "content": content, "is_error": True, **CACHED}
    (result,) = read_blocks(block)
    assert isinstance(result, ResultPart)
    assert result.is_error
    assert isinstance(result.parts[0], TextPart)
    cleared: Any = "[cleared]" if isinstance(content, str) else [{"type": "text", "text": "[cleared]"}]
    new = ResultPart("t", (TextPart("[cleared]"),), is_error=True, wire=block)
    assert written_with(block, new) == {**block, "content": cleared}
    right = ResultPart("t", result.parts, wire=block)
    assert written_with(block, right) == {**block, "is_error": False}


def test_a_result_that_gave_nothing() -> None:
    """Case S03: its id must be answered all the same, with something that can be seen."""
    bare: Json = {"type": "tool_result", "tool_use_id": "t"}
    for block in (bare, {**bare, "content": ""}, {**bare, "content": []}):
        (result,) = read_blocks(block)
        assert result == ResultPart("t", wire=block)
        written = written_with(block, ResultPart("t", (TextPart("[no output]"),), wire=block))
        assert written["content"] in ("[no output]", [{"type": "text", "text": "[no output]"}])


@pytest.mark.parametrize(
    ("content", "failed"),
    [
        ([{"type": "web_search_result", "url": "https://e.com", "title": "T", "encrypted_content": "E"}], False),
        ({"type": "web_search_tool_result_error", "error_code": "unavailable"}, True),
    ],
)
def test_results_of_the_provider_stay_whole(content: Any, failed: bool) -> None:
    block: Json = {"type": "web_search_tool_result", "tool_use_id": "t", "content": content}
    (result,) = read_blocks(block)
    assert isinstance(result, ResultPart)
    assert (result.id, result.server, result.is_error) == ("t", True, failed)
    assert [type(part) for part in result.parts] == [OpaquePart]
    assert written_with(block, ResultPart("t", (TextPart("x"),), server=True, wire=block)) is block


def test_results_of_mcp_hold_text() -> None:
    block: Json = {
        "type": "mcp_tool_result",
        "tool_use_id": "t",
        "content": [{"type": "text", "text": "long"}],
        "is_error": False,
    }
    new = ResultPart("t", (TextPart("[cleared]"),), server=True, wire=block)
    assert written_with(block, new) == {**block, "content": [{"type": "text", "text": "[cleared]"}]}


def test_a_document_of_plain_text_is_text() -> None:
    block: Json = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "long"},
        "title": "T",
        **CACHED,
    }
    assert read_blocks(block) == (TextPart("long", block),)
    assert written_with(block, TextPart("cut", block)) == {**block, "source": {**block["source"], "data": "cut"}}


@pytest.mark.parametrize("kind", ["compaction", "tool_addition", "container_upload", "search_result", "later"])
def test_blocks_that_are_not_understood_are_carried(kind: str) -> None:
    block: Json = {"type": kind, "content": [], "x": {"y": 1}}
    assert read_blocks(block) == (OpaquePart(kind, block),)


def test_a_new_system_message_is_written_as_a_users() -> None:
    """The classic form of the API refuses the role `system` within the list."""
    assert write_one(Message(Role.SYSTEM, (TextPart("be brief"),)), "anthropic") == {
        "role": "user",
        "content": "be brief",
    }


def test_new_messages() -> None:
    new = [
        Message(Role.USER, (TextPart("look"), MediaPart("image", "image/png", "QUJD"))),
        Message(Role.ASSISTANT, (ThinkingPart("unsigned"), TextPart("ok"), CallPart("t", "read", '{"path": "a"}'))),
        Message(Role.TOOL, (ResultPart("t", (TextPart("A"),)), ResultPart("u", (), is_error=True))),
        Message(Role.ASSISTANT, (CallPart("s", "web_search", {}, server=True),)),
    ]
    written: Any = [write_one(message, WireFormat.ANTHROPIC) for message in new]
    sdk.check(written, WireFormat.ANTHROPIC)
    assert written[0]["content"][1]["source"] == {"type": "base64", "media_type": "image/png", "data": "QUJD"}
    assert written[1]["content"] == [
        {"type": "text", "text": "ok"},
        {"type": "tool_use", "id": "t", "name": "read", "input": {"path": "a"}},
    ]
    assert written[2] == {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": "t", "content": "A"},
            {"type": "tool_result", "tool_use_id": "u", "content": "", "is_error": True},
        ],
    }


@pytest.mark.parametrize("arguments", ["{", "[1]", "7"])
def test_arguments_that_are_no_object_are_refused(arguments: str) -> None:
    with pytest.raises(InvalidMessages, match="give an object"):
        write_anthropic(Message(Role.ASSISTANT, (CallPart("t", "read", arguments),)))


def test_removed_parts_leave_the_others() -> None:
    call: Json = {"type": "tool_use", "id": "t", "name": "read", "input": {}}
    view = read_anthropic({"role": "assistant", "content": [{"type": "text", "text": "calling"}, call], "id": "msg_1"})
    assert write_anthropic(view.with_parts(view.parts[1:])) == {"role": "assistant", "content": [call], "id": "msg_1"}
    only_text: Any = write_anthropic(view.with_parts((TextPart("done"),)))
    assert only_text["content"] == [{"type": "text", "text": "done"}]
