"""Cases from the field: counting tokens of texts, calls and pictures."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from memoranda.messages.cost import MessageCost
from memoranda.messages.formats import read
from memoranda.records.message import CallPart, MediaPart, user_message
from memoranda.text.encodings import ENCODINGS, EstimatedTokenizer, tokenizer
from tests.conftest import Case
from tests.messages.notation import wire

CaseOf = Callable[[str], Case]


def test_special_tokens_in_a_text_are_text_b01(case: CaseOf) -> None:
    counters = [*map(tokenizer, ENCODINGS), EstimatedTokenizer()]
    for text in case("B01")["input"]["count"]:
        for counter in counters:
            letters = counter.count(text)
            assert letters > 1
            assert counter.count(text + text) >= 2 * letters - 2
            assert MessageCost(counter)(user_message(text)) > letters
    for text in ("<|endoftext|>", "<|endofprompt|>"):
        assert len({counter.count(text) for counter in counters if counter.exact}) <= 1


def test_arguments_and_ids_of_calls_are_counted_b03(case: CaseOf) -> None:
    given = case("B03")["input"]
    cost = MessageCost(tokenizer())
    _, messages = read(wire(given["messages"]))
    sizes = [cost(message) for message in messages]
    assert sum(sizes) > given["budget_tokens"]
    (call,) = messages[1].of_kind(CallPart)
    assert sizes[1] > cost.tokenizer.count(str(call.arguments)) >= 12_000
    longer = CallPart(call.id * 50, call.name, call.arguments)
    assert cost(messages[1].with_part(0, longer)) > sizes[1]
    assert sum(map(MessageCost(tokenizer(), counting="text"), messages)) < 100


@pytest.mark.parametrize("dialect", ["chat", "anthropic"])
def test_a_picture_is_charged_by_what_it_is_b04(case: CaseOf, dialect: str) -> None:
    given = case("B04")["input"]
    block = given["messages"][1]["c"][1]
    source = {"type": "base64", "media_type": block["media_type"], "data": block["data"]}
    url = f"data:{block['media_type']};base64,{block['data']}"
    shapes = {
        "chat": {"type": "image_url", "image_url": {"url": url}},
        "anthropic": {"type": "image", "source": source},
    }
    content = [given["messages"][1]["c"][0], shapes[dialect]]
    format, messages = read([{"role": "user", "content": content}], dialect)
    cost = MessageCost(tokenizer(), format=format)
    (picture,) = messages[0].of_kind(MediaPart)
    assert 1 <= cost.part(picture) <= 10_000
    assert cost(messages[0]) < given["window"] * given["max_fraction"]
    assert 45 * cost.part(picture) > 10_000
