"""Dropping the oldest messages, some at a time (S4.15, S4.20, S4.29, S4.30)."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.drop_turns import DropTurns
from memoranda.errors import InvalidInput
from memoranda.records.message import CallPart, Message, ResultPart, Role
from tests.compaction.drafts import (
    check,
    cost,
    drafted,
    drafts,
    in_last_pass,
    in_letters,
    letters,
    pair,
    system,
    user,
)


def test_s4_29_ten_a_pass() -> None:
    before = drafted(in_letters("S" + "UA" * 12 + "U"))
    after = check(DropTurns(), before)
    assert after.messages == (before.messages[0], *before.messages[11:])


def test_s4_20_whole_groups_and_no_system_message() -> None:
    """Two turns asked for: the group of three calls for a third and a fourth."""
    after = check(DropTurns(turns=2), drafted(in_letters("SUSCTAU")))
    assert letters(after) == "SSAU"


def test_s4_15_system_and_last_user_are_left() -> None:
    after = check(DropTurns(), drafted(in_letters("SUUUUU"), most=4))
    assert letters(after) == "SU"
    assert after.messages[1] == in_letters("SUUUUU")[5]


def test_s4_30_again_and_again_down_to_system_and_last_user() -> None:
    draft = drafted(in_letters("S" + "UA" * 12 + "U"))
    shapes = []
    for _ in range(4):
        draft = check(DropTurns(), draft)
        shapes.append(len(draft.messages))
    assert shapes == [16, 6, 2, 2]
    assert letters(draft) == "SU"


def test_p08_results_in_user_messages_leave_with_their_calls() -> None:
    """Case P08."""
    calls = Message(Role.ASSISTANT, tuple(CallPart(f"i{number}", "imp", {}) for number in range(7)))
    results = [Message(Role.USER, (ResultPart(f"i{number}"),)) for number in range(7)]
    messages = [user("import 7 images"), calls, *results, user("done?")]
    once = check(DropTurns(turns=1), drafted(messages))
    assert once.messages == tuple(messages[1:])
    assert check(DropTurns(turns=1), once).messages == (messages[-1],)


def test_under_a_bound_of_tokens_no_more_than_needed() -> None:
    """Eleven messages of 6 tokens: under 50 are 8, under 30 are 4."""
    messages = [system("x" * 12), *(user("y" * 12) for _ in range(10))]
    assert len(check(DropTurns(), drafted(messages, tokens=50)).messages) == 8
    assert len(check(DropTurns(), drafted(messages, tokens=50, low_mark=24)).messages) == 4


def test_in_the_last_pass_the_bound_is_kept() -> None:
    """B06 to B11, family 2: 40 messages over, 10 a pass, and no pass left."""
    messages = [system("x" * 12), *(user("y" * 12) for _ in range(60))]
    before = drafted(messages, tokens=100)
    assert len(check(DropTurns(), before).messages) == 51
    assert check(DropTurns(), in_last_pass(before)).tokens == 96


def test_p10_the_newest_pair_stays_while_there_is_room() -> None:
    """Case P10: above the low mark, but within the budget."""
    messages = [user("review this"), *pair("k0", "x" * 400), *pair("k1", "x" * 400)]
    before = drafted(messages, tokens=150, low_mark=20)
    assert letters(check(DropTurns(), before)) == "UCT"
    assert letters(check(DropTurns(), in_last_pass(before))) == "UCT"


def test_p10_the_newest_pair_leaves_where_it_cannot_fit() -> None:
    messages = [user("review this"), *pair("k0", "x" * 400), *pair("k1", "x" * 400)]
    before = drafted(messages, tokens=50)
    assert letters(check(DropTurns(), before)) == "UCT"
    after = check(DropTurns(), in_last_pass(before))
    assert letters(after) == "U"
    assert [span.index for span in after.taken] == [1, 2, 3, 4]


def test_b06_pins_alone_over_the_budget_stay() -> None:
    """Case B06."""
    before = in_last_pass(drafted([system("rule " * 5000), user("hi")], tokens=1000))
    assert DropTurns().shorten(before) is before


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C17: in the last pass a request fits whenever its pins do."""
    after = check(DropTurns(turns=3), draft)
    assert Role.SYSTEM not in {span.message.role for span in after.taken}
    must = [
        message for place, message in enumerate(draft.messages) if place in draft.pins or message.role is Role.SYSTEM
    ]
    if draft.last_pass and not draft.budget.is_unlimited and not draft.budget.is_over(len(must), sum(map(cost, must))):
        assert not after.budget.is_over(len(after.messages), after.tokens)
        assert DropTurns(turns=3).shorten(after) is after


def test_bad_settings() -> None:
    with pytest.raises(InvalidInput, match="turns"):
        DropTurns(turns=0)
