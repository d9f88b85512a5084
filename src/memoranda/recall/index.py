"""What recall knows of one scope: its entries, and in which of them each term stands."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator

from memoranda.protocols.store import Changes
from memoranda.records.entry import MemoryEntry
from memoranda.text.words import analyse


class ScopeIndex:
    """The words of one scope's entries, superseded ones included, with the scope's own statistics (design D6).

    It is built from rows, brought up to date by `apply`, and may be dropped at will. It only grows: a text
    that changed gets a new slot and its old slot is emptied, so a reader needs no lock while another thread applies.

    Attributes:
        version: the version of the scope that it stands at; 0 when nothing was applied yet.
    """

    def __init__(self) -> None:
        self.version = 0
        self._entries: list[MemoryEntry | None] = []
        self._lengths: array[int] = array("I")
        self._slots: dict[str, int] = {}
        self._postings: dict[str, array[int]] = {}
        self._total = 0

    def __len__(self) -> int:
        return len(self._slots)

    @property
    def mean_length(self) -> float:
        """Mean number of terms of an entry; 1.0 for an empty index."""
        return self._total / len(self._slots) if self._slots and self._total else 1.0

    def apply(self, changes: Changes) -> ScopeIndex:
        """Takes in what changed and returns the index that stands at `changes.version`: itself, or one built anew."""
        stale = len(self._entries) > 2 * len(self._slots) + 1000
        if changes.complete and self.version:
            return ScopeIndex().apply(changes)
        for entry in changes.entries:
            self._put(entry)
        self.version = changes.version
        return self._rebuilt() if stale else self

    def entries(self) -> Iterator[MemoryEntry]:
        """Returns the entries, in the order in which their present texts were recorded."""
        return (entry for entry in self._entries if entry is not None)

    def entry(self, slot: int) -> MemoryEntry | None:
        """Returns the entry of a slot; None when its text moved on to another one."""
        return self._entries[slot]

    def length(self, slot: int) -> int:
        """Returns how many terms the entry of a slot has."""
        return self._lengths[slot]

    def postings(self, term: str) -> array[int]:
        """Returns where a term stands: slot and count, by turns."""
        return self._postings.get(term, _NOWHERE)

    def _put(self, entry: MemoryEntry) -> None:
        slot = self._slots.get(entry.id)
        known = self._entries[slot] if slot is not None else None
        if slot is not None and known is not None:
            if _searchable(known) == _searchable(entry):
                self._entries[slot] = entry
                return
            self._entries[slot] = None
            self._total -= self._lengths[slot]
        self._append(entry)

    def _append(self, entry: MemoryEntry) -> None:
        slot = len(self._entries)
        counts = Counter(term for text in _searchable(entry) for term in analyse(text))
        length = counts.total()
        self._lengths.append(length)
        self._entries.append(entry)
        self._total += length
        self._slots[entry.id] = slot
        for term, count in counts.items():
            self._postings.setdefault(term, array("I")).extend((slot, count))

    def _rebuilt(self) -> ScopeIndex:
        fresh = ScopeIndex()
        return fresh.apply(Changes(version=self.version, entries=list(self.entries()), complete=True))


_NOWHERE: array[int] = array("I")


def _searchable(entry: MemoryEntry) -> tuple[str, ...]:
    """The texts of an entry that words are looked for in."""
    return (entry.memory, *entry.tags, *filter(None, (entry.key, entry.speaker)))
