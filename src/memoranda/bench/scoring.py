"""Figures of rankings: how much of the evidence stands near the top, as information retrieval measures it."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from memoranda.bench.evidence import Evidence

Figures = dict[str, float]
"""Figures by name: `n` questions, then `R@5` and the others, each a mean over them, 0 to 1."""


def figures_by_group(rankings: Mapping[str, Sequence[str]], evidence: Iterable[Evidence]) -> dict[str, Figures]:
    """Returns the figures of all questions with evidence as group `all`, and of each group.

    A question without a ranking counts as one whose ranking is empty. Means are rounded to four places.
    """
    rows: dict[str, list[Figures]] = defaultdict(list)
    for one in evidence:
        row = measure(rankings.get(one.question_id, ()), one.units)
        for group in ("all", *one.groups):
            rows[group].append(row)
    return {group: _means(rows[group]) for group in sorted(rows)}


def measure(ranked: Sequence[str], evidence: frozenset[str]) -> Figures:
    """Returns the figures of one ranking, best first, whose ids are distinct.

    * `R@k`: the share of the evidence among the first k; `any@k` and `all@k`: 1 if some or all of it is there.
    * `nDCG@10`: the sum of `1 / log2(rank + 1)` over the evidence in the first 10, as a share of the greatest that
      any ranking could have (Jaervelin and Kekaelaeinen, 2002, with gains of 0 and 1).
    * `MRR`: 1 / rank of the first evidence; 0 without any.
    """
    row: Figures = {}
    for k in (5, 10, 20):
        found = len(evidence.intersection(ranked[:k]))
        row[f"R@{k}"] = found / len(evidence)
        if k < 20:
            row[f"any@{k}"] = float(found > 0)
            row[f"all@{k}"] = float(found == len(evidence))
    ranks = [rank for rank, id in enumerate(ranked, start=1) if id in evidence]
    best = sum(_discount(rank) for rank in range(1, min(10, len(evidence)) + 1))
    row["nDCG@10"] = sum(_discount(rank) for rank in ranks if rank <= 10) / best
    row["MRR"] = 1 / ranks[0] if ranks else 0.0
    return row


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


def _means(rows: Sequence[Figures]) -> Figures:
    return {"n": len(rows), **{name: round(sum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}}
