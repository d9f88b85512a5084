from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda.compaction.compactor import Compactor
from memoranda.compaction.config import CompactionConfig
from memoranda.messages.formats import read
from memoranda.messages.validate import problems
from memoranda.records.message import WireFormat
from tests.compaction.chats import chat
from tests.compaction.promises import Quarter
from tests.messages.lists import broken_lists_of


def asked(id: str) -> list[Any]:
    """Returns a call of Anthropic's, its result, and an answer."""
    return [
        {"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "x"}]},
        {"role": "assistant", "content": "fine"},
    ]


def test_a_call_that_is_no_longer_pending_is_answered() -> None:
    """Case P06: what was left open for a person's consent is mended when nobody waits for it any more."""
    call = {"id": "k", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    messages: list[Any] = [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "user", "content": "meanwhile"},
        {"role": "assistant", "content": "ok"},
    ]
    compactor = Compactor()
    assert compactor.on_request(messages, pending={"k"}).report.repairs == ()
    later = compactor.on_request([*messages, {"role": "user", "content": "more"}])
    assert len(later.report.repairs) == 1
    assert problems(read(later.messages)[1], WireFormat.CHAT) == []


def test_an_id_of_before_is_not_used_again() -> None:
    """Case P09: a new call has the id of one that a person's message lies behind."""
    messages = [{"role": "user", "content": "hi"}, *asked("k"), {"role": "user", "content": "again"}]
    compactor = Compactor(format="anthropic")
    compactor.on_request(messages)
    result = compactor.on_request([*messages, *asked("k"), {"role": "user", "content": "more"}])
    assert len(result.report.repairs) == 1
    assert problems(read(result.messages, "anthropic")[1], WireFormat.ANTHROPIC) == []


def test_a_result_stays_that_comes_behind_what_a_person_said() -> None:
    """Case P06: Responses takes a result anywhere behind its call."""
    messages: list[Any] = [
        {"role": "user", "content": "hi"},
        {"type": "function_call", "call_id": "k", "name": "f", "arguments": "{}"},
        {"role": "user", "content": "meanwhile"},
        {"type": "function_call_output", "call_id": "k", "output": "x"},
    ]
    compactor = Compactor(format="responses")
    compactor.on_request(messages)
    more = [*messages, {"role": "user", "content": "more"}]
    result = compactor.on_request(more)
    assert result.messages == more
    assert result.report.repairs == ()


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=60)
def test_a_growing_list_is_mended_as_one_that_comes_at_once(format: WireFormat, data: st.DataObject) -> None:
    """P04, P05, P07, P09, S03: what is not looked at again needs no look."""
    messages = data.draw(broken_lists_of(format))
    pending = data.draw(st.sampled_from([(), ("call_0",), ("call_0", "call_1")]))
    growing = Compactor(tokenizer=Quarter(), format=format)
    for length in range(1, len(messages) + 1):
        waiting = pending if length < len(messages) else ()
        result = growing.on_request(messages[:length], pending=waiting)
        at_once = Compactor(tokenizer=Quarter(), format=format).on_request(messages[:length], pending=waiting)
        assert result.messages == at_once.messages
        assert result.report.repairs == at_once.report.repairs


def test_a_list_that_got_shorter_or_changed_is_read_as_it_is() -> None:
    messages = chat(5)
    compactor = Compactor()
    compactor.on_request(messages)
    shorter = compactor.on_request(messages[:4])
    assert shorter.messages == messages[:4]
    assert shorter.report.counted_tokens == 0
    changed = [*messages[:3], {"role": "user", "content": "another"}, *messages[4:]]
    result = compactor.on_request(changed)
    assert result.messages == changed
    assert 0 < result.report.counted_tokens < compactor.count_tokens(changed)


def test_what_was_made_for_a_request_is_sent_again_as_the_same_object() -> None:
    """D12: the beginning of the request stays the same."""
    messages = chat(40, words=50)
    tokens = Compactor().count_tokens(messages)
    compactor = Compactor(CompactionConfig(max_tokens=tokens // 2, max_fraction=None))
    first = compactor.on_request(messages)
    second = compactor.on_request([*messages, {"role": "user", "content": "more"}])
    assert first.report.compacted
    assert not second.report.compacted
    assert all(one is other for one, other in zip(first.messages, second.messages, strict=False))
    assert second.report.prefix_tokens == first.report.tokens_after - 3
