"""What a text for a model may cost."""

from __future__ import annotations

from typing import Any

import pytest

from memoranda.errors import InvalidInput
from memoranda.records.budget import Budget


def test_has_the_bounds_of_seed_1_s1_4_s1_5() -> None:
    assert Budget() == Budget(tokens=None, bytes=6000, entry_bytes=600, entries=None)


@pytest.mark.parametrize("name", ["tokens", "bytes", "entry_bytes", "entries"])
@pytest.mark.parametrize("value", [-1, 1.5, "9", True])
def test_refuses_a_bound_that_is_none_and_names_it(name: str, value: object) -> None:
    with pytest.raises(InvalidInput, match=f"`{name}`"):
        Budget(**{name: value})  # type: ignore[arg-type]  # what a careless caller may pass


@pytest.mark.parametrize("name", ["bytes", "entry_bytes"])
def test_there_is_always_a_bound_in_bytes_c1(name: str) -> None:
    unbounded: dict[str, Any] = {name: None}
    with pytest.raises(InvalidInput, match=f"`{name}`"):
        Budget(**unbounded)


def test_a_number_is_a_budget_of_tokens() -> None:
    assert Budget.of(500) == Budget(tokens=500)
    assert Budget.of(None) == Budget()
    assert Budget.of(Budget(bytes=10)) == Budget(bytes=10)
    with pytest.raises(InvalidInput, match="`tokens`"):
        Budget.of(True)
