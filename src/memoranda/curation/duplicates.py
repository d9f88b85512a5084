"""Finding entries of one scope that say the same, without comparing each with each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from memoranda.curation.fold import FOLDING
from memoranda.records.check import MAX_TAGS
from memoranda.records.entry import MemoryEntry
from memoranda.text.contradiction import compare

RARE_TERMS: Final = 4
"""How many of its rarest terms an entry is found by. What says the same has the same terms but for small words."""
CANDIDATES: Final = 32
"""Most entries whose terms are compared with those of one entry; those that share its rarest term come first."""
LEAST_SHARED: Final = 0.6
"""Least share of common terms (Jaccard) of two texts that are compared closely."""
COMPARED: Final = 3
"""Most entries that one entry is compared with closely, which costs some 0.2 ms; those with most terms in common."""

Terms = Callable[[str], Iterable[str]]


@dataclass(slots=True)
class Group:
    """Entries that say the same.

    Attributes:
        canonical: the one that stays.
        others: those that join it, as they stand in the store.
    """

    canonical: MemoryEntry
    others: list[MemoryEntry]


@dataclass(slots=True, eq=False)
class _Held:
    entry: MemoryEntry  # with what joined it
    original: MemoryEntry  # as it stands in the store
    terms: tuple[int, ...]  # distinct, in the order of their first use in the scope
    joined: list[_Held] | None  # None once it has joined another
    apart: set[str]  # ids of entries whose texts were found to say something else


class Duplicates:
    """The live entries of a scope that may be merged, and what says the same among them.

    Fill it with `take`, then go through `steps` to the end and read `groups`; `settle` tells what became of each
    group, and `steps` starts anew. When a round finds no group, nothing is left to merge. Working is cut
    into steps so that a caller can let others work in between.

    Args:
        terms: what turns a text into the terms that it is found by.
    """

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._codes: dict[str, int] = {}
        self._texts: list[str] = []
        self._frequency: list[int] = []
        self._held: list[_Held] = []
        self._taken: set[str] = set()
        self._postings: dict[int, list[_Held]] = {}

    def __len__(self) -> int:
        return len(self._held)

    def take(self, entries: Iterable[MemoryEntry]) -> None:
        """Takes in entries, in the order of recording, each once; those that cannot be merged are passed over."""
        for entry in entries:
            if entry.category in FOLDING and not entry.contested_with and entry.id not in self._taken:
                self._taken.add(entry.id)
                self._held.append(_Held(entry, entry, self._coded(entry.memory), [], set()))

    def steps(self, size: int) -> Iterator[int]:
        """Looks for what says the same among all entries, `size` of them in a step; gives how many are done."""
        self._postings = {}
        for start in range(0, len(self._held), size):
            for held in self._held[start : start + size]:
                self._place(held)
            yield min(start + size, len(self._held))
        self._postings = {}

    def groups(self) -> list[Group]:
        """Returns what was found to say the same, with the canonical entry as it stands in the store."""
        return [Group(held.original, [other.original for other in held.joined]) for held in self._held if held.joined]

    def settle(self, merged: Iterable[MemoryEntry]) -> None:
        """Forgets all entries that were in a group, but for those that were merged: the canonical ones as given.

        What is held then is what the next consolidation will hold, so when it finds nothing that one will not, either.
        """
        now = {entry.id: entry for entry in merged}
        kept: list[_Held] = []
        for held in self._held:
            known = now.get(held.original.id)
            if known is not None:
                kept.append(_Held(known, known, held.terms, [], held.apart))
            elif held.joined == []:
                kept.append(held)
            else:
                for code in held.terms:
                    self._frequency[code] -= 1
        self._held = kept

    def _coded(self, text: str) -> tuple[int, ...]:
        # A text without terms, such as an emoji, is found by the whole of itself.
        found: dict[int, None] = {}
        for term in self._terms(text) or (text,):
            code = self._codes.setdefault(term, len(self._codes))
            if code == len(self._texts):
                self._texts.append(term)
                self._frequency.append(0)
            found[code] = None
        for code in found:
            self._frequency[code] += 1
        return tuple(found)

    def _place(self, held: _Held) -> None:
        """Joins an entry with the one that it restates, and what comes of it with the next one, if there is one."""
        rare = self._rarest(held)
        while (known := self._match(held, rare)) is not None:
            kept, joined = (held, known) if _rank(held.entry) >= _rank(known.entry) else (known, held)
            kept.joined = [*(kept.joined or ()), joined, *(joined.joined or ())]
            kept.entry = merged(kept.entry, [joined.entry])
            joined.joined = None
            if kept is known:
                return
        for code in rare:
            self._postings.setdefault(code, []).append(held)

    def _rarest(self, held: _Held) -> list[int]:
        frequency, texts = self._frequency, self._texts
        return sorted(held.terms, key=lambda code: (frequency[code], texts[code]))[:RARE_TERMS]

    def _match(self, held: _Held, rare: Sequence[int]) -> _Held | None:
        own = frozenset(held.terms)
        alike: list[tuple[float, int, _Held]] = []
        for number, known in enumerate(self._candidates(held, rare)):
            common = len(own.intersection(known.terms))
            shared = common / (len(own) + len(known.terms) - common)
            if shared >= LEAST_SHARED and may_merge(held.entry, known.entry):
                alike.append((-shared, number, known))
        for _, _, known in sorted(alike)[:COMPARED]:
            if known.entry.id not in held.apart:
                if says_the_same(held.entry, known.entry):
                    return known
                held.apart.add(known.entry.id)
        return None

    def _candidates(self, held: _Held, rare: Sequence[int]) -> Iterator[_Held]:
        seen: set[int] = {id(held)}
        for code in rare:
            for known in reversed(self._postings.get(code, ())):
                if known.joined is not None and id(known) not in seen:
                    if len(seen) > CANDIDATES:
                        return
                    seen.add(id(known))
                    yield known


def may_merge(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Tells whether two entries may become one if their texts say the same (C34, C35, design D9).

    They are of one category and one speaker, not under two keys, did not happen on two days, are not both
    validated, and have no more tags together than an entry can have.
    """
    days = {entry.occurred_at.date() for entry in (one, other) if entry.occurred_at is not None}
    return (
        one.category is other.category
        and one.speaker == other.speaker
        and len({one.key, other.key} - {None}) < 2
        and len(days) < 2
        and not (one.validated and other.validated)
        and len({*one.tags, *other.tags}) <= MAX_TAGS
    )


