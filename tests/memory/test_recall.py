"""Recall as a verb: what is shown, in which order, why, and what was left out."""

from __future__ import annotations

import math
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoranda import InMemoryStore, InvalidEntry, InvalidScope, Memory, Recalled, SqliteStore
from memoranda.protocols.store import DurableStore
from memoranda.records.recalled import MAX_DROPPED
from memoranda.runtime.sync import Scope
from memoranda.testing import CountingIds, FrozenClock
from memoranda.testing.embedder import HashingEmbedder
from tests.memory.conftest import OpenMemory

DAY = timedelta(days=1)


def _texts(found: Recalled) -> list[str]:
    return [hit.entry.memory for hit in found]


def test_a_hit_says_why(alice: Scope) -> None:
    alice.remember("Deploys go to the blue cluster", tags=["infra"], confidence=1.0)
    alice.remember("Lunch is at noon")
    found = alice.recall("which cluster do we deploy to?")
    assert _texts(found) == ["Deploys go to the blue cluster"]
    hit = found[0]
    assert 0 < hit.score <= 1
    assert "words" in hit.parts
    assert all(math.isfinite(part) for part in hit.parts.values())
    assert '"cluster"' in hit.because
    assert found.query == "which cluster do we deploy to?"


def test_without_an_informative_word_in_common_there_is_no_answer(alice: Scope) -> None:
    """Design D7: an empty answer is an answer."""
    alice.remember("Deploys go to the blue cluster")
    assert _texts(alice.recall("giraffe")) == []


def test_tags_key_and_speaker_are_found_too(alice: Scope) -> None:
    alice.remember("it listens on 8080", tags=["frobnicator"], key="staging.port", speaker="Melanie")
    for query in ("frobnicator", "staging", "Melanie"):
        assert len(alice.recall(query)) == 1, query
    assert "tagged frobnicator" in alice.recall("frobnicator")[0].because


@pytest.mark.parametrize("query", ["", "   ", "\n\t\u3000"])
def test_blank_query_gives_the_newest(alice: Scope, clock: FrozenClock, query: str) -> None:
    """C44, case Q09."""
    for number in range(10):
        alice.remember(f"text {number}")
        clock.advance(DAY)
    found = alice.recall(query)
    assert _texts(found) == [f"text {number}" for number in range(9, 1, -1)]
    assert all("recent" in hit.because for hit in found)
    assert all("recent" in hit.parts for hit in found)


def test_an_id_in_the_query_finds_its_entry_first(alice: Scope) -> None:
    """Design D7: ids are a channel of their own; an id of another scope, or none at all, finds nothing."""
    named = alice.remember("Deploys go to the blue cluster").entry
    alice.remember("What was said about it is this")
    assert named is not None
    found = alice.recall(f"what about {named.id.upper()}?")
    assert _texts(found)[0] == "Deploys go to the blue cluster"
    assert "the query names its id" in found[0].because
    assert _texts(alice.recall("00000000-0000-4000-8000-0000000fffff")) == []


def test_pure_punctuation_finds_nothing(alice: Scope) -> None:
    """Case Q06: the documented no-terms answer."""
    alice.remember("a text")
    assert _texts(alice.recall("?!... --")) == []


def test_confidence_counts_from_0_6_up_and_hides_nothing(alice: Scope) -> None:
    """S1.17."""
    for confidence in (0.0, 0.6, 0.8, 1.0):
        alice.remember("the port is 8080", confidence=confidence, category="episode")
    hits = list(alice.recall("port"))
    assert [hit.entry.confidence for hit in hits[:2]] == [1.0, 0.8]
    scores = [hit.score for hit in hits]
    assert scores[0] > scores[1] > scores[2] == scores[3] > 0


def test_age_lowers_a_hit_and_never_hides_it(alice: Scope, clock: FrozenClock) -> None:
    """S1.18, design D7."""
    alice.remember("the port is 8080")
    scores = []
    for days in (0, 30, 100_000, 100_000):
        clock.advance(days * DAY)
        scores.append(alice.recall("port")[0].score)
    assert scores[0] > scores[1] > scores[2] >= scores[3] > 0
    assert scores[3] > scores[0] / 2


