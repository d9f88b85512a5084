"""What folds, what is contested, and what neither is (design D9, D10, C6, C35), decided without a store's index."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.draft import Draft
from memoranda.curation.fold import FOLDING, Neighbourhood
from memoranda.curation.remember import Candidate, remember
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.records.revision import Change
from memoranda.text.words import Analyser
from tests.curation.ground import Ground

TUESDAY, RESTATED = "The release day of the Ferry app is Tuesday", "Release day of the Ferry app: Tuesday."
WEDNESDAY = "The release day of the Ferry app is Wednesday"
RESTATED_WEDNESDAY = "Release day of the Ferry app: Wednesday."
DAY = timedelta(days=1)
ANALYSER = Analyser("english")


def say(ground: Ground, *texts: str, fold_days: float = 14.0, **fields: Any) -> list[WriteReceipt]:
    """Remembers texts in one decision, compared with all that is stored and with each other."""
    candidates = [Candidate(entry=ground.entry(text, **fields)) for text in texts]
    stored = ground.all()

    def work(draft: Draft) -> list[WriteReceipt]:
        neighbourhood = Neighbourhood(ANALYSER)
        for entry in stored:
            neighbourhood.add(entry)
        return remember(draft, candidates, idempotency_days=7, neighbourhood=neighbourhood, fold_days=fold_days)

    return ground.draft(work)


def one(ground: Ground, text: str, **fields: Any) -> MemoryEntry:
    entry = say(ground, text, **fields)[0].entry
    assert entry is not None
    return entry


def test_a_restatement_joins_the_entry_that_it_repeats() -> None:
    """S1.22, case M01: one more time seen, the newest wording, the same id and begin, a revision of what was."""
    ground = Ground()
    known = one(ground, TUESDAY)
    ground.clock.advance(DAY)
    receipt = say(ground, RESTATED)[0]
    entry = receipt.entry
    assert entry is not None
    assert (receipt.outcome, receipt.previous) == (Outcome.FOLDED, known)
    assert (entry.id, entry.memory, entry.seen_count) == (known.id, RESTATED, 2)
    assert (entry.created_at, entry.valid_from) == (known.created_at, known.valid_from)
    assert entry.last_seen == ground.clock.now()
    assert [(kept.change, kept.entry) for kept in ground.revisions(known.id)] == [(Change.FOLD, known)]
    assert ground.live() == [RESTATED]


def test_a_batch_folds_within_itself() -> None:
    """A later item sees what became of the earlier ones, as stored ones do."""
    ground = Ground()
    receipts = say(ground, TUESDAY, RESTATED, TUESDAY, "Ana plays the cello")
    assert [receipt.outcome for receipt in receipts] == [
        Outcome.ADDED, Outcome.FOLDED, Outcome.FOLDED, Outcome.ADDED
    ]  # fmt: skip
    first = receipts[0].entry
    assert first is not None
    assert ground.get(first.id).seen_count == 3
    assert [(kept.number, kept.entry.memory) for kept in ground.revisions(first.id)] == [(1, TUESDAY), (2, RESTATED)]


def test_what_contradicts_is_kept_beside_it() -> None:
    """Design D9: both live, each naming the other."""
    ground = Ground()
    known = one(ground, TUESDAY)
    receipt = say(ground, WEDNESDAY)[0]
    entry = receipt.entry
    assert entry is not None
    assert receipt.outcome is Outcome.CONTESTED
    assert receipt.previous is not None
    assert receipt.previous.id == known.id
    assert "tuesday against wednesday" in receipt.because
    assert (ground.get(known.id).contested_with, ground.get(entry.id).contested_with) == ((entry.id,), (known.id,))
    assert ground.live() == [TUESDAY, WEDNESDAY]


def test_what_has_nothing_to_do_with_it_makes_a_row_of_its_own_s1_24() -> None:
    ground = Ground()
    receipts = say(ground, TUESDAY, "Ana plays the cello in the attic", RESTATED)
    assert [receipt.outcome for receipt in receipts] == [Outcome.ADDED, Outcome.ADDED, Outcome.FOLDED]
    folded = receipts[2].entry
    assert folded is not None
    assert (folded.seen_count, folded.confidence, len(ground.all())) == (2, 0.7, 2)


def test_what_was_superseded_is_never_joined_s1_25() -> None:
    ground = Ground()
    known = one(ground, TUESDAY)
    ground.update(known.id, "Ana plays the cello in the attic")
    taken = one(ground, RESTATED_WEDNESDAY)
    ground.retract(taken.id)
    assert [receipt.outcome for receipt in say(ground, TUESDAY, WEDNESDAY)] == [Outcome.ADDED, Outcome.CONTESTED]
    assert (ground.get(known.id).seen_count, ground.get(taken.id).seen_count) == (1, 1)


def test_a_restatement_rises_to_no_peer_under_its_key() -> None:
    """Design D10: under one key one leads; what a host says as a user did takes that one's place, not its key."""
    ground = Ground()
    host = one(ground, TUESDAY, key="release.day", origin=Origin.HOST)
    user = one(ground, WEDNESDAY, key="release.day", origin=Origin.USER)
    receipt = say(ground, WEDNESDAY, origin=Origin.HOST)[0]
    entry = receipt.entry
    assert entry is not None
    assert (receipt.outcome, ground.get(user.id).superseded_by) == (Outcome.CONTESTED, entry.id)
    assert ground.get(host.id).contested_with == (entry.id,)
    ground.clock.advance(DAY)
    assert say(ground, WEDNESDAY, key="release.day", origin=Origin.HOST)[0].outcome is Outcome.REPLACED
    assert ground.live() == [WEDNESDAY]


