"""What the channels say, and what makes an entry an answer (design D7)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import numpy as np
import pytest

from memoranda.recall.evidence import BLIND_PASSAGE, BLIND_WORDS, Evidence, evidence
from memoranda.recall.fuse import Weights
from memoranda.recall.view import micros
from tests.recall.made import NOW, Numbers, entries, entry, question, view

MEANING = ("meaning", "passage meaning", "session meaning")


def asked(text: str, *, vectors: Any = (), vector: Numbers | None = None, **fields: Any) -> Evidence:
    return evidence(
        view(entries("deploys go to blue", "lunch at noon", "?!"), vectors), question(text, vector, **fields)
    )


def test_a_word_of_the_query_makes_an_answer() -> None:
    assert asked("where do deploys go?").answers.tolist() == [True, False, False]
    assert asked("giraffe").answers.tolist() == [False] * 3


def test_a_neighbour_in_the_session_makes_an_answer_and_one_outside_does_not() -> None:
    talk = [entry(text, place, session="s") for place, text in enumerate(["who deploys?", "Ana", "fine", "late"])]
    seen = view([*talk, entry("alone", 8)])
    assert evidence(seen, question("deploys")).answers.tolist() == [True, True, False, False, False]


def test_a_tag_that_the_query_names_makes_an_answer() -> None:
    seen = view([entry("x", 0, tags=("blue team",)), entry("y", 1, tags=("blue",)), entry("z", 2)])
    assert evidence(seen, question("team meeting")).answers.tolist() == [True, False, False]
    assert evidence(seen, question("the blue team")).tags == ["blue team", "blue"]


@pytest.mark.parametrize(("floor", "wanted"), [(0.8, [False, False]), (0.7, [True, False]), (-1.0, [True, False])])
def test_a_cosine_at_the_floor_makes_an_answer(floor: float, wanted: list[bool]) -> None:
    """An entry without a vector has no meaning, whatever the floor is (S1.14, case R05)."""
    seen = view(entries("x", "y"), [(1, 1), None])
    assert evidence(seen, question("giraffe", (1, 0), floor=floor)).answers.tolist() == wanted


def test_a_model_that_cannot_read_the_query_is_not_asked() -> None:
    """Design D7: a coverage of 0 leaves the words, which then count more."""
    blind = asked("deploys", vectors=[(1, 0)] * 3, vector=(1, 0), coverage=0.0)
    words = asked("deploys")
    assert not set(MEANING) & set(blind.weighted)
    assert blind.cosines is None
    assert blind.answers.tolist() == words.answers.tolist() == [True, False, False]
    for name in words.weighted:
        assert blind.weighted[name][0] == words.weighted[name][0]
        assert np.array_equal(blind.weighted[name][1], words.weighted[name][1])
    assert words.weighted["words"][0] == pytest.approx(Weights().words + BLIND_WORDS)


@pytest.mark.parametrize("coverage", [0.25, 1.0])
def test_meaning_weighs_as_much_as_the_model_reads(coverage: float) -> None:
    found = asked("deploys", vectors=[(1, 0), None, (0, 1)], vector=(1, 0), coverage=coverage).weighted
    plain = Weights()
    assert found["meaning"][0] == pytest.approx(plain.meaning * coverage)
    assert found["words"][0] == pytest.approx(plain.words + BLIND_WORDS * (1 - coverage))
    assert found["passage words"][0] == pytest.approx(plain.passage_words + BLIND_PASSAGE * (1 - coverage))
    assert found["meaning"][2].tolist() == [True, False, True]
    assert found["session meaning"][2].tolist() == [False] * 3


def test_a_vector_that_no_entry_has_is_no_channel() -> None:
    """An index without an embedder has words only, even if the query has a vector."""
    assert not set(MEANING) & set(asked("deploys", vector=(1, 0)).weighted)


def test_speaker_and_time_are_hints_and_no_answers() -> None:
    talk = [entry("hm", 0, session="s", speaker="Melanie", occurred_at=NOW), entry("ah", 1, session="s", speaker="Bo")]
    day = (micros(NOW), micros(NOW + timedelta(days=1)))
    found = evidence(view(talk), question("what happened today", ranges=[day]))
    assert found.happened.tolist() == [True, False]
    assert found.answers.tolist() == [False, False]
    named = evidence(view(talk), question("Melanie"))
    assert named.hints["speaker"].tolist() == [Weights().speaker, 0]
    assert len(evidence(view(talk), question("Melanie and Bo")).speakers) == 2


def test_nothing_can_be_asked() -> None:
    assert evidence(view([], dimensions=2), question("deploys", (1, 0))).answers.tolist() == []