def says_the_same(one: MemoryEntry, other: MemoryEntry) -> bool:
    """Tells whether the texts of two entries say the same: a differing value, day, name or polarity never does."""
    return one.memory == other.memory or compare(one.memory, other.memory).verdict == "same"


def merged(canonical: MemoryEntry, others: Sequence[MemoryEntry]) -> MemoryEntry:
    """Returns what becomes of an entry that others join (D9, D10).

    It keeps its own id, text, origin, source and metadata. Times seen and found are summed, and the latest of each
    counts. Of those that are trusted at least as much as it is, it takes all tags, the greatest confidence and
    relevance, the key, the earliest beginning, and the latest expiry.
    """
    everyone = (canonical, *others)
    peers = [one for one in everyone if one is canonical or one.origin.trust >= canonical.origin.trust]
    expiries = [one.expires_at for one in peers]
    return replace(
        canonical,
        tags=tuple(dict.fromkeys(tag for one in peers for tag in one.tags)),
        key=next((one.key for one in peers if one.key is not None), None),
        confidence=max(one.confidence for one in peers),
        relevance=max(one.relevance for one in peers),
        created_at=min(one.created_at for one in peers),
        occurred_at=min((one.occurred_at for one in peers if one.occurred_at), default=None),
        valid_from=min((one.valid_from for one in peers if one.valid_from), default=None),
        expires_at=None if None in expiries else max(filter(None, expiries)),
        seen_count=sum(one.seen_count for one in everyone),
        access_count=sum(one.access_count for one in everyone),
        last_seen=max(_last_seen(one) for one in everyone),
        last_accessed=max((one.last_accessed for one in everyone if one.last_accessed), default=None),
    )


def _last_seen(entry: MemoryEntry) -> datetime:
    return entry.last_seen or entry.created_at


def _rank(entry: MemoryEntry) -> tuple[bool, int, datetime]:
    """What decides which of two entries stays: the validated one, the more trusted one, the newer one."""
    return entry.validated, entry.origin.trust, _last_seen(entry)
