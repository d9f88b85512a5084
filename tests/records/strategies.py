"""Strategies for hypothesis: entries and texts of every kind that may be stored."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from memoranda.records.check import MAX_COUNT
from memoranda.records.entry import Category, JsonValue, MemoryEntry, Origin
from memoranda.records.revision import Change, Revision

ZONES = (UTC, ZoneInfo("Asia/Kathmandu"), ZoneInfo("America/New_York"))

texts = st.text(min_size=1, max_size=40).filter(lambda text: bool(text.strip()))
"""Any valid Unicode that is not blank: NUL, control characters, scripts, emoji."""
names = st.text(min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
ids = st.uuids(version=4).map(str)
moments = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.sampled_from(ZONES)).filter(  # noqa: DTZ001
    lambda moment: moment.utcoffset() is not None
)
shares = st.floats(0, 1)
json_values: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False) | names,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=6,
)
metadata = st.dictionaries(names, json_values, max_size=3)


def _maybe(strategy: st.SearchStrategy[object]) -> st.SearchStrategy[object | None]:
    return st.none() | strategy


entries: st.SearchStrategy[MemoryEntry] = st.builds(
    MemoryEntry,
    st.sampled_from(Category),
    texts,
    id=ids,
    tags=st.lists(names, max_size=4).map(tuple),
    created_at=moments,
    relevance=shares,
    access_count=st.integers(0, MAX_COUNT),
    validated=st.booleans(),
    confidence=shares,
    origin=st.sampled_from(Origin),
    source=_maybe(names),
    speaker=_maybe(names),
    session=_maybe(names),
    position=_maybe(st.integers(0, MAX_COUNT)),
    key=_maybe(names),
    occurred_at=_maybe(moments),
    valid_from=_maybe(moments),
    valid_to=_maybe(moments),
    expires_at=_maybe(moments),
    last_accessed=_maybe(moments),
    last_decayed=_maybe(moments),
    seen_count=st.integers(0, MAX_COUNT),
    last_seen=_maybe(moments),
    superseded_by=_maybe(ids),
    metadata=metadata,
)
"""Every entry that `check_entry` lets pass, in all its fields."""

revisions: st.SearchStrategy[Revision] = st.builds(
    Revision,
    number=st.integers(1, 10_000),
    change=st.sampled_from(Change),
    at=moments,
    entry=entries,
    because=st.text(max_size=20),
    undone=st.booleans(),
)
