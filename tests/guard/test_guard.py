"""The guard on the suite: nothing that differs folds, restatements do (C6, C33, C35, design D9)."""

from __future__ import annotations

import pytest

from memoranda.text.contradiction import compare
from memoranda.text.similarity import FOLD_SIMILARITY, trigram_similarity
from tests.guard.suite import HALVES, KINDS, LANGUAGES, Half, Kind, Pair, pairs

LEAST_PAIRS = 400
LEAST_FOLDED = 0.90


def chosen(half: Half, *kinds: Kind) -> list[Pair]:
    return [pair for pair in pairs() if pair.half == half and pair.kind in kinds]


def folds(pair: Pair) -> bool:
    return trigram_similarity(pair.a, pair.b) >= FOLD_SIMILARITY and compare(pair.a, pair.b).verdict == "same"


def test_the_suite_is_large_and_every_part_of_it_is_filled() -> None:
    assert len(pairs()) >= LEAST_PAIRS
    parts = {(pair.language, pair.kind, pair.half) for pair in pairs()}
    assert parts == {(language, kind, half) for language in LANGUAGES for kind in KINDS for half in HALVES}
    halves = [sum(pair.half == half for pair in pairs()) for half in HALVES]
    assert min(halves) > 0.4 * len(pairs())


@pytest.mark.parametrize("half", HALVES)
def test_no_contradiction_and_no_differing_value_is_the_same_c6_c33_c35(half: Half) -> None:
    said_the_same = [
        pair for pair in chosen(half, "difference", "contradiction") if compare(pair.a, pair.b).verdict == "same"
    ]
    assert said_the_same == []


@pytest.mark.parametrize("half", HALVES)
def test_nine_of_ten_restatements_fold_s1_22(half: Half) -> None:
    restatements = chosen(half, "restatement")
    assert sum(map(folds, restatements)) >= LEAST_FOLDED * len(restatements)


@pytest.mark.parametrize("half", HALVES)
def test_nine_of_ten_contradictions_are_called_so_d9(half: Half) -> None:
    found = [compare(pair.a, pair.b).verdict == "contradiction" for pair in chosen(half, "contradiction")]
    assert sum(found) >= 0.9 * len(found)


@pytest.mark.parametrize("half", HALVES)
def test_few_plain_differences_are_contested_d9(half: Half) -> None:
    contested = [compare(pair.a, pair.b).verdict == "contradiction" for pair in chosen(half, "difference")]
    assert sum(contested) <= 0.1 * len(contested)


def test_the_order_of_two_texts_does_not_matter() -> None:
    for pair in pairs():
        assert compare(pair.a, pair.b).verdict == compare(pair.b, pair.a).verdict, pair
        assert compare(pair.a, pair.a).verdict == "same"
