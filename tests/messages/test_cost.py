"""What a message costs in a request."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidInput
from memoranda.messages.cost import CALL_FRAME, MESSAGE_FRAME, NAME_FRAME, MessageCost
from memoranda.messages.formats import read
from memoranda.messages.media_cost import UNKNOWN_IMAGE
from memoranda.models.tokenizers import FunctionTokenizer
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
    system_message,
    user_message,
)
from memoranda.text.encodings import tokenizer
from tests.messages.lists import lists_of

WORDS = FunctionTokenizer(lambda text: len(text.split()), "words")
LETTERS = FunctionTokenizer(len, "letters")
FRAME = MESSAGE_FRAME + 1
"""With the role, which is one word."""


def said(*parts: object, role: Role = Role.ASSISTANT, wire: dict[str, object] | None = None) -> Message:
    return Message(role, tuple(parts), wire)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "tokens"),
    [
        (user_message("The vault is in Lisbon. Reply with: noted"), 11),
        (said(TextPart("noted")), 2),
        (system_message("You are terse."), 5),
        (said(TextPart("You are"), TextPart("terse."), role=Role.SYSTEM), 5),
    ],
)
def test_the_seed_counts_role_and_text_s4_10(message: Message, tokens: int) -> None:
    """S4.10, S4.14: the seed's example, and blocks joined by one space."""
    counter = tokenizer("cl100k_base")
    cost = MessageCost(counter, counting="text")(message)
    assert cost == tokens if counter.exact else abs(cost - tokens) <= 1


def test_the_seed_counts_nothing_else_s4_10_c15() -> None:
    cost = MessageCost(LETTERS, counting="text")
    silent = (
        CallPart("c1", "deploy", '{"cluster": "blue"}'),
        ResultPart("c1", (TextPart("done"),)),
        ThinkingPart("hm"),
        MediaPart("image", url="https://example.org/a.png"),
        OpaquePart("new", {"type": "new"}),
    )
    assert cost(said(*silent)) == cost(said()) == len("assistant ")
    assert cost(said(ResultPart("c1", (TextPart("done"),)), role=Role.TOOL)) == len("tool ")
    assert cost(Message(Role.OPAQUE, (OpaquePart("item", {"type": "item"}),))) == 0
    assert cost.tools([{"name": "deploy"}]) == cost.request_overhead() == 0


def test_all_counts_texts_and_framing() -> None:
    cost = MessageCost(WORDS)
    assert cost(user_message("one two three")) == FRAME + 3
    assert cost(said(TextPart("one two"), TextPart("three"))) == FRAME + 3
    assert cost(said(TextPart("hi"), role=Role.USER, wire={"role": "user", "name": "anna b"})) == FRAME + NAME_FRAME + 3


def test_all_counts_calls_and_results_b03_c15() -> None:
    cost = MessageCost(LETTERS)
    frame = cost(said())
    assert cost(said(CallPart("id1", "run", '{"a":1}'))) == frame + CALL_FRAME + 3 + 3 + 7
    assert cost(said(CallPart("id1", "run", {"a": 1, "é": [True, None]}))) == (
        frame + CALL_FRAME + 3 + 3 + len('{"a":1,"é":[true,null]}')
    )
    assert cost(said(ResultPart("id1", (TextPart("yes"), TextPart("no"))))) == frame + CALL_FRAME + 3 + 5
    picture = MediaPart("image", url="https://example.org/a.png")
    assert cost(said(ResultPart("id1", (picture,)))) == frame + CALL_FRAME + 3 + UNKNOWN_IMAGE


def test_a_thought_costs_its_text_or_what_is_encrypted_of_it() -> None:
    cost = MessageCost(WORDS)
    frame = cost(said())
    assert cost(said(ThinkingPart("let me see"))) == frame + 3
    assert cost(said(ThinkingPart("", {"type": "redacted_thinking", "data": "A" * 1_600}))) == frame + 300
    short = ThinkingPart("in short", {"type": "thinking", "thinking": "in short", "signature": "A" * 800})
    assert cost(said(short)) == frame + 150
    item = ThinkingPart("", {"type": "reasoning", "summary": [], "encrypted_content": "A" * 160})
    assert cost(said(item)) == frame + 30


def test_what_is_not_understood_costs_its_json_and_data_in_it_is_no_text_b04() -> None:
    cost = MessageCost(LETTERS)
    frame = cost(said())
    assert cost(said(OpaquePart("new", {"type": "new"}))) == frame + len('{"type":"new"}')
    video = OpaquePart("video", {"type": "video", "source": {"frames": ["QUJD" * 500_000]}})
    assert cost(said(video)) == frame + len('{"type":"video","source":{"frames":[""]}}') + UNKNOWN_IMAGE
    text = OpaquePart("page", {"text": "後" * 3_000})
    assert cost(said(text)) > frame + 3_000


def test_tools_cost_their_definitions() -> None:
    cost = MessageCost(LETTERS)
    assert cost.tools([]) == 0
    assert cost.tools([{"name": "run"}]) == 12 + len('{"name":"run"}')
    assert MessageCost(LETTERS, format=WireFormat.ANTHROPIC).tools([{"name": "run"}]) == 346 + len('{"name":"run"}')
    assert cost.request_overhead() == 3


def test_pictures_follow_the_provider_and_the_model() -> None:
    picture = said(MediaPart("image", url="x", detail="low"), role=Role.USER)
    assert MessageCost(WORDS)(picture) == FRAME + UNKNOWN_IMAGE
    seen = MediaPart("image", data="R0lGODlhAAQABPcA" + "A" * 40)
    assert MessageCost(WORDS, model="gpt-4o")(said(seen)) == FRAME + 765
    assert MessageCost(WORDS, format=WireFormat.ANTHROPIC)(said(seen)) == FRAME + 1_369


def test_another_counting_is_refused() -> None:
    with pytest.raises(InvalidInput, match="'all' or 'text'"):
        MessageCost(WORDS, counting="some")  # type: ignore[arg-type]


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
def test_every_valid_list_is_counted_and_parts_add_up(format: WireFormat, data: st.DataObject) -> None:
    """What one part costs is the difference that it makes, so strategies may take it away and know what that saves."""
    _, messages = read(data.draw(lists_of(format)), format)
    for counting in ("all", "text"):
        cost = MessageCost(tokenizer(), counting=counting, format=format)
        assert all(cost(message) >= 0 for message in messages)
    cost = MessageCost(tokenizer(), format=format)
    for message in messages:
        bare = cost(Message(message.role, (), message.wire))
        assert cost(message) == bare + sum(cost.part(part) for part in message.parts)
