"""Vectors of what is written and asked: found by meaning when they are there, by words when they are not."""

from __future__ import annotations

import logging
import math
from pathlib import Path
from threading import Event
from typing import Any

import anyio
import pytest

from memoranda import AsyncMemory, InMemoryStore, Memory, Recalled, SqliteStore
from memoranda.errors import EmbedderError, EmbedderUnavailable, InvalidInput
from memoranda.memory.embedding import BATCH
from memoranda.models.function import from_function
from memoranda.protocols.store import DurableStore
from memoranda.testing import FrozenClock
from memoranda.testing.embedder import HashingEmbedder
from tests.memory.embedders import PLACE, Scripted, Step, Table, kept, run, texts, waiting

# The words of the query stand in none of the texts: what is found is found by meaning.
MEANING = Table(
    {"my dog is called Rex": (1.0, 0.1), "taxes are due in May": (0.0, 1.0), "which pet do I have": (1.0, 0.0)}
)


@pytest.fixture(params=["file", "memory", "in_memory"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> DurableStore:
    if request.param == "in_memory":
        return InMemoryStore()
    return SqliteStore(tmp_path / "memory.db" if request.param == "file" else ":memory:")


def over(store: DurableStore, embedder: Any) -> Memory:
    return Memory(store=store, embedder=embedder, clock=FrozenClock())


def test_what_is_meant_is_found_without_a_word_in_common(store: DurableStore) -> None:
    alice = over(store, MEANING).scope(PLACE)
    alice.remember_many(["my dog is called Rex", "taxes are due in May"])
    found = alice.recall("which pet do I have")
    assert texts(found) == ["my dog is called Rex"]
    assert found[0].parts["meaning"] > 0
    assert found[0].because.startswith("meaning ")
    assert [dropped.entry.memory for dropped in found.dropped] == ["taxes are due in May"]
    assert texts(over(store, None).scope(PLACE).recall("which pet do I have")) == []


def test_a_written_vector_is_of_length_1(store: DurableStore) -> None:
    long = from_function("long", 2, lambda texts: [[30.0, 40.0]] * len(texts), floor=0.3)
    over(store, long).scope(PLACE).remember("anything")
    (vector,) = kept(store, long).values()
    numbers = [number * vector.scale for number in memoryview(vector.values).cast("b")]
    assert numbers == pytest.approx([0.6, 0.8], abs=0.005)
    assert math.hypot(*numbers) == pytest.approx(1)


def test_an_updated_entry_has_the_vector_of_its_new_text(store: DurableStore) -> None:
    memory = over(store, MEANING)
    alice = memory.scope(PLACE)
    entry = alice.remember("taxes are due in May").entry
    assert entry is not None
    alice.update(entry.id, "my dog is called Rex")
    assert texts(alice.recall("which pet do I have")) == ["my dog is called Rex"]


@pytest.mark.parametrize(
    "step",
    [
        EmbedderError("the model is gone"),
        TimeoutError("30 s"),
        ZeroDivisionError(),
        lambda vectors: vectors[:-1],
        lambda vectors: [vector[:-1] for vector in vectors],
        lambda vectors: [[math.nan, *vector[1:]] for vector in vectors],
        lambda vectors: [[math.inf, *vector[1:]] for vector in vectors],
        lambda vectors: [["a", *vector[1:]] for vector in vectors],
    ],
    ids=["embedder error", "timeout", "any error", "too few", "too narrow", "NaN", "infinity", "no numbers"],
)
def test_a_failure_on_write_loses_nothing(store: DurableStore, step: Step, caplog: pytest.LogCaptureFixture) -> None:
    """S1.26, cases V03 and V06: kept, found by words, said in the log, embedded later."""
    embedder = Scripted(step)
    memory = over(store, embedder)
    alice = memory.scope(PLACE)
    with caplog.at_level(logging.WARNING, "memoranda"):
        receipts = alice.remember_many(["deploys go to blue", "lunch is at noon"])
    assert [receipt.outcome for receipt in receipts] == ["added"] * 2
    assert "2 entries are kept without a vector" in caplog.text
    assert (kept(store, embedder), waiting(store, embedder)) == ({}, 2)
    assert texts(alice.recall("deploys")) == ["deploys go to blue"]
    assert memory.reembed(PLACE) == 2
    assert (len(kept(store, embedder)), waiting(store, embedder)) == (2, 0)
    assert "meaning" in alice.recall("deploys")[0].parts


def test_a_failure_for_a_query_leaves_the_words(store: DurableStore, caplog: pytest.LogCaptureFixture) -> None:
    """S1.13."""
    embedder = Scripted(None, EmbedderError("the model is gone"))
    alice = over(store, embedder).scope(PLACE)
    alice.remember("deploys go to blue")
    with caplog.at_level(logging.WARNING, "memoranda"):
        found = alice.recall("where do deploys go?")
    assert texts(found) == ["deploys go to blue"]
    assert "meaning" not in found[0].parts
    assert "words only for this query" in caplog.text
    assert "the model is gone" in caplog.text
    assert "meaning" in alice.recall("where do deploys go?")[0].parts


@pytest.mark.parametrize("query", ["?!", "...", "\U0001f680"])
def test_a_query_without_a_direction_is_answered_by_words(store: DurableStore, query: str) -> None:
    """Case V03: a vector of zeros is like nothing."""
    alice = over(store, HashingEmbedder(64, floor=-0.5)).scope(PLACE)
    alice.remember_many(["deploys go to blue", "lunch is at noon"])
    assert texts(alice.recall(query)) == []


def test_the_vectors_of_an_earlier_embedder_are_kept_and_not_compared(store: DurableStore) -> None:
    """C30, case V01, design D14: words find everything meanwhile; going back needs no work."""
    old, new = Scripted(dimensions=16, name="old"), Scripted(dimensions=24, name="new")
    over(store, old).scope(PLACE).remember_many(["likes rye bread", "likes jazz"])
    changed = over(store, new)
    alice = changed.scope(PLACE)
    before = kept(store, old)
    assert alice.recall("bread")[0].parts["meaning"] == 0
    alice.remember("likes tea")
    assert set(texts(alice.recall("bread jazz tea"))) == {"likes rye bread", "likes jazz", "likes tea"}
    assert (waiting(store, new), waiting(store, old)) == (2, 1)
    assert changed.reembed(PLACE) == 2
    assert kept(store, old) == before
    assert len(kept(store, new)) == 3
    calls = len(old.calls)
    back = over(store, old).scope(PLACE)
    assert back.recall("bread")[0].parts["meaning"] != 0
    assert (len(old.calls), old.calls[-1]) == (calls + 1, ("query", ["bread"]))


def test_the_same_name_with_another_version_is_another_embedder(store: DurableStore) -> None:
    def made(version: str) -> Any:
        return from_function("mine", 2, lambda texts: [[1.0, 0.0]] * len(texts), floor=0.5, version=version)

    over(store, made("1")).scope(PLACE).remember("deploys")
    assert (len(kept(store, made("1"))), len(kept(store, made("2")))) == (1, 0)


def test_reembedding_goes_on_where_it_was_stopped(store: DurableStore) -> None:
    """Design D14: what was done before it was killed is kept, and nothing is done twice."""
    count = 2 * BATCH + 10
    over(store, None).scope(PLACE).remember_many([f"entry number {number}" for number in range(count)])
    killed = Scripted(*[None] * (BATCH // 64), EmbedderError("killed"))
    seen: list[int] = []
    with pytest.raises(EmbedderError, match="killed"):
        over(store, killed).reembed(PLACE, seen.append)
    assert seen == [BATCH]
    assert waiting(store, killed) == count - BATCH
    again = Scripted()
    assert over(store, again).reembed(PLACE, seen.append) == count - BATCH
    assert seen == [BATCH, BATCH, count - BATCH]
    assert sorted(again.asked("document")) == sorted(f"entry number {number}" for number in range(BATCH, count))
    assert (waiting(store, again), over(store, again).reembed(PLACE)) == (0, 0)


def test_reembedding_leaves_out_what_is_not_shown(store: DurableStore) -> None:
    words = over(store, None).scope(PLACE)
    old = words.remember("port 1", key="port").entry
    words.remember("port 2", key="port")
    embedder = Scripted()
    assert over(store, embedder).reembed(PLACE) == 1
    assert old is not None
    assert old.id not in kept(store, embedder)


def test_reembedding_without_an_embedder_says_what_to_do(store: DurableStore) -> None:
    with pytest.raises(EmbedderError, match="memoranda models fetch"):
        over(store, None).reembed(PLACE)


def test_an_empty_scope_has_nothing_to_embed_and_nothing_to_find(store: DurableStore) -> None:
    memory = over(store, HashingEmbedder(64))
    assert memory.reembed("nobody") == 0
    assert texts(memory.scope("nobody").recall("deploys")) == []


def test_what_came_between_is_not_given_the_vector_of_an_old_text() -> None:
    """A text that changes while it is embedded keeps no vector of what it was."""
    store = InMemoryStore()
    alice = over(store, None).scope(PLACE)
    entry = alice.remember("taxes are due in May").entry
    assert entry is not None

    def meanwhile(vectors: list[list[float]]) -> Any:
        run(store.store(PLACE, type(entry)(entry.category, "my dog is called Rex", id=entry.id)))
        return vectors

    embedder = Scripted(meanwhile)
    over(store, embedder).reembed(PLACE)
    after = over(store, embedder)
    after.reembed(PLACE)
    wanted = Scripted()
    other = InMemoryStore()
    over(other, wanted).scope(PLACE).remember("my dog is called Rex")
    assert list(kept(store, embedder).values()) == list(kept(other, wanted).values())


def test_the_same_query_is_embedded_once(store: DurableStore) -> None:
    embedder = Scripted()
    alice = over(store, embedder).scope(PLACE)
    alice.remember("deploys go to blue")
    for _ in range(3):
        alice.recall("where do deploys go?")
    assert embedder.asked("query") == ["where do deploys go?"]


def test_a_pasted_text_is_cut_to_its_question(store: DurableStore) -> None:
    embedder = Scripted()
    over(store, embedder).scope(PLACE).recall("log line 42 failed\n" * 2000 + "Which cluster do we deploy to?")
    (asked,) = embedder.asked("query")
    assert "Which cluster do we deploy to?" in asked
    assert len(asked) < 2000


def test_a_blank_query_asks_no_model(store: DurableStore) -> None:
    embedder = Scripted()
    alice = over(store, embedder).scope(PLACE)
    alice.remember("deploys go to blue")
    assert texts(alice.recall("  ")) == ["deploys go to blue"]
    assert embedder.asked("query") == []


class Reader(HashingEmbedder):
    """Reads no query in Han."""

    def coverage(self, text: str) -> float:
        return 0.0 if "金" in text else 1.0


def test_a_script_that_the_model_cannot_read_is_left_to_the_words(store: DurableStore) -> None:
    alice = over(store, Reader(64)).scope(PLACE)
    alice.remember_many(["会議は金曜日です", "lunch is at noon"])
    found = alice.recall("金曜日")
    assert texts(found) == ["会議は金曜日です"]
    assert "meaning" not in found[0].parts
    assert "meaning" in alice.recall("lunch")[0].parts


@pytest.mark.parametrize("wrong", ["bge", 5, object(), lambda texts: texts])
def test_what_is_no_embedder_is_refused(wrong: Any) -> None:
    with pytest.raises(InvalidInput, match="embedder"):
        Memory(":memory:", embedder=wrong)


def test_without_weights_the_default_is_words_and_that_is_said(caplog: pytest.LogCaptureFixture) -> None:
    """Design D14: no weights are fetched by a library call."""
    with caplog.at_level(logging.INFO, "memoranda"), Memory(":memory:") as memory:
        memory.scope(PLACE).remember("deploys go to blue")
        assert texts(memory.scope(PLACE).recall("deploys")) == ["deploys go to blue"]
    assert "words only" in caplog.text
    assert "memoranda models fetch" in caplog.text or "not installed" in caplog.text


@pytest.mark.anyio
async def test_a_slow_model_does_not_hold_up_the_event_loop() -> None:
    """Case L05: while a blocking function embeds, the loop goes on and other recalls are answered."""
    begun, go_on = Event(), Event()

    def slow(texts: list[str]) -> list[list[float]]:
        begun.set()
        assert go_on.wait(30), "the event loop was blocked"
        return [[1.0, 0.0]] * len(texts)

    store = InMemoryStore()
    memory = AsyncMemory(store=store, embedder=from_function("slow", 2, slow, floor=0.5))
    words = AsyncMemory(store=store, embedder=None)
    await words.scope(PLACE).remember("deploys go to blue")
    found: list[Recalled] = []

    async def recall() -> None:
        found.append(await memory.scope(PLACE).recall("where do deploys go?"))

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(recall)
        while not begun.is_set():
            await anyio.lowlevel.checkpoint()
        assert texts(await words.scope(PLACE).recall("deploys")) == ["deploys go to blue"]
        assert found == []
        go_on.set()
    assert texts(found[0]) == ["deploys go to blue"]


def test_a_damaged_default_is_not_fatal(store: DurableStore, caplog: pytest.LogCaptureFixture) -> None:
    embedder = Scripted(*[EmbedderUnavailable("the weights are damaged: fetch them again")] * 3)
    alice = over(store, embedder).scope(PLACE)
    with caplog.at_level(logging.WARNING, "memoranda"):
        alice.remember("deploys go to blue")
        assert texts(alice.recall("deploys")) == ["deploys go to blue"]
    assert "fetch them again" in caplog.text
