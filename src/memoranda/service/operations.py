"""Operations on files: importing them, and the care before a dump takes the place of one.

An import of what is stored already adds nothing. Idempotency keys alone would promise that for seven days only
(`Settings.idempotency_days`), so each record is looked up first: it is known when the scope holds an imported entry,
live or not, with the same source, text, speaker, session, position, key and time. The line number in a source does not
count, so that a file of notes may be edited and imported again; a record that stands in a file twice is known when it
is stored twice. Retracted and replaced entries count too: an import does not bring back what was taken back.
Idempotency keys are given as well, since two imports at the same moment would both find nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from memoranda.errors import InvalidEntry, InvalidInput
from memoranda.memory.masking import Masking
from memoranda.memory.transfer import HEADER
from memoranda.records.entry import Category, JsonValue, MemoryEntry, Origin
from memoranda.records.new_entry import NewEntry
from memoranda.records.receipt import WriteReceipt
from memoranda.runtime.sync import Scope
from memoranda.service.importing.detect import detect, parse
from memoranda.service.importing.item import ImportItem, Skipped, file_name
from memoranda.service.importing.reading import read_text

BATCH = 500
"""Records of one commit. Large enough that syncing costs little, small enough that other writers wait shortly."""
PAGE = 1_000
"""Entries that are read at once while looking for what is stored already."""

Progress = Callable[[int, int], None]
"""Told the number of records done and of all records of the file."""

_Identity = tuple[str | int | datetime | None, ...]
_LINE = re.compile(r"#L\d+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What the import of one file did.

    Attributes:
        file: the file's path as it was given.
        format: the format that it was read in.
        outcomes: how many records were added, replaced what their key held, or were contested, by outcome.
        unchanged: records that were stored already.
        redacted: kinds of secrets that were masked, with the number of records.
        skipped: the parts that were left out, with place and reason.
    """

    file: str
    format: str
    outcomes: Mapping[str, int]
    unchanged: int
    redacted: Mapping[str, int]
    skipped: tuple[Skipped, ...]

    @property
    def imported(self) -> int:
        """How many records are new."""
        return sum(self.outcomes.values())

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object."""
        return {
            "file": file_name(self.file),
            "format": self.format,
            "imported": self.imported,
            "outcomes": dict(self.outcomes),
            "unchanged": self.unchanged,
            "redacted": dict(self.redacted),
            "skipped": [{"where": one.where, "reason": one.reason} for one in self.skipped],
        }


@dataclass(frozen=True, slots=True)
class _New:
    """A record that is not stored yet, and the place to name if it cannot be."""

    entry: NewEntry
    where: str


class Importer:
    """Imports files into one scope. What the scope holds is read once, before the first file.

    Args:
        scope: where to.
        format: one of `importing.detect.FORMATS`; told from each file when None.
        category: given to every record instead of its own.
    """

    def __init__(self, scope: Scope, *, format: str | None = None, category: Category | str | None = None) -> None:
        self._scope = scope
        self._format = format
        self._category = category
        self._known: Counter[_Identity] | None = None

    def run(self, path: Path, progress: Progress | None = None) -> ImportReport:
        """Imports one file and says what became of each of its records.

        A record that the store refuses is skipped and reported; all others are kept. Records are remembered in
        batches, so an import that is broken off keeps what it has done and goes on when it is run again.

        Raises:
            ImportFormatError: the file is no text, or its format cannot be told.
            OSError: it cannot be read.
            StoreError: the store cannot be used.
        """
        data = read_text(path)
        format = self._format or detect(path.name, data)
        parts = list(parse(data, path.name, format))
        fresh, unchanged = self._fresh([part for part in parts if isinstance(part, ImportItem)])
        skipped = [part for part in parts if isinstance(part, Skipped)]
        receipts: list[WriteReceipt] = []
        for start in range(0, len(fresh), BATCH):
            receipts += self._keep(fresh[start : start + BATCH], skipped)
            if progress is not None:
                progress(min(start + BATCH, len(fresh)), len(fresh))
        carried_out = [receipt for receipt in receipts if not receipt.repeated]
        return ImportReport(
            file=str(path),
            format=format,
            outcomes=Counter(receipt.outcome.value for receipt in carried_out),
            unchanged=unchanged + len(receipts) - len(carried_out),
            redacted=Counter(kind for receipt in carried_out for kind in receipt.redacted),
            skipped=tuple(skipped),
        )

    def _fresh(self, items: Sequence[ImportItem]) -> tuple[list[_New], int]:
        """Returns the records that are not stored yet, and how many are."""
        if self._known is None:
            self._known = Counter(_of_entry(entry) for entry in _imported(self._scope))
        seen: Counter[_Identity] = Counter()
        fresh: list[_New] = []
        for item in items:
            entry = self._entry(item)
            identity = _identity(entry, entry.text)
            seen[identity] += 1
            if seen[identity] > self._known[identity]:
                named = replace(entry, idempotency_key=_name(entry, seen[identity]))
                fresh.append(_New(named, item.source or "a record without a source"))
        self._known |= seen
        return fresh, len(items) - len(fresh)

    def _entry(self, item: ImportItem) -> NewEntry:
        return NewEntry(
            item.memory,
            category=self._category or item.category,
            tags=item.tags,
            key=item.key,
            origin=Origin.IMPORT,
            source=item.source,
            speaker=item.speaker,
            session=item.session,
            position=item.position,
            occurred_at=item.occurred_at,
            metadata=item.metadata,
        )

    def _keep(self, batch: Sequence[_New], skipped: list[Skipped]) -> list[WriteReceipt]:
        try:
            return self._scope.remember_many([new.entry for new in batch])
        except InvalidEntry as error:
            if len(batch) == 1:
                skipped.append(Skipped(batch[0].where, str(error)))
                return []
        # Nothing of the batch was kept: find the records that are to blame, and keep the others.
        middle = len(batch) // 2
        return self._keep(batch[:middle], skipped) + self._keep(batch[middle:], skipped)


def import_file(
    scope: Scope,
    path: Path,
    *,
    format: str | None = None,
    category: Category | str | None = None,
    progress: Progress | None = None,
) -> ImportReport:
    """Imports one file into a scope; see `Importer`."""
    return Importer(scope, format=format, category=category).run(path, progress)


def check_replaceable(path: Path) -> None:
    """Refuses to let a dump take the place of a file that is no dump, such as the store itself.

    Raises:
        InvalidInput: there is such a file.
        OSError: what is there cannot be read.
    """
    if not path.exists():
        return
    with path.open("rb") as file:
        start = file.readline(len(HEADER) + 2)
    if start and start.strip() != HEADER.encode():
        raise InvalidInput(f"{path} is there already and is no dump; name another file, or replace it with --force")


def _imported(scope: Scope) -> Iterable[MemoryEntry]:
    after: str | None = None
    while page := scope.list(limit=PAGE, after=after, superseded=True):
        yield from (entry for entry in page if entry.origin is Origin.IMPORT)
        after = page[-1].id


def _of_entry(entry: MemoryEntry) -> _Identity:
    return _identity(entry, entry.memory)


def _identity(entry: NewEntry | MemoryEntry, text: str) -> _Identity:
    """What makes a record the same one. Secrets are masked on both sides: what is stored shows none."""
    masking = Masking(True)
    source = _LINE.sub("", masking.text(entry.source) or "")
    return (source, masking.text(text), entry.speaker, entry.session, entry.position, entry.key, entry.occurred_at)


def _name(entry: NewEntry, occurrence: int) -> str:
    """Names the request by a hash of what it asks for, without its secrets."""
    masking = Masking(True)
    masked = replace(
        entry,
        text=masking.text(entry.text),
        source=masking.text(entry.source),
        metadata=masking.values(entry.metadata or {}),
    )
    return "import " + hashlib.sha256(f"{masked.fingerprint()} {occurrence}".encode()).hexdigest()
