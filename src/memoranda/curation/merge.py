"""Finding entries that say the same, and making one of them (S0.46, S0.47).

Likeness of words alone would join "port 8080" with "port 9090" and a confirmed text with a forged one, so two entries
become one only where nothing speaks against it (C33, C34, design D10).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from memoranda.curation.prune import quality
from memoranda.records.check import MAX_TAGS
from memoranda.records.entry import Category, MemoryEntry
from memoranda.text.contradiction import differs
from memoranda.text.similarity import jaccard, seed_tokens

MAX_COMPARED: Final = 32
"""With how many earlier clusters one entry is compared at most, those that share its rarest words first, and how many
different texts one cluster holds at most. It bounds the work where thousands of texts are nearly the same; a merge may
be left to the next pass there, none is made that should not be."""

_APPEND_ONLY: Final = frozenset((Category.EPISODE, Category.TRAJECTORY))
_CORROBORATION: Final = 0.1  # what each duplicate adds to relevance (S0.47)

_Slot = tuple[object, ...]


def clusters(entries: Sequence[MemoryEntry], threshold: float) -> list[list[MemoryEntry]]:
    """Puts every entry into exactly one cluster, in the order given; most stay alone.

    An entry joins the first cluster whose first member is alike: Jaccard of their tokens at least `threshold`
    (S0.46), and at least one token in common. It does not join

    - where it differs from a member in a number, a date, a day or a negation (C33);
    - an entry of another category, key, origin, speaker, time of occurrence or expiry, nor scratch of another session;
    - when it is an episode or a trajectory: these are append only (C35);
    - when both it and a member are validated: neither text may be lost (C34);
    - when the tags of both were more than an entry can have, or the cluster holds `MAX_COMPARED` other texts.
    """
    tokens = [_tokens(entry) for entry in entries]
    frequency = Counter(token for found in tokens for token in found)
    index = _ClusterIndex(frequency, threshold)
    for entry, found in zip(entries, tokens, strict=True):
        index.place(entry, found)
    return [cluster.members for cluster in index.clusters]


def merged(members: Sequence[MemoryEntry], *, now: datetime) -> MemoryEntry:
    """Returns what becomes of a cluster (S0.47).

    The validated member keeps its id and text, else the one of the highest quality (S0.46), the first of equals. It
    takes the union of tags, 0.1 more relevance for each duplicate up to 1.0, the sum of accesses and of times seen,
    the greatest confidence, the earliest beginning, the latest access and the latest sighting of all.
    """
    if len(members) == 1:
        return members[0]
    best = max(members, key=lambda member: (member.validated, quality(member, now=now)))
    others = [member for member in members if member is not best]
    relevance = best.relevance if 0.0 <= best.relevance <= 1.0 else 0.0
    return replace(
        best,
        tags=tuple(dict.fromkeys(tag for member in (best, *others) for tag in member.tags)),
        relevance=min(1.0, relevance + _CORROBORATION * len(others)),
        access_count=sum(member.access_count for member in members),
        seen_count=sum(member.seen_count for member in members),
        confidence=max(member.confidence for member in members),
        created_at=min(member.created_at for member in members),
        valid_from=min((member.valid_from for member in members if member.valid_from), default=None),
        last_accessed=max((member.last_accessed for member in members if member.last_accessed), default=None),
        last_seen=max((member.last_seen for member in members if member.last_seen), default=None),
    )


def _tokens(entry: MemoryEntry) -> frozenset[str]:
    return frozenset() if entry.category in _APPEND_ONLY else frozenset(seed_tokens(entry.memory))


def _slot(entry: MemoryEntry) -> _Slot:
    """What two entries must have in common, whatever their texts say."""
    session = entry.session if entry.category is Category.WORKING else None
    return (entry.category, entry.key, entry.origin, entry.speaker, entry.occurred_at, entry.expires_at, session)


@dataclass(slots=True)
class _Cluster:
    tokens: frozenset[str]
    members: list[MemoryEntry] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)
    tags: set[str] = field(default_factory=set)
    validated: bool = False

    def admits(self, entry: MemoryEntry) -> bool:
        return (
            not (self.validated and entry.validated)
            and len(self.tags.union(entry.tags)) <= MAX_TAGS
            and (entry.memory in self.texts or self._agrees(entry.memory))
        )

    def _agrees(self, memory: str) -> bool:
        return len(self.texts) < MAX_COMPARED and all(differs(text, memory) is None for text in self.texts)

    def add(self, entry: MemoryEntry) -> None:
        self.members.append(entry)
        self.texts.add(entry.memory)
        self.tags.update(entry.tags)
        self.validated = self.validated or entry.validated


class _ClusterIndex:
    """Clusters, found by the rare tokens of their first member.

    Two sets whose Jaccard reaches t share one of their n - ceil(t * n) + 1 rarest tokens, whatever the common order of
    rarity is. So only clusters under one of these tokens are compared; up to `MAX_COMPARED` of them the result
    is that of comparing all.
    """

    def __init__(self, frequency: Counter[str], threshold: float) -> None:
        self.clusters: list[_Cluster] = []
        self._frequency = frequency
        self._threshold = threshold
        self._numbers: dict[tuple[_Slot, str], list[int]] = {}

    def place(self, entry: MemoryEntry, tokens: frozenset[str]) -> None:
        slot, rare = _slot(entry), self._rarest(tokens)
        for number in self._candidates(slot, rare):
            cluster = self.clusters[number]
            if jaccard(tokens, cluster.tokens) >= self._threshold and cluster.admits(entry):
                cluster.add(entry)
                return
        for token in rare:
            self._numbers.setdefault((slot, token), []).append(len(self.clusters))
        alone = _Cluster(tokens)
        alone.add(entry)
        self.clusters.append(alone)

    def _rarest(self, tokens: frozenset[str]) -> list[str]:
        ordered = sorted(tokens, key=lambda token: (self._frequency[token], token))
        # Less a hair, so that a product such as 0.55 * 100 = 55.00000000000001 is not rounded up.
        return ordered[: len(tokens) - math.ceil(self._threshold * len(tokens) - 1e-9) + 1]

    def _candidates(self, slot: _Slot, rare: Sequence[str]) -> list[int]:
        found: set[int] = set()
        for number in self._under(slot, rare):
            found.add(number)
            if len(found) == MAX_COMPARED:
                break
        return sorted(found)

    def _under(self, slot: _Slot, rare: Sequence[str]) -> Iterator[int]:
        for token in rare:
            yield from self._numbers.get((slot, token), ())
