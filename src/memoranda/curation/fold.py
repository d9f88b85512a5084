"""Deciding whether something new restates what is known, or cannot be true together with it (design D9).

A restatement joins the entry that it repeats. Likeness of wording only proposes; the guard of `text.contradiction`
decides: a differing value, day, name or polarity is never folded, however alike the wording is (C6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from memoranda.curation.draft import Draft
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.receipt import Outcome, WriteReceipt
from memoranda.records.revision import Change
from memoranda.text.contradiction import compare
from memoranda.text.similarity import FOLD_SIMILARITY, trigram_similarity
from memoranda.text.words import Analyser

FOLDING = frozenset(
    (
        Category.FACT,
        Category.PREFERENCE,
        Category.INSTRUCTION,
        Category.STRATEGY,
        Category.INSIGHT,
        Category.LEARNING,
        Category.ERROR_PATTERN,
    )
)
"""Categories whose restatements fold; the others are append only, or scratch (C35)."""
RARE_TERMS = 8
"""How many of a text's rarest words its candidates are looked up by."""
MOST_CANDIDATES = 16
"""Most entries that one new text is compared with."""
MOST_BATCH = 256
"""Most entries of one batch that a word leads to, the newest."""


def least_shared(terms: int) -> int:
    """Returns how many of its rarest words a text of so many must share with another to be compared with it."""
    return 2 if terms >= 4 else 1


@dataclass
class Neighbourhood:
    """The entries that new texts are compared with.

    Attributes:
        analyser: what turns texts into terms.
        proposed: for the id of each candidate, ids of stored entries whose wording is alike, by the scope's index.
    """

    analyser: Analyser
    proposed: Mapping[str, Sequence[str]] = field(default_factory=dict)
    _by_term: dict[str, list[str]] = field(default_factory=dict)

    def add(self, entry: MemoryEntry) -> None:
        """Takes in an entry that the scope's index does not know: of this batch, or of another writer just now."""
        if entry.category in FOLDING and entry.superseded_by is None:
            for term in set(self.analyser.terms(entry.memory)):
                self._by_term.setdefault(term, []).append(entry.id)

    def of(self, draft: Draft, entry: MemoryEntry) -> Iterator[MemoryEntry]:
        """Returns the live entries that may say what `entry` says, as they stand in the draft."""
        terms = set(self.analyser.terms(entry.memory))
        known_terms = sorted((self._by_term[term] for term in terms if term in self._by_term), key=len)
        counted = Counter(id for ids in known_terms[:RARE_TERMS] for id in ids[-MOST_BATCH:])
        least = least_shared(len(terms))
        close = [id for id, shared in counted.most_common(MOST_CANDIDATES) if shared >= least]
        ids = [*self.proposed.get(entry.id, ()), *close]
        for id in dict.fromkeys(ids):
            known = draft.entry(id)
            if known is not None and known.is_live(draft.now) and _comparable(known, entry):
                yield known


def _comparable(known: MemoryEntry, entry: MemoryEntry) -> bool:
    """Tells whether two entries could say the same thing: of one folding category, and not under two keys."""
    keys = {known.key, entry.key} - {None}
    return known.id != entry.id and known.category is entry.category and entry.category in FOLDING and len(keys) < 2


@dataclass(frozen=True, slots=True)
class Likeness:
    """What was found among the neighbours of something new.

    Attributes:
        restated: the entry that it repeats.
        contradicted: entries that cannot be true together with it, and why.
    """

    restated: MemoryEntry | None = None
    contradicted: tuple[tuple[MemoryEntry, str], ...] = ()


