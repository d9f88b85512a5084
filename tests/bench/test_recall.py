from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from memoranda.bench.corpus import UnitKind
from memoranda.bench.ranking import Approach
from memoranda.bench.recall import RecallReport, run_recall
from memoranda.bench.suites.reading import SUITES, WITH_SESSIONS
from memoranda.errors import InvalidInput
from tests.bench.data_sets import data_file, first_lines, score
from tests.bench.made import write

WORDS = Approach(embedder="none")


def read(path: Path) -> dict[str, list[str]]:
    rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line]
    return {row["question_id"]: row["ranked"] for row in rows}


def test_rankings_are_written_and_told(tmp_path: Path) -> None:
    out = tmp_path / "rankings.jsonl"
    seen: list[tuple[int, int]] = []
    report = run_recall(
        "longmemeval",
        write(tmp_path, "longmemeval"),
        WORDS,
        rankings=out,
        progress=lambda corpora, questions: seen.append((corpora, questions)),
    )
    assert read(out)["q-1"][0] == "answer_1#0"
    assert seen == [(1, 1), (2, 2)]
    told = report.to_json()
    assert (told["corpora"], told["questions"], told["remembered"], told["blank"]) == (2, 2, 4, 1)
    assert report.groups is not None
    assert report.groups["all"]["n"] == 1
    assert json.loads(json.dumps(told)) == told


def test_figures_cover_the_questions_that_were_asked(tmp_path: Path) -> None:
    report = run_recall("locomo", write(tmp_path, "locomo"), WORDS, limit_questions=1)
    assert report.questions == 1
    assert report.groups is not None
    assert report.groups["all"]["n"] == 1


def test_a_limit_stops_reading(tmp_path: Path) -> None:
    path = write(tmp_path, "longmemeval")
    path.write_text(path.read_text("utf-8").split("\n")[0] + "\n" * 3, encoding="utf-8")
    assert run_recall("longmemeval", path, WORDS, limit_questions=1).corpora == 1


def test_workers_rank_alike_and_in_order(tmp_path: Path) -> None:
    path = write(tmp_path, "longmemeval")
    alone = run_recall("longmemeval", path, WORDS)
    shared_out = run_recall("longmemeval", path, WORDS, workers=2)
    assert list(shared_out.rankings.items()) == list(alone.rankings.items())
    assert shared_out.groups == alone.groups


@pytest.mark.parametrize("suite", ["beam", "memdaily", "xquad"])
def test_sessions_are_ranked_only_where_they_can_be_scored(suite: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="locomo and longmemeval"):
        run_recall(suite, write(tmp_path, suite), Approach(unit="session"))


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("unit", ["turn", "session"])
def test_a_stripped_copy_is_ranked_alike(suite: str, unit: UnitKind, shared: Path, tmp_path: Path) -> None:
    """The runner looks at no evidence, answer or category, and no id tells it anything (Part 2, point 5)."""
    if unit == "session" and suite not in WITH_SESSIONS:
        return
    raw = first_lines(data_file(shared, suite), tmp_path, 2)
    bare = tmp_path / "stripped" / raw.name
    bare.parent.mkdir()
    score(shared, "strip", suite, str(raw), str(bare))

    def run(data: Path) -> RecallReport:
        return run_recall(suite, data, Approach(embedder="none", unit=unit), limit_questions=25)

    of_raw, of_bare = run(raw), run(bare)
    assert of_raw.groups is not None
    assert of_bare.groups is None
    assert of_bare.rankings == {
        renamed(suite, id): tuple(renamed(suite, one) for one in ranked) for id, ranked in of_raw.rankings.items()
    }


def renamed(suite: str, id: str) -> str:
    """Returns what a stripped copy calls an id: LongMemEval's are hashed, since they give the evidence away."""
    if suite != "longmemeval":
        return id
    name, mark, turn = id.partition("#")
    return hashlib.sha256(name.encode()).hexdigest()[:12] + mark + turn
