"""What recall knows of one scope: its entries, the words they hold, their vectors, and who stands next to whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from memoranda.protocols.store import Changes
from memoranda.recall.columns import Column
from memoranda.recall.segment import Segment, grown
from memoranda.recall.view import NEVER, NOBODY, View, micros
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.quantized import QuantizedVector
from memoranda.text.question import is_question
from memoranda.text.words import Analyser

ROLES = frozenset(("user", "assistant", "system", "developer", "tool", "human", "ai", "model"))
"""Speakers that are parts in a conversation, not names that a query could ask about."""
Name = TypeVar("Name", int, str)
_CODES = {category: code for code, category in enumerate(Category)}


class ScopeIndex:
    """The index of one scope, superseded entries included, with the scope's own statistics (design D6).

    It is built from rows, brought up to date by `apply`, and may be dropped at will. A text that changed gets a
    new slot and its old slot is emptied. A `view` stays as it is while others apply what came later.

    Args:
        analyser: what turns texts into terms.
        dimensions: numbers in a vector; None without an embedder.

    Attributes:
        version: the version of the scope that it stands at; 0 when nothing was applied yet.
    """

    def __init__(self, analyser: Analyser, dimensions: int | None = None) -> None:
        self.version = 0
        self._analyser = analyser
        self._dimensions = dimensions
        self._entries: list[MemoryEntry | None] = []
        self._slots: dict[str, int] = {}
        self._segments: tuple[Segment, ...] = ()
        self._columns = _Columns(dimensions)
        self._session_length = Column(np.float32)
        self._last_of_session: list[int] = []
        self._sessions: dict[str, int] = {}
        self._speakers: dict[str, int] = {}
        self._tagged: dict[str, list[int]] = {}
        self._speaker_terms: dict[int, frozenset[str]] = {}
        self._tag_terms: dict[str, frozenset[str]] = {}
        self._view: View | None = None

    def __len__(self) -> int:
        return len(self._slots)

    def apply(self, changes: Changes) -> ScopeIndex:
        """Takes in what changed and returns the index that stands at `changes.version`: itself, or one built anew."""
        if changes.complete and self.version:
            return ScopeIndex(self._analyser, self._dimensions).apply(changes)
        self._view = None
        self._entries = list(self._entries)
        self._columns.detach()
        self._session_length.detach()
        for id in changes.removed:
            self._remove(id)
        fresh = [entry for entry in changes.entries if not self._is_known(entry)]
        if fresh:
            self._append(fresh)
        for id, vector in changes.vectors.items():
            self._put_vector(id, vector)
        self.version = changes.version
        wasted = len(self._entries) > 2 * len(self._slots) + 1000
        return self._rebuilt() if wasted else self

    def view(self) -> View:
        """Returns the index as it stands; what is applied later does not change it."""
        if self._view is None:
            self._view = self._seen()
        return self._view

    def _seen(self) -> View:
        return View(
            entries=self._entries,
            version=self.version,
            count=len(self._slots),
            segments=self._segments,
            session_length=self._session_length.view(),
            slots=self._slots,
            sessions=self._sessions,
            speakers=self._speakers,
            tagged=self._tagged,
            speaker_terms=self._speaker_terms,
            tag_terms=self._tag_terms,
            **self._columns.views(),
        )

    def _is_known(self, entry: MemoryEntry) -> bool:
        """Takes in an entry that keeps its slot; False when it needs a new one."""
        slot = self._slots.get(entry.id)
        known = self._entries[slot] if slot is not None else None
        if slot is None or known is None:
            return False
        if _place(known) != _place(entry):
            return False
        self._entries[slot] = entry
        self._columns.put_state(slot, entry)
        return True

    def _append(self, entries: Sequence[MemoryEntry]) -> None:
        """Gives each entry a slot at the end."""
        first = len(self._entries)
        lengths: list[int] = []
        self._segments = grown(self._segments, Segment.build(first, self._counted(entries, lengths)))
        sessions = [self._session_code(entry.session) for entry in entries]
        speakers = [self._code(self._speakers, entry.speaker) for entry in entries]
        self._columns.extend(entries, lengths, sessions, speakers)
        self._entries += entries
        for slot, (entry, session, speaker) in enumerate(zip(entries, sessions, speakers, strict=True), first):
            old = self._slots.get(entry.id)
            self._slots[entry.id] = slot
            if session != NOBODY:
                self._session_length.add(session, lengths[slot - first])
                self._join(slot, session, old)
            if old is not None:
                self._empty(old)
            if speaker != NOBODY and entry.speaker not in ROLES:
                self._name(self._speaker_terms, speaker, entry.speaker)
            for tag in entry.tags:
                self._tagged.setdefault(tag, []).append(slot)
                self._name(self._tag_terms, tag, tag)

    def _counted(self, entries: Sequence[MemoryEntry], lengths: list[int]) -> Iterator[Counter[str]]:
        """Analyses the entries one by one, and notes how many terms each has."""
        for entry in entries:
            counted = Counter(chain.from_iterable(map(self._analyser.terms, searchable(entry))))
            lengths.append(counted.total())
            yield counted

    def _join(self, slot: int, session: int, old: int | None) -> None:
        """Puts a slot behind the last one of its session, or where its entry stood in it before."""
        columns = self._columns
        if old is not None and columns.session.get(old) == session:
            before, after = int(columns.previous.get(old)), int(columns.following.get(old))
            columns.previous.put(old, NOBODY)
            columns.following.put(old, NOBODY)
        else:
            before, after = self._last_of_session[session], NOBODY
        self._link(before, slot)
        self._link(slot, after)
        if after == NOBODY:
            self._last_of_session[session] = slot

    def _link(self, before: int, after: int) -> None:
        """Makes two slots neighbours; `NOBODY` may stand for one of them."""
        if before != NOBODY:
            self._columns.following.put(before, after)
        if after != NOBODY:
            self._columns.previous.put(after, before)

    def _empty(self, slot: int) -> None:
        """Takes what moved to another slot out of this one."""
        columns = self._columns
        session = int(columns.session.get(slot))
        before, after = int(columns.previous.get(slot)), int(columns.following.get(slot))
        if session != NOBODY:
            self._session_length.add(session, -float(columns.length.get(slot)))
            if self._last_of_session[session] == slot:
                self._last_of_session[session] = before
            self._link(before, after)
        self._entries[slot] = None
        columns.clear(slot)

    def _remove(self, id: str) -> None:
        slot = self._slots.pop(id, None)
        if slot is not None:
            self._empty(slot)

    def _put_vector(self, id: str, vector: QuantizedVector) -> None:
        slot = self._slots.get(id)
        if slot is not None and self._columns.vectors is not None and len(vector.values) == self._dimensions:
            self._columns.vectors.put(slot, np.frombuffer(vector.values, dtype=np.int8))
            self._columns.scales.put(slot, vector.scale)

    def _session_code(self, session: str | None) -> int:
        code = self._code(self._sessions, session)
        if code == len(self._last_of_session):
            self._last_of_session.append(NOBODY)
            self._session_length.append(0.0)
        return code

    def _name(self, names: dict[Name, frozenset[str]], key: Name, text: str | None) -> None:
        if key not in names and (terms := frozenset(self._analyser.terms(text or ""))):
            names[key] = terms

    @staticmethod
    def _code(codes: dict[str, int], name: str | None) -> int:
        return NOBODY if name is None else codes.setdefault(name, len(codes))

    def _rebuilt(self) -> ScopeIndex:
        """Returns the same index without the slots that were emptied."""
        columns, vectors = self._columns, {}
        for id, slot in self._slots.items():
            if columns.vectors is not None and columns.scales.get(slot) > 0:
                values = columns.vectors.get(slot).tobytes()
                vectors[id] = QuantizedVector(values=values, scale=float(columns.scales.get(slot)))
        fresh = ScopeIndex(self._analyser, self._dimensions)
        entries = list(self._in_order())
        return fresh.apply(Changes(version=self.version, entries=entries, complete=True, vectors=vectors))

    def _in_order(self) -> Iterator[MemoryEntry]:
        """Returns the entries such that those of a session follow one another as they stand in it."""
        following, previous = self._columns.following.view(), self._columns.previous.view()
        for first, entry in enumerate(self._entries):
            if entry is None or previous[first] != NOBODY:
                continue
            slot = first
            while slot != NOBODY:
                found = self._entries[slot]
                if found is not None:
                    yield found
                slot = int(following[slot])


class _Columns:
    """The columns of an index."""

    def __init__(self, dimensions: int | None) -> None:
        self.length, self.asks, self.live = Column(np.float32), Column(np.bool_), Column(np.bool_)
        self.category, self.confidence = Column(np.int8), Column(np.float32)
        self.session, self.speaker = Column(np.int32), Column(np.int32)
        self.previous, self.following = Column(np.int32), Column(np.int32)
        self.seen, self.occurred = Column(np.int64), Column(np.int64)
        self.begins, self.ends, self.expires = Column(np.int64), Column(np.int64), Column(np.int64)
        self.vectors = Column(np.int8, dimensions) if dimensions else None
        self.scales = Column(np.float32)

    def extend(
        self, entries: Sequence[MemoryEntry], lengths: Sequence[int], sessions: Sequence[int], speakers: Sequence[int]
    ) -> None:
        """Adds a slot for each entry; neighbours are joined later."""
        nobody = [NOBODY] * len(entries)
        states = [_state(entry) for entry in entries]
        given: dict[str, Sequence[object]] = {
            "length": lengths,
            "asks": [is_question(entry.memory) for entry in entries],
            "session": sessions,
            "speaker": speakers,
            "previous": nobody,
            "following": nobody,
            "scales": [0.0] * len(entries),
            "vectors": nobody,
            **{name: [state[place] for state in states] for place, name in enumerate(_STATE)},
        }
        for name, column in vars(self).items():
            if column is not None:
                column.extend(given[name])

    def put_state(self, slot: int, entry: MemoryEntry) -> None:
        """Writes what an entry may change without changing its words."""
        for name, value in zip(_STATE, _state(entry), strict=True):
            getattr(self, name).put(slot, value)

    def clear(self, slot: int) -> None:
        """Makes a slot that is never shown, and that counts in nothing."""
        for column in (self.live, self.length, self.asks, self.scales):
            column.put(slot, 0)
        for column in (self.session, self.speaker, self.previous, self.following):
            column.put(slot, NOBODY)
        self.begins.put(slot, NEVER)

    def detach(self) -> None:
        """Lets views keep what they show. A vector is written as a whole, so theirs may change."""
        for column in self._all():
            if column is not self.vectors:
                column.detach()

    def views(self) -> dict[str, Any]:
        return {name: None if column is None else column.view() for name, column in vars(self).items()}

    def _all(self) -> list[Column]:
        return [column for column in vars(self).values() if column is not None]


_STATE = ("live", "category", "confidence", "seen", "occurred", "begins", "ends", "expires")


def _state(entry: MemoryEntry) -> tuple[object, ...]:
    """The values of the columns of `_STATE`."""
    return (
        entry.superseded_by is None,
        _CODES[entry.category],
        min(1.0, max(0.0, entry.confidence)),
        micros(entry.last_seen or entry.created_at),
        micros(entry.occurred_at),
        micros(entry.valid_from or entry.created_at),
        micros(entry.valid_to),
        micros(entry.expires_at),
    )


def searchable(entry: MemoryEntry) -> tuple[str, ...]:
    """Returns the texts of an entry that words are looked for in."""
    return (entry.memory, *entry.tags, *filter(None, (entry.key, entry.speaker)))


def _place(entry: MemoryEntry) -> tuple[object, ...]:
    """What decides on an entry's slot: when any of it changes, the entry moves to a new one."""
    return (entry.memory, entry.tags, entry.key, entry.speaker, entry.session)
