"""A floor under the quality of recall with words only, on the development data."""

from __future__ import annotations

from pathlib import Path

from memoranda.bench.evidence import evidence_of
from memoranda.bench.ranking import Approach, rank
from memoranda.bench.scoring import figures_by_group
from memoranda.bench.suites.reading import corpora_of
from tests.bench.data_sets import data_file


def test_words_alone_find_three_of_four_turns_of_long_conversations(shared: Path) -> None:
    """LoCoMo, categories 1 to 4: at least .74 of the evidence is among the first ten turns."""
    path = data_file(shared, "locomo")
    approach = Approach(embedder="none")
    rankings = {
        one.question_id: one.ranked for corpus in corpora_of("locomo", path) for one in rank(corpus, approach).rankings
    }
    figures = figures_by_group(rankings, evidence_of("locomo", path, "turn"))["categories 1-4"]
    assert figures["n"] > 500
    assert figures["R@10"] >= 0.74
