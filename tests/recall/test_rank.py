"""The order of hits, their scores, and when there is no answer (design D7)."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.question import Filter
from memoranda.recall.rank import EDGE, LEAST_CONFIDENCE, OVER_NAMED, WEAK_NAMED, Ranking, merged, newest
from memoranda.recall.view import micros
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.recalled import Hit
from tests.recall.made import NOW, entries, entry, number, question, ranking, texts, view

WORDS = ("deploys", "blue", "cluster", "lunch", "noon", "of the")
numbers = st.none() | st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[MemoryEntry], list[Any]]:
    count = draw(st.integers(0, 8))
    made = [
        entry(
            draw(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join)),
            place,
            session=draw(st.sampled_from((None, "s"))),
            speaker=draw(st.sampled_from((None, "user", "assistant", "Ana"))),
            tags=draw(st.sampled_from(((), ("infra",)))),
            confidence=draw(st.floats(allow_nan=True) | st.floats(0, 1)),
            last_seen=NOW - timedelta(days=draw(st.integers(-5, 90))),
            occurred_at=draw(st.none() | st.just(NOW)),
        )
        for place in range(count)
    ]
    return made, draw(st.lists(numbers, min_size=count, max_size=count))


@given(rows(), st.lists(st.sampled_from((*WORDS, "Ana", "infra")), max_size=3).map(" ".join), numbers)
def test_scores_follow_from_their_parts_and_order_the_hits(
    given: tuple[list[MemoryEntry], list[Any]], query: str, vector: Any
) -> None:
    """Case V03: whatever the numbers are, no NaN appears."""
    made, vectors = given
    found = ranking(view(made, vectors, 2), question(query, vector), 100)
    for hit in (*found.hits, *found.weak):
        assert np.isfinite([*hit.parts.values(), hit.score]).all()
        assert hit.score == 1 / (1 + math.exp(-sum(hit.parts.values())))
        assert math.log(LEAST_CONFIDENCE) - 1e-4 <= hit.parts["confidence"] <= 0
        assert math.log(0.7) - 1e-4 <= hit.parts["recency"] <= 0
        assert hit.because or hit in found.weak
    totals = [sum(hit.parts.values()) for hit in found.hits]
    assert all(one >= other - 2e-3 for one, other in pairwise(totals))
    shown = {hit.entry.id for hit in (*found.hits, *found.weak)}
    assert len(shown) == len(found.hits) + len(found.weak) <= len(made)


def test_what_has_more_and_rarer_words_of_the_query_comes_first() -> None:
    seen = view(entries("deploys go to blue", "deploys go to green", "blue sky", "lunch at noon", "deploys at noon"))
    assert texts(ranking(seen, "blue deploys"))[0] == "deploys go to blue"
    assert texts(ranking(seen, "green lunch deploys"))[0] in ("deploys go to green", "lunch at noon")


def test_equal_entries_stand_by_what_was_seen_last_then_by_id() -> None:
    """What was seen after now counts as seen now, so only the tie-break tells these apart."""
    made = [
        entry("deploys", place, last_seen=NOW + timedelta(days=day)) for place, day in ((3, 0), (1, 0), (2, 5), (4, 0))
    ]
    found = ranking(view(made), "deploys")
    assert [hit.entry.id for hit in found.hits] == [number(place) for place in (2, 1, 3, 4)]
    assert len({hit.score for hit in found.hits}) == 1


@pytest.mark.parametrize("most", [1, 5, 8])
def test_a_limit_takes_the_head_of_the_whole_ranking(most: int) -> None:
    made = [entry(f"deploys {'blue ' * (place % 7)}", 100 - place) for place in range(60)]
    whole = [hit.entry.id for hit in ranking(view(made), "deploys blue", 100).hits]
    found = ranking(view(made), "deploys blue", most)
    assert [hit.entry.id for hit in found.hits] == whole[:most]
    assert [one.id for one in found.over] == whole[most : most + OVER_NAMED]


def test_more_ties_than_are_told_apart_give_as_many_hits_as_asked() -> None:
    made = [entry("deploys", place) for place in range(8 + OVER_NAMED + EDGE + 50)]
    found = ranking(view(made), "deploys")
    assert [hit.entry.id for hit in found.hits] == [number(place) for place in range(8)]
    assert len(found.over) == OVER_NAMED


def test_no_answer_is_an_answer_and_the_best_that_are_none_are_named() -> None:
    """S1.12, C43, case R05: neither a word of the query nor a cosine at the floor."""
    seen = view(entries("SSH key rotates on Friday", *["metric units"] * 9), [(0, 1)] * 10)
    found = ranking(seen, question("hello", (1, 0)))
    assert (found.hits, found.over, len(found.weak)) == ((), (), WEAK_NAMED)


@pytest.mark.parametrize("vector", [None, (1, 0)])
@pytest.mark.parametrize(("given", "wanted"), [([], []), (["deploys"], ["deploys"]), (["x", "deploys"], ["deploys"])])
def test_tiny_scopes(given: list[str], wanted: list[str], vector: Any) -> None:
    seen = view(entries(*given), [(0, 1)] * len(given) if vector else (), 2 if vector else None)
    assert texts(ranking(seen, question("deploys", vector))) == wanted
    assert texts(ranking(seen, question("giraffe", vector))) == []
    assert ranking(seen, question("deploys", vector), 0).hits == ()


def test_filters_act_before_anything_is_compared() -> None:
    """Case V04: what is filtered out neither crowds out nor moves what is admitted."""
    wanted = [entry("deploys to blue", 0, session="s1", tags=("a",)), entry("deploys", 1, session="s1", tags=("a",))]
    noise = [entry("deploys blue blue blue", place, session="s2") for place in range(2, 90)]
    for shown in ({"tags": ("a",)}, {"session": "s1"}, {"tags": ("a",), "categories": (Category.FACT,)}):
        found = ranking(view([*noise, *wanted]), "deploys blue", 2, **shown)
        assert texts(found) == ["deploys to blue", "deploys"], shown
    old = [entry("deploys blue", place, superseded_by=number(999)) for place in range(2, 90)]
    assert texts(ranking(view([*old, *wanted]), "deploys blue", 2)) == ["deploys to blue", "deploys"]


def test_as_of_shows_what_held() -> None:
    """Design D15."""
    then = NOW - timedelta(days=10)
    made = [
        entry("lives in Bonn", 0, valid_from=then, valid_to=NOW, superseded_by=number(1)),
        entry("lives in Berlin", 1, valid_from=NOW),
    ]
    days = (-11, -10, -1, 0, 1)
    found = [texts(ranking(view(made), "lives", as_of=NOW + timedelta(days=day))) for day in days]
    assert found == [[], ["lives in Bonn"], ["lives in Bonn"], ["lives in Berlin"], ["lives in Berlin"]]


def test_a_blank_query_gives_the_newest() -> None:
    """C44."""
    made = [entry(f"{day}", place, last_seen=NOW - timedelta(days=day)) for place, day in enumerate((2, 0, 1, 0))]
    hits = newest(view(made), Filter(now=NOW), 3)
    assert [hit.entry.id for hit in hits] == [number(place) for place in (1, 3, 2)]
    assert {hit.score for hit in hits} == {0.0}
    assert newest(view([]), Filter(now=NOW), 3) == newest(view(made), Filter(now=NOW), 0) == ()


def test_hits_of_several_scopes_are_one_ranking() -> None:
    def hit(score: float, place: int, day: int = 0) -> Hit:
        return Hit(entry("x", place, last_seen=NOW + timedelta(days=day)), score, {}, "")

    best, late, first, second = hit(0.9, 4), hit(0.5, 3, 1), hit(0.5, 1), hit(0.5, 2)
    assert merged([second, late, first, best]) == [best, late, first, second]


def test_a_time_that_the_query_names_lifts_what_happened_then() -> None:
    made = [entry("we met Ana", place, occurred_at=NOW - timedelta(days=place)) for place in range(6)]
    day = micros(made[3].occurred_at)
    found = ranking(view(made), question("when did we meet Ana", ranges=[(day, day + 1)]))
    assert found.hits[0].entry.id == number(3)
    assert "time" in found.hits[0].parts


def test_a_ranking_of_nothing_is_empty() -> None:
    assert ranking(view([]), "deploys") == Ranking()