def test_what_only_differs_is_added() -> None:
    """C6: two orders are two orders, however alike they read."""
    ground = Ground()
    receipts = say(ground, "Order 4711 was shipped to Bremen", "Order 4712 was shipped to Bremen")
    assert Outcome.FOLDED not in [receipt.outcome for receipt in receipts]
    assert len(ground.live()) == 2


@pytest.mark.parametrize("category", sorted(set(Category) - FOLDING))
def test_what_is_append_only_never_folds(category: Category) -> None:
    """C35: what was said twice was said twice; scratch is scratch."""
    ground = Ground()
    say(ground, TUESDAY, TUESDAY, WEDNESDAY, category=category, session="s1")
    assert ground.live() == [TUESDAY, TUESDAY, WEDNESDAY]
    assert all(entry.seen_count == 1 and not entry.contested_with for entry in ground.all())


@pytest.mark.parametrize("category", sorted(FOLDING))
def test_each_other_category_folds_for_itself(category: Category) -> None:
    """S1.22, S1.23: the same category; an instruction is no fact."""
    ground = Ground()
    say(ground, TUESDAY, RESTATED, category=category)
    assert ground.live() == [RESTATED]
    other = Category.FACT if category is not Category.FACT else Category.INSTRUCTION
    assert say(ground, RESTATED, category=other)[0].outcome is Outcome.ADDED
    assert say(ground, WEDNESDAY, category=other)[0].previous != ground.all()[0]


@pytest.mark.parametrize("category", [Category.EPISODE, Category.TRAJECTORY])
def test_what_is_append_only_does_not_fold_under_a_key_either(category: Category) -> None:
    """C35: a fact under the same key takes the place of a message; it does not change what was said."""
    ground = Ground()
    message = one(ground, TUESDAY, category=category, session="s1", key="day")
    receipt = say(ground, RESTATED, key="day")[0]
    assert receipt.outcome is Outcome.REPLACED
    assert (ground.get(message.id).memory, ground.get(message.id).seen_count) == (TUESDAY, 1)


@pytest.mark.parametrize(("days", "outcome"), [(13.9, Outcome.FOLDED), (14.0, Outcome.FOLDED), (14.1, Outcome.ADDED)])
def test_a_restatement_is_new_after_the_window(days: float, outcome: Outcome) -> None:
    """S1.22: 14 days since it was last said."""
    ground = Ground()
    say(ground, TUESDAY)
    ground.clock.advance(days * DAY)
    assert say(ground, RESTATED)[0].outcome is outcome


