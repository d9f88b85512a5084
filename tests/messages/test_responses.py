"""OpenAI Responses, item by item."""

from typing import Any

import pytest

from memoranda.errors import InvalidMessages
from memoranda.messages.blocks import holds_text
from memoranda.messages.formats import write_one
from memoranda.messages.responses import read_item, write_item
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

SPOKEN: Json = {
    "type": "message",
    "id": "msg_1",
    "role": "assistant",
    "status": "completed",
    "phase": "final_answer",
    "content": [
        {
            "type": "output_text",
            "text": "see [1]",
            "annotations": [{"type": "url_citation", "start_index": 4}],
            "logprobs": [],
        },
        {"type": "refusal", "refusal": "not that"},
    ],
}


def result_of(item: Json) -> ResultPart:
    part = read_item(item).parts[-1]
    assert isinstance(part, ResultPart)
    return part


def blanked(item: Json) -> Json:
    view = read_item(item)
    result = result_of(item)
    return write_item(
        view.with_part(
            len(view.parts) - 1, ResultPart(result.id, (TextPart("[cleared]"),), result.is_error, result.server, item)
        )
    )


@pytest.mark.parametrize(
    ("said", "role"),
    [("developer", Role.SYSTEM), ("system", Role.SYSTEM), ("user", Role.USER), ("assistant", Role.ASSISTANT)],
)
def test_roles(said: str, role: Role) -> None:
    assert read_item({"role": said, "content": "hello"}) == Message(role, (TextPart("hello"),))
    assert read_item({"role": said, "content": "hello", "type": "message"}).role is role


def test_a_changed_text_loses_the_places_that_pointed_into_it() -> None:
    view = read_item(SPOKEN)
    assert view.text == "see [1] not that"
    written: Any = write_item(view.with_part(0, TextPart("cut", SPOKEN["content"][0])))
    assert written["content"][0] == {"type": "output_text", "text": "cut", "annotations": []}
    assert written["content"][1] is SPOKEN["content"][1]
    assert {name: written[name] for name in written if name != "content"} == {
        name: SPOKEN[name] for name in SPOKEN if name != "content"
    }


def test_reasoning_is_one_thought_and_goes_whole() -> None:
    """Case P11."""
    item: Json = {
        "type": "reasoning",
        "id": "rs_1",
        "summary": [{"type": "summary_text", "text": "first"}],
        "content": [{"type": "reasoning_text", "text": "then"}],
        "encrypted_content": "gAAAA",
    }
    assert read_item(item) == Message(Role.ASSISTANT, (ThinkingPart("first\nthen", item),))


CALLS: list[tuple[Json, str, object]] = [
    ({"type": "function_call", "call_id": "c", "name": "read", "arguments": "{}"}, "read", "{}"),
    ({"type": "custom_tool_call", "call_id": "c", "name": "sql", "input": "select"}, "sql", "select"),
    ({"type": "shell_call", "call_id": "c", "action": {"commands": ["ls"]}}, "shell", {"commands": ["ls"]}),
    (
        {"type": "local_shell_call", "id": "l", "call_id": "c", "action": {"command": ["ls"]}},
        "local_shell",
        {"command": ["ls"]},
    ),
    ({"type": "computer_call", "id": "l", "call_id": "c", "action": {"type": "wait"}}, "computer", {"type": "wait"}),
    (
        {"type": "computer_call", "call_id": "c", "actions": [{"type": "wait"}]},
        "computer",
        {"actions": [{"type": "wait"}]},
    ),
    ({"type": "apply_patch_call", "call_id": "c", "operation": {"path": "a"}}, "apply_patch", {"path": "a"}),
    (
        {"type": "tool_search_call", "call_id": "c", "arguments": {"q": 1}, "execution": "client"},
        "tool_search",
        {"q": 1},
    ),
    ({"type": "later_call", "call_id": "c", "x": 1}, "later", ""),
]


@pytest.mark.parametrize(("item", "name", "arguments"), CALLS)
def test_calls(item: Json, name: str, arguments: Any) -> None:
    assert read_item(item) == Message(Role.ASSISTANT, (CallPart("c", name, arguments, wire=item),))


