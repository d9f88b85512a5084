from __future__ import annotations

from typing import Any

import pytest

from memoranda.messages.formats import read
from memoranda.records.message import CallPart, ResultPart, TextPart
from memoranda.service.importing.conversation import Conversation, Placed, trajectory_text
from memoranda.service.importing.item import ImportItem, Skipped


def records(*messages: dict[str, Any], **more: Any) -> list[ImportItem | Skipped]:
    placed = [
        Placed(message=message, where=f"message {place}", source=f"f#{place}")
        for place, message in enumerate(read(messages)[1], 1)
    ]
    return list(Conversation("s", placed, **more).read())


def call(id: str, name: str = "look", arguments: str = '{"q": 1}') -> dict[str, Any]:
    return {"id": id, "type": "function", "function": {"name": name, "arguments": arguments}}


def test_what_was_said_and_what_tools_did_in_their_order() -> None:
    found = records(
        {"role": "system", "content": "be kind"},
        {"role": "user", "content": "what is there?"},
        {"role": "assistant", "content": "I look.", "tool_calls": [call("a"), call("b", "list", "{}")]},
        {"role": "tool", "tool_call_id": "b", "content": "second"},
        {"role": "tool", "tool_call_id": "a", "content": "first"},
        {"role": "assistant", "content": "Two things.", "reasoning_content": "hm"},
    )
    assert found == [
        ImportItem("what is there?", speaker="user", session="s", position=0, source="f#2"),
        ImportItem("I look.", speaker="assistant", session="s", position=1, source="f#3"),
        ImportItem(
            'tool=look; input={"q": 1}; result=first', category="trajectory", session="s", position=2, source="f#3"
        ),
        ImportItem("tool=list; input={}; result=second", category="trajectory", session="s", position=3, source="f#3"),
        ImportItem("Two things.", speaker="assistant", session="s", position=4, source="f#6"),
    ]


def test_calls_that_failed_or_were_never_answered_are_counted() -> None:
    """S0.5: a result that is an error stores nothing."""
    found = records(
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "t", "input": {}} for id in "abc"]},
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "a", "content": "no such file", "is_error": True},
                {"type": "tool_result", "tool_use_id": "b", "content": [{"type": "text", "text": "fine"}]},
                {"type": "tool_result", "tool_use_id": "z", "content": "whose?"},
            ],
        },
    )
    assert [item.memory for item in found if isinstance(item, ImportItem)] == ["tool=t; input={}; result=fine"]
    assert [item for item in found if isinstance(item, Skipped)] == [
        Skipped("conversation s", "calls of tools that failed: 1"),
        Skipped("conversation s", "calls of tools without a result: 1"),
        Skipped("conversation s", "results of calls that the file does not hold: 1"),
    ]


def test_what_is_no_text_is_named_and_a_message_of_nothing_else_is_reported() -> None:
    picture = {"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}
    found = records(
        {"role": "user", "content": [{"type": "text", "text": "see"}, picture]},
        {"role": "user", "content": [picture]},
        metadata={"title": "t"},
        first=7,
    )
    assert found == [
        ImportItem(
            "see",
            speaker="user",
            session="s",
            position=7,
            source="f#1",
            metadata={"title": "t", "other_parts": ["image"]},
        ),
        Skipped("message 2", "has no text, only image"),
    ]


def test_a_message_that_cannot_be_stored_takes_no_position() -> None:
    found = records({"role": "user", "content": "a\ud800b"}, {"role": "user", "content": "fine"})
    assert isinstance(found[0], Skipped)
    assert found[1] == ImportItem("fine", speaker="user", session="s", position=0, source="f#2")


@pytest.mark.parametrize("length", [499, 500, 501, 5_000])
def test_input_and_result_are_each_cut_to_500_characters_and_the_name_is_not(length: int) -> None:
    """S0.6, S0.7, S0.8."""
    text = trajectory_text(CallPart("c", "n" * 600, "é" * length), ResultPart("c", (TextPart("ü" * length),)))
    head, _, rest = text.partition("; input=")
    given, _, result = rest.partition("; result=")
    assert head == f"tool={'n' * 600}"
    whole = length <= 500
    assert given == ("é" * length if whole else "é" * 499 + "…")
    assert result == ("ü" * length if whole else "ü" * 499 + "…")