def test_what_comes_from_the_future_counts_as_new(alice: Scope, clock: FrozenClock) -> None:
    """S1.18, case H03: nothing above a fresh hit, no NaN, after the clock stepped back either."""
    alice.remember("the port is 8080")
    fresh = alice.recall("port")[0].score
    clock.advance(-3650 * DAY)
    assert alice.recall("port")[0].score == pytest.approx(fresh)
    alice.remember("the other port is 9090")
    assert len(alice.recall("port")) == 2


def test_only_what_is_live_is_shown(alice: Scope, clock: FrozenClock) -> None:
    """S1.28."""
    alice.remember("port 1", key="port")
    alice.remember("port 2", key="port")
    gone = alice.remember("port 3").entry
    assert gone is not None
    alice.retract(gone.id)
    alice.remember("port 4", expires_at=clock.now() + DAY)
    assert sorted(_texts(alice.recall("port"))) == ["port 2", "port 4"]
    clock.advance(DAY)
    assert _texts(alice.recall("port")) == ["port 2"]
    assert _texts(alice.recall("")) == ["port 2"]
    assert [entry.memory for entry in alice.list()] == ["port 2"]


def test_filters(alice: Scope) -> None:
    alice.remember("port a", category="preference", tags=["x", "y"], session="s1")
    alice.remember("port b", category="fact", tags=["x"], session="s2")
    alice.remember("port c", category="insight")
    cases: list[tuple[dict[str, Any], set[str]]] = [
        ({"categories": ["fact", "insight"]}, {"port b", "port c"}),
        ({"categories": []}, set()),
        ({"tags": ["x"]}, {"port a", "port b"}),
        ({"tags": ["x", "y"]}, {"port a"}),
        ({"tags": ["X"]}, set()),
        ({"tags": []}, {"port a", "port b", "port c"}),
        ({"session": "s2"}, {"port b"}),
        ({"session": "s1", "categories": ["fact"]}, set()),
    ]
    for filters, wanted in cases:
        assert set(_texts(alice.recall("port", **filters))) == wanted, filters
        assert {entry.memory for entry in alice.list(**filters)} == wanted, filters


def test_filters_act_before_the_limit(alice: Scope) -> None:
    """Case V04, by words: many better matches that the filter leaves out do not crowd out the one that it admits."""
    alice.remember_many([{"text": f"port port port {number}", "tags": ["noise"]} for number in range(60)])
    alice.remember("a long text in which the port is named once among many other words", tags=["wanted"])
    assert len(alice.recall("port", tags=["wanted"], limit=1)) == 1


def test_scratch_is_recalled_in_its_session_only(alice: Scope) -> None:
    """C47."""
    alice.remember("step one of the plan", category="working", session="s1")
    alice.remember("the plan is old", session="s1")
    assert _texts(alice.recall("plan")) == ["the plan is old"]
    assert len(alice.recall("plan", session="s1")) == 2
    assert _texts(alice.recall("plan", session="s2")) == []
    assert _texts(alice.recall("", categories=["working"])) == []


def test_as_of_shows_what_held_then(alice: Scope, clock: FrozenClock) -> None:
    """Design D15."""
    start = clock.now()
    alice.remember("lives in Bonn", key="home")
    clock.advance(10 * DAY)
    alice.remember("lives in Berlin", key="home")
    clock.advance(10 * DAY)
    alice.remember("lived in Kiel before", key="home", occurred_at=start - 10 * DAY)
    seen = [_texts(alice.recall("lives lived", as_of=start + days * DAY)) for days in (-11, -5, 5, 10, 15)]
    assert seen == [[], ["lived in Kiel before"], ["lives in Bonn"], ["lives in Berlin"], ["lives in Berlin"]]


def test_at_any_moment_one_entry_holds_under_a_key(alice: Scope, clock: FrozenClock) -> None:
    """Design D15: what is learned late is put where it belongs in time."""
    start = clock.now()
    clock.advance(10 * DAY)
    for day in (0, 8, 4, 2, 6):
        alice.remember(f"home since day {day}", key="home", occurred_at=start + day * DAY)
    for day in range(9):
        wanted = f"home since day {day - day % 2}"
        assert _texts(alice.recall("home", as_of=start + day * DAY)) == [wanted], day


