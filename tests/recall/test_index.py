"""The index of a scope follows its store, however the changes reach it, and is never seen half changed."""

from __future__ import annotations

from dataclasses import replace
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import InMemoryStore
from memoranda.bridge.drive import Stepper
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import Changes
from memoranda.recall.index import ScopeIndex, searchable
from memoranda.recall.quantize import quantize
from memoranda.recall.rank import Ranking
from memoranda.recall.view import View
from memoranda.records.entry import Category, MemoryEntry
from memoranda.records.quantized import EntryVector, QuantizedVector
from memoranda.records.scope import Scope
from tests.recall.made import ANALYSER, changes, entries, entry, number, question, ranking, texts, unit, view

run = Stepper().run
SCOPE = Scope("u1")
WORDS = ("deploys", "blue", "cluster", "friday", "lunch", "the port is 8080", "金曜日", "?!")
QUERIES = ("deploys blue", "lunch friday melanie", "cluster 金曜日", "infra port")

sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
vectors = st.none() | st.tuples(*[st.integers(-5, 5)] * 3)


@st.composite
def written(draw: st.DrawFn) -> Plan[None]:
    """A write to a scope of six entries: some put or put anew, sometimes one removed."""
    removals = (
        tuple(number(place) for place in draw(st.lists(st.integers(0, 5), max_size=2)))
        if draw(st.integers(0, 5)) == 0
        else ()
    )
    # An entry stays in its session: no verb moves it to another one.
    puts = [
        entry(
            draw(sentences),
            place,
            session=(None, "s1", "s2")[place % 3],
            speaker=draw(st.sampled_from((None, "user", "assistant", "Melanie"))),
            tags=tuple(draw(st.lists(st.sampled_from(("infra", "blue team")), max_size=2))),
            key=draw(st.sampled_from((None, "infra"))),
            superseded_by=draw(st.sampled_from((None, None, number(99)))),
            confidence=draw(st.floats(0, 1)),
            category=draw(st.sampled_from((Category.FACT, Category.EPISODE, Category.WORKING))),
        )
        for place in draw(st.lists(st.integers(0, 5), max_size=4, unique=True))
    ]
    found = {number(place): draw(vectors) for place in range(6)}
    kept = tuple(
        EntryVector(id=id, embedder="e", vector=quantize(list(unit(numbers))))
        for id, numbers in found.items()
        if numbers is not None
    )
    return Plan(result=None, removals=removals, puts=tuple(puts), vectors=kept)


def scores(found: Ranking) -> dict[str, float]:
    return {hit.entry.id: hit.score for hit in found.hits}


def reasons(found: Ranking) -> dict[str, str]:
    return {hit.entry.id: hit.because for hit in found.hits}


def fresh(store: InMemoryStore) -> ScopeIndex:
    return ScopeIndex(ANALYSER, 3).apply(run(store.changes(SCOPE, 0, "e")))


def same_rankings(one: View, other: View) -> None:
    for query in QUERIES:
        asked = question(query, (1, 2, 0.5))
        for session in (None, "s1"):
            mine, yours = ranking(one, asked, session=session), ranking(other, asked, session=session)
            # Sums of 32-bit numbers depend on the order of the slots in their last digits.
            assert scores(mine) == pytest.approx(scores(yours), abs=2e-3)
            assert reasons(mine) == reasons(yours)


@given(st.lists(st.tuples(written(), st.booleans()), max_size=8))
def test_however_the_changes_are_split_the_ranking_is_the_same(writes: list[tuple[Plan[None], bool]]) -> None:
    """Design D6: an index that followed ranks as one that is built anew; emptied slots count in nothing."""
    store, index = InMemoryStore(), ScopeIndex(ANALYSER, 3)
    for plan, followed in writes:
        run(store.write(SCOPE, lambda _, plan=plan: plan))  # type: ignore[misc]
        if followed:
            index = index.apply(run(store.changes(SCOPE, index.version, "e")))
            assert None not in texts_shown(index.view())
    index = index.apply(run(store.changes(SCOPE, index.version, "e")))
    assert (index.version, len(index)) == (fresh(store).version, len(fresh(store)))
    same_rankings(index.view(), fresh(store).view())


def texts_shown(seen: View) -> list[str | None]:
    return [hit.entry.memory for query in ("", *QUERIES) for hit in ranking(seen, query).hits]


def frozen(seen: View) -> dict[str, Ranking]:
    return {query: ranking(seen, question(query, (1, 2, 0.5))) for query in QUERIES}


@given(st.lists(written(), min_size=2, max_size=6))
def test_a_view_stays_as_it_is(writes: list[Plan[None]]) -> None:
    """What is applied later changes nothing in a view that was taken before."""
    store, index = InMemoryStore(), ScopeIndex(ANALYSER, 3)
    seen: list[tuple[View, dict[str, Ranking]]] = []
    for plan in writes:
        run(store.write(SCOPE, lambda _, plan=plan: replace(plan, vectors=())))  # type: ignore[misc]
        index = index.apply(run(store.changes(SCOPE, index.version, "e")))
        seen.append((index.view(), frozen(index.view())))
    assert all(frozen(view) == before for view, before in seen)


