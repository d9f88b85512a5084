"""What a host may set."""

from __future__ import annotations

import inspect
import math
from dataclasses import fields

import pytest

from memoranda.errors import InvalidInput
from memoranda.records.settings import Settings

NUMBERS = ("busy_timeout", "readers", "max_revisions", "idempotency_days", "index_entries", "recency_half_life_days")
WHOLE = ("readers", "max_revisions", "index_entries")


def test_defaults_are_those_of_the_design() -> None:
    """Design section 5: 100 revisions of an entry, keys for 7 days; S1.18: half-life of 30 days."""
    settings = Settings()
    assert (settings.max_revisions, settings.idempotency_days, settings.recency_half_life_days) == (100, 7, 30)
    assert (settings.durability, settings.redact) == ("full", True)


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("wrong", [0, -1, math.nan, True, "5", None])
def test_number_out_of_its_range_is_refused_by_name(name: str, wrong: object) -> None:
    with pytest.raises(InvalidInput, match=f"`{name}`"):
        Settings(**{name: wrong})  # type: ignore[arg-type]  # what a caller may get wrong


@pytest.mark.parametrize("name", WHOLE)
def test_counts_are_whole_numbers(name: str) -> None:
    with pytest.raises(InvalidInput, match=f"`{name}`"):
        Settings(**{name: 2.5})  # type: ignore[arg-type]  # what a caller may get wrong


@pytest.mark.parametrize("wrong", ["", "FULL", "off", None, True])
def test_durability_has_two_values(wrong: object) -> None:
    with pytest.raises(InvalidInput, match="`durability`"):
        Settings(durability=wrong)  # type: ignore[arg-type]  # what a caller may get wrong


@pytest.mark.parametrize("wrong", ["no", 0, None])
def test_redact_is_a_switch(wrong: object) -> None:
    """S1.27: a misspelt switch must not leave secrets unmasked."""
    with pytest.raises(InvalidInput, match="`redact`"):
        Settings(redact=wrong)  # type: ignore[arg-type]  # what a caller may get wrong


def test_first_and_newest_revision_need_room() -> None:
    assert Settings(max_revisions=2).max_revisions == 2
    with pytest.raises(InvalidInput, match="`max_revisions` must be at least 2"):
        Settings(max_revisions=1)


def test_every_setting_is_documented() -> None:
    """Design D17: each bound stands in the reference."""
    page = inspect.getdoc(Settings)
    assert page is not None
    for part in fields(Settings):
        assert f"\n    {part.name}: " in page, part.name
