"""Each channel against its formula, worked out here entry by entry."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.recall import channels
from memoranda.recall.channels import LENGTH_NORM, NEIGHBOUR_SHARE, RESCORED, SATURATION, SPARSE
from memoranda.recall.view import micros
from tests.recall.made import NOW, Vector, entries, entry, unit, view

TERMS = ("alpha", "beta", "gamma", "delta")
talks = st.lists(
    st.tuples(st.lists(st.sampled_from(TERMS), max_size=6), st.sampled_from((None, "s1", "s2"))), min_size=1, max_size=9
)


def bm25(units: Sequence[Counter[str]], terms: Sequence[str]) -> list[float]:
    """BM25 with a logarithm that is never negative, over the units that hold any term."""
    filled = [counted for counted in units if counted]
    mean = sum(counted.total() for counted in filled) / max(1, len(filled)) if filled else 1.0
    scores = []
    for counted in units:
        score = 0.0
        for term in terms:
            having = sum(term in other for other in units)
            rarity = math.log(1 + (len(filled) - having + 0.5) / (having + 0.5))
            norm = SATURATION * (1 - LENGTH_NORM + LENGTH_NORM * counted.total() / mean)
            score += rarity * counted[term] * (SATURATION + 1) / (counted[term] + norm)
        scores.append(score)
    return scores


@settings(max_examples=60)
@given(talks, st.lists(st.sampled_from(TERMS), unique=True, max_size=3), st.sampled_from((0, 3 * SPARSE)))
def test_words_are_bm25_over_entries_passages_and_sessions(
    talk: list[tuple[list[str], str | None]], asked: list[str], more: int
) -> None:
    """With many other entries a term is rare, which takes another way to the same numbers."""
    talk = [*talk, *([(["omega"], "s3")] * more)]
    seen = view([entry(" ".join(words), place, session=name) for place, (words, name) in enumerate(talk)])
    own = [Counter(words) for words, _ in talk]
    beside = [Counter(counted) for counted in own]
    sessions: dict[str, Counter[str]] = {}
    last: dict[str, int] = {}
    for slot, (words, name) in enumerate(talk):
        if name is not None:
            if name in last:
                beside[slot] += own[last[name]]
                beside[last[name]] += own[slot]
            last[name] = slot
            sessions.setdefault(name, Counter()).update(words)
    of_session = dict(zip(sessions, bm25(list(sessions.values()), asked), strict=True))
    said = channels.words(seen, [f"{term}" for term in asked])
    assert said.entry.tolist() == pytest.approx(bm25(own, asked), abs=1e-3)
    assert said.passage.tolist() == pytest.approx(bm25(beside, asked), abs=1e-3)
    assert said.session.tolist() == pytest.approx([of_session.get(name or "", 0.0) for _, name in talk], abs=1e-3)
    assert said.has.tolist() == [any(term in counted for term in asked) for counted in own]
    assert said.near.tolist() == [any(term in counted for term in asked) for counted in beside]


def random_rows(seed: int, count: int, width: int = 384) -> Vector:
    rows = np.random.default_rng(seed).standard_normal((count, width))
    found: Vector = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    return found


def test_one_byte_a_number_ranks_as_floats_do() -> None:
    """Of the ten nearest of 1,000 random vectors at least nine are the same, and no cosine is off by 0.003."""
    rows, queries = random_rows(1, 1000), random_rows(2, 20)
    seen = view(entries(*["x"] * 1000), [row.tolist() for row in rows])
    shared = []
    for query in queries:
        exact, found = rows @ query, channels.meaning(seen, query).entry
        assert np.abs(exact - found).max() < 0.003
        shared.append(len(set(np.argsort(exact)[-10:]) & set(np.argsort(found)[-10:])))
    assert sum(shared) / len(shared) >= 9.5


def test_the_nearest_are_compared_with_the_query_as_it_is() -> None:
    rows, query = random_rows(3, 400), random_rows(4, 1)[0]
    seen = view(entries(*["x"] * 400), [row.tolist() for row in rows])
    assert seen.vectors is not None
    exact = (seen.vectors.astype(np.float32) @ query) * seen.scales
    found = channels.meaning(seen, query).entry
    nearest = np.argsort(exact)[-RESCORED // 2 :]
    assert found[nearest].tolist() == pytest.approx(exact[nearest].tolist(), abs=1e-6)


def test_a_passage_shares_its_neighbours_meaning_and_a_session_its_best() -> None:
    given = [entry("x", place, session=name) for place, name in enumerate(["s", "s", "s", None])]
    like = channels.meaning(view(given, [(1, 0), (0, 1), (1, 1), (1, 1)]), unit((1, 0)))
    slanted = math.sqrt(0.5)
    assert like.entry.tolist() == pytest.approx([1, 0, slanted, slanted], abs=0.005)
    share = NEIGHBOUR_SHARE
    wanted = [1 / (1 + share), share * (1 + slanted) / (1 + 2 * share), slanted / (1 + share), slanted]
    assert like.passage.tolist() == pytest.approx(wanted, abs=0.005)
    assert like.session.tolist() == pytest.approx([1, 1, 1, slanted], abs=0.005)


@pytest.mark.parametrize("count", [0, 1, 2, RESCORED, RESCORED + 1])
def test_any_number_of_vectors_can_be_scanned(count: int) -> None:
    seen = view(entries(*["x"] * count), [(1.0, 0.0)] * count, 2)
    for query, cosine in (((1, 0), 1), ((0, 0), 0), ((-1, 0), -1)):
        like = channels.meaning(seen, unit(query))
        for values in (like.entry, like.passage, like.session):
            assert values.tolist() == pytest.approx([cosine] * count, abs=1e-5)


def test_what_has_no_vector_or_one_of_zeros_is_like_nothing() -> None:
    """S1.14, S1.16, case V03."""
    seen = view(entries("a", "b", "c"), [None, (0, 0), (1, 0)], 2)
    assert channels.meaning(seen, unit((1, 0))).entry.tolist() == [0, 0, pytest.approx(1)]
    assert (seen.scales > 0).tolist() == [False, False, True]


def test_one_speaker_is_asked_about_or_none() -> None:
    seen = view([entry("x", place, speaker=name) for place, name in enumerate(["Ana", "Bo", None])])
    assert channels.asked_about(seen, [0]).tolist() == [True, False, False]
    assert channels.asked_about(seen, [0, 1]).tolist() == [False] * 3
    assert channels.asked_about(seen, []).tolist() == [False] * 3


def test_a_range_of_time_holds_its_start_and_not_its_end() -> None:
    days = [None, 0, 1, 2, 3]
    given = [
        entry("x", place, occurred_at=None if day is None else NOW + timedelta(days=day))
        for place, day in enumerate(days)
    ]
    first, second, last = (micros(NOW + timedelta(days=day)) for day in (1, 2, 3))
    seen = view(given)
    assert channels.happened(seen, [(first, last)]).tolist() == [False, False, True, True, False]
    assert channels.happened(seen, [(first, second), (second, last)]).tolist() == [False, False, True, True, False]
    assert channels.happened(seen, []).tolist() == [False] * 5


def test_any_of_the_tags_will_do() -> None:
    seen = view([entry("x", place, tags=tags) for place, tags in enumerate([("a",), ("a", "b"), ()])])
    assert channels.tagged(seen, ["b"]).tolist() == [False, True, False]
    assert channels.tagged(seen, ["a", "b", "c"]).tolist() == [True, True, False]
    assert channels.tagged(seen, []).tolist() == [False] * 3
