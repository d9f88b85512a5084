"""What holds for every parser and every text (S0.28: the text is kept; case K01: one bad record spoils no other)."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.service.importing.detect import FORMATS, PARSERS
from memoranda.service.importing.item import ImportItem, Skipped, checked

_LINES = st.sampled_from(
    [
        "# Head",
        "## Sub:",
        "- item",
        "  - deep",
        "> quote",
        "```",
        "---",
        "title: x",
        "| a |",
        "<!-- c -->",
        "",
        "\0",
        "x\r",
        "1. y",
    ]
)
_MARKED = st.lists(_LINES | st.text(max_size=20), max_size=12).map("\n".join)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
_FIELDS = ("memory", "text", "role", "session", "position", "timestamp", "tags", "metadata", "category", "key", "other")
_RECORD = st.dictionaries(st.sampled_from(_FIELDS), _JSON | st.sampled_from(["fact", "s", "2026-03-04T10:00:00Z"]))
_RECORDS = st.lists(_RECORD.map(json.dumps) | st.text(max_size=20), max_size=8).map("\n".join)
_KEYS = st.sampled_from(["a", "b", "c", "d"])
_CONTENT = st.fixed_dictionaries(
    {},
    optional={
        "content_type": st.sampled_from(["text", "multimodal_text", "thoughts", "new_kind"]) | _JSON,
        "parts": st.lists(st.text(max_size=8) | st.just({"content_type": "image_asset_pointer"}), max_size=3) | _JSON,
    },
)
_MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "id": st.text(max_size=4) | _JSON,
        "author": st.sampled_from([{"role": "user"}, {"role": "assistant"}, {"role": "tool"}]) | _JSON,
        "create_time": st.floats() | _JSON,
        "content": _CONTENT | _JSON,
        "metadata": _JSON,
        "recipient": st.sampled_from(["all", "python"]) | _JSON,
    },
)
_NODE = st.fixed_dictionaries(
    {}, optional={"message": _MESSAGE | _JSON, "parent": _KEYS | _JSON, "children": st.lists(_KEYS, max_size=2) | _JSON}
)
_CONVERSATION = st.fixed_dictionaries(
    {"mapping": st.dictionaries(_KEYS, _NODE | _JSON)},
    optional={"current_node": _KEYS | _JSON, "id": st.sampled_from(["c", "d"]) | _JSON, "title": _JSON},
)
_EXPORT = st.lists(_CONVERSATION | _JSON, max_size=3).map(json.dumps)
_BLOCK = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "tool_use", "tool_result", "thinking", "image", "input_text", "new"]) | _JSON},
    optional={
        "text": st.text(max_size=8) | _JSON,
        "id": st.sampled_from("ab"),
        "tool_use_id": st.sampled_from("ab"),
        "content": _JSON,
    },
)
_WIRE = st.fixed_dictionaries(
    {"role": st.sampled_from(["system", "user", "assistant", "tool"]) | _JSON},
    optional={
        "content": st.text(max_size=8) | st.lists(_BLOCK, max_size=3) | _JSON,
        "tool_calls": st.lists(st.fixed_dictionaries({"id": st.sampled_from("ab")}), max_size=2) | _JSON,
        "tool_call_id": st.sampled_from("ab"),
        "type": st.sampled_from(["message", "function_call", "function_call_output"]) | _JSON,
        "call_id": st.sampled_from("ab"),
        "created_at": _JSON,
    },
)
_BODY = st.fixed_dictionaries(
    {}, optional={"messages": st.lists(_WIRE | _JSON, max_size=4), "input": _JSON, "session_id": _JSON}
)
_CLAUDE_MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "uuid": _KEYS | _JSON,
        "parent_message_uuid": _KEYS | _JSON,
        "sender": st.sampled_from(["human", "assistant"]) | _JSON,
        "text": st.text(max_size=8) | _JSON,
        "content": st.lists(_BLOCK | _JSON, max_size=2) | _JSON,
        "files": _JSON,
        "created_at": _JSON,
    },
)
_CLAUDE = st.fixed_dictionaries(
    {"chat_messages": st.lists(_CLAUDE_MESSAGE | _JSON, max_size=4) | _JSON},
    optional={"uuid": _KEYS | _JSON, "name": _JSON, "current_leaf_message_uuid": _KEYS | _JSON},
)
_RECORD_OF_A_SESSION = st.fixed_dictionaries(
    {"type": st.sampled_from(["user", "assistant", "system", "summary"]) | _JSON},
    optional={
        "message": _WIRE | _JSON,
        "uuid": _KEYS | _JSON,
        "sessionId": _KEYS | _JSON,
        "timestamp": _JSON,
        "isSidechain": st.booleans(),
        "isMeta": _JSON,
    },
)
_MESSAGES = (
    st.lists(_WIRE | _BODY | _CLAUDE | _JSON, max_size=5).map(json.dumps)
    | st.lists(_WIRE | _BODY | _RECORD_OF_A_SESSION, max_size=5).map(lambda rows: "\n".join(map(json.dumps, rows)))
    | (_BODY | _CLAUDE).map(json.dumps)
)


@pytest.mark.parametrize("format", FORMATS)
@given(data=st.text() | _MARKED | _RECORDS | _EXPORT | _MESSAGES | st.text(st.characters()))
def test_no_parser_raises_and_every_item_can_be_stored(format: str, data: str) -> None:
    for found in PARSERS[format](data, name="a.txt"):
        if isinstance(found, Skipped):
            assert found.where
            assert found.reason
        else:
            assert found.memory.strip()
            assert (found.source or "").strip()
            assert checked(found, "here") is found


@pytest.mark.parametrize("format", FORMATS)
@given(data=_MARKED | _RECORDS | _EXPORT | _MESSAGES)
def test_the_same_file_gives_the_same_records(format: str, data: str) -> None:
    parse = PARSERS[format]
    assert list(parse(data, name="a")) == list(parse(data, name="a"))


@given(data=_EXPORT)
def test_positions_of_an_export_strictly_increase_within_a_session(data: str) -> None:
    positions = dict[str, list[int]]()
    for item in PARSERS["chatgpt"](data, name="a.json"):
        if isinstance(item, ImportItem):
            assert item.session is not None
            assert item.position is not None
            positions.setdefault(item.session, []).append(item.position)
    assert all(one < two for places in positions.values() for one, two in pairwise(places))


@given(
    texts=st.lists(st.text(st.characters(codec="utf-8"), min_size=1).filter(str.strip), max_size=5),
    cut=st.integers(0, 40),
)
def test_a_file_cut_short_gives_every_whole_line(texts: list[str], cut: int) -> None:
    """Case K01: killed while writing."""
    lines = [json.dumps({"memory": text}, ensure_ascii=False) for text in texts]
    whole = "\n".join([*lines, '{"memory": "the last line that was being written"}'])
    found = list(PARSERS["jsonlines"](whole[: len(whole) - 1 - cut], name="a.jsonl"))
    assert [item.memory for item in found if isinstance(item, ImportItem)] == texts
