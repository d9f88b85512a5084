from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoranda.service.importing.chatgpt import parse
from memoranda.service.importing.item import ImportItem, Skipped
from memoranda.service.importing.reading import read_text

Node = dict[str, Any]


def node(key: str, parent: str | None, text: str | None = None, role: str = "user", **fields: Any) -> Node:
    message = {
        "id": f"m-{key}",
        "author": {"role": role},
        "content": {"content_type": "text", "parts": [text]},
        **fields,
    }
    return {"id": key, "parent": parent, "children": [], "message": None if text is None else message}


def export(*nodes: Node, current: str | None = None, **fields: Any) -> str:
    record = {"id": "c-1", "title": "T", "mapping": {one["id"]: one for one in nodes}, **fields}
    return json.dumps(record if current is None else {**record, "current_node": current})


def read(data: str) -> tuple[list[ImportItem], list[Skipped]]:
    found = list(parse(data, name="c.json"))
    return [one for one in found if isinstance(one, ImportItem)], [one for one in found if isinstance(one, Skipped)]


def test_a_message_keeps_speaker_time_session_position_source_and_title() -> None:
    nodes = [node("r", None), node("a", "r", "Hi", create_time=1700000000.5), node("b", "a", "Hello", "assistant")]
    assert read(export(*nodes, current="b")) == (
        [
            ImportItem(
                "Hi",
                speaker="user",
                session="c-1",
                position=0,
                occurred_at=datetime(2023, 11, 14, 22, 13, 20, 500000, tzinfo=UTC),
                source="c.json#m-a",
                metadata={"title": "T"},
            ),
            ImportItem(
                "Hello", speaker="assistant", session="c-1", position=1, source="c.json#m-b", metadata={"title": "T"}
            ),
        ],
        [],
    )


def test_the_current_branch_is_read_and_the_others_counted() -> None:
    nodes = [
        node("a", None, "question"),
        node("b", "a", "first answer", "assistant"),
        node("c", "a", "second answer", "assistant"),
        node("d", "b", "thanks"),
    ]
    items, skipped = read(export(*nodes, current="c"))
    assert [item.memory for item in items] == ["question", "second answer"]
    assert skipped == [
        Skipped(
            "conversation c-1",
            "2 messages stand on other branches (edited or regenerated); the current branch is imported",
        )
    ]


def test_without_a_current_node_the_branch_of_the_newest_message_is_read() -> None:
    nodes = [node("a", None, "q"), node("b", "a", "new", create_time=20), node("c", "a", "old", create_time=10)]
    nodes[0]["children"] = ["b", "c"]
    items, _ = read(export(*nodes, current="gone"))
    assert [item.memory for item in items] == ["q", "new"]


def test_a_parent_that_is_named_only_by_its_children_is_found() -> None:
    nodes = [node("a", None, "q"), node("b", "lost", "r")]
    nodes[0]["children"] = ["b"]
    items, skipped = read(export(*nodes, current="b"))
    assert [item.memory for item in items] == ["q", "r"]
    assert not skipped


def test_a_missing_parent_is_reported_and_the_rest_kept() -> None:
    items, skipped = read(export(node("a", None, "q"), node("b", "lost", "r"), current="b"))
    assert [item.memory for item in items] == ["r"]
    assert "node lost is missing" in skipped[0].reason
    assert "1 messages stand on other branches" in skipped[1].reason


def test_a_cycle_ends_the_branch_and_is_reported() -> None:
    items, skipped = read(export(node("a", "b", "one"), node("b", "a", "two"), current="b"))
    assert [item.memory for item in items] == ["one", "two"]
    assert "stands above itself" in skipped[0].reason
    everything_in_a_ring = [node("a", "b", "one"), node("b", "a", "two")]
    for one, other in (everything_in_a_ring, everything_in_a_ring[::-1]):
        one["children"] = [other["id"]]
    items, skipped = read(export(*everything_in_a_ring))
    assert not items
    assert "no current message" in skipped[0].reason


