"""A tiny model of a scope, written without the code that it checks: which texts are live, and what a write does.

It knows of every text that it is given what that says: a subject and a claim about it. Texts of one claim restate each
other, texts of two claims about one subject contradict each other, and subjects have nothing to do with each other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime

from memoranda.records.entry import Category, MemoryEntry, Origin

TRUST = [Origin.WEB, Origin.TOOL, Origin.MODEL, Origin.IMPORT, Origin.USER, Origin.HOST]
CLAIMS = {
    "The release day of the Ferry app is Tuesday": ("release", 1),
    "Release day of the Ferry app: Tuesday.": ("release", 1),
    "The release day of the Ferry app is Wednesday": ("release", 2),
    "Release day of the Ferry app: Wednesday.": ("release", 2),
    "The staging database listens on port 8080": ("port", 1),
    "Staging database is listening on port 8080": ("port", 1),
    "The staging database listens on port 9090": ("port", 2),
    "Staging database is listening on port 9090": ("port", 2),
    "Mira takes the early train to Leipzig": ("train", 1),
    "mira takes early train to Leipzig!": ("train", 1),
    "Mira does not take the early train to Leipzig": ("train", 2),
}
"""Every text with its subject and claim; `test_the_model_knows_its_texts` holds it against the guard."""

Slot = tuple[str | None, str | None]


@dataclass(slots=True)
class Row:
    id: str
    text: str
    origin: Origin
    key: str | None
    since: datetime
    expires_at: datetime | None
    day: date | None
    slot: Slot
    folds: bool
    seen: int = 1
    ended: bool = False

    @classmethod
    def of(cls, entry: MemoryEntry) -> Row:
        return cls(
            id=entry.id,
            text=entry.memory,
            origin=entry.origin,
            key=entry.key,
            since=entry.valid_from or entry.created_at,
            expires_at=entry.expires_at,
            day=entry.occurred_at.date() if entry.occurred_at else None,
            slot=slot_of(entry),
            folds=entry.category is Category.FACT,
            seen=entry.seen_count,
            ended=entry.superseded_by is not None,
        )

    @property
    def trust(self) -> int:
        return TRUST.index(self.origin)

    @property
    def subject(self) -> str:
        return CLAIMS[self.text][0]

    @property
    def claim(self) -> tuple[str, int]:
        return CLAIMS[self.text]

    def is_live(self, now: datetime) -> bool:
        return not self.ended and not self.is_expired(now)

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and self.expires_at <= now

    def may_meet(self, other: Row) -> bool:
        """Tells whether two rows are compared at all: facts, not under two keys, not of two days."""
        keys, days = {self.key, other.key} - {None}, {self.day, other.day} - {None}
        return self.id != other.id and self.folds and other.folds and len(keys) < 2 and len(days) < 2


@dataclass(frozen=True, slots=True)
class Foretold:
    """What a write must do: its outcome, and the ids of which one must have taken the new text in, or given way.

    None need have given way where one of those that were restated is trusted more (`may_stay`).
    """

    outcome: str
    one_of: frozenset[str] = frozenset()
    may_stay: bool = False


@dataclass(slots=True)
class Model:
    """Rows by id, in the order of recording, and the pairs that are contested."""

    rows: dict[str, Row] = field(default_factory=dict)
    pairs: set[frozenset[str]] = field(default_factory=set)

    def live(self, now: datetime) -> list[Row]:
        return [row for row in self.rows.values() if row.is_live(now)]

    def contested(self, now: datetime) -> set[frozenset[str]]:
        return {pair for pair in self.pairs if all(self.rows[id].is_live(now) for id in pair)}

    def rivals(self, new: Row, now: datetime) -> list[Row]:
        return [row for row in self.live(now) if new.key is not None and row.slot == new.slot and row.id != new.id]

    def remember(self, new: Row, now: datetime) -> Foretold:
        """Writes a row down, or lets another one take it in, and returns what must have happened."""
        against, near = self.rivals(new, now), [row for row in self.live(now) if row.may_meet(new)]
        restated = _closest([row for row in near if row.claim == new.claim], new)
        contradicted = [row for row in near if row.subject == new.subject and row.claim != new.claim]
        ids = frozenset(row.id for row in restated)
        if restated and (not against or restated[0] in against) and not self._meets_a_peer(restated[0], new, now):
            return Foretold("folded", ids)
        outcome = self._place(new, against, any_time=False)
        if new.ended:
            return Foretold(outcome)
        for row in contradicted:
            if row not in against and not row.ended:
                self.pairs.add(frozenset((row.id, new.id)))
                outcome = "contested"
        may_stay = any(row.trust > new.trust for row in restated)
        return Foretold(outcome, frozenset() if restated and restated[0] in against else ids, may_stay)

    def _meets_a_peer(self, known: Row, new: Row, now: datetime) -> bool:
        """A restatement that is trusted more does not lift an entry to the trust of another one under its key."""
        peers = [row for row in self.rivals(known, now) if row.trust == new.trust]
        return new.trust > known.trust and bool(peers)

    def take_in(self, id: str, new: Row) -> None:
        """Folds a row that was not written down into another; less trusted words are counted and not taken over."""
        row = self.rows[id]
        row.seen += 1
        if new.trust >= row.trust:
            row.text, row.origin = new.text, new.origin
            row.expires_at = max(row.expires_at, new.expires_at) if row.expires_at and new.expires_at else None
            row.since = min(row.since, new.since)
            row.key = row.key or new.key
            row.slot = (row.key, row.slot[1])

    def end(self, id: str) -> None:
        self.rows[id].ended = True
        self.pairs = {pair for pair in self.pairs if id not in pair}

    def update(self, old: str, new: Row, now: datetime) -> str:
        """Puts a row in the place of another one, and of what stands under its key beside that."""
        others = [row for row in self.rivals(new, now) if row.id != old]
        return self._place(new, [self.rows[old], *others], any_time=True)

    def remove_expired(self, now: datetime) -> int:
        gone = [id for id, row in self.rows.items() if row.is_expired(now)]
        for id in gone:
            self.end(id)
            del self.rows[id]
        return len(gone)

    def _place(self, new: Row, rivals: list[Row], *, any_time: bool) -> str:
        self.rows[new.id] = new
        if not rivals:
            return "added"
        if any(row.trust == new.trust and row.since > new.since for row in rivals) and not any_time:
            new.ended = True
            return "added"
        gone = [row for row in rivals if row.trust <= new.trust and (any_time or row.since <= new.since)]
        for row in gone:
            self.end(row.id)
        self.pairs |= {frozenset((row.id, new.id)) for row in rivals if row not in gone}
        return "replaced" if len(gone) == len(rivals) else "contested"


def slot_of(entry: MemoryEntry) -> Slot:
    """What shares a slot replaces each other: the key, and for scratch its session too."""
    return entry.key, entry.session if entry.category is Category.WORKING else None


def _closest(rows: list[Row], new: Row) -> list[Row]:
    """Those that say it in the same words if there are any, and of these those under a key if there are any."""
    found = [row for row in rows if _letters(row.text) == _letters(new.text)] or rows
    return [row for row in found if row.key is not None] or found


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))
