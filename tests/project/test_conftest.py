"""The shorthand of the cases is spelled out as their README says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def test_shorthand_is_spelled_out(case: Callable[[str], dict[str, Any]]) -> None:
    joined = case("V05")["input"]
    assert "preamble preamble " in str(joined)
    assert "the code is marmalade-9" in str(joined)
    steps = str(case("X03")["input"])
    assert "'text': 'n0'" in steps
    assert "'text': 'n2499'" in steps


def test_no_shorthand_is_left(case: Callable[[str], dict[str, Any]]) -> None:
    for case_id in ("X03", "V04", "V05", "T03", "W05", "Q06"):
        text = str(case(case_id)["input"])
        assert not any(sign in text for sign in ("$rep", "$join", "$seq", "{i}"))