@pytest.mark.parametrize(
    "fields",
    [
        {"role": "system"},
        {"role": "tool"},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"recipient": "python"},
        {"content": {"content_type": "thoughts", "thoughts": [{"content": "hm"}]}},
        {"content": {"content_type": "code", "text": "1 + 1"}},
        {"content": {"content_type": "text", "parts": ["", "  ", None]}},
        {"content": {"content_type": "text"}},
        {"content": None},
    ],
)
def test_what_was_not_said_is_left_out_by_rule(fields: dict[str, Any]) -> None:
    assert read(export(node("a", None, "x", **fields), current="a")) == ([], [])


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"role": "narrator"}, "the role 'narrator' is not known"),
        ({"author": None}, "no `author`"),
        ({"content": {"content_type": "hologram"}}, "the content type 'hologram' is not known"),
        ({"content": "text"}, "`content` is not"),
        ({"content": {"content_type": "text", "parts": "x"}}, "`parts` is not a list"),
        ({"content": {"content_type": "text", "parts": [5]}}, "a part is neither text"),
        ({"content": {"content_type": "multimodal_text", "parts": [{"content_type": "image"}]}}, "no text, only image"),
        ({"create_time": "soon"}, "`create_time` is 'soon'"),
        ({"create_time": 1e300}, "outside the years"),
    ],
)
def test_an_unknown_shape_is_reported_and_the_rest_kept(fields: dict[str, Any], reason: str) -> None:
    items, skipped = read(export(node("a", None, "x", **fields), node("b", "a", "kept"), current="b"))
    assert [(item.memory, item.position) for item in items] == [("kept", 0)]
    assert skipped[0].where == "conversation c-1, message m-a"
    assert reason in skipped[0].reason


def test_other_parts_are_named_and_spoken_words_kept() -> None:
    parts = [
        {"content_type": "image_asset_pointer"},
        "Look",
        {"content_type": "audio_transcription", "text": "at this"},
    ]
    content = {"content_type": "multimodal_text", "parts": parts}
    items, _ = read(export(node("a", None, "x", content=content), current="a"))
    assert items[0].memory == "Look\nat this"
    assert items[0].metadata == {"title": "T", "other_parts": ["image_asset_pointer"]}


def test_conversations_without_id_get_one_and_repeated_ids_count_on() -> None:
    one = json.loads(export(node("a", None, "x"), current="a"))
    items, _ = read(json.dumps([one, one, {**one, "id": None}]))
    assert [(item.session, item.position) for item in items] == [("c-1", 0), ("c-1", 1), ("c.json#3", 0)]


def test_broken_nodes_and_conversations_are_reported() -> None:
    one = json.loads(export(node("a", None, "x"), current="a"))
    one["mapping"] |= {"b": 5, "c": {"message": []}}
    items, skipped = read(json.dumps([7, {"mapping": []}, one]))
    assert len(items) == 1
    assert [part.where for part in skipped] == [
        "conversation 1",
        "conversation 2",
        "conversation c-1, message b",
        "conversation c-1",
    ]


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (', {"mapping": {"a"', "line 2: broken JSON starts here"),
        ("", "line 2: the list of JSON values is not closed"),
        ("] and more", "line 2: the JSON ends before this"),
        (", " + "[" * 100_000, "line 2: the JSON that starts here is nested too deeply"),
    ],
)
def test_a_file_cut_short_gives_its_first_conversations(end: str, reason: str) -> None:
    """Case K01."""
    items, skipped = read("[\n" + export(node("a", None, "x"), current="a") + end)
    assert [item.memory for item in items] == ["x"]
    assert reason in f"{skipped[0].where}: {skipped[0].reason}"


def test_an_empty_file_and_an_empty_list_hold_nothing() -> None:
    assert read("") == read("[]") == read(" [ ] ") == ([], [])


def test_an_export_as_chatgpt_writes_it_is_read_without_loss(shared: Path) -> None:
    (path,) = (shared / "data" / "transcripts" / "chatgpt_export").glob("*.json")
    items, skipped = read(read_text(path))
    assert [item.speaker for item in items] == ["user", "assistant"]
    assert all(item.occurred_at and item.session for item in items)
    assert not skipped
