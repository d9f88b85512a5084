"""Documents: what they refuse, and as JSON objects."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import InvalidInput
from memoranda.records.document import (
    MAX_SESSION,
    Document,
    DocumentKey,
    DocumentKind,
    document_from_json,
    document_to_json,
)
from memoranda.records.session import SessionKey
from tests.records.strategies import ids, moments, names

NOW = datetime(2026, 1, 1, tzinfo=UTC)
KEY = DocumentKey(kind=DocumentKind.BLOCK, name="about")
keys = st.builds(DocumentKey, kind=st.sampled_from(DocumentKind), session=st.just("") | names, name=names)
documents = st.builds(Document, key=keys, body=st.text(), at=moments, entries=st.lists(ids, max_size=3).map(tuple))


@given(documents)
def test_a_document_comes_back_from_json(document: Document) -> None:
    line = json.dumps(document_to_json(document), ensure_ascii=False)
    found = document_from_json(json.loads(line))
    assert found == document
    assert json.dumps(document_to_json(found), ensure_ascii=False) == line


def test_times_are_kept_in_utc() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=5)))
    assert document_to_json(Document(key=KEY, body="", at=east))["at"] == "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("character", ["a", "\0", "\U0001f680"])
def test_the_longest_session_is_allowed(character: str) -> None:
    path = SessionKey(character * 1000, agent=character * 1000, slot=character * 1000).path
    assert DocumentKey(kind=DocumentKind.GRAPH, session=path, name="g").session == path
    with pytest.raises(InvalidInput, match="session"):
        DocumentKey(kind=DocumentKind.GRAPH, session="a" * (MAX_SESSION + 1), name="g")


@pytest.mark.parametrize(
    "fields",
    [
        {"body": "\ud800"},
        {"at": datetime(2026, 1, 1)},  # noqa: DTZ001  without a zone on purpose
        {"entries": ("x",)},
        {"entries": ("00000000-0000-4000-8000-00000000000A",)},
    ],
)
def test_what_a_document_cannot_have_is_refused(fields: dict[str, Any]) -> None:
    good: dict[str, Any] = {"key": KEY, "body": "", "at": NOW}
    with pytest.raises(InvalidInput):
        Document(**(good | fields))


@pytest.mark.parametrize("name", ["", "  ", "a" * 1001, "\ud800"])
def test_what_a_name_cannot_be_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="name"):
        DocumentKey(kind=DocumentKind.BLOCK, name=name)


def test_a_body_that_is_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memoranda.records.document.MAX_BODY", 10)
    assert Document(key=KEY, body="a" * 10, at=NOW).body
    with pytest.raises(InvalidInput, match="at most 10"):
        Document(key=KEY, body="a" * 11, at=NOW)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"kind": "x"}, "unknown kind"),
        ({"kind": 1}, "kind"),
        ({"name": None}, "name"),
        ({"at": "today"}, "no time"),
        ({"entries": "x"}, "entries"),
        ({"entries": [1]}, "ids of entries"),
        ({"body": 1}, "body"),
        ({"session": None}, "session"),
        ({"mood": 1}, "mood"),
    ],
)
def test_json_that_is_no_document_is_refused(fields: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidInput, match=named):
        document_from_json(document_to_json(Document(key=KEY, body="", at=NOW)) | fields)
