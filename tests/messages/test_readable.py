"""What of a message can be read as text."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.messages.formats import read, read_one
from memoranda.messages.readable import readable, titled
from memoranda.records.message import CallPart, MediaPart, Message, ResultPart, Role, TextPart, ThinkingPart, WireFormat
from tests.messages.lists import Json, lists_of

TURN = Message(
    Role.ASSISTANT,
    (
        ThinkingPart("secret thought"),
        TextPart("look"),
        CallPart("c", "read", {"path": "é"}),
        CallPart("d", "sql", "select 1"),
        ResultPart("c", (TextPart("A"), MediaPart("image", "image/png", "QUJD"), TextPart("B"))),
        MediaPart("audio", url="a1"),
    ),
)


def test_all_that_can_be_read() -> None:
    """S4.50: thinking is left out. Case B05: media are named, never spelled out."""
    said = ["look", 'read({"path": "é"})', "sql(select 1)", "A", "[image image/png]", "B", "[audio]"]
    assert readable(TURN).splitlines() == said
    assert readable(TURN, media=False).splitlines() == [line for line in said if not line.startswith("[")]
    assert titled(TURN) == f"assistant: {readable(TURN)}"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (
            {
                "type": "search_result",
                "source": "https://e.com",
                "title": "T",
                "content": [{"type": "text", "text": "x"}],
            },
            "T\nx\nhttps://e.com",
        ),
        ({"type": "compaction", "content": "what was said", "signature": "EmwK"}, "what was said"),
        ({"type": "document", "source": {"type": "content", "content": [{"type": "text", "text": "chunk"}]}}, "chunk"),
        ({"type": "hologram", "beam": "EmwK"}, "[hologram]"),
        ({"type": "x", "url": "data:image/png;base64,QUJD"}, "[x]"),
        ({"beam": 1}, ""),
        (
            {
                "type": "code_execution_tool_result",
                "tool_use_id": "s",
                "content": {"type": "code_execution_result", "stdout": "4", "stderr": "", "return_code": 0},
            },
            "4",
        ),
    ],
)
def test_texts_in_what_is_not_understood(block: Json, said: str) -> None:
    assert readable(read_one({"role": "user", "content": [block]}, "anthropic")) == said


def test_results_in_a_users_message_are_no_users_words() -> None:
    """Case P08."""
    result: Json = {"type": "tool_result", "tool_use_id": "t", "content": "ok"}
    assert titled(read_one({"role": "user", "content": [result]}, "anthropic")) == "tool: ok"
    assert (
        titled(read_one({"role": "user", "content": [result, {"type": "text", "text": "so?"}]}, "anthropic"))
        == "user: ok\nso?"
    )
    assert titled(Message(Role.USER, ())) == "user: "


def test_a_picture_of_the_case_is_named(case: Callable[[str], Any]) -> None:
    """Case B05: chart and placeholder are there, and under 4,000 characters."""
    given_case = case("B05")["input"]["messages"][2]
    view = read_one({"role": "tool", "tool_call_id": given_case["id"], "content": given_case["c"]}, "chat")
    text = titled(view)
    assert text == 'tool: {"chart_id":"c-7"}\n[image image/png]'


@given(st.data())
def test_no_base64_and_no_thought_is_ever_read(data: st.DataObject) -> None:
    """Case B05, S4.50."""
    messages = data.draw(lists_of(data.draw(st.sampled_from(list(WireFormat)))))
    for view in read(messages)[1]:
        text = readable(view)
        for part in view.parts:
            assert not isinstance(part, MediaPart) or part.data is None or part.data not in text
        assert "gAAAA==" not in text
        assert "sig==" not in text
