"""What a scope keeps beside its entries: core blocks, working graphs, archived spans; each a text under a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import cast

from memoranda.errors import InvalidEntry, InvalidInput
from memoranda.records.check import MAX_NAME, check_name, check_unicode, is_id
from memoranda.records.entry import JsonValue, as_utc

MAX_BODY = 64 * 2**20
"""Longest body of a document, in characters. What is larger belongs into a file."""
MAX_SESSION = 3 * 6 * MAX_NAME + 10
"""Longest session of a document's key: a `SessionKey.path` of three names, each character escaped as JSON does it."""


class DocumentKind(StrEnum):
    """What a document is."""

    BLOCK = "block"
    """A core block, by its label."""
    BLOCK_REVISION = "block_revision"
    """What a core block was before a change."""
    GRAPH = "graph"
    """The working graph of a session."""
    SPAN = "span"
    """What compaction took from a request, by its handle."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class DocumentKey:
    """Where a document stands within a scope.

    Attributes:
        kind: what it is.
        session: the session that it belongs to, as `SessionKey.path` writes it; empty for one of the scope itself.
        name: its name, unique among those of its kind and session.

    Raises:
        InvalidEntry: the name is blank, longer than `records.check.MAX_NAME` or no Unicode text; or the session is
            longer than `MAX_SESSION` or no Unicode text.
    """

    kind: DocumentKind
    session: str = ""
    name: str

    def __post_init__(self) -> None:
        check_name(self.name, "name")
        if len(self.session) > MAX_SESSION:
            raise InvalidEntry(f"`session` has {len(self.session)} characters; at most {MAX_SESSION} are kept")
        check_unicode(self.session, "session")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A text that a store keeps as it is. What it says is for the room that wrote it.

    Attributes:
        key: where it stands. Putting one of the same key overwrites it and keeps its place in listings.
        body: its text; JSON by custom.
        at: when it was written; aware, and kept in UTC.
        entries: ids of entries that say the same in other words. When one of them is erased, the document goes, too.

    Raises:
        InvalidInput: the body is longer than `MAX_BODY` or no Unicode text, `at` has no time zone, or one of `entries`
            is no id of an entry.
    """

    key: DocumentKey
    body: str
    at: datetime
    entries: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.body) > MAX_BODY:
            raise InvalidInput(f"{self.key.name!r} has {len(self.body)} characters; at most {MAX_BODY} are kept")
        check_unicode(self.body, self.key.name)
        object.__setattr__(self, "at", as_utc(self.at, "at"))
        for id in self.entries:
            if not is_id(id):
                raise InvalidInput(f"`entries` of {self.key.name!r} holds {id!r}; it must hold ids of entries")


def document_to_json(document: Document) -> dict[str, JsonValue]:
    """Returns a document as a JSON object. Fields that have their default are left out."""
    found: dict[str, JsonValue] = {"kind": document.key.kind.value}
    if document.key.session:
        found["session"] = document.key.session
    found |= {"name": document.key.name, "at": document.at.isoformat().replace("+00:00", "Z")}
    if document.entries:
        found["entries"] = list(document.entries)
    return found | {"body": document.body}


def document_from_json(found: Mapping[str, JsonValue]) -> Document:
    """Returns the document of a JSON object.

    Raises:
        InvalidInput: a field is missing, unknown, of another type or not allowed; the message names it.
    """
    values = {"session": "", "entries": []} | dict(found)
    for field, type_ in _FIELDS.items():
        if not isinstance(values.pop(field, None), type_):
            raise InvalidInput(f"the field {field!r} of a document is missing, or of another type than it must have")
    if values:
        raise InvalidInput(f"unknown field {next(iter(values))!r}; a newer memoranda may have written it")
    kind, session, name, at, body = (cast("str", found.get(field, "")) for field in _FIELDS if field != "entries")
    try:
        key = DocumentKey(kind=DocumentKind(kind), session=session, name=name)
        moment = datetime.fromisoformat(at)
    except ValueError as error:
        raise InvalidInput(f"a document has an unknown kind, or no time: {error}") from error
    return Document(key=key, body=body, at=moment, entries=tuple(cast("list[str]", found.get("entries", ()))))


_FIELDS = {"kind": str, "session": str, "name": str, "at": str, "entries": list, "body": str}
