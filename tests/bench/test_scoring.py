from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.bench.corpus import Corpus, UnitKind
from memoranda.bench.evidence import Evidence, evidence_of
from memoranda.bench.scoring import figures_by_group, measure
from memoranda.bench.suites.reading import SUITES, WITH_SESSIONS, corpora_of
from tests.bench.data_sets import data_file, first_lines, score
from tests.bench.made import write

UNITS: tuple[UnitKind, ...] = get_args(UnitKind)


def test_figures_of_one_ranking() -> None:
    row = measure(["x", "a", "y", "z", "w", "b"], frozenset("abc"))
    assert row["R@5"] == pytest.approx(1 / 3)
    assert row["R@10"] == row["R@20"] == pytest.approx(2 / 3)
    assert (row["any@5"], row["all@5"], row["any@10"], row["all@10"]) == (1, 0, 1, 0)
    assert row["MRR"] == 0.5
    # 1/log2(3) + 1/log2(7), of 1 + 1/log2(3) + 1/log2(4)
    assert row["nDCG@10"] == pytest.approx((0.63093 + 0.35621) / 2.13093, abs=1e-5)


def test_no_ranking_counts_as_an_empty_one() -> None:
    found = figures_by_group({}, [Evidence(question_id="q", units=frozenset("a"), groups=("easy",))])
    assert found["all"] == found["easy"]
    assert set(found["all"].values()) == {0.0, 1}
    assert found["all"]["n"] == 1


@given(st.lists(st.text("abcdefg", min_size=1, max_size=2), unique=True), st.frozensets(st.text("abcdefg"), min_size=1))
def test_every_figure_is_a_share_and_grows_with_depth(ranked: list[str], evidence: frozenset[str]) -> None:
    row = measure(ranked, evidence)
    assert all(0 <= value <= 1 + 1e-12 for value in row.values())
    assert row["R@5"] <= row["R@10"] <= row["R@20"]
    assert row["all@5"] <= row["R@5"] <= row["any@5"]


@pytest.mark.parametrize("suite", SUITES)
def test_evidence_of_made_files(suite: str, tmp_path: Path) -> None:
    found = {
        one.question_id: (set(one.units), one.groups) for one in evidence_of(suite, write(tmp_path, suite), "turn")
    }
    assert (
        found
        == {
            # Evidence that is written badly is read; evidence that names no turn is none, so its question is left out.
            "locomo": {
                "talk-1/0": ({"D1:1"}, ("category 4", "categories 1-4")),
                "talk-1/1": ({"D1:2", "D2:1"}, ("category 5",)),
            },
            "longmemeval": {"q-1": ({"answer_1#0"}, ("single-session-user", "without _abs"))},
            "beam": {"5/extraction/0": ({"0"}, ("extraction",)), "5/update/0": ({"2", "0"}, ("update",))},
            "memdaily": {"memdaily/simple.roles/0/0": ({"0"}, ("memdaily",))},
            "xquad": {"a": ({"p0"}, ()), "b": ({"p1"}, ()), "c": ({"p2"}, ())},
        }[suite]
    )


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("unit", UNITS)
def test_made_files_score_as_the_scorer_outside_says(suite: str, unit: UnitKind, shared: Path, tmp_path: Path) -> None:
    assert_same_figures(shared, suite, write(tmp_path, suite), unit, tmp_path)


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("unit", UNITS)
def test_figures_are_exactly_those_of_the_scorer_outside(
    suite: str, unit: UnitKind, shared: Path, tmp_path: Path
) -> None:
    if unit == "session" and suite not in WITH_SESSIONS:
        return
    assert_same_figures(shared, suite, first_lines(data_file(shared, suite), tmp_path, 8), unit, tmp_path)


def assert_same_figures(shared: Path, suite: str, data: Path, unit: UnitKind, folder: Path) -> None:
    evidence = list(evidence_of(suite, data, unit))
    rankings = made_up_rankings(list(corpora_of(suite, data)), evidence, unit)
    out = folder / "rankings.jsonl"
    rows = [json.dumps({"question_id": id, "ranked": ranked}) for id, ranked in rankings.items()]
    out.write_text("\n".join(rows), encoding="utf-8")
    told = json.loads(score(shared, suite, str(data), str(out), "--unit", unit))
    assert told["groups"] == figures_by_group(rankings, evidence)


def made_up_rankings(corpora: list[Corpus], evidence: list[Evidence], unit: UnitKind) -> dict[str, list[str]]:
    """Returns rankings that are neither good nor bad, and none for one question in ten."""
    random = Random(1)
    wanted = {one.question_id: sorted(one.units) for one in evidence}
    rankings = {}
    for corpus in corpora:
        known = sorted({(one.session or "") if unit == "session" else one.id for one in corpus.units})
        for question in corpus.questions:
            if random.random() < 0.9:
                ranked = [*random.sample(known, min(20, len(known))), *wanted.get(question.id, [])]
                random.shuffle(ranked)
                rankings[question.id] = list(dict.fromkeys(ranked))
    return rankings
