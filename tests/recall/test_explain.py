"""Reasons in words that a person understands."""

from __future__ import annotations

from datetime import timedelta

from memoranda.recall.explain import MOST_WORDS
from memoranda.recall.question import Question
from memoranda.recall.view import View, micros
from tests.recall.made import NOW, entry, question, ranking, view


def reasons(seen: View, asked: Question) -> dict[str, str]:
    found = ranking(seen, asked)
    return {hit.entry.memory: hit.because for hit in (*found.hits, *found.weak)}


def test_words_are_named_as_they_were_asked() -> None:
    seen = view([entry("He deployed the services")])
    assert reasons(seen, question("Deploying my service to production")) == {
        "He deployed the services": 'has "deploying", "service" (2 of 3 words)'
    }


def test_many_words_are_not_all_named() -> None:
    words = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta"]
    because = reasons(view([entry(" ".join(words))]), question(" ".join(words)))[" ".join(words)]
    assert because.count('"') == 2 * MOST_WORDS
    assert because.endswith(", ... (8 of 8 words)")


def test_a_neighbours_words_are_told_from_its_own() -> None:
    talk = [entry("who deploys?", 0, session="s"), entry("Ana", 1, session="s")]
    found = reasons(view(talk), question("deploys"))
    assert found["Ana"] == "stands beside an entry of its session that has words of the query"
    assert found["who deploys?"] == 'has "deploys" (1 of 1 words)'


def test_meaning_is_given_as_a_cosine_and_held_against_the_floor() -> None:
    seen = view([entry("deploys", 0), entry("x", 1), entry("y", 2)], [(1, 0), (4, 3), (0, 1)])
    found = reasons(seen, question("deploys", (1, 0)))
    assert found["deploys"] == 'has "deploys" (1 of 1 words); meaning 1.00'
    assert found["x"] == "meaning 0.80"
    assert found["y"] == "meaning 0.000, under the floor of 0.25"


def test_speaker_tag_and_time_are_named() -> None:
    said = entry("we moved", 0, session="s", speaker="Melanie", tags=("house",), occurred_at=NOW)
    day = (micros(NOW), micros(NOW + timedelta(days=1)))
    because = reasons(view([said]), question("did Melanie move house?", ranges=[day]))["we moved"]
    for part in ("said by Melanie, whom the query names", "tagged house", "happened when the query says"):
        assert part in because
