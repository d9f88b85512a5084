"""What a compactor promises of every request, whatever came in (design D13)."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from memoranda.compaction import CompactionConfig, Compactor
from memoranda.compaction.report import Compacted
from memoranda.messages.formats import read
from memoranda.messages.pins import first_system, last_user
from memoranda.messages.validate import problems
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.records.message import Message, OpaquePart, ResultPart, ThinkingPart, WireFormat


class Quarter:
    """Counts a token for four characters: quick, and as good as any for what is promised."""

    name = "a quarter of the characters"
    exact = False

    def count(self, text: str) -> int:
        return -(-len(text) // 4)


def compacted(
    messages: Sequence[Any], format: WireFormat, tokens: int, tokenizer: Tokenizer | None = None, **more: Any
) -> tuple[Compactor, Compacted]:
    """Returns a fresh compactor of that bound, and what it made of a list."""
    config = CompactionConfig(max_tokens=tokens, max_fraction=None, **more)
    compactor = Compactor(config, tokenizer=tokenizer or Quarter(), format=format)
    return compactor, compactor.on_request(messages)


def check_promises(messages: Sequence[Any], format: WireFormat, tokens: int, **more: Any) -> Compacted:
    """Compacts a list and holds the result against every promise; returns it."""
    before = copy.deepcopy(list(messages))
    compactor, result = compacted(messages, format, tokens, **more)
    report = result.report
    assert list(messages) == before, "the host's messages were changed"
    came, went = read(messages, format)[1], read(result.messages, format)[1]
    assert problems(went, format) == []
    if not report.repairs:
        assert report.tokens_after <= report.tokens_before
        _same_or_shorter(messages, result.messages)
    _pinned(came, went, mended=bool(report.repairs))
    _thoughts_whole(came, went)
    if report.tokens_after >= tokens:
        assert "must stay" in report.unmet, report.unmet
    else:
        assert report.unmet == ""
        again = compactor.on_request(result.messages)
        assert again.messages == result.messages, "no fixed point"
        assert not again.report.compacted
    _, twin = compacted(messages, format, tokens, **more)
    assert json.dumps(twin.messages, default=str) == json.dumps(result.messages, default=str), "not deterministic"
    return result


def _same_or_shorter(came: Sequence[Any], went: Sequence[Any]) -> None:
    """Checks that what nothing was done to is the host's own object, in the order in which it came."""
    places = {id(one): place for place, one in enumerate(came)}
    known = [places[id(one)] for one in went if id(one) in places]
    assert known == sorted(known)
    for one in went:
        if id(one) not in places:
            assert one not in came, "an untouched message was written anew"


def _pinned(came: Sequence[Message], went: Sequence[Message], *, mended: bool) -> None:
    for find in (first_system, last_user):
        place = find(came)
        if place is not None and not (mended and find is last_user):
            found = find(went)
            assert found is not None
            assert _said(went[found]) == _said(came[place])


def _said(message: Message) -> list[Any]:
    return [part for part in message.parts if not isinstance(part, ResultPart | ThinkingPart | OpaquePart)]


def _thoughts_whole(came: Sequence[Message], went: Sequence[Message]) -> None:
    """Checks that thoughts and what is not understood are as they were, or gone (case P11)."""
    known = [part for message in came for part in message.parts if isinstance(part, ThinkingPart | OpaquePart)]
    for message in went:
        for part in message.parts:
            if isinstance(part, ThinkingPart | OpaquePart):
                assert part in known
