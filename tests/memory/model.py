"""A tiny model of a scope, written without the code that it checks: which texts are live, and what a write does."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from memoranda.records.entry import Category, Origin

TRUST = [Origin.WEB, Origin.TOOL, Origin.MODEL, Origin.IMPORT, Origin.USER, Origin.HOST]


@dataclass(slots=True)
class Row:
    id: str
    text: str
    origin: Origin
    key: str | None
    since: datetime
    expires_at: datetime | None
    slot: tuple[str | None, str | None]
    ended: bool = False

    @property
    def trust(self) -> int:
        return TRUST.index(self.origin)


@dataclass(slots=True)
class Model:
    """Rows by id, in the order of recording, and every text that was ever accepted and not removed."""

    rows: dict[str, Row] = field(default_factory=dict)

    def live(self, now: datetime) -> list[Row]:
        return [row for row in self.rows.values() if not row.ended and not _expired(row, now)]

    def rivals(self, new: Row, now: datetime) -> list[Row]:
        return [row for row in self.live(now) if new.key is not None and row.slot == new.slot]

    def remember(self, new: Row, now: datetime) -> str:
        """Writes a row down and returns the outcome that its receipt must have."""
        return self._place(new, self.rivals(new, now), any_time=False)

    def update(self, old: str, new: Row, now: datetime) -> str:
        """Puts a row in the place of another one, and of what stands under its key beside that."""
        others = [row for row in self.rivals(new, now) if row.id != old]
        return self._place(new, [self.rows[old], *others], any_time=True)

    def retract(self, id: str) -> None:
        self.rows[id].ended = True

    def remove_expired(self, now: datetime) -> int:
        gone = [id for id, row in self.rows.items() if _expired(row, now)]
        for id in gone:
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
            row.ended = True
        return "replaced" if len(gone) == len(rivals) else "contested"


def slot_of(category: Category, key: str | None, session: str | None) -> tuple[str | None, str | None]:
    """What shares a slot replaces each other: the key, and for scratch its session too."""
    return key, session if category is Category.WORKING else None


def _expired(row: Row, now: datetime) -> bool:
    return row.expires_at is not None and row.expires_at <= now
