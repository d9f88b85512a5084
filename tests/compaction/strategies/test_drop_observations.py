"""Dropping later system messages (S4.28)."""

from __future__ import annotations

import pytest
from hypothesis import given

from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.drop_observations import DropObservations
from memoranda.errors import InvalidInput
from memoranda.records.message import Role
from tests.compaction.drafts import check, drafted, drafts, in_letters, letters, system, user


def test_s4_28_at_most_three_a_pass_oldest_first() -> None:
    before = drafted(in_letters("SUSSASSU"))
    after = check(DropObservations(), before)
    assert letters(after) == "SUASU"
    assert after.messages[3] is before.messages[6]
    again = check(DropObservations(), after)
    assert letters(again) == "SUAU"
    assert DropObservations().shorten(again) is again


def test_s4_28_limit() -> None:
    assert letters(check(DropObservations(limit=1), drafted(in_letters("SUSSU")))) == "SUSU"


def test_s4_19_the_first_system_message_stays_wherever_it_stands() -> None:
    assert letters(check(DropObservations(), drafted(in_letters("UASAUS")))) == "UASAU"


def test_nothing_to_do() -> None:
    before = drafted(in_letters("SUAU"))
    assert DropObservations().shorten(before) is before


def test_c20_under_a_bound_a_warning_just_given_stays() -> None:
    """The newest message leaves in the last pass only."""
    before = drafted(in_letters("SUSAUS"), most=1)
    assert letters(check(DropObservations(), before)) == "SUAUS"


def test_under_a_bound_of_tokens_no_more_than_needed() -> None:
    """Five messages of 6 tokens: 30; under 25 are four."""
    before = drafted([*(system("x" * 12) for _ in range(4)), user("y" * 12)], tokens=25)
    assert letters(check(DropObservations(), before)) == "SSSU"


@given(drafts())
def test_its_promises(draft: Draft) -> None:
    """D13, C17."""
    after = check(DropObservations(), draft)
    assert len(draft.messages) - len(after.messages) <= 3
    assert {span.message.role for span in after.taken} <= {Role.SYSTEM}


def test_bad_settings() -> None:
    with pytest.raises(InvalidInput, match="limit"):
        DropObservations(limit=0)
