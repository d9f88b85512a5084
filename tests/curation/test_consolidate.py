"""What a consolidation of a durable scope removes and merges (C32 to C35, design D9)."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.curation.consolidate import pieces
from memoranda.curation.duplicates import Duplicates, Group, merged
from memoranda.errors import EntryNotFound, NothingToRestore
from memoranda.protocols.plan import Plan
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.revision import Change
from memoranda.records.stats import ConsolidationStats
from memoranda.text.words import Analyser
from tests.curation.ground import MINUTE, Ground

HOUR = timedelta(hours=1)
ANALYSER = Analyser("english")


def held(ground: Ground, text: str, **fields: Any) -> MemoryEntry:
    """Stores an entry as it is, a minute later, so that it does not fold."""
    ground.clock.advance(MINUTE)
    entry = replace(ground.entry(text), **fields)
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, puts=(entry,))))
    return entry


def tidy(ground: Ground) -> ConsolidationStats:
    ground.clock.advance(MINUTE)
    return ground.run(ground.store.consolidate(ground.scope))


def test_age_alone_removes_nothing() -> None:
    """C32, design D9."""
    ground = Ground()
    held(ground, "old")
    ground.clock.advance(timedelta(days=40_000))
    assert tidy(ground) == ConsolidationStats(entries_before=1, entries_after=1)
    assert ground.live() == ["old"]


def test_what_has_expired_goes_with_its_revisions() -> None:
    """S0.21, S0.51: what was done is counted; bytes are those of UTF-8."""
    ground = Ground()
    soon = ground.clock.now() + HOUR
    first = ground.put("größer", key="k", expires_at=soon)
    second = ground.put("x", key="k", expires_at=soon)
    ground.put("stays", expires_at=soon + HOUR)
    ground.clock.set(soon)
    stats = tidy(ground)
    assert stats == ConsolidationStats(entries_before=2, entries_after=1, pruned=2, expired=2, bytes_saved=9)
    assert [entry.memory for entry in ground.all()] == ["stays"]
    assert ground.revisions(first.id) == ground.revisions(second.id) == []


def test_validated_is_no_longer_shown_but_stays() -> None:
    """C34."""
    ground = Ground()
    held(ground, "confirmed", expires_at=ground.clock.now() + HOUR, validated=True)
    ground.clock.advance(2 * HOUR)
    assert tidy(ground).pruned == 0
    assert (ground.live(), len(ground.all())) == ([], 1)


def test_an_entry_comes_back_though_its_successor_has_gone() -> None:
    ground = Ground()
    before = ground.put("a", key="k")
    ground.put("b", key="k", expires_at=ground.clock.now() + HOUR)
    ground.clock.advance(2 * HOUR)
    tidy(ground)
    ground.restore(before.id)
    assert ground.live() == ["a"]


def test_restatements_become_one_and_nothing_is_lost() -> None:
    ground = Ground()
    first = held(ground, "The build runs on the blue cluster", tags=("a",), seen_count=2, confidence=0.9)
    second = held(ground, "the build runs on the blue cluster.", tags=("b",), seen_count=3)
    stats = tidy(ground)
    assert (stats.entries_before, stats.entries_after, stats.merged, stats.pruned) == (2, 1, 1, 0)
    whole = ground.get(second.id)
    assert (whole.memory, whole.seen_count, whole.confidence) == (second.memory, 5, 0.9)
    assert (set(whole.tags), whole.created_at, whole.valid_from) == ({"a", "b"}, first.created_at, first.created_at)
    assert ground.get(first.id).superseded_by == second.id
    assert [revision.entry for revision in ground.revisions(first.id)] == [first]
    (revision,) = ground.revisions(second.id)
    assert (revision.change, revision.entry, first.id in revision.because) == (Change.FOLD, second, True)
    assert tidy(ground) == ConsolidationStats(entries_before=1, entries_after=1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 8080", "The port is 9090"),
        ("Deploys do go to blue", "Deploys do not go to blue"),
        ("Order 1231 was shipped to Anna", "Order 1232 was shipped to Anna"),
        ("The target is cluster blue", "The target is cluster green"),
        ("Standup is on Monday", "Standup is on Tuesday"),
    ],
)
def test_a_differing_value_is_never_merged(one: str, other: str) -> None:
    """C33, C35."""
    ground = Ground()
    held(ground, one)
    held(ground, other)
    assert tidy(ground).merged == 0
    assert ground.live() == [one, other]


@pytest.mark.parametrize(
    "fields",
    [
        {"category": Category.EPISODE},
        {"category": Category.TRAJECTORY},
        {"category": Category.WORKING, "session": "s"},
        {"validated": True},
    ],
)
def test_what_must_not_merge_stays(fields: dict[str, Any]) -> None:
    """C34, C35: append only, scratch, and two that are validated."""
    ground = Ground()
    for _ in range(2):
        held(ground, "The build runs on the blue cluster", **fields)
    assert tidy(ground).merged == 0
    assert len(ground.live()) == 2


@pytest.mark.parametrize(
    "others",
    [
        {"speaker": "Ben"},
        {"category": Category.PREFERENCE},
        {"key": "other"},
        {"tags": tuple(map(str, range(64)))},
        {"occurred_at": Ground().clock.now() - timedelta(days=3)},
    ],
)
def test_two_that_are_not_of_one_kind_stay(others: dict[str, Any]) -> None:
    ground = Ground()
    mine = {"speaker": "Ana", "key": "k", "tags": ("t",), "occurred_at": ground.clock.now()}
    held(ground, "I like green tea", **mine)
    held(ground, "I like green tea", **(mine | others))
    assert tidy(ground).merged == 0


def test_the_validated_and_then_the_more_trusted_one_stays() -> None:
    """Design D10: what is less trusted is counted and changes nothing else."""
    ground = Ground()
    said = held(ground, "Ana works in the Oslo office", origin=Origin.HOST, tags=("hr",))
    held(ground, "ana works in the oslo office!", origin=Origin.WEB, tags=("spam",), confidence=1.0)
    tidy(ground)
    whole = ground.get(said.id)
    assert (whole.memory, whole.tags, whole.confidence, whole.seen_count) == (said.memory, ("hr",), 0.7, 2)
    confirmed = held(ground, "Ana works in the Oslo office.", origin=Origin.TOOL, validated=True)
    tidy(ground)
    assert (ground.live(), ground.get(confirmed.id).seen_count) == ([confirmed.memory], 3)


def test_restore_takes_one_out_again_or_all() -> None:
    ground = Ground()
    first, second, third = (held(ground, f"Deploys go to the blue cluster{end}") for end in ("", ".", "!"))
    tidy(ground)
    ground.restore(first.id)
    assert ground.live() == [first.memory, third.memory]
    assert (ground.get(first.id), ground.get(third.id).seen_count) == (first, 2)
    with pytest.raises(NothingToRestore):
        ground.restore(first.id)
    ground = Ground()
    first, second, third = (held(ground, f"Deploys go to the blue cluster{end}") for end in ("", ".", "!"))
    tidy(ground)
    ground.restore(third.id)
    assert [ground.get(one.id) for one in (first, second, third)] == [first, second, third]


def test_contested_entries_wait() -> None:
    ground = Ground()
    one = held(ground, "The port is 8080")
    other = held(ground, "The port is 9090", contested_with=(one.id,))
    held(ground, "the port is 9090.")
    assert tidy(ground).merged == 0
    assert ground.get(other.id) == other


def test_a_group_larger_than_a_batch_becomes_one() -> None:
    ground = Ground()
    texts = ["Standup is at nine", "standup is at nine.", "Standup is at nine!"]
    entries = tuple(ground.entry(texts[number % 3]) for number in range(200))
    ground.run(ground.store.write(ground.scope, lambda _: Plan(result=None, puts=entries)))
    assert tidy(ground).merged == 199
    (left,) = (entry for entry in ground.all() if entry.superseded_by is None)
    assert left.seen_count == 200
    assert tidy(ground).merged == 0


def test_a_removed_entry_is_told_as_removed() -> None:
    ground = Ground()
    gone = held(ground, "x", expires_at=ground.clock.now() + HOUR)
    ground.clock.advance(2 * HOUR)
    tidy(ground)
    with pytest.raises(EntryNotFound):
        ground.restore(gone.id)


def test_an_entry_that_is_read_twice_is_not_its_own_duplicate() -> None:
    duplicates = Duplicates(ANALYSER.terms)
    entry = MemoryEntry(Category.FACT, "Ana likes tea")
    duplicates.take([entry, entry])
    duplicates.take([entry])
    assert [list(duplicates.steps(5)), duplicates.groups(), len(duplicates)] == [[1], [], 1]


SAID = st.sampled_from(["The port is 8080", "the port is 8080.", "The port is 9090", "Ana likes tea", "Ana likes tea!"])


@given(st.lists(st.tuples(SAID, st.booleans(), st.sampled_from(list(Origin))), max_size=12))
def test_what_is_found_is_found_at_once(drawn: list[tuple[str, bool, Origin]]) -> None:
    """A second look finds nothing, no validated entry joins another one, and no sighting is lost."""
    entries = [
        MemoryEntry(Category.FACT, text, validated=validated, origin=origin) for text, validated, origin in drawn
    ]
    duplicates = Duplicates(ANALYSER.terms)
    duplicates.take(entries)
    live = {entry.id: entry for entry in entries}
    while True:
        for _ in duplicates.steps(3):
            pass
        groups = duplicates.groups()
        for group in groups:
            live[group.canonical.id] = merged(group.canonical, group.others)
            for other in group.others:
                assert not other.validated
                del live[other.id]
        if not groups:
            break
        duplicates.settle([live[group.canonical.id] for group in groups])
    assert sum(entry.seen_count for entry in live.values()) == len(entries)
    again = Duplicates(ANALYSER.terms)
    again.take(live[entry.id] for entry in entries if entry.id in live)
    assert sum(again.steps(5)) >= 0
    assert again.groups() == []


@given(st.lists(st.integers(1, 9), max_size=9), st.integers(1, 5))
def test_pieces_are_bounded_and_leave_nothing_out(sizes: list[int], size: int) -> None:
    groups = [Group(MemoryEntry.default(), [MemoryEntry.default() for _ in range(others)]) for others in sizes]
    batches = list(pieces(groups, size))
    assert all(0 < sum(len(piece.others) for piece in batch) <= size for batch in batches)
    for batch in batches:
        ids = [piece.canonical.id for piece in batch]
        assert len(ids) == len(set(ids))
    told = [other.id for batch in batches for piece in batch for other in piece.others]
    assert told == [other.id for group in groups for other in group.others]
