from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memoranda.bench.corpus import Corpus, Question, Unit
from memoranda.bench.ranking import Approach, rank
from memoranda.bench.suites.reading import corpora_of
from tests.bench.made import write

WORDS = Approach(embedder="none")


def rankings(corpus: Corpus, approach: Approach = WORDS) -> dict[str, tuple[str, ...]]:
    return {one.question_id: one.ranked for one in rank(corpus, approach).rankings}


@pytest.mark.parametrize(
    ("suite", "best"),
    [
        ("locomo", {"talk-1/0": "D1:1", "talk-1/1": "D1:2", "talk-1/2": "D2:1"}),
        ("longmemeval", {"q-1": "answer_1#0", "q-2_abs": "answer_2#0"}),
        ("beam", {"5/extraction/0": "0", "5/update/0": "2"}),
        ("memdaily", {"memdaily/simple.roles/0/0": "0"}),
        ("xquad", {"a": "p0", "b": "p1", "c": "p2"}),
    ],
)
def test_each_question_finds_its_unit(suite: str, best: dict[str, str], tmp_path: Path) -> None:
    found: dict[str, tuple[str, ...]] = {}
    for corpus in corpora_of(suite, write(tmp_path, suite)):
        found |= rankings(corpus)
    assert {id: ranked[0] for id, ranked in found.items() if id in best} == best
    assert all(len(set(ranked)) == len(ranked) for ranked in found.values())


def test_a_session_stands_where_its_best_turn_stands() -> None:
    units = (
        Unit(id="1", text="The ferry sails at noon.", session="b"),
        Unit(id="2", text="A ferry is a ship.", session="a"),
        Unit(id="3", text="The ferry sails.", session="a"),
        Unit(id="4", text="Ferry.", session=None),
    )
    corpus = Corpus(name="x", units=units, questions=(Question(id="q", text="when does the ferry sail at noon?"),))
    assert rankings(corpus, replace(WORDS, unit="session")) == {"q": ("b", "a")}


def test_blank_units_are_left_out_and_counted(tmp_path: Path) -> None:
    first, _ = corpora_of("longmemeval", write(tmp_path, "longmemeval"))
    ranked = rank(first, WORDS)
    assert (ranked.remembered, ranked.blank) == (3, 1)


def test_a_corpus_may_be_empty() -> None:
    corpus = Corpus(name="x", units=(), questions=(Question(id="q", text="anything?"),))
    assert rankings(corpus) == {"q": ()}


def test_the_same_run_gives_the_same_rankings_ties_in_the_order_of_the_file() -> None:
    moment = datetime(2024, 1, 1, tzinfo=UTC)
    units = tuple(Unit(id=str(i), text="the same words", occurred_at=moment) for i in range(30))
    corpus = Corpus(name="x", units=units, questions=(Question(id="q", text="same words"),))
    assert rankings(corpus) == {"q": tuple(str(i) for i in range(30))}