@pytest.mark.parametrize(
    ("item", "new", "field"),
    [
        (CALLS[0][0], "{1}", {"arguments": "{1}"}),
        (CALLS[0][0], {"a": 1}, {"arguments": '{"a": 1}'}),
        (CALLS[1][0], "cut", {"input": "cut"}),
        (CALLS[2][0], {"commands": []}, {"action": {"commands": []}}),
        (CALLS[2][0], '{"commands": []}', {"action": {"commands": []}}),
        (CALLS[5][0], {"actions": []}, {"actions": []}),
        (CALLS[6][0], {"path": "b"}, {"operation": {"path": "b"}}),
        (CALLS[8][0], "cut", {}),
    ],
)
def test_changed_arguments_go_into_their_own_field(item: Json, new: Any, field: Json) -> None:
    call = read_item(item).parts[0]
    assert isinstance(call, CallPart)
    changed = CallPart(call.id, call.name, new, wire=item)
    assert write_item(read_item(item).with_part(0, changed)) == {**item, **field}


def test_arguments_that_are_no_object_are_refused_where_one_is_needed() -> None:
    view = read_item(CALLS[2][0])
    for arguments in ("{", "[1]"):
        with pytest.raises(InvalidMessages, match="give an object"):
            write_item(view.with_part(0, CallPart("c", "shell", arguments, wire=view.wire)))


def test_a_renamed_call_keeps_the_rest() -> None:
    item: Json = {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "c",
        "name": "read",
        "arguments": "{}",
        "caller": None,
    }
    assert write_item(read_item(item).with_part(0, CallPart("d", "write", "{}", wire=item))) == {
        **item,
        "call_id": "d",
        "name": "write",
    }


@pytest.mark.parametrize("kind", ["function_call_output", "custom_tool_call_output", "local_shell_call_output"])
def test_results_hold_text(kind: str) -> None:
    """S4.24, S4.25: a result may be blanked; its id stays."""
    item: Json = {"type": kind, "call_id": "c", "output": "long", "id": "o_1"}
    assert result_of(item) == ResultPart("c", (TextPart("long"),), wire=item)
    assert blanked(item) == {**item, "output": "[cleared]"}
    parts: Json = {
        **item,
        "output": [{"type": "input_text", "text": "a"}, {"type": "input_image", "image_url": "https://e.com"}],
    }
    assert [type(part) for part in result_of(parts).parts] == [TextPart, MediaPart]
    assert blanked(parts) == {**item, "output": [{"type": "input_text", "text": "[cleared]"}]}
    assert result_of({**item, "output": ""}).parts == ()


def test_the_output_of_a_shell_is_text_by_chunk() -> None:
    exit: Json = {"type": "exit", "exit_code": 0}
    chunks: list[Json] = [
        {"stdout": "out", "stderr": "err", "outcome": exit},
        {"stdout": "", "stderr": "", "outcome": {"type": "timeout"}},
    ]
    item: Json = {"type": "shell_call_output", "call_id": "c", "output": chunks, "max_output_length": 9}
    assert [part.text for part in result_of(item).parts if isinstance(part, TextPart)] == ["out\nerr", ""]
    assert blanked(item) == {**item, "output": [{"outcome": exit, "stdout": "[cleared]", "stderr": ""}]}
    cut = ResultPart("c", (TextPart("o", chunks[0]), TextPart("", chunks[1])), wire=item)
    written: Any = write_item(read_item(item).with_part(0, cut))
    assert written["output"][0] == {"stdout": "o", "stderr": "", "outcome": exit}
    assert written["output"][1] is chunks[1]


def test_a_failed_patch_is_an_error() -> None:
    item: Json = {"type": "apply_patch_call_output", "call_id": "c", "status": "failed", "output": None}
    assert result_of(item) == ResultPart("c", (), is_error=True, wire=item)
    assert blanked(item) == {**item, "output": "[cleared]"}


WHOLE: list[tuple[Json, bool]] = [
    (
        {
            "type": "computer_call_output",
            "call_id": "c",
            "output": {"type": "computer_screenshot", "image_url": "https://e.com"},
        },
        False,
    ),
    ({"type": "tool_search_output", "call_id": "c", "tools": [], "execution": "server"}, True),
    ({"type": "mcp_approval_response", "approval_request_id": "c", "approve": True}, True),
    ({"type": "later_output", "call_id": "c", "x": 1}, False),
]


@pytest.mark.parametrize(("item", "server"), WHOLE)
def test_results_that_hold_no_text_stay_whole(item: Json, server: bool) -> None:
    result = result_of(item)
    assert (result.id, result.server) == ("c", server)
    assert result.parts
    assert not holds_text(result)
    assert blanked(item) == item


