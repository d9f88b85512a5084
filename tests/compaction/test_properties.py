"""Every promise of a compactor over generated lists of the three formats (design D13)."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoranda.compaction import CompactionConfig, Compactor
from memoranda.messages.formats import read
from memoranda.messages.validate import problems
from memoranda.records.message import WireFormat
from tests.compaction.promises import Quarter, check_promises, compacted
from tests.messages import sdk
from tests.messages.lists import broken_lists_of, lists_of

LONG = 34_000
"""Lists of each format in the long suite: 102,000 in all."""


@st.composite
def requests(draw: st.DrawFn, format: WireFormat, *, known: bool = False) -> tuple[list[Any], int]:
    """Draws a list and a bound between a twentieth and all of its tokens."""
    messages = draw(lists_of(format, known=known))
    whole = Compactor(tokenizer=Quarter(), format=format).count_tokens(messages)
    return messages, max(1, whole * draw(st.integers(1, 20)) // 20)


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_every_promise(format: WireFormat, data: st.DataObject) -> None:
    """S4.17, S4.19, S4.21, C15 to C17, C39, P01, P03, P07, P08, P11."""
    messages, tokens = data.draw(requests(format))
    check_promises(messages, format, tokens)


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_broken_lists_come_out_valid(format: WireFormat, data: st.DataObject) -> None:
    """P04, P05, P07, P09, S03: whatever a host stored."""
    messages = data.draw(broken_lists_of(format))
    tokens = data.draw(st.integers(1, 400))
    _, result = compacted(messages, format, tokens)
    found = read(result.messages, format)[1]
    assert problems(found, format) == []


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=50)
def test_the_official_types_accept_what_goes_out(format: WireFormat, data: st.DataObject) -> None:
    messages, tokens = data.draw(requests(format, known=True))
    _, result = compacted(messages, format, tokens)
    sdk.check(result.messages, format)


@pytest.mark.parametrize("format", WireFormat)
@given(data=st.data())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=50)
def test_a_growing_conversation_is_valid_and_fits_at_every_step(format: WireFormat, data: st.DataObject) -> None:
    """D12: whatever was taken before; what went out is the beginning of what goes out next, until it is compacted."""
    messages, tokens = data.draw(requests(format))
    compactor = Compactor(CompactionConfig(max_tokens=tokens, max_fraction=None), tokenizer=Quarter(), format=format)
    last: list[Any] = []
    for length in range(1, len(messages) + 1):
        result = compactor.on_request(messages[:length])
        report = result.report
        assert problems(read(result.messages, format)[1], format) == []
        assert report.tokens_after < tokens or report.unmet
        if not report.compacted and not report.repairs:
            assert json.dumps(result.messages[: len(last)], default=str) == json.dumps(last, default=str)
        last = result.messages if not report.repairs else []


@pytest.mark.slow
@pytest.mark.parametrize("format", WireFormat)
def test_every_promise_over_a_hundred_thousand_lists(format: WireFormat) -> None:
    @given(data=st.data())
    @settings(suppress_health_check=list(HealthCheck), max_examples=LONG, deadline=None)
    def check(data: st.DataObject) -> None:
        messages, tokens = data.draw(requests(format))
        check_promises(messages, format, tokens)

    check()