def likeness(draft: Draft, entry: MemoryEntry, neighbours: Iterable[MemoryEntry], *, fold_days: float) -> Likeness:
    """Compares something new with its neighbours."""
    alike = [(trigram_similarity(known.memory, entry.memory), known) for known in neighbours]
    near = [pair for pair in alike if pair[0] >= FOLD_SIMILARITY]
    contradicted: list[tuple[MemoryEntry, str]] = []
    # The likest first, and those with a key before others: what is found to be the same ends the search.
    for _, known in sorted(near, key=lambda pair: (-pair[0], pair[1].key is None)):
        compared = compare(known.memory, entry.memory)
        if compared.verdict == "same" and _same_event(draft, known, entry, fold_days):
            return Likeness(known, tuple(contradicted))
        if compared.verdict == "contradiction" and _same_day(known, entry):
            contradicted.append((known, compared.reasons[0] if compared.reasons else "they contradict each other"))
    return Likeness(None, tuple(contradicted))


def contradictions(entry: MemoryEntry, neighbours: Iterable[MemoryEntry]) -> tuple[tuple[MemoryEntry, str], ...]:
    """Returns all neighbours that cannot be true together with something new, however alike others are."""
    near = [known for known in neighbours if trigram_similarity(known.memory, entry.memory) >= FOLD_SIMILARITY]
    compared = [(known, compare(known.memory, entry.memory)) for known in near if _same_day(known, entry)]
    return tuple((known, found.reasons[0]) for known, found in compared if found.verdict == "contradiction")


def _same_event(draft: Draft, known: MemoryEntry, entry: MemoryEntry, fold_days: float) -> bool:
    seen = known.last_seen or known.created_at
    return draft.now - seen <= timedelta(days=fold_days) and _same_day(known, entry)


def _same_day(known: MemoryEntry, entry: MemoryEntry) -> bool:
    """What happened on two days happened twice; where a day is missing it may be the same."""
    days = {one.occurred_at.date() for one in (known, entry) if one.occurred_at is not None}
    return len(days) < 2


def fold(draft: Draft, known: MemoryEntry, entry: MemoryEntry) -> WriteReceipt:
    """Lets `entry` join the entry that it restates (S1.22): the newest wording, one more time seen, now.

    What is less trusted is counted and changes nothing else. Tags and source are taken over where given. What one of
    the two says without an end has none; else the later end counts, so that nothing ends before it was to.
    """
    again = replace(
        known, seen_count=known.seen_count + 1, last_seen=max(draft.now, known.last_seen or known.created_at)
    )
    if entry.origin.trust < known.origin.trust:
        folded = again
        because = f"restates it; the wording of {known.origin} is kept, who is trusted more than {entry.origin}"
    else:
        folded = replace(
            again,
            memory=entry.memory,
            tags=entry.tags or known.tags,
            key=known.key or entry.key,
            origin=entry.origin,
            source=entry.source or known.source,
            confidence=max(known.confidence, entry.confidence),
            validated=known.validated or entry.validated,
            valid_from=min(filter(None, (known.valid_from, entry.valid_from)), default=None),
            expires_at=max(known.expires_at, entry.expires_at) if known.expires_at and entry.expires_at else None,
            metadata={**known.metadata, **entry.metadata},
        )
        because = "restates it" if folded.memory != known.memory else "says the same again"
        draft.carry_vector(entry.id, known.id)
    draft.change(known, folded, Change.FOLD, because)
    return WriteReceipt(outcome=Outcome.FOLDED, entry=folded, because=because, previous=known)


def contest(draft: Draft, receipt: WriteReceipt, contradicted: Sequence[tuple[MemoryEntry, str]]) -> WriteReceipt:
    """Notes that what was just added cannot be true together with what it contradicts; all of it is kept."""
    entry = receipt.entry
    if entry is None or entry.superseded_by is not None:
        return receipt
    rival, why = None, ""
    for known, reason in contradicted:
        now_known = draft.entry(known.id)
        if now_known is not None and now_known.is_live(draft.now):
            entry = draft.contest(draft.entry(entry.id) or entry, now_known)
            rival, why = rival or now_known, why or reason
    if rival is None:
        return receipt
    because = f"it cannot be true together with {rival.id} ({why}); both are kept"
    return WriteReceipt(outcome=Outcome.CONTESTED, entry=entry, because=because, previous=rival)
