"""The index of a scope as it stands at one moment: what a ranking reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memoranda.recall.columns import Flags, Floats, Slots
from memoranda.recall.segment import Segment
from memoranda.records.entry import MemoryEntry

NOBODY = -1
"""Code of no session, no speaker, no neighbour."""
NEVER = np.iinfo(np.int64).max
"""A moment that does not come."""


@dataclass(frozen=True)
class View:
    """An index as it stands at one moment; every array has one value for each slot.

    Attributes:
        entries: the entry of each slot; None where its text moved on to another slot.
        version: the version of the scope that it stands at.
        count: how many slots hold an entry.
        segments: where the terms stand.
        length: how many terms.
        asks: whether the text is a question.
        live: whether it is neither superseded nor retracted.
        category: its category's code.
        session, speaker: codes, `NOBODY` for none.
        previous, following: the neighbour in the same session, `NOBODY` for none.
        confidence: 0 to 1.
        seen, occurred, begins, ends, expires: microseconds since 1970; `NEVER` where there is no such time.
        vectors: a row of whole numbers from -127 to 127 for each slot; None without an embedder.
        scales: what a row must be multiplied by to have the length 1; 0 where there is no vector yet.
        session_length: how many terms each session has, by code.
        slots: the slot of each entry, by id.
        sessions, speakers: the codes of the names.
        tagged: the slots of each tag.
        speaker_terms, tag_terms: the terms of the names; roles such as `assistant` name nobody.
    """

    entries: Sequence[MemoryEntry | None]
    version: int
    count: int
    segments: tuple[Segment, ...]
    length: Floats
    asks: Flags
    live: Flags
    category: NDArray[np.int8]
    session: NDArray[np.int32]
    speaker: NDArray[np.int32]
    previous: NDArray[np.int32]
    following: NDArray[np.int32]
    confidence: Floats
    seen: NDArray[np.int64]
    occurred: NDArray[np.int64]
    begins: NDArray[np.int64]
    ends: NDArray[np.int64]
    expires: NDArray[np.int64]
    vectors: NDArray[np.int8] | None
    scales: Floats
    session_length: Floats
    slots: Mapping[str, int]
    sessions: Mapping[str, int]
    speakers: Mapping[str, int]
    tagged: Mapping[str, Sequence[int]]
    speaker_terms: Mapping[int, frozenset[str]]
    tag_terms: Mapping[str, frozenset[str]]

    def __len__(self) -> int:
        return len(self.length)

    @cached_property
    def passage_length(self) -> Floats:
        """How many terms each entry and its neighbours in the session have together."""
        padded = np.append(self.length, np.float32(0))  # NOBODY is -1 and reads the 0 at the end
        total: Floats = self.length + padded[self.previous] + padded[self.following]
        return total

    @cached_property
    def has_holes(self) -> bool:
        """Whether any slot was emptied."""
        return self.count < len(self)

    @cached_property
    def has_neighbours(self) -> bool:
        """Whether any entry stands beside another one in a session."""
        return bool((self.previous != NOBODY).any())

    @cached_property
    def in_session(self) -> Flags:
        """Which entries belong to a session."""
        found: Flags = self.session != NOBODY
        return found

    @cached_property
    def wordiness(self) -> Floats:
        """How much longer each entry of a session is than its speaker's usual one, as a difference of logarithms."""
        return self._against_speaker(np.log1p(self.length))

    @cached_property
    def asking(self) -> Floats:
        """How much more each entry of a session is a question than its speaker's usual one."""
        return self._against_speaker(self.asks.astype(np.float32))

    @cached_property
    def by_user(self) -> Floats:
        """1 for what the user said to an assistant, 0 for anything else and where no assistant answers."""
        user, assistant = self.speakers.get("user"), self.speakers.get("assistant")
        if user is None or assistant is None or not (self.speaker == assistant).any():
            return np.zeros(len(self), np.float32)
        found: Floats = (self.speaker == user).astype(np.float32)
        return found

    def per_entry(self, of_session: Floats) -> Floats:
        """Returns the value of each entry's session, 0 for an entry without one."""
        values: Floats = np.append(of_session, np.float32(0))[self.session].astype(np.float32)
        return values

    def _against_speaker(self, values: Floats) -> Floats:
        """Returns values less the mean of their speaker's, 0 outside of sessions."""
        codes = self.speaker + 1
        counts = np.bincount(codes, weights=self.in_session)
        sums = np.bincount(codes, weights=values * self.in_session)
        mean = sums / np.maximum(counts, 1)
        return np.where(self.in_session, values - mean[codes], 0).astype(np.float32)

    def speakers_named(self, terms: frozenset[str]) -> list[int]:
        """Returns the codes of the speakers whose whole name is among the terms and who said something here."""
        named = [code for code, name in list(self.speaker_terms.items()) if name <= terms]
        return [code for code in named if (self.speaker == code).any()]

    def tags_named(self, terms: frozenset[str]) -> list[str]:
        """Returns the tags whose whole name is among the terms."""
        return [tag for tag, name in list(self.tag_terms.items()) if name <= terms]

    def slots_tagged(self, tag: str) -> Slots:
        """Returns the slots that have a tag."""
        return np.array([slot for slot in self.tagged.get(tag, ()) if slot < len(self)], dtype=np.intp)


def micros(moment: datetime | None) -> int:
    """Returns a moment as whole microseconds since 1970, `NEVER` for none."""
    if moment is None:
        return int(NEVER)
    since = moment - _START
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


_START = datetime(1970, 1, 1, tzinfo=UTC)