def test_the_window_is_a_setting_and_starts_anew_with_each_fold() -> None:
    ground = Ground()
    say(ground, TUESDAY)
    for _ in range(3):
        ground.clock.advance(2 * DAY)
        assert say(ground, RESTATED, fold_days=2)[0].outcome is Outcome.FOLDED
    ground.clock.advance(3 * DAY)
    assert say(ground, RESTATED, fold_days=2)[0].outcome is Outcome.ADDED


def test_what_happened_on_two_days_happened_twice() -> None:
    ground = Ground()
    say(ground, "Ana missed the early train", ago=DAY)
    assert say(ground, "Ana missed the early train", ago=2 * DAY)[0].outcome is Outcome.ADDED
    assert say(ground, "Ana missed the early train")[0].outcome is Outcome.FOLDED


@pytest.mark.parametrize("lesser", [origin for origin in Origin if origin is not Origin.HOST])
def test_a_less_trusted_restatement_counts_and_changes_nothing_else(lesser: Origin) -> None:
    """Design D10."""
    ground = Ground()
    known = one(ground, TUESDAY, origin=Origin.HOST)
    ground.clock.advance(DAY)
    receipt = say(ground, RESTATED, origin=lesser)[0]
    entry = receipt.entry
    assert entry is not None
    assert (receipt.outcome, entry.seen_count) == (Outcome.FOLDED, 2)
    assert (entry.memory, entry.origin, entry.confidence, entry.tags) == (
        TUESDAY, Origin.HOST, known.confidence, known.tags
    )  # fmt: skip
    assert lesser.value in receipt.because


def test_a_more_trusted_restatement_takes_it_over() -> None:
    ground = Ground()
    say(ground, TUESDAY, origin=Origin.WEB)
    entry = one(ground, RESTATED, origin=Origin.USER)
    assert (entry.memory, entry.origin, entry.seen_count) == (RESTATED, Origin.USER, 2)


def test_two_keys_are_two_things() -> None:
    ground = Ground()
    say(ground, "the port is 8080", key="staging.port")
    assert say(ground, "the port is 8080", key="production.port")[0].outcome is Outcome.ADDED
    assert say(ground, "the port is 9090", key="test.port")[0].outcome is Outcome.ADDED
    assert not any(entry.contested_with for entry in ground.all())


def test_a_restatement_gives_its_key_to_what_had_none() -> None:
    ground = Ground()
    known = one(ground, TUESDAY)
    entry = one(ground, RESTATED, key="release.day")
    assert (entry.id, entry.key, entry.seen_count) == (known.id, "release.day", 2)
    assert say(ground, WEDNESDAY, key="release.day")[0].outcome is Outcome.REPLACED
    assert ground.live() == [WEDNESDAY]


def test_under_a_key_the_same_value_again_folds_and_another_replaces_c7() -> None:
    ground = Ground()
    say(ground, TUESDAY, key="release.day")
    assert say(ground, RESTATED, key="release.day")[0].outcome is Outcome.FOLDED
    assert say(ground, WEDNESDAY, key="release.day")[0].outcome is Outcome.REPLACED
    assert say(ground, TUESDAY, key="release.day")[0].outcome is Outcome.REPLACED
    assert ground.live() == [TUESDAY]


def test_what_was_known_without_the_key_does_not_stand_twice() -> None:
    """A new value of the key that is known already without it takes both places, and their contests."""
    ground = Ground()
    say(ground, TUESDAY, key="release.day")
    loose = one(ground, WEDNESDAY)
    assert ground.get(loose.id).contested_with
    now = one(ground, WEDNESDAY, key="release.day")
    assert ground.live() == [WEDNESDAY]
    assert ground.get(now.id).contested_with == ()
    assert ground.get(loose.id).superseded_by == now.id


