"""Update, retract and restore (S1.28 to S1.30)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from memoranda.errors import Conflict, EntryNotFound, InvalidEntry, NothingToRestore
from memoranda.records.entry import Category, Origin
from memoranda.records.receipt import Outcome
from memoranda.records.revision import Change
from tests.curation.ground import MINUTE, Ground

HOUR = timedelta(hours=1)
UNKNOWN = "00000000-0000-4000-8000-ffffffffffff"


def test_update_writes_the_new_and_supersedes_the_old_at_once() -> None:
    """S1.30."""
    ground = Ground()
    old = ground.put("port 8080")
    ground.clock.advance(HOUR)
    receipt = ground.update(old.id, "port 9090")
    assert receipt.entry is not None
    assert (receipt.outcome, receipt.previous) == (Outcome.REPLACED, old)
    assert (ground.get(old.id).superseded_by, ground.get(old.id).memory) == (receipt.entry.id, "port 8080")
    assert [revision.change for revision in ground.revisions(old.id)] == [Change.UPDATE]
    assert ground.live() == ["port 9090"]


def test_a_failing_update_leaves_the_old_one_live() -> None:
    """S1.30."""
    ground = Ground()
    old = ground.put("x")
    with pytest.raises(InvalidEntry):
        ground.update(old.id, "  ")
    assert ground.all() == [old]
    assert ground.revisions(old.id) == []


def test_update_of_what_is_more_trusted_is_contested() -> None:
    """Design D10."""
    ground = Ground()
    old = ground.put("port 8080", origin=Origin.HOST)
    assert ground.update(old.id, "port 9090", origin=Origin.MODEL).outcome is Outcome.CONTESTED
    assert ground.live() == ["port 8080", "port 9090"]


def test_update_replaces_even_with_what_began_earlier() -> None:
    """S1.30: an update corrects what is there; dated back, it says since when the new text holds."""
    ground = Ground()
    old = ground.put("moved to Berlin")
    ground.clock.advance(MINUTE)
    assert ground.update(old.id, "moved to Bonn", ago=24 * HOUR).outcome is Outcome.REPLACED
    assert ground.live() == ["moved to Bonn"]


def test_update_replaces_after_the_clock_stepped_back() -> None:
    """S1.30, case H03: a clock that was put right must not turn an update into history."""
    ground = Ground()
    old = ground.put("port 8080")
    ground.clock.advance(-HOUR)
    ground.update(old.id, "port 9090")
    assert ground.live() == ["port 9090"]


def test_retract_keeps_the_row_and_points_at_itself() -> None:
    """S1.28: with no successor the row points at itself; the number of rows stays."""
    ground = Ground()
    old = ground.put("x")
    receipt = ground.retract(old.id, "it was wrong")
    assert receipt.entry is not None
    assert (receipt.outcome, receipt.previous, receipt.entry.is_retracted) == (Outcome.RETRACTED, old, True)
    assert [(one.change, one.because, one.entry) for one in ground.revisions(old.id)] == [
        (Change.RETRACT, "it was wrong", old)
    ]
    assert (ground.live(), len(ground.all())) == ([], 1)


@pytest.mark.parametrize(
    "verb", [lambda g, id: g.update(id, "y"), lambda g, id: g.retract(id)], ids=["update", "retract"]
)
def test_only_a_live_entry_can_be_worked_on(verb: Callable[[Ground, str], object]) -> None:
    """S1.29: never a silent no-op; the message says what became of it."""
    ground = Ground()
    replaced = ground.put("a")
    successor = ground.update(replaced.id, "b").entry
    retracted = ground.put("c")
    ground.retract(retracted.id)
    expired = ground.put("d", expires_at=ground.clock.now() + 2 * MINUTE)
    ground.clock.advance(HOUR)
    before = ground.all()
    assert successor is not None
    for id, why in (
        (UNKNOWN, "show the ids that exist"),
        ("no id at all", "show the ids that exist"),
        (replaced.id, successor.id),
        (retracted.id, "`restore` brings it back"),
        (expired.id, "it expired at"),
    ):
        with pytest.raises(EntryNotFound, match=why):
            verb(ground, id)
    assert ground.all() == before


@pytest.mark.parametrize("by", ["own", "successor"])
def test_restore_undoes_an_update(by: str) -> None:
    """The entry may be named by its own id or by that of its successor."""
    ground = Ground()
    old = ground.put("a")
    new = ground.update(old.id, "b").entry
    assert new is not None
    receipt = ground.restore(old.id if by == "own" else new.id)
    assert (receipt.outcome, receipt.entry) == (Outcome.RESTORED, old)
    assert ground.get(old.id) == old
    assert ground.live() == ["a"]
    assert [(one.change, one.undone) for one in ground.revisions(old.id)] == [
        (Change.UPDATE, True),
        (Change.RESTORE, False),
    ]
    assert [one.entry.memory for one in ground.revisions(new.id)] == ["b"]


def test_restore_undoes_a_retraction_once() -> None:
    ground = Ground()
    old = ground.put("a")
    ground.retract(old.id)
    ground.restore(old.id)
    assert ground.get(old.id) == old
    with pytest.raises(NothingToRestore, match="the change was undone before"):
        ground.restore(old.id)


def test_restore_goes_back_one_change_at_a_time() -> None:
    ground = Ground()
    first = ground.put("a", key="k")
    second, third = ground.put("b", key="k"), ground.put("c", key="k")
    with pytest.raises(Conflict, match=f"restore {second.id} first"):
        ground.restore(first.id)
    ground.restore(third.id)
    assert ground.live() == ["b"]
    ground.restore(second.id)
    assert ground.live() == ["a"]


def test_restore_brings_all_back_that_one_change_took() -> None:
    ground = Ground()
    ground.put("user says a", key="k", origin=Origin.USER)
    ground.put("web says b", key="k", origin=Origin.WEB)
    last = ground.put("user says c", key="k", origin=Origin.USER)
    ground.restore(last.id)
    assert ground.live() == ["user says a", "web says b"]


def test_restore_does_not_take_a_key_from_its_new_holder() -> None:
    ground = Ground()
    old = ground.put("a", key="k")
    ground.retract(old.id)
    holder = ground.put("b", key="k")
    with pytest.raises(Conflict, match=holder.id):
        ground.restore(old.id)
    assert ground.live() == ["b"]


@pytest.mark.parametrize("back", [0, 1])
def test_restore_brings_a_contested_entry_back_beside_its_rival(back: int) -> None:
    """Design D10: they stood side by side before the retraction, so they do after its undoing."""
    ground = Ground()
    both = [ground.put("user says a", key="k"), ground.put("web says b", key="k", origin=Origin.WEB)]
    ground.retract(both[back].id)
    ground.restore(both[back].id)
    assert ground.live() == ["user says a", "web says b"]


def test_restore_of_scratch_heeds_its_own_session_only() -> None:
    """C47."""
    ground = Ground()
    one = ground.put("s1 step", key="step", category=Category.WORKING, session="s1")
    ground.put("s2 step", key="step", category=Category.WORKING, session="s2")
    ground.retract(one.id)
    ground.restore(one.id)
    assert ground.live() == ["s1 step", "s2 step"]


def test_history_was_never_live_and_cannot_come_back() -> None:
    ground = Ground()
    now = ground.put("Berlin", key="home")
    past = ground.put("Bonn", key="home", ago=HOUR)
    with pytest.raises(NothingToRestore, match="it was never live"):
        ground.restore(past.id)
    with pytest.raises(NothingToRestore, match="was not changed"):
        ground.restore(now.id)


def test_nothing_to_restore() -> None:
    ground = Ground()
    with pytest.raises(EntryNotFound):
        ground.restore(UNKNOWN)
    fresh = ground.put("x")
    with pytest.raises(NothingToRestore):
        ground.restore(fresh.id)
