"""Splitting work into passes of like length, so that little is spent on padding."""

from __future__ import annotations

from collections.abc import Sequence


def batches(lengths: Sequence[int], *, budget: int, most: int) -> list[list[int]]:
    """Returns the positions 0..n-1 in groups, each padded to its longest: shortest texts first.

    Args:
        lengths: the length of each text, in whatever unit `budget` is.
        budget: most units of a group, padding included. A text that alone is longer stands alone.
        most: most texts of a group.
    """
    groups: list[list[int]] = []
    group: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda position: lengths[position]):
        if group and (len(group) == most or (len(group) + 1) * lengths[position] > budget):
            groups.append(group)
            group = []
        group.append(position)
    if group:
        groups.append(group)
    return groups
