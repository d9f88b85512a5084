"""Keeping the newest messages (S4.27, S4.14, C37)."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.sliding_window import SlidingWindow
from memoranda.errors import InvalidInput
from memoranda.records.span import Fate
from tests.compaction.drafts import (
    asks,
    assistant,
    call,
    check,
    drafted,
    drafts,
    gives,
    in_letters,
    letters,
    system,
    user,
)


def test_s4_27_fifty_messages_become_ten() -> None:
    before = drafted(in_letters("S" + "UA" * 24 + "U"))
    after = check(SlidingWindow(keep_messages=10), before)
    assert len(before.messages) == 50
    assert after.messages == (before.messages[0], *before.messages[-9:])
    assert [span.index for span in after.taken] == list(range(1, 41))
    assert {span.fate for span in after.taken} == {Fate.DROPPED}


def test_s4_27_the_closure_may_leave_fewer() -> None:
    after = check(SlidingWindow(keep_messages=6), drafted(in_letters("SUCTAUCTUAUA")))
    assert letters(after) == "SUAUA"


def test_s4_14_the_seeds_example_keeps_saus() -> None:
    after = check(SlidingWindow(keep_messages=4), drafted(in_letters("SUAUAUAUS"), most=6))
    assert letters(after) == "SAUS"


@pytest.mark.parametrize("keep", [4, 5, 40])
def test_s4_27_nothing_to_do(keep: int) -> None:
    before = drafted(in_letters("SUAU"))
    assert SlidingWindow(keep_messages=keep).shorten(before) is before


def test_c16_only_pins_left_is_no_action() -> None:
    """Three pins and `keep_messages` below: the set to drop is empty, so nothing happened."""
    before = drafted(in_letters("SU"))
    assert SlidingWindow(keep_messages=1).shorten(before) is before


def test_p01_the_result_leaves_with_its_call() -> None:
    """Case P01."""
    after = check(SlidingWindow(keep_messages=5), drafted(in_letters("SUCTAUAU")))
    assert letters(after) == "SAUAU"


def test_p03_ten_parallel_calls_leave_together() -> None:
    """Case P03."""
    ids = [f"f{number}" for number in range(10)]
    batch = [asks(*(call(id, path=id) for id in ids)), *(gives(id) for id in ids)]
    after = check(SlidingWindow(keep_messages=6), drafted([user("read ten files"), *batch, user("now compare them")]))
    assert after.messages == (user("now compare them"),)
    assert len(after.taken) == 12


def test_p06_a_pending_call_stays() -> None:
    """Case P06: nor does its interim result leave."""
    messages = in_letters("UCTUAUAU")
    after = check(SlidingWindow(keep_messages=3), drafted(messages, pending=["c1"]))
    assert letters(after) == "CTU"


def test_p09_a_result_stays_with_the_call_before_it() -> None:
    """Case P09: an id that is used again."""
    first, second = asks(call("call_0", "ls")), asks(call("call_0", "pwd"))
    messages = [user("a"), first, gives("call_0", "first"), assistant("ok"), user("b"), second]
    messages += [gives("call_0", "second"), user("c")]
    after = check(SlidingWindow(keep_messages=4), drafted(messages))
    assert after.messages == tuple(messages[4:])


def test_s01_system_prompt_and_request_stay() -> None:
    """Case S01."""
    messages = in_letters("SU" + "CT" * 15)
    after = check(SlidingWindow(keep_messages=8), drafted(messages))
    assert after.messages == (*messages[:2], *messages[-6:])


def test_s4_19_a_later_system_message_may_leave() -> None:
    after = check(SlidingWindow(keep_messages=3), drafted(in_letters("SUSAU")))
    assert letters(after) == "SAU"


def test_under_a_bound_of_tokens_no_more_than_needed() -> None:
    """S4.17: 11 messages of 6 tokens; under 50 are 8."""
    before = drafted([system("x" * 12), *(user("y" * 12) for _ in range(10))], tokens=50)
    after = check(SlidingWindow(keep_messages=4), before)
    assert len(after.messages) == 8
    low = check(SlidingWindow(keep_messages=4), drafted(before.messages, tokens=50, low_mark=30))
    assert len(low.messages) == 5


def test_under_a_bound_of_tokens_never_below_keep_messages() -> None:
    after = check(SlidingWindow(keep_messages=6), drafted(in_letters("SUCTAUCTUAUA"), tokens=5))
    assert letters(after) == "SCTUAUA"


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C17, C37."""
    window = SlidingWindow(keep_messages=4)
    after = check(window, draft)
    assert len(after.messages) >= min(4, len(draft.messages)) or draft.budget.tokens is None
    assert window.shorten(after) is after
    assert all(message in draft.messages for message in after.messages)


def test_bad_settings() -> None:
    with pytest.raises(InvalidInput, match="keep_messages"):
        SlidingWindow(keep_messages=0)