def test_views_stay_as_they_are_under_threads() -> None:
    """Readers rank an old view while a writer goes on; each sees its own state, whole."""
    index = ScopeIndex(ANALYSER, 3)
    index.apply(changes(entries(*[f"deploys {place}" for place in range(40)], session="s1"), {number(3): (1, 2, 0)}))
    old, wanted, wrong = index.view(), frozen(index.view()), []
    done: list[bool] = []

    def read() -> None:
        while not done:
            if frozen(old) != wanted:
                wrong.append("changed")
                return

    readers = [Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for version in range(2, 120):
        texts_now = [entry(f"deploys blue {version}", place, session="s1", tags=("infra",)) for place in range(5)]
        more = entry("deploys once more", 100 + version, session="s1", speaker="Melanie")
        index = index.apply(changes([*texts_now, more], {number(7): (0, 1, 0)}, version, complete=False))
    done.append(True)
    for reader in readers:
        reader.join()
    assert wrong == []
    assert len(index) == 40 + 118


def test_a_changed_text_moves_and_its_old_words_find_nothing() -> None:
    index = ScopeIndex(ANALYSER)
    index.apply(changes(entries("deploys go to blue", "lunch is at noon")))
    index = index.apply(changes([entry("deploys go to green", 0)], version=2, complete=False))
    seen = index.view()
    assert texts(ranking(seen, "deploys")) == ["deploys go to green"]
    assert texts(ranking(seen, "blue")) == []
    assert (seen.count, len(seen), len(index)) == (2, 3, 2)


def test_a_changed_state_stays_in_its_slot() -> None:
    index = ScopeIndex(ANALYSER)
    index.apply(changes(entries("deploys go to blue")))
    before = index.view()
    index = index.apply(changes([entry("deploys go to blue", 0, superseded_by=number(9))], version=2, complete=False))
    assert len(index.view()) == 1
    assert texts(ranking(index.view(), "deploys")) == []
    assert texts(ranking(before, "deploys")) == ["deploys go to blue"]


def test_the_neighbours_of_what_moved_stay_its_neighbours() -> None:
    index = ScopeIndex(ANALYSER)
    talk = entries("one", "two", "three", session="s1")
    index.apply(changes(talk))
    index = index.apply(changes([replace(talk[1], memory="TWO anew")], version=2, complete=False))
    seen = index.view()
    order = {one.memory: slot for slot, one in enumerate(seen.entries) if one is not None}
    assert int(seen.following[order["one"]]) == int(seen.previous[order["three"]]) == order["TWO anew"]
    assert (int(seen.previous[order["TWO anew"]]), int(seen.following[order["TWO anew"]])) == (0, 2)


def test_tags_and_a_key_of_the_same_words_are_told_apart() -> None:
    index = ScopeIndex(ANALYSER)
    index.apply(changes([entry("a text", 0, key="infra")]))
    assert texts(ranking(index.view(), "text", tags=("infra",))) == []
    index = index.apply(changes([entry("a text", 0, tags=("infra",))], version=2, complete=False))
    assert texts(ranking(index.view(), "text", tags=("infra",))) == ["a text"]


def test_a_complete_change_is_a_fresh_start() -> None:
    index = ScopeIndex(ANALYSER)
    index.apply(changes(entries("one", "two")))
    before = index.view()
    after = index.apply(changes(entries("three"), version=5))
    assert after is not index
    assert (after.version, len(after), texts(ranking(before, "one"))) == (5, 1, ["one"])


def test_many_emptied_slots_are_let_go_of() -> None:
    """Design D17: an entry that changes again and again does not make the index grow without end."""
    index = ScopeIndex(ANALYSER, 2)
    talk = entries("first", "second", "third", session="s1")
    index = index.apply(changes(talk, {number(1): (1, 0)}))
    put = talk[0]
    for version in range(2, 1200):
        put = replace(talk[0], memory=f"first {version}")
        index = index.apply(changes([put], version=version, complete=False))
    assert (len(index), index.version) == (3, 1199)
    assert len(index.view()) < 1010
    fresh_view = view([put, *talk[1:]], [None, (1, 0), None])
    for query in ("first", "second"):
        asked = question(query, (1, 0))
        assert scores(ranking(index.view(), asked)) == pytest.approx(scores(ranking(fresh_view, asked)), abs=1e-4)


@pytest.mark.parametrize("values", [b"", b"\x01", b"\x01" * 4])
def test_vectors_of_another_width_are_ignored(values: bytes) -> None:
    """C30: they can only be another embedder's."""
    index = ScopeIndex(ANALYSER, 3)
    odd = {
        number(0): QuantizedVector(values=values, scale=1.0),
        number(8): QuantizedVector(values=b"\1\2\3", scale=1.0),
    }
    index.apply(Changes(version=1, entries=entries("deploys"), complete=True, vectors=odd))
    assert index.view().scales.tolist() == [0.0]
    assert texts(ranking(index.view(), question("deploys", (1, 0, 0)))) == ["deploys"]


def test_without_an_embedder_vectors_are_ignored() -> None:
    index = ScopeIndex(ANALYSER)
    index.apply(changes(entries("deploys"), {number(0): (1, 0, 0)}))
    assert index.view().vectors is None


def test_words_of_tags_key_and_speaker_are_searchable() -> None:
    odd = MemoryEntry(Category.FACT, "text", tags=("a", "b"), key="k", speaker="Ana")
    assert searchable(odd) == ("text", "a", "b", "k", "Ana")
    assert searchable(MemoryEntry(Category.FACT, "text")) == ("text",)


@given(st.text(max_size=60), st.text(max_size=20), st.floats(), st.integers(0, 2))
def test_any_text_and_any_number_can_be_indexed(text: str, name: str, confidence: float, place: int) -> None:
    """S0.34, case V03: no text breaks the index, and no NaN comes out of it."""
    odd = entry(text, place, tags=(name,), speaker=name, session=name, key=name, confidence=confidence)
    for asked in (question(f"{text} {name}", (1, 0)), question("blue", (1, 0))):
        found = ranking(view([odd, entry("blue deploys", 7)], [(0, 1), (1, 0)]), asked)
        for hit in (*found.hits, *found.weak):
            assert np.isfinite([hit.score, *hit.parts.values()]).all()
            assert 0 < hit.score < 1
