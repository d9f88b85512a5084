"""What becomes of something new: added, put in the place of what its key held, contested, or kept as history."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memoranda.curation.draft import Draft
from memoranda.curation.remember import Candidate, remember
from memoranda.errors import IdempotencyConflict, InvalidEntry
from memoranda.records.entry import Category, Origin
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.records.revision import Change
from tests.curation.ground import MINUTE, Ground

HOUR = timedelta(hours=1)


def test_without_a_key_nothing_takes_the_place_of_anything() -> None:
    """S0.23: two entries of equal text are distinct."""
    ground = Ground()
    receipts = ground.remember(ground.entry("same"), ground.entry("same"))
    assert [receipt.outcome for receipt in receipts] == [Outcome.ADDED, Outcome.ADDED]
    assert ground.live() == ["same", "same"]


def test_under_a_key_the_newer_takes_the_place_of_the_older() -> None:
    """S1.28, design D9: the older keeps its row, points at its successor and leaves a revision."""
    ground = Ground()
    old = ground.put("port 8080", key="port")
    ground.clock.advance(HOUR)
    new = ground.entry("port 9090", key="port")
    receipt = ground.remember(new)[0]
    assert (receipt.outcome, receipt.entry, receipt.previous) == (Outcome.REPLACED, new, old)
    assert "port" in receipt.because
    kept = ground.get(old.id)
    assert (kept.memory, kept.superseded_by, kept.valid_to) == ("port 8080", new.id, new.valid_from)
    assert [(one.number, one.change, one.entry) for one in ground.revisions(old.id)] == [(1, Change.REPLACE, old)]
    assert ground.live() == ["port 9090"]


def test_a_later_item_of_a_batch_sees_the_earlier_ones() -> None:
    ground = Ground()
    receipts = ground.remember(*(ground.entry(f"port {number}", key="port") for number in range(3)))
    assert [receipt.outcome for receipt in receipts] == [Outcome.ADDED, Outcome.REPLACED, Outcome.REPLACED]
    assert ground.live() == ["port 2"]
    assert len(ground.all()) == 3


@pytest.mark.parametrize("lesser", [origin for origin in Origin if origin is not Origin.HOST])
def test_less_trusted_never_replaces_more_trusted(lesser: Origin) -> None:
    """Design D10: both stay, contested."""
    ground = Ground()
    trusted = ground.put("port 8080", key="port", origin=Origin.HOST)
    ground.clock.advance(HOUR)
    receipt = ground.remember(ground.entry("port 9090", key="port", origin=lesser))[0]
    assert (receipt.outcome, receipt.previous) == (Outcome.CONTESTED, trusted)
    assert lesser.value in receipt.because
    assert "host" in receipt.because
    assert ground.live() == ["port 8080", "port 9090"]


@pytest.mark.parametrize("lesser", [origin for origin in Origin if origin is not Origin.HOST])
def test_nor_does_it_because_it_happened_later(lesser: Origin) -> None:
    """Design D10: in whichever order the two arrive, what is less trusted supersedes nothing."""
    ground = Ground()
    ground.put("port 9090", key="port", origin=lesser)
    ground.clock.advance(HOUR)
    receipt = ground.remember(ground.entry("port 8080", key="port", origin=Origin.HOST, ago=2 * HOUR))[0]
    assert receipt.outcome is Outcome.CONTESTED
    assert ground.live() == ["port 9090", "port 8080"]


def test_equally_or_more_trusted_replaces_all_that_stand_under_the_key() -> None:
    ground = Ground()
    ground.put("port 8080", key="port", origin=Origin.USER)
    ground.put("port 9090", key="port", origin=Origin.WEB)
    last = ground.put("port 7070", key="port", origin=Origin.USER)
    assert ground.live() == ["port 7070"]
    assert [entry.superseded_by for entry in ground.all()] == [last.id, last.id, None]


def test_what_happened_earlier_is_kept_as_history() -> None:
    """Design D15: an import of old chats must not undo what is known by now."""
    ground = Ground()
    now = ground.put("lives in Berlin", key="home")
    receipt = ground.remember(ground.entry("lives in Bonn", key="home", ago=24 * HOUR))[0]
    past = receipt.entry
    assert past is not None
    assert (receipt.outcome, receipt.previous) == (Outcome.ADDED, now)
    assert (past.superseded_by, past.valid_to) == (now.id, now.valid_from)
    assert "history" in receipt.because
    assert ground.live() == ["lives in Berlin"]
    assert ground.revisions(now.id) == []


def test_at_the_same_moment_what_was_said_last_counts() -> None:
    ground = Ground()
    ground.remember(ground.entry("a", key="k"))
    ground.remember(ground.entry("b", key="k"))
    assert ground.live() == ["b"]
    assert ground.all()[0].valid_to == ground.all()[0].valid_from


def test_keys_are_exact() -> None:
    ground = Ground()
    ground.remember(*(ground.entry(key, key=key) for key in ("port", "Port", "port ", "po%", "p_rt", "pört")))
    assert len(ground.live()) == 6


def test_an_expired_holder_is_no_rival() -> None:
    ground = Ground()
    ground.put("old", key="k", origin=Origin.HOST, expires_at=ground.clock.now() + 2 * MINUTE)
    ground.clock.advance(HOUR)
    assert ground.remember(ground.entry("new", key="k"))[0].outcome is Outcome.ADDED
    assert [entry.superseded_by for entry in ground.all()] == [None, None]


def test_scratch_of_one_session_leaves_other_sessions_alone() -> None:
    """C47: `working` is scratch of its session, under a key too."""
    ground = Ground()
    for session in ("s1", "s2"):
        ground.put(f"{session} step 1", key="step", category=Category.WORKING, session=session)
    ground.put("a fact", key="step")
    ground.put("s1 step 2", key="step", category=Category.WORKING, session="s1")
    assert ground.live() == ["s2 step 1", "a fact", "s1 step 2"]


def test_scratch_does_not_take_the_place_of_a_fact_of_its_session() -> None:
    """C47: scratch is gone with its session; a fact that was said in that session is not."""
    ground = Ground()
    ground.put("the port is 8080", key="port", session="s1")
    ground.put("trying 9090", key="port", category=Category.WORKING, session="s1")
    assert ground.live() == ["the port is 8080", "trying 9090"]


def _remember(ground: Ground, text: str, *, key: str, fingerprint: str) -> list[WriteReceipt]:
    candidate = Candidate(entry=ground.entry(text), idempotency_key=key, fingerprint=fingerprint)
    return ground.draft(lambda draft: remember(draft, [candidate], idempotency_days=7))


def test_the_same_request_is_carried_out_once() -> None:
    ground = Ground()
    first = _remember(ground, "x", key="r1", fingerprint="f")[0]
    ground.clock.advance(timedelta(days=7) - MINUTE)
    again = _remember(ground, "x", key="r1", fingerprint="f")[0]
    assert (first.repeated, again.repeated) == (False, True)
    assert (again.outcome, again.entry, again.because) == (first.outcome, first.entry, first.because)
    assert ground.live() == ["x"]


def test_another_request_under_the_same_key_is_refused() -> None:
    ground = Ground()
    _remember(ground, "x", key="r1", fingerprint="f")
    with pytest.raises(IdempotencyConflict, match="'r1' was used for another request"):
        _remember(ground, "y", key="r1", fingerprint="g")
    assert ground.live() == ["x"]


def test_a_key_is_forgotten_after_its_days() -> None:
    ground = Ground()
    _remember(ground, "x", key="r1", fingerprint="f")
    ground.clock.advance(timedelta(days=7))
    assert not _remember(ground, "y", key="r1", fingerprint="g")[0].repeated
    assert ground.live() == ["x", "y"]


def test_a_repeat_shows_the_entry_as_it_is_now() -> None:
    ground = Ground()
    first = _remember(ground, "x", key="r1", fingerprint="f")[0].entry
    assert first is not None
    ground.retract(first.id)
    again = _remember(ground, "x", key="r1", fingerprint="f")[0]
    assert again.entry is not None
    assert again.entry.is_retracted
    assert ground.live() == []


def test_one_bad_item_leaves_nothing_of_the_batch() -> None:
    ground = Ground()
    with pytest.raises(InvalidEntry):
        ground.remember(ground.entry("good"), ground.entry(" "))
    assert ground.all() == []


def test_deciding_twice_gives_the_same_plan() -> None:
    """Design D3: a decision is pure, since a transaction may be repeated."""
    ground = Ground()
    ground.put("a", key="k")
    new = Candidate(entry=ground.entry("b", key="k"))

    def plans(draft: Draft) -> bool:
        twin = Draft(draft._snapshot, now=draft.now)
        one, other = (remember(each, [new], idempotency_days=7) for each in (draft, twin))
        return draft.plan(one) == twin.plan(other)

    assert ground.draft(plans)