def test_what_takes_a_loose_restatements_place_is_contested_as_that_was() -> None:
    """Design D9: no contradiction gets lost when the likest neighbour is found first."""
    ground = Ground()
    say(ground, TUESDAY, key="release.day")
    say(ground, WEDNESDAY, origin=Origin.HOST)
    loose = one(ground, "The release day of the Ferry app is Friday")
    rivals = set(ground.get(loose.id).contested_with)
    assert len(rivals) == 2
    entry = one(ground, "The release day of the Ferry app is Friday", key="release.day")
    left = {kept.id for kept in ground.all() if kept.memory == WEDNESDAY}
    assert set(ground.get(entry.id).contested_with) == left


def test_a_fold_that_is_undone_leaves_contests_as_they_are_now() -> None:
    ground = Ground()
    known = one(ground, TUESDAY)
    say(ground, RESTATED)
    rival = one(ground, WEDNESDAY)
    back = ground.restore(known.id).entry
    assert back is not None
    assert (back.memory, back.seen_count, back.contested_with) == (TUESDAY, 1, (rival.id,))
    assert ground.get(rival.id).contested_with == (known.id,)


def test_what_is_restored_is_contested_again_on_both_sides() -> None:
    ground = Ground()
    known, rival = one(ground, TUESDAY), one(ground, WEDNESDAY)
    ground.retract(known.id)
    assert ground.get(rival.id).contested_with == ()
    ground.restore(known.id)
    assert (ground.get(known.id).contested_with, ground.get(rival.id).contested_with) == ((rival.id,), (known.id,))


def test_what_is_restored_is_not_contested_with_what_ended_meanwhile() -> None:
    ground = Ground()
    known, rival = one(ground, TUESDAY), one(ground, WEDNESDAY)
    ground.retract(known.id)
    ground.retract(rival.id)
    ground.restore(known.id)
    assert ground.get(known.id).contested_with == ()


@pytest.mark.parametrize("end", ["retract", "update"])
def test_a_contest_ends_with_either_of_the_two(end: str) -> None:
    ground = Ground()
    known, rival = one(ground, TUESDAY), one(ground, WEDNESDAY)
    if end == "retract":
        ground.retract(rival.id)
    else:
        ground.update(rival.id, "Ana plays the cello")
    assert ground.get(known.id).contested_with == ()
    assert ground.get(rival.id).contested_with == ()


def test_a_long_lived_fact_does_not_end_with_a_short_lived_restatement() -> None:
    """What is remembered for good stays when somebody says the same with an end; nothing is lost in silence (D18)."""
    ground = Ground()
    known = one(ground, TUESDAY)
    say(ground, RESTATED, expires_at=ground.clock.now() + DAY)
    assert ground.get(known.id).expires_at is None


def test_what_expired_is_not_joined() -> None:
    ground = Ground()
    say(ground, TUESDAY, expires_at=ground.clock.now() + DAY)
    ground.clock.advance(2 * DAY)
    assert say(ground, RESTATED)[0].outcome is Outcome.ADDED


@given(
    st.lists(
        st.sampled_from(
            [TUESDAY, RESTATED, WEDNESDAY, RESTATED_WEDNESDAY, "Ana plays the cello", "ana plays  the CELLO!"]
        ),
        min_size=1,
        max_size=12,
    )
)
def test_however_often_in_whatever_order_each_claim_stands_once(texts: list[str]) -> None:
    """One entry for each claim, which was seen as often as it was said; no claim is lost; contests are symmetric."""
    claims = {TUESDAY: 1, RESTATED: 1, WEDNESDAY: 2, RESTATED_WEDNESDAY: 2}
    ground = Ground()
    say(ground, *texts[: len(texts) // 2])
    say(ground, *texts[len(texts) // 2 :])
    live = ground.all()
    said = [claims.get(text, 3) for text in texts]
    assert sorted(claims.get(entry.memory, 3) for entry in live) == sorted(set(said))
    assert {claims.get(entry.memory, 3): entry.seen_count for entry in live} == {one: said.count(one) for one in said}
    release = [entry for entry in live if claims.get(entry.memory)]
    assert all(len(entry.contested_with) == len(release) - 1 for entry in release)