def test_a_call_that_holds_its_result_is_both() -> None:
    item: Json = {
        "type": "mcp_call",
        "id": "m",
        "name": "find",
        "arguments": "{}",
        "server_label": "s",
        "output": "long",
    }
    view = read_item(item)
    assert view.parts == (
        CallPart("m", "find", "{}", server=True, wire=item),
        ResultPart("m", (TextPart("long"),), server=True, wire=item),
    )
    assert blanked(item) == {**item, "output": "[cleared]"}
    assert result_of({**item, "error": {"type": "http_error", "code": 500, "message": "x"}}).is_error


def test_consent_and_programs_pair_and_are_run_by_the_provider() -> None:
    for asked, answered in (
        (
            {"type": "mcp_approval_request", "id": "a", "name": "find", "arguments": "{}", "server_label": "s"},
            {"type": "mcp_approval_response", "approval_request_id": "a", "approve": False},
        ),
        (
            {"type": "program", "id": "p", "call_id": "a", "code": "1", "fingerprint": "f"},
            {"type": "program_output", "id": "o", "call_id": "a", "result": "1", "status": "completed"},
        ),
    ):
        call, result = read_item(asked).parts[0], read_item(answered).parts[0]
        assert isinstance(call, CallPart)
        assert isinstance(result, ResultPart)
        assert (call.id, call.server) == (result.id, result.server) == ("a", True)


@pytest.mark.parametrize(
    ("item", "role"),
    [
        ({"type": "web_search_call", "id": "w", "action": {"type": "search", "query": "q"}}, Role.ASSISTANT),
        ({"type": "file_search_call", "id": "f", "queries": ["q"]}, Role.ASSISTANT),
        ({"type": "code_interpreter_call", "id": "i", "code": "1"}, Role.ASSISTANT),
        ({"type": "mcp_list_tools", "id": "m", "tools": []}, Role.ASSISTANT),
        ({"type": "compaction", "encrypted_content": "x"}, Role.ASSISTANT),
        ({"type": "later_call", "id": "l"}, Role.ASSISTANT),
        ({"type": "image_generation_call", "id": "i", "result": None}, Role.ASSISTANT),
        ({"type": "item_reference", "id": "msg_1"}, Role.OPAQUE),
        ({"type": "compaction_trigger"}, Role.OPAQUE),
        ({"type": "additional_tools", "role": "developer", "tools": []}, Role.OPAQUE),
        ({"type": "later_item"}, Role.OPAQUE),
    ],
)
def test_what_is_not_understood_is_carried(item: Json, role: Role) -> None:
    assert read_item(item) == Message(role, (OpaquePart(item["type"], item),))


def test_a_picture_that_the_model_made_is_media() -> None:
    """Case B04: its base64 is no text."""
    item: Json = {
        "type": "image_generation_call",
        "id": "i",
        "result": "QUJD",
        "output_format": "webp",
        "status": "completed",
    }
    assert read_item(item) == Message(Role.ASSISTANT, (MediaPart("image", "image/webp", "QUJD", wire=item),))


def test_a_reference_may_leave_out_its_type() -> None:
    assert read_item({"id": "msg_1"}) == Message(Role.OPAQUE, (OpaquePart("item_reference", {"id": "msg_1"}),))


def test_new_items() -> None:
    items = [
        Message(Role.ASSISTANT, (CallPart("c", "read", {"path": "a"}),)),
        Message(Role.TOOL, (ResultPart("c", (TextPart("A"), MediaPart("image", "image/png", "QUJD"))),)),
        Message(Role.ASSISTANT, (TextPart("one"), TextPart("two"))),
        Message(Role.USER, (TextPart("look"), MediaPart("file", url="file-1"))),
    ]
    written: Any = [write_one(item, WireFormat.RESPONSES) for item in items]
    sdk.check(written, WireFormat.RESPONSES)
    assert written[0] == {"type": "function_call", "call_id": "c", "name": "read", "arguments": '{"path": "a"}'}
    assert [block["type"] for block in written[1]["output"]] == ["input_text", "input_image"]
    assert written[2] == {"role": "assistant", "content": "one\ntwo"}
    assert written[3]["content"][1] == {"type": "input_file", "file_id": "file-1"}


@pytest.mark.parametrize(
    "message",
    [
        Message(Role.ASSISTANT, (TextPart("x"), CallPart("c", "read", "{}"))),
        Message(Role.TOOL, (ResultPart("a"), ResultPart("b"))),
        Message(Role.USER, (ResultPart("a"),)),
    ],
)
def test_what_one_item_cannot_hold_is_refused(message: Message) -> None:
    with pytest.raises(InvalidMessages, match="make one message of each"):
        write_item(message)


def test_an_item_needs_a_type_that_is_a_name() -> None:
    with pytest.raises(InvalidMessages, match="its type is a int"):
        read_item({"type": 3})
