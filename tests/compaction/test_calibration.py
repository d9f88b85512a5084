"""Correcting counted tokens by what a provider reports."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.compaction.calibration import LEAST, LEAST_TOKENS, MOST, Calibration
from memoranda.errors import InvalidInput

pairs = st.tuples(st.integers(-10, 10**9), st.integers(-10, 10**9))


def after(*reports: tuple[int, int]) -> Calibration:
    calibration = Calibration()
    for estimated, reported in reports:
        calibration = calibration.updated(estimated, reported)
    return calibration


def test_nothing_reported_changes_nothing() -> None:
    assert Calibration().factor == 1
    assert Calibration().apply(12_345) == Calibration().undo(12_345) == 12_345


@given(st.lists(pairs, max_size=30))
def test_the_factor_stays_in_its_bounds(reports: list[tuple[int, int]]) -> None:
    assert LEAST <= after(*reports).factor <= MOST


@given(st.floats(LEAST, MOST), st.integers(1_000, 100_000))
def test_a_lasting_ratio_is_reached(ratio: float, tokens: int) -> None:
    reported = round(tokens * ratio)
    assert after(*[(tokens, reported)] * 40).factor == pytest.approx(min(MOST, max(LEAST, reported / tokens)), rel=0.01)


@given(st.floats(0.8, 1.6), st.integers(1, 10**9), st.integers(LEAST_TOKENS, 10**9))
def test_one_wild_value_cannot_ruin_it(ratio: float, wild: int, estimated: int) -> None:
    settled = after(*[(10_000, round(10_000 * ratio))] * 20)
    shaken = settled.updated(estimated, wild)
    assert shaken.factor == pytest.approx(settled.factor, rel=0.05)


def test_the_first_value_is_trusted_by_half() -> None:
    assert after((10_000, 14_400)).factor == pytest.approx(1.2)


@pytest.mark.parametrize("report", [(LEAST_TOKENS - 1, 5_000), (0, 10), (-5, 10), (10_000, 0), (10_000, -1)])
def test_small_requests_and_no_reports_tell_nothing(report: tuple[int, int]) -> None:
    assert after(report) == Calibration()


@given(st.floats(LEAST, MOST), st.integers(0, 10**7))
def test_undoing_never_lets_more_through(factor: float, tokens: int) -> None:
    calibration = Calibration(factor=factor)
    assert calibration.apply(calibration.undo(tokens)) <= tokens + 1


@pytest.mark.parametrize("settings", [{"factor": 0.4}, {"factor": 2.1}, {"factor": float("nan")}, {"pairs": -1}])
def test_settings_out_of_bounds_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="must be"):
        Calibration(**settings)  # type: ignore[arg-type]