def test_as_of_heeds_expiry(alice: Scope, clock: FrozenClock) -> None:
    """What had expired by then was not shown then; asking as of now shows nothing that asking now does not."""
    alice.remember("the voucher is valid", expires_at=clock.now() + DAY)
    later = clock.advance(2 * DAY)
    assert _texts(alice.recall("voucher")) == []
    assert _texts(alice.recall("voucher", as_of=later)) == []
    assert len(alice.recall("voucher", as_of=later - 2 * DAY)) == 1


def test_also_reads_the_scopes_that_the_host_names(open_memory: OpenMemory) -> None:
    """Design D4."""
    memory = open_memory()
    for path in ("acme/alice", "acme/shared", "acme/bob"):
        memory.scope(path).remember(f"the port of {path}")
    alice = memory.scope("acme/alice")
    assert len(alice.recall("port")) == 1
    assert len(alice.recall("port", also=["acme/shared", "acme/shared", "acme/alice"])) == 2
    assert len(alice.recall("", also=["acme/shared"])) == 2
    assert len(alice.recall("port", also=["acme"])) == 1


def test_what_was_left_out_is_named_with_its_reason(alice: Scope) -> None:
    alice.remember("port " * 3)
    alice.remember("a text in which port is one word of many more words than in the other one")
    scores = [hit.score for hit in alice.recall("port")]
    between = sum(scores) / 2
    found = alice.recall("port", min_score=between)
    assert len(found) == 1
    assert "below min_score" in found.dropped[0].reason
    over = alice.recall("port", limit=1)
    assert [dropped.reason for dropped in over.dropped] == ["over the limit of 1"]
    assert over.dropped[0].entry != over[0].entry


