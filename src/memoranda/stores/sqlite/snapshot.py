"""What one transaction reads of a scope, and how it applies a plan."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import apsw

from memoranda.errors import EntryNotFound
from memoranda.protocols.store import Changes, EntryFilter, Plan, Whole
from memoranda.records.entry import MemoryEntry
from memoranda.records.receipt import Acknowledgement
from memoranda.records.revision import Revision
from memoranda.records.scope import Scope
from memoranda.stores.sqlite import codec
from memoranda.stores.sqlite.queries import queries

_END = 2**63 - 1


class ScopeRows:
    """The rows of one scope, read on one connection. Inside a transaction they do not change (a `Snapshot`)."""

    def __init__(self, connection: apsw.Connection, scope: Scope) -> None:
        self._connection = connection
        row = self._one("scope_state", path=scope.path)
        self._scope, self._version, self._removed_at = row or (None, 0, 0)

    def entry(self, id: str) -> MemoryEntry | None:
        """Returns the entry of that id, superseded or not."""
        row = self._one("entry", scope=self._scope, id=codec.to_blob(id))
        return codec.entry_of(row) if row else None

    def with_key(self, key: str) -> list[MemoryEntry]:
        """Returns the entries of that key that are not superseded, oldest first."""
        return [codec.entry_of(row) for row in self._rows("with_key", scope=self._scope, key=key)]

    def predecessors(self, id: str) -> list[MemoryEntry]:
        """Returns the entries whose place that one took, oldest first."""
        rows = self._rows("predecessors", scope=self._scope, id=codec.to_blob(id))
        return [codec.entry_of(row) for row in rows]

    def revisions(self, id: str) -> list[Revision]:
        """Returns the revisions of that entry, oldest first."""
        rows = self._rows("revisions", scope=self._scope, id=codec.to_blob(id))
        return [codec.revision_of(row) for row in rows]

    def whole(self) -> Whole:
        """Returns all that the scope holds."""
        revisions = [codec.revision_of(row) for row in self._rows("revisions_of_scope", scope=self._scope)]
        return Whole(entries=self.changes(0).entries, revisions=revisions)

    def acknowledged(self, key: str) -> Acknowledgement | None:
        """Returns what was answered to an idempotency key before."""
        row = self._one("acknowledgement", scope=self._scope, key=key)
        return codec.acknowledgement_of(row) if row else None

    def expired(self, now: datetime) -> list[MemoryEntry]:
        """Returns the entries whose `expires_at` has come by `now`."""
        rows = self._rows("expired", scope=self._scope, now=codec.to_micros(now))
        return [codec.entry_of(row) for row in rows]

    def live(self, now: datetime) -> int:
        """Returns how many entries are live at `now`."""
        row = self._one("count_live", scope=self._scope, now=codec.to_micros(now))
        return int(row[0]) if row else 0

    def page(self, matching: EntryFilter, limit: int, after: str | None, oldest_first: bool) -> list[MemoryEntry]:
        """Returns one page of a listing; see `EntryReader.page`."""
        start: int | None = 0 if oldest_first else _END
        if after is not None:
            row = self._one("place", scope=self._scope, id=codec.to_blob(after))
            if row is None:
                raise EntryNotFound(after, "a page starts after the last entry of the page before")
            start = row[0]
        name = ("oldest" if oldest_first else "newest") + ("_of_session" if matching.session is not None else "")
        found: list[MemoryEntry] = []
        if limit <= 0:
            return found
        for row in self._rows(name, scope=self._scope, session=matching.session, place=start):
            entry = codec.entry_of(row[1:])
            if matching.admits(entry):
                found.append(entry)
                if len(found) == limit:
                    break
        return found

    def changes(self, since: int) -> Changes:
        """Returns what changed after a version of the scope; see `EntryReader.changes`."""
        complete = since <= 0 or since < self._removed_at or since > self._version
        rows = self._rows("changed", scope=self._scope, since=0 if complete else since)
        return Changes(version=self._version, entries=[codec.entry_of(row) for row in rows], complete=complete)

    def _one(self, name: str, **values: Any) -> tuple[Any, ...] | None:
        return next(self._rows(name, **values), None)

    def _rows(self, name: str, **values: Any) -> Iterator[tuple[Any, ...]]:
        return self._connection.execute(queries()[name], values)


def apply(connection: apsw.Connection, scope: Scope, plan: Plan[object]) -> None:
    """Carries out a plan inside the running transaction."""
    if not (plan.changes_entries or plan.acknowledgements or plan.acknowledged_before):
        return
    statements = queries()

    def run(name: str, **values: Any) -> Any:
        return connection.execute(statements[name], {"scope": number, **values}).fetchall()

    number = connection.execute(statements["add_scope"], {"path": scope.path}).fetchall()[0][0]
    if plan.changes_entries:
        version = run("next_version", removes=bool(plan.removals))[0][0]
        for id in plan.removals:
            run("remove_entry", id=codec.to_blob(id))
            run("remove_revisions", id=codec.to_blob(id))
        for entry in plan.puts:
            run("put_entry", version=version, **codec.entry_values(entry))
        for revision in plan.revisions:
            run("put_revision", **codec.revision_values(revision))
        for id, revision_number in plan.forgotten_revisions:
            run("forget_revision", id=codec.to_blob(id), number=revision_number)
    for acknowledgement in plan.acknowledgements:
        run("put_acknowledgement", **codec.acknowledgement_values(acknowledgement))
    if plan.acknowledged_before is not None:
        run("forget_acknowledgements", before=codec.to_micros(plan.acknowledged_before))
