"""What all strategies promise together: lists that can be sent, requests that fit, time that grows with the list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.clamp_oversized_messages import ClampOversizedMessages
from memoranda.compaction.strategies.clear_tool_inputs import ClearToolInputs
from memoranda.compaction.strategies.clear_tool_results import ClearToolResults
from memoranda.compaction.strategies.deduplicate_file_reads import DeduplicateFileReads
from memoranda.compaction.strategies.degrade_media import DegradeMedia
from memoranda.compaction.strategies.drop_observations import DropObservations
from memoranda.compaction.strategies.drop_turns import DropTurns
from memoranda.compaction.strategies.sliding_window import SlidingWindow
from memoranda.compaction.strategy import CompactionStrategy
from memoranda.messages.formats import read, write
from memoranda.messages.validate import problems
from memoranda.records.message import MediaPart, Message, Role, WireFormat
from tests.compaction.drafts import (
    check,
    conversations,
    cost,
    drafted,
    in_last_pass,
    in_letters,
    letters,
    pair,
    result,
    system,
    user,
)
from tests.messages.lists import Json, lists_of

EAGER: list[CompactionStrategy] = [
    DeduplicateFileReads(),
    ClearToolResults(keep_pairs=0),
    ClearToolInputs(keep_pairs=0, min_tokens=16),
    DegradeMedia(keep=0),
    ClampOversizedMessages(max_part_tokens=24),
    SlidingWindow(keep_messages=4),
    DropObservations(),
    DropTurns(turns=2),
]
USUAL: list[CompactionStrategy] = [
    DeduplicateFileReads(),
    ClearToolResults(),
    ClearToolInputs(),
    DegradeMedia(),
    ClampOversizedMessages(),
    SlidingWindow(),
    DropObservations(),
    DropTurns(),
]


def shortened(draft: Draft, strategies: Sequence[CompactionStrategy] = USUAL, passes: int = 4) -> Draft:
    """Returns the draft after some passes, the last of them under a bound the last one."""
    for number in range(passes):
        draft = replace(draft, last_pass=number == passes - 1 and not draft.budget.is_unlimited)
        for strategy in strategies:
            draft = strategy.shorten(draft)
    return draft


@pytest.mark.parametrize("format", WireFormat)
@settings(max_examples=50)
@given(data=st.data())
def test_what_is_saved_is_saved_on_the_wire(format: WireFormat, data: st.DataObject) -> None:
    """What a strategy leaves can be written, and reads back the same. What it did not touch is the host's object."""
    wires: list[Json] = data.draw(lists_of(format))
    draft = drafted(read(wires, format)[1])
    for strategy in EAGER:
        after = check(strategy, draft)
        assert _refused(draft, format) or not _refused(after, format)
        written = write(after.messages, format)
        assert [cost(message) for message in read(written, format)[1]] == list(after.sizes)
        for place, message in enumerate(after.messages):
            source = after.sources[place]
            if source is not None and not message.changed:
                assert written[place] is wires[source]


def _refused(draft: Draft, format: WireFormat) -> list[str]:
    """Returns what a provider would refuse, but for who speaks first: the compactor sees to that (C38)."""
    return [said for said in problems(draft.messages, format) if "the first message" not in said]


@given(conversations(), st.integers(1, 2000), st.booleans())
def test_requests_fit_whenever_pins_do(messages: list[Message], tokens: int, to_low_mark: bool) -> None:
    """D13, families 1 and 2: a fixed point under the budget, and no loop."""
    draft = drafted(messages, tokens=tokens, low_mark=tokens // 2 if to_low_mark else None)
    after = shortened(draft, EAGER)
    pinned = sum(draft.sizes[place] for place in draft.pins)
    systems = sum(message.role.value == "system" for message in messages)
    if pinned < tokens and systems <= 4 * 3:
        assert after.tokens < tokens
        assert shortened(replace(after, last_pass=False), EAGER, passes=1).tokens <= after.tokens
    again = drafted(after.messages, tokens=tokens)
    if again.is_enough:
        assert shortened(again, EAGER).messages is again.messages


def test_p10_one_question_and_a_long_chain() -> None:
    """Case P10."""
    chain = [pair(f"k{number}", "line of output " * 600, "get", n=number) for number in range(1, 12)]
    messages = [user("review this"), *pair("k0", "small", "get", n=0), *(message for one in chain for message in one)]
    for low_mark in (None, 2250, 1000):
        after = shortened(drafted(messages, tokens=3000, low_mark=low_mark))
        assert after.tokens < 3000
        assert after.messages[0] is messages[0]
        assert letters(after).endswith("CT")
        assert result(after, len(after.messages) - 1).startswith("line of output line of output")


def test_s4_15_system_and_last_user() -> None:
    after = shortened(drafted(in_letters("SUUUUU"), most=4), passes=1)
    assert letters(after) == "SU"


def test_s4_30_without_a_bound_down_to_system_and_last_user() -> None:
    draft = drafted(in_letters("S" + "UCTA" * 7 + "U"))
    for _ in range(3):
        draft = shortened(draft, passes=1)
    assert letters(draft) == "SU"
    assert shortened(draft, passes=1).messages is draft.messages


def test_c15_pins_alone_are_over_the_budget() -> None:
    """Case B06: both come back as they were."""
    draft = drafted([system("rule " * 5000), user("hi")], tokens=1000)
    assert shortened(draft).messages == draft.messages


@pytest.mark.parametrize("strategy", EAGER, ids=lambda strategy: strategy.name)
def test_each_message_is_counted_a_few_times_at_most(strategy: CompactionStrategy) -> None:
    """10,000 messages: what is counted grows with what is there, not with its square."""
    messages = [system()]
    for number in range(2500):
        messages += [system("note " * 40), *pair(f"k{number % 7}", "line of output " * 20, path="a" * 200)]
        messages += [Message(Role.USER, (MediaPart("image", "image/png", "QUJD" * 100),))]
    messages += [user()]
    calls = 0

    def counting(message: Message) -> int:
        nonlocal calls
        calls += 1
        return cost(message)

    draft = in_last_pass(replace(drafted(messages, tokens=50), cost=counting))
    assert strategy.shorten(draft) is not draft
    assert calls <= 20 * len(messages)
