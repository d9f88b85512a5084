"""Moving the oldest messages to the archive (S4.20 to S4.22)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given

from memoranda import InMemoryStore
from memoranda.bridge.drive import Stepper
from memoranda.compaction.draft import Draft
from memoranda.compaction.strategies.offload import Offload
from memoranda.compaction.strategy import Seams
from memoranda.errors import InvalidInput
from memoranda.memory.archive import StoreArchive
from memoranda.memory.context import Context
from memoranda.records.message import Role
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.records.span import Fate
from tests.compaction.awaited import Awaited, texts
from tests.compaction.drafts import check, cost, drafted, drafts, in_letters, letters, pair, system, user


def archive(most: int = 4_000_000) -> StoreArchive:
    return StoreArchive(
        Context(store=InMemoryStore()), Scope("acme/alice"), SessionKey("s-1"), max_entry_characters=most
    )


def offloaded(draft: Draft, kept: StoreArchive, turns: int = 10) -> Draft:
    return check(Awaited(Offload(turns=turns), Seams(archive=kept)), draft)


def test_s4_20_the_oldest_leave_for_the_archive() -> None:
    kept = archive()
    before = drafted(in_letters("SUASUAU"))
    after = offloaded(before, kept, turns=3)
    assert texts(after.messages) == ["message 0", "message 3", "message 5", "message 6"]
    assert [(span.fate, span.by, span.index) for span in after.taken] == [
        (Fate.OFFLOADED, "offload", place) for place in (1, 2, 4)
    ]
    for span in after.taken:
        assert Stepper().run(kept.expand(span.handle)).text == span.message.text


def test_s4_21_calls_leave_with_their_results() -> None:
    kept = archive()
    after = offloaded(drafted([system(), *pair("a", "found"), *pair("b", "none"), user()]), kept, turns=1)
    assert letters(after) == "SCTU"
    assert Stepper().run(kept.usage()).entries == 2


def test_s4_19_what_must_stay_stays() -> None:
    kept = archive()
    assert letters(offloaded(drafted(in_letters("SUAUSA")), kept, turns=99)) == "SUS"


def test_s4_16_without_an_archive_it_does_nothing() -> None:
    draft = drafted(in_letters("SUAUAU"))
    assert check(Awaited(Offload(), Seams()), draft) is draft


def test_s4_22_a_failure_leaves_every_message_in_its_place() -> None:
    """The archive refuses what is too large for it."""
    draft = drafted([system(), user("x" * 500), user("go")])
    kept = archive(400)
    with pytest.raises(InvalidInput, match="nothing of the batch was kept"):
        offloaded(draft, kept)
    assert texts(draft.messages) == ["Be brief.", "x" * 500, "go"]
    assert Stepper().run(kept.usage()).entries == 0


def test_under_a_bound_no_more_leaves_than_it_asks_for() -> None:
    messages = in_letters("SUAUAUAU")
    size = sum(map(cost, messages))
    after = offloaded(drafted(messages, tokens=size - 6), archive())
    assert letters(after) == "SUAUAU"
    enough = drafted(messages, tokens=size + 1)
    assert offloaded(enough, archive()) is enough


def test_a_summary_stays() -> None:
    """It stands for what has left already."""
    draft = drafted(in_letters("SUUAU"))
    summed = replace(draft, summarized=frozenset({1}))
    assert texts(offloaded(summed, archive()).messages) == ["message 0", "message 1", "message 4"]


@pytest.mark.parametrize("turns", [0, -1, True, 1.5])
def test_a_number_that_is_none_is_refused(turns: int) -> None:
    with pytest.raises(InvalidInput, match="turns"):
        Offload(turns=turns)


@given(drafts())
def test_what_must_hold_holds(draft: Draft) -> None:
    kept = archive()
    after = offloaded(draft, kept, turns=4)
    spans = after.taken[len(draft.taken) :]
    assert all(span.fate is Fate.OFFLOADED and span.message.role is not Role.SYSTEM for span in spans)
    for span in spans:
        assert Stepper().run(kept.expand(span.handle)).role == span.message.role
