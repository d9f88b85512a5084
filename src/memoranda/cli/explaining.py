"""Showing why: the parts of each score, and what was left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memoranda.cli import render

if TYPE_CHECKING:
    from memoranda.recall.recalled import Recalled
    from memoranda.records.recalled import Hit

MEANING = ("The parts of a hit sum up to x;", "its score is 1 / (1 + exp(-x)).")


def show_explanation(recalled: Recalled) -> None:
    """Writes what each channel contributed to each hit, and what was left out with the reasons."""
    scored = [(number, hit) for number, hit in enumerate(recalled, 1) if hit.parts and hit.score]
    if scored:
        render.show_lines("", *MEANING)
        # Names of parts take 18 columns at most, a number 9 with the space before it.
        beside = max(1, (render.width() - 18) // 9)
        for start in range(0, len(scored), beside):
            _show_parts(scored[start : start + beside])
    if recalled.dropped:
        render.show_lines("", "Left out:")
        render.show_records(
            ("memory", "reason"), [(render.memory_cell(one.entry), one.reason) for one in recalled.dropped]
        )


def _show_parts(hits: Sequence[tuple[int, Hit]]) -> None:
    names = dict.fromkeys(name for _, hit in hits for name in hit.parts)
    rows = [[name, *(_signed(hit.parts.get(name)) for _, hit in hits)] for name in names]
    rows.append(["x", *(_signed(sum(hit.parts.values())) for _, hit in hits)])
    rows.append(["score", *(f"{hit.score:.3f}" for _, hit in hits)])
    render.show_numbers(("part", *(f"hit {number}" for number, _ in hits)), rows)


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.3f}"
