"""What a ranking reads of an index, seen from the entries that were put into it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.view import NEVER, NOBODY, micros
from tests.recall.made import NOW, entries, entry, view


@given(st.datetimes(timezones=st.just(UTC)))
def test_a_moment_is_whole_microseconds_since_1970(moment: datetime) -> None:
    assert timedelta(microseconds=micros(moment)) + datetime(1970, 1, 1, tzinfo=UTC) == moment
    assert micros(moment.astimezone(timezone(timedelta(hours=5)))) == micros(moment)


def test_no_moment_never_comes() -> None:
    assert micros(None) == NEVER > micros(datetime.max.replace(tzinfo=UTC))


def test_an_empty_view_can_be_read() -> None:
    seen = view([], dimensions=3)
    assert (len(seen), seen.count, seen.has_holes, seen.has_neighbours) == (0, 0, False, False)
    for values in (seen.passage_length, seen.in_session, seen.wordiness, seen.asking, seen.by_user):
        assert values.tolist() == []
    assert seen.per_entry(np.empty(0, np.float32)).tolist() == []


def test_neighbours_stand_in_the_same_session_in_the_order_of_recording() -> None:
    given = [entry(f"text {place}", place, session=name) for place, name in enumerate(["a", "b", "a", None, "b", "a"])]
    seen = view(given)
    assert seen.previous.tolist() == [NOBODY, NOBODY, 0, NOBODY, 1, 2]
    assert seen.following.tolist() == [2, 4, 5, NOBODY, NOBODY, NOBODY]
    assert seen.passage_length.tolist() == [4, 4, 6, 2, 4, 4]
    assert seen.session_length.tolist() == [6, 4]
    assert seen.per_entry(np.array([1, 2], np.float32)).tolist() == [1, 2, 1, 0, 2, 1]


def test_length_and_questions_are_held_against_the_speakers_usual() -> None:
    said = [("Ana", "one two three"), ("Ana", "one"), ("Bo", "one two three?"), ("Bo", "who?")]
    given = [entry(text, place, session="s", speaker=name) for place, (name, text) in enumerate(said)]
    seen = view([*given, entry("alone, and outside of any session?", 9, speaker="Ana")])
    assert seen.wordiness[:2].sum() == pytest.approx(0, abs=1e-6)
    assert seen.wordiness[2:4].sum() == pytest.approx(0, abs=1e-6)
    assert seen.wordiness[0] > 0 > seen.wordiness[1]
    assert seen.asking.tolist() == [0] * 5
    assert seen.wordiness[4] == 0


def test_the_user_is_told_from_the_assistant_only_where_there_are_both() -> None:
    chat = [entry("x", place, session="s", speaker=name) for place, name in enumerate(["user", "assistant", "Ana"])]
    assert view(chat).by_user.tolist() == [1, 0, 0]
    assert view([chat[0], chat[2]]).by_user.tolist() == [0, 0]


def test_names_are_known_by_all_their_words_and_roles_name_nobody() -> None:
    given = [
        entry("x", place, speaker=name, tags=tags)
        for place, (name, tags) in enumerate([("Mary Ann", ("blue team",)), ("user", ("infra",)), ("?!", ("--",))])
    ]
    seen = view(given)
    assert [len(seen.speakers_named(frozenset(words))) for words in (["mari"], ["mari", "ann"], ["user"], [])] == [
        0, 1, 0, 0,
    ]  # fmt: skip
    assert seen.tags_named(frozenset(("blue", "team", "infra"))) == ["blue team", "infra"]
    assert seen.slots_tagged("infra").tolist() == [1]
    assert seen.slots_tagged("unknown").tolist() == []


def test_times_are_those_of_the_entry() -> None:
    later, last = NOW + timedelta(days=1), NOW + timedelta(days=2)
    given = [
        entry("plain"),
        entry("dated", 1, occurred_at=later, valid_to=last, expires_at=last, last_seen=later, superseded_by="x"),
    ]
    seen = view(given)
    now, day = micros(NOW), micros(later) - micros(NOW)
    assert seen.seen.tolist() == [now, now + day]
    assert seen.occurred.tolist() == [NEVER, now + day]
    assert seen.begins.tolist() == [now, now + day]
    assert (seen.ends.tolist(), seen.expires.tolist()) == ([NEVER, now + 2 * day],) * 2
    assert seen.live.tolist() == [True, False]


def test_without_vectors_there_are_none() -> None:
    assert view(entries("a")).vectors is None
    some = view(entries("a", "b"), [(3, 4), None])
    assert some.vectors is not None
    assert some.vectors.shape == (2, 2)
    assert (some.scales > 0).tolist() == [True, False]
