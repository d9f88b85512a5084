from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from memoranda.service.importing.detect import detect, parse
from memoranda.service.importing.item import ImportItem, Skipped

ROOT = "00000000-0000-4000-8000-000000000000"


def message(uuid: str, sender: str, text: str, parent: str | None = None, **more: Any) -> dict[str, Any]:
    blocks = [{"type": "text", "text": text}] if text else []
    linked = {} if parent is None else {"parent_message_uuid": parent}
    at = "2026-02-14T10:04:22.000000Z"
    return {"uuid": uuid, "sender": sender, "text": text, "content": blocks, "created_at": at, **linked, **more}


def export(*messages: object, **more: Any) -> str:
    return json.dumps([{"uuid": "c-1", "name": "Ferries", "chat_messages": list(messages), **more}])


def read(data: str) -> list[ImportItem | Skipped]:
    assert detect("conversations.json", data) == "claude"
    return list(parse(data, "conversations.json"))


def test_messages_keep_speaker_time_session_title_and_source() -> None:
    found = read(export(message("m-1", "human", "Which ferry?"), message("m-2", "assistant", "The blue one.")))
    at = datetime(2026, 2, 14, 10, 4, 22, tzinfo=UTC)
    more: dict[str, Any] = {"session": "c-1", "occurred_at": at, "metadata": {"title": "Ferries"}}
    assert found == [
        ImportItem("Which ferry?", speaker="user", position=0, source="conversations.json#m-1", **more),
        ImportItem("The blue one.", speaker="assistant", position=1, source="conversations.json#m-2", **more),
    ]


def test_blocks_are_read_before_the_text_which_older_exports_have_alone() -> None:
    blocks = [
        {"type": "thinking", "thinking": "secret thought"},
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": None, "name": "web_search", "input": {"query": "ferry"}},
        {
            "type": "tool_result",
            "tool_use_id": None,
            "name": "web_search",
            "content": [{"type": "text", "text": "9:15"}],
        },
        {"type": "text", "text": "At 9:15."},
    ]
    found = read(
        export(
            message("m-1", "assistant", "I look.\n[a block that cannot be shown]\nAt 9:15.", content=blocks),
            {"uuid": "m-2", "sender": "human", "text": "Thanks"},
        )
    )
    assert [one.memory for one in found if isinstance(one, ImportItem)] == [
        "I look.\nAt 9:15.",
        'tool=web_search; input={"query": "ferry"}; result=9:15',
        "Thanks",
    ]
    assert not any(isinstance(one, Skipped) for one in found)


def test_the_current_branch_is_read_and_the_others_are_counted() -> None:
    messages = [
        message("m-1", "human", "first try", ROOT),
        message("m-2", "assistant", "first answer", "m-1"),
        message("m-3", "human", "second try", ROOT),
        message("m-4", "assistant", "second answer", "m-3"),
    ]
    last = read(export(*messages))
    assert [one.memory for one in last if isinstance(one, ImportItem)] == ["second try", "second answer"]
    assert [one.reason[:32] for one in last if isinstance(one, Skipped)] == ["2 messages stand on other branch"]
    current = read(export(*messages, current_leaf_message_uuid="m-2"))
    assert [one.memory for one in current if isinstance(one, ImportItem)] == ["first try", "first answer"]


def test_links_that_lead_nowhere_or_in_a_circle_lose_nothing() -> None:
    for parents in (("gone", "m-1"), ("m-2", "m-1"), ("", "m-1")):
        found = read(export(message("m-1", "human", "a", parents[0]), message("m-2", "assistant", "b", parents[1])))
        assert [one.memory for one in found if isinstance(one, ImportItem)] == ["a", "b"]


def test_files_are_named_and_what_cannot_be_read_is_reported() -> None:
    found = read(
        export(
            message("m-1", "human", "see", attachments=[{"file_name": "a.txt", "extracted_content": "x"}]),
            message("m-2", "human", "", files=[{"file_name": "b.png"}]),
            message("m-3", "robot", "beep"),
            message("m-4", "human", "late", created_at="yesterday"),
            7,
        )
    )
    assert [one.metadata for one in found if isinstance(one, ImportItem)] == [
        {"title": "Ferries", "other_parts": ["attachment a.txt"]}
    ]
    skipped = {one.where: one.reason for one in found if isinstance(one, Skipped)}
    assert skipped["conversation c-1, message 2"] == "has no text, only file b.png"
    assert "'robot'" in skipped["conversation c-1, message 3"]
    assert "yesterday" in skipped["conversation c-1, message 4"]
    assert skipped["conversation c-1, message 5"] == "the message is not a JSON object"


def test_other_values_of_the_list_are_reported() -> None:
    data = json.dumps([{"uuid": "c", "chat_messages": [message("m", "human", "a")]}, {"name": "x"}, 7])
    found = read(data)
    assert [one.where for one in found if isinstance(one, Skipped)] == ["conversation 2", "conversation 3"]
    assert [one.memory for one in found if isinstance(one, ImportItem)] == ["a"]
