"""The guard suite: pairs of sentences that restate, differ from or contradict each other, in two halves.

Hand-written pairs stand in ``pairs/``, one file a language; `families` makes others from templates and values. Each
hand-written pair and each template belongs to one half, by a hash: failures of the half "tuned" may be looked at while
the guard is worked on, of the half "held" only the counts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from tests.guard.families import FAMILIES

Kind = Literal["restatement", "difference", "contradiction"]
Half = Literal["tuned", "held"]
KINDS: Final[tuple[Kind, ...]] = ("restatement", "difference", "contradiction")
HALVES: Final[tuple[Half, ...]] = ("tuned", "held")
LANGUAGES: Final = ("en", "de", "es", "zh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two sentences and what the second is to the first."""

    language: str
    kind: Kind
    half: Half
    a: str
    b: str


@cache
def pairs() -> tuple[Pair, ...]:
    return tuple(dict.fromkeys((*_written(), *_made())))


def _written() -> Iterator[Pair]:
    for language in LANGUAGES:
        for line in (Path(__file__).parent / "pairs" / f"{language}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            half = _half(f"{row['a']}\n{row['b']}")
            yield Pair(language=language, kind=row["kind"], half=half, a=row["a"], b=row["b"])


def _made() -> Iterator[Pair]:
    for language, kind, a, b, values in FAMILIES:
        for one, other in values:
            yield Pair(
                language=language, kind=kind, half=_half(f"{a}\n{b}"), a=a.format(one, other), b=b.format(one, other)
            )


def _half(named: str) -> Half:
    return HALVES[hashlib.sha256(named.encode()).digest()[0] % 2]
