"""Which entries a recall may show: the same for one entry and for all."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memoranda.recall.question import Filter
from memoranda.records.entry import Category, MemoryEntry
from tests.recall.made import NOW, entry, number, view

moments = st.none() | st.integers(-3, 3).map(lambda days: NOW + timedelta(days=days))
sessions = st.sampled_from((None, "s1", "s2"))
tags = st.lists(st.sampled_from(("a", "b")), unique=True).map(tuple)
categories = st.sampled_from((Category.FACT, Category.WORKING, Category.EPISODE))


@st.composite
def rows(draw: st.DrawFn) -> list[MemoryEntry]:
    count = draw(st.integers(0, 6))
    return [
        entry(
            "x",
            place,
            category=draw(categories),
            session=draw(sessions),
            tags=draw(tags),
            valid_from=draw(moments),
            valid_to=draw(moments),
            expires_at=draw(moments),
            superseded_by=draw(st.sampled_from((None, number(9)))),
        )
        for place in range(count)
    ]


filters = st.builds(
    Filter,
    now=st.just(NOW),
    as_of=moments,
    categories=st.none() | st.lists(categories, max_size=2).map(tuple),
    tags=st.none() | tags | st.just(("c",)),
    session=sessions | st.just("s3"),
)


@given(rows(), filters)
def test_all_at_once_is_each_by_itself(given: list[MemoryEntry], shown: Filter) -> None:
    """S1.28, C47, design D15: what the index says of all entries is what `admits_entry` says of each."""
    assert shown.admits(view(given)).tolist() == [shown.admits_entry(one) for one in given]
