"""A plan in the making."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memoranda.curation.draft import Draft
from memoranda.errors import InvalidEntry
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.revision import Change
from tests.curation.ground import MINUTE, Ground


def test_shows_what_was_decided_as_if_it_were_made() -> None:
    ground = Ground()
    old, new = ground.put("a", key="k"), ground.entry("b", key="k")

    def work(draft: Draft) -> None:
        assert draft.entry(new.id) is None
        draft.add(new)
        draft.supersede(old, new, Change.REPLACE, "newer", draft.now)
        assert draft.entry(new.id) == new
        assert draft.holders("k") == [new]
        assert [entry.id for entry in draft.predecessors(new.id)] == [old.id]
        assert [revision.number for revision in draft.revisions(old.id)] == [1]

    ground.draft(work)
    assert ground.live() == ["b"]


def test_a_key_that_was_given_up_in_the_draft_is_free() -> None:
    ground = Ground()
    old = ground.put("a", key="k")

    def work(draft: Draft) -> list[str]:
        draft.change(old, replace(old, key="other"), Change.UPDATE, "moved")
        return [entry.memory for entry in (*draft.holders("k"), *draft.holders("other"))]

    assert ground.draft(work) == ["a"]


def test_revisions_are_numbered_without_gaps_up_to_the_bound() -> None:
    """Design D17: at the bound the oldest but the first goes."""
    ground = Ground(max_revisions=3)
    entry = ground.put("v0")
    for number in range(1, 8):
        before, after = entry, replace(entry, memory=f"v{number}")
        ground.draft(lambda draft, a=before, b=after: draft.change(a, b, Change.UPDATE, "new"))  # type: ignore[misc]
        entry = after
        assert len(ground.revisions(entry.id)) == min(number, 3)
    kept = ground.revisions(entry.id)
    assert [(revision.number, revision.entry.memory) for revision in kept] == [(1, "v0"), (6, "v5"), (7, "v6")]


def test_several_changes_in_one_draft_obey_the_bound_too() -> None:
    ground = Ground(max_revisions=2)
    entry = ground.put("v0")

    def work(draft: Draft) -> list[int]:
        current = entry
        for number in range(1, 6):
            after = replace(current, memory=f"v{number}")
            draft.change(current, after, Change.UPDATE, "new")
            current = after
        return [revision.number for revision in draft.revisions(entry.id)]

    assert ground.draft(work) == [1, 5]
    assert [revision.number for revision in ground.revisions(entry.id)] == [1, 5]


def test_what_cannot_be_kept_is_refused_before_anything_is_written() -> None:
    ground = Ground()
    with pytest.raises(InvalidEntry):
        ground.draft(lambda draft: draft.add(replace(ground.entry("x"), confidence=2.0)))
    assert ground.all() == []


def test_an_end_never_comes_before_the_begin() -> None:
    ground = Ground()
    old = ground.put("a")
    ended = ground.draft(lambda draft: draft.supersede(old, old, Change.RETRACT, "no", old.created_at - MINUTE))
    assert ended.valid_to == old.valid_from


def test_old_keys_go_only_when_a_new_one_comes() -> None:
    ground = Ground()
    entry = ground.put("x")

    def note(key: str) -> None:
        now = ground.clock.now()
        ground.draft(
            lambda draft: draft.acknowledge(
                Acknowledgement(
                    key=key, fingerprint="f", at=now, outcome=Outcome.ADDED, entry_id=entry.id, because="why"
                )
            )
        )

    def known() -> list[bool]:
        return ground.draft(lambda draft: [draft.acknowledged(key) is not None for key in ("k1", "k2")])

    note("k1")
    ground.clock.advance(timedelta(days=8))
    assert known() == [True, False]
    note("k2")
    assert known() == [False, True]
