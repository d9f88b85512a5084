"""The readers of all suites: their ids are those that bench/score.py knows."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from memoranda.bench.corpus import Corpus
from memoranda.bench.suites.reading import corpora_of
from tests.bench.made import write


def read(folder: Path, suite: str) -> list[Corpus]:
    return list(corpora_of(suite, write(folder, suite)))


def ids(corpus: Corpus) -> list[str]:
    return [unit.id for unit in corpus.units]


def test_locomo(tmp_path: Path) -> None:
    (corpus,) = read(tmp_path, "locomo")
    assert ids(corpus) == ["D1:1", "D1:2", "D2:1"]
    assert [unit.session for unit in corpus.units] == ["S1", "S1", "S2"]
    assert [unit.position for unit in corpus.units] == [0, 1, 0]
    assert corpus.units[0].speaker == "Ada"
    assert corpus.units[1].text == "Look! [picture: a red bicycle]"
    assert corpus.units[2].occurred_at == datetime(2023, 12, 25, 0, 5, tzinfo=UTC)
    assert [question.id for question in corpus.questions] == ["talk-1/0", "talk-1/1", "talk-1/2"]


def test_longmemeval(tmp_path: Path) -> None:
    first, second = read(tmp_path, "longmemeval")
    assert ids(first) == ["noise_1#0", "noise_1#1", "answer_1#0", "answer_1#1"]
    assert first.units[2].session == "answer_1"
    assert first.units[2].speaker == "user"
    assert first.units[2].occurred_at == datetime(2023, 5, 21, 10, tzinfo=UTC)
    assert [question.id for question in second.questions] == ["q-2_abs"]
    assert second.questions[0].asked_at == datetime(2023, 6, 1, 8, tzinfo=UTC)


def test_longmemeval_as_one_list(tmp_path: Path) -> None:
    lines = write(tmp_path, "longmemeval")
    whole = tmp_path / "longmemeval_s.json"
    whole.write_text(f"[{','.join(lines.read_text('utf-8').split(chr(10)))}]", encoding="utf-8")
    assert list(corpora_of("longmemeval", whole)) == list(corpora_of("longmemeval", lines))


def test_beam(tmp_path: Path) -> None:
    (corpus,) = read(tmp_path, "beam")
    assert ids(corpus) == ["0", "1", "2"]
    assert [unit.session for unit in corpus.units] == ["batch 1", "batch 1", "batch 2"]
    # A message without an anchor of its own was said at the one before it.
    assert {unit.occurred_at for unit in corpus.units} == {datetime(2024, 3, 15, tzinfo=UTC)}
    assert [question.id for question in corpus.questions] == ["5/extraction/0", "5/update/0", "5/update/1"]


def test_memdaily(tmp_path: Path) -> None:
    (corpus,) = read(tmp_path, "memdaily")
    assert ids(corpus) == ["0", "1"]
    assert corpus.units[1].metadata == {"place": "上海"}
    assert [question.id for question in corpus.questions] == ["memdaily/simple.roles/0/0"]
    assert corpus.questions[0].asked_at == datetime(2024, 4, 6, 8, 26, tzinfo=UTC)


def test_xquad(tmp_path: Path) -> None:
    (corpus,) = read(tmp_path, "xquad")
    assert ids(corpus) == ["p0", "p1", "p2"]
    assert [question.id for question in corpus.questions] == ["a", "b", "c"]