def test_the_list_of_what_was_left_out_is_bounded(alice: Scope) -> None:
    """Design D17."""
    alice.remember_many([f"port {number}" for number in range(MAX_DROPPED + 20)])
    assert 0 < len(alice.recall("port", limit=1).dropped) <= MAX_DROPPED


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"query": None}, InvalidEntry),
        ({"query": 5}, InvalidEntry),
        ({"limit": True}, InvalidEntry),
        ({"limit": 2.5}, InvalidEntry),
        ({"limit": "5"}, InvalidEntry),
        ({"categories": "fact"}, InvalidEntry),
        ({"categories": ["rumour"]}, InvalidEntry),
        ({"tags": "infra"}, InvalidEntry),
        ({"session": 5}, InvalidEntry),
        ({"session": "\ud800"}, InvalidEntry),
        ({"as_of": "today"}, InvalidEntry),
        ({"min_score": "high"}, InvalidEntry),
        ({"min_score": math.nan}, InvalidEntry),
        ({"also": [""]}, InvalidScope),
        ({"also": "acme/shared"}, InvalidEntry),
    ],
    ids=ascii,
)
def test_bad_input_is_one_clear_error(alice: Scope, wrong: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        alice.recall(**{"query": "x", **wrong})


@pytest.mark.parametrize("limit", [0, -1, -100])
def test_limit_of_nothing_gives_nothing(alice: Scope, limit: int) -> None:
    """Case Q10."""
    alice.remember("port")
    assert (len(alice.recall("port", limit=limit)), alice.list(limit=limit)) == (0, [])


def test_the_next_recall_sees_each_change(alice: Scope, clock: FrozenClock) -> None:
    """Design D6: the index follows the scope's version."""
    entry = alice.remember("port 1").entry
    assert entry is not None
    assert _texts(alice.recall("port")) == ["port 1"]
    clock.advance(DAY)
    changed = alice.update(entry.id, "harbour 2").entry
    assert (_texts(alice.recall("port")), _texts(alice.recall("harbour"))) == ([], ["harbour 2"])
    assert changed is not None
    alice.restore(changed.id)
    assert (_texts(alice.recall("port")), _texts(alice.recall("harbour"))) == (["port 1"], [])
    alice.remember("port 3", expires_at=clock.now() + DAY)
    clock.advance(DAY)
    alice.consolidate()
    assert _texts(alice.recall("port")) == ["port 1"]


def test_dropped_indexes_are_built_again(open_memory: OpenMemory) -> None:
    """Design D6, D17: at the bound the least used index goes, and nothing changes in what is found."""
    memory = open_memory(index_entries=3)
    for _ in range(2):
        for number in range(5):
            scope = memory.scope(f"s{number}")
            scope.remember_many(["port one", "port two"])
            assert len(scope.recall("port", limit=100)) == scope.count()


def _ranked(store: DurableStore, embedder: HashingEmbedder | None) -> list[list[tuple[str, float, str]]]:
    """Writes the same into a store and returns what each query finds: ids, scores and reasons."""
    clock = FrozenClock()
    with Memory(store=store, embedder=embedder, clock=clock, ids=CountingIds()) as memory:
        scope = memory.scope("acme/alice")
        for number in range(30):
            scope.remember(
                f"{('deploys', 'lunch', 'port')[number % 3]} number {number % 4} of {('blue', 'green')[number % 2]}",
                category="episode",
                session=(None, "s1", "s2")[number % 3],
                speaker=("user", "assistant")[number % 2],
                tags=["infra"] if number % 5 == 0 else [],
                confidence=(0.5, 0.7, 1.0)[number % 3],
            )
            clock.advance(DAY / 2)
        scope.remember_many(["equal texts"] * 4)
        queries = ("blue deploys", "lunch of the user", "infra port number 3", "equal texts", "", "zebra")
        return [[(hit.entry.id, hit.score, hit.because) for hit in scope.recall(query)] for query in queries]


@pytest.mark.parametrize("embedder", [None, HashingEmbedder(64)], ids=["words", "with vectors"])
def test_every_store_ranks_alike(embedder: HashingEmbedder | None, tmp_path: Path) -> None:
    """Design D6: the same entries in the same order, with the same scores and reasons."""
    file = _ranked(SqliteStore(tmp_path / "memory.db"), embedder)
    assert file == _ranked(SqliteStore(":memory:"), embedder) == _ranked(InMemoryStore(), embedder)
    assert [len(hits) > 0 for hits in file] == [True] * 5 + [False]


def test_hits_come_in_the_order_of_their_scores(alice: Scope) -> None:
    alice.remember_many([f"port {'port ' * (number % 7)}{number}" for number in range(40)])
    scores = [hit.score for hit in alice.recall("port", limit=40)]
    assert scores == sorted(scores, reverse=True)
    for hit in alice.recall("port"):
        assert hit.score == 1 / (1 + math.exp(-sum(hit.parts.values())))


def test_what_stands_beside_an_answer_in_its_session_is_an_answer(alice: Scope) -> None:
    """Design D7: a question and its reply are found together; without a session nothing stands beside anything."""
    for session in ("s1", None):
        alice.remember("Who maintains the frobnicator?", category="episode", session=session, speaker="Bo")
        alice.remember("Melanie, since May", category="episode", session=session, speaker="Ana")
    found = {hit.entry.session: hit.because for hit in alice.recall("frobnicator") if "Melanie" in hit.entry.memory}
    assert found == {"s1": "stands beside an entry of its session that has words of the query"}


def test_what_was_just_too_weak_is_named(alice: Scope) -> None:
    """Design D18: a person sees why nothing was found."""
    alice.remember("lunch is at noon")
    found = alice.recall("giraffe")
    assert [dropped.reason for dropped in found.dropped] == ["no answer: no word of the query"]
    assert len(found) == 0


def test_a_fresh_process_ranks_as_one_that_followed(tmp_path: Path) -> None:
    """Design D6: an index that was brought up to date ranks as one that is built from the rows."""
    with Memory(tmp_path / "memory.db", embedder=None, clock=FrozenClock()) as followed:
        scope = followed.scope("acme/alice")
        for number in range(12):
            scope.remember(f"port {number} of the harbour", session="s1", key=f"k{number % 5}")
            scope.recall("port harbour")
        before = [(hit.entry.id, hit.because) for hit in scope.recall("port 7 harbour")]
        with Memory(tmp_path / "memory.db", embedder=None, clock=FrozenClock()) as fresh:
            again = fresh.scope("acme/alice").recall("port 7 harbour")
            assert [(hit.entry.id, hit.because) for hit in again] == before


def test_a_query_is_answered_in_the_words_of_its_time(alice: Scope, clock: FrozenClock) -> None:
    """Design D7, D15: the clock says when "last week" was."""
    for days in (30, 9, 1):
        alice.remember("met Ana at the harbour", category="episode", occurred_at=clock.now() - days * DAY)
    best = alice.recall("whom did I meet at the harbour yesterday?")[0]
    assert best.entry.occurred_at == clock.now() - DAY
    assert "happened when the query says" in best.because
