"""The bounds of a core memory."""

from __future__ import annotations

import pytest

from memoranda.core.limits import CoreLimits
from memoranda.errors import InvalidInput


def test_the_defaults() -> None:
    """Design D17: each bound has a number."""
    limits = CoreLimits()
    assert (limits.max_blocks, limits.max_characters, limits.max_revisions) == (32, 100_000, 100)
    assert limits.redact


@pytest.mark.parametrize("name", ["max_blocks", "max_characters", "max_revisions"])
@pytest.mark.parametrize("value", [0, -1, True, 2.0, "9", None])
def test_what_is_no_bound(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"`{name}` is {value!r}"):
        CoreLimits(**{name: value})  # type: ignore[arg-type]


def test_the_first_and_the_newest_revision_are_kept() -> None:
    assert CoreLimits(max_revisions=2).max_revisions == 2
    with pytest.raises(InvalidInput, match="at least 2"):
        CoreLimits(max_revisions=1)
