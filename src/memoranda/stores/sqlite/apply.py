"""How one transaction applies a plan to a scope."""

from __future__ import annotations

from typing import Any

import apsw

from memoranda.protocols.plan import Plan
from memoranda.records.document import Document, DocumentKey
from memoranda.records.scope import Scope
from memoranda.stores.sqlite import codec, snapshot
from memoranda.stores.sqlite.queries import queries


def apply(connection: apsw.Connection, scope: Scope, plan: Plan[object]) -> None:
    """Carries out a plan inside the running transaction."""
    if plan.changes_entries or plan.changes_documents or plan.acknowledgements or plan.acknowledged_before:
        writing = _Writing(connection, scope)
        if plan.changes_entries:
            writing.entries(plan)
        if plan.changes_documents:
            writing.documents(plan)
        writing.acknowledgements(plan)


class _Writing:
    """Carries out the parts of a plan on one scope, which is made known by it."""

    def __init__(self, connection: apsw.Connection, scope: Scope) -> None:
        self._connection = connection
        self._statements = queries()
        self._scope: Any = self._run("add_scope", path=scope.path)[0][0]

    def entries(self, plan: Plan[object]) -> None:
        """Removes, puts, and moves the scope's version on, so that readers see it."""
        version = self._of_scope("next_version", removes=plan.removes)[0][0]
        self._erase(plan)
        for id in plan.removals:
            self._of_scope("remove_entry", id=codec.to_blob(id))
            self._of_scope("remove_revisions", id=codec.to_blob(id))
        self._bury(plan, version)
        for entry in plan.puts:
            self._of_scope("put_entry", version=version, **codec.entry_values(entry))
        for revision in plan.revisions:
            self._of_scope("put_revision", **codec.revision_values(revision))
        for id, number in plan.forgotten_revisions:
            self._of_scope("forget_revision", id=codec.to_blob(id), number=number)
        for kept in plan.vectors:
            embedder = self._run("add_embedder", embedder=kept.embedder)[0][0]
            values = {"scale": kept.vector.scale, "numbers": kept.vector.values}
            self._of_scope("put_vector", id=codec.to_blob(kept.id), embedder=embedder, **values)
            self._of_scope("touch_entry", id=codec.to_blob(kept.id), version=version)

    def _bury(self, plan: Plan[object], version: int) -> None:
        """Removes entries and keeps a note of each, the newest `snapshot.MAX_TOMBSTONES` of the scope."""
        for note in plan.tombstones:
            id = codec.to_blob(note.id)
            self._of_scope("remove_entry", id=id)
            self._of_scope("remove_revisions", id=id)
            self._of_scope("put_tombstone", version=version, id=id, at=codec.to_micros(note.at), because=note.because)
        forgotten = self._of_scope("forget_tombstones", most=snapshot.MAX_TOMBSTONES) if plan.tombstones else []
        if forgotten:
            self._of_scope("forgotten_until", version=max(row[0] for row in forgotten))

    def _erase(self, plan: Plan[object]) -> None:
        """Takes away what goes for good and notes that the proof of it is owed."""
        if not (plan.clears or plan.erasures):
            return
        ids = codec.to_hex_list(plan.erasures)
        for kind in ("vectors", "entries", "revisions", "acknowledgements", "tombstones") if plan.clears else ():
            self._of_scope(f"clear_{kind}")
        for kind in () if plan.clears else ("entries", "revisions", "acknowledgements"):
            self._of_scope(f"erase_{kind}", ids=ids)
        self._of_scope("owe", ids=ids)

    def documents(self, plan: Plan[object]) -> None:
        """Erases, drops and puts documents; readers of entries are told nothing of it."""
        if plan.clears:
            self._of_scope("owe_all_documents")
            self._of_scope("clear_documents")
        elif plan.erasures:
            ids = codec.to_hex_list(plan.erasures)
            self._of_scope("owe_documents", ids=ids)
            self._of_scope("erase_documents", ids=ids)
        for key in plan.erased_documents:
            self._drop(key, owing=True)
        for key in plan.dropped:
            self._drop(key, owing=False)
        for document in plan.documents:
            self._put_document(document)

    def _drop(self, key: DocumentKey, *, owing: bool) -> None:
        values = codec.document_key_values(key)
        if owing:
            self._of_scope("owe_document", **values)
        self._of_scope("drop_document", **values)

    def _put_document(self, document: Document) -> None:
        values = {"at": codec.to_micros(document.at), "body": document.body}
        place = self._of_scope("put_document", **codec.document_key_values(document.key), **values)[0][0]
        self._of_scope("forget_document_entries", document=place)
        if document.entries:
            self._of_scope("put_document_entries", document=place, ids=codec.to_hex_list(document.entries))

    def acknowledgements(self, plan: Plan[object]) -> None:
        """Remembers the idempotency keys that are answered, and forgets old ones."""
        for acknowledgement in plan.acknowledgements:
            self._of_scope("put_acknowledgement", **codec.acknowledgement_values(acknowledgement))
        if plan.acknowledged_before is not None:
            self._of_scope("forget_acknowledgements", before=codec.to_micros(plan.acknowledged_before))

    def _of_scope(self, statement: str, /, **values: Any) -> list[Any]:
        return self._run(statement, scope=self._scope, **values)

    def _run(self, statement: str, /, **values: Any) -> list[Any]:
        return self._connection.execute(self._statements[statement], values).fetchall()
