"""The documents of one scope in memory, by key, in the order in which they were first put."""

from __future__ import annotations

from collections.abc import Sequence

from memoranda.protocols.plan import Plan
from memoranda.records.document import Document, DocumentKey, DocumentKind


class Documents:
    """What a scope keeps beside its entries. Documents are frozen through and through, so nothing is copied."""

    def __init__(self) -> None:
        self._kept: dict[DocumentKey, Document] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: DocumentKey) -> Document | None:
        """Returns the document of that key."""
        return self._kept.get(key)

    def of_kind(self, kind: DocumentKind, session: str | None) -> list[Document]:
        """Returns the documents of a kind, of all sessions for None."""
        keys = (key for key in self._kept if key.kind == kind and (session is None or key.session == session))
        return [self._kept[key] for key in keys]

    def all(self) -> list[Document]:
        """Returns every document, those of one kind together."""
        return sorted(self._kept.values(), key=lambda document: document.key.kind)

    def naming(self, ids: Sequence[str]) -> list[Document]:
        """Returns the documents that name one of those entries."""
        wanted = frozenset(ids)
        return [document for document in self._kept.values() if not wanted.isdisjoint(document.entries)]

    def apply(self, plan: Plan[object]) -> None:
        """Erases, drops and puts what a plan says."""
        if plan.clears:
            self._kept.clear()
        named = [document.key for document in self.naming(plan.erasures)] if plan.erasures else []
        for key in (*named, *plan.erased_documents, *plan.dropped):
            self._kept.pop(key, None)
        self._kept |= {document.key: document for document in plan.documents}
