"""The archive of a session over the stores that come with memoranda (S4.49 to S4.52, C52)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda import InMemoryStore, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.compaction.handles import alone, handle_of
from memoranda.errors import CapacityReached, HandleNotFound, InvalidEntry, InvalidInput, Unsupported
from memoranda.memory.archive import StoreArchive
from memoranda.memory.archived_text import MAX_PASSAGE, MAX_PASSAGES, passages
from memoranda.memory.context import Context
from memoranda.memory.erase import erase, erase_scope
from memoranda.memory.indexes import Indexes
from memoranda.memory.recall import query_of, recall
from memoranda.messages.formats import read_one
from memoranda.protocols.archive import Archive
from memoranda.protocols.store import DurableStore, EntryFilter
from memoranda.records.entry import Category, MemoryEntry, Origin
from memoranda.records.message import (
    CallPart,
    MediaPart,
    Message,
    ResultPart,
    Role,
    TextPart,
    ThinkingPart,
    WireFormat,
    system_message,
    user_message,
)
from memoranda.records.scope import Scope
from memoranda.records.session import SessionKey
from memoranda.records.span import Fate, Span
from memoranda.testing import CountingIds, FrozenClock
from tests.contract.four_verbs import FourVerbs

ALICE = Scope("acme/alice")
SESSION = SessionKey("s-1")
MakeContext = Callable[..., Context]


@pytest.fixture(params=["file", "memory", "in_memory"])
def context(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MakeContext]:
    """Makes the surroundings of archives over one store; a file is opened anew each time."""
    clock, ids = FrozenClock(), CountingIds()
    opened: list[DurableStore] = []

    def store() -> DurableStore:
        if request.param == "file":
            return SqliteStore(tmp_path / "memory.db", clock=clock)
        if opened:
            return opened[0]
        return SqliteStore(":memory:", clock=clock) if request.param == "memory" else InMemoryStore(clock=clock)

    def make(**bounds: Any) -> Context:
        settings = Settings(**bounds)
        opened.append(store())
        return Context(store=opened[-1], settings=settings, clock=clock, ids=ids, indexes=Indexes(settings))

    yield make
    for one in opened:
        if isinstance(one, SqliteStore):
            one.close()


def run(work: Any) -> Any:
    return Stepper().run(work)


def span(message: Message | str, *, index: int | None = 0, fate: Fate = Fate.DROPPED) -> Span:
    message = user_message(message) if isinstance(message, str) else message
    return Span(handle=handle_of(message), message=message, fate=fate, tokens=7, index=index, by="drop_turns")


def entries(context: Context, scope: Scope = ALICE) -> list[MemoryEntry]:
    found: list[MemoryEntry] = run(
        context.reader().page(scope, EntryFilter(now=context.clock.now()), 1000, oldest_first=True)
    )
    return found


def test_c52_what_was_taken_is_read_under_its_handle_and_found_by_recall(context: MakeContext) -> None:
    """S4.49, C52, design D13: the answer that the seed's example lost is found."""
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    assert isinstance(archive, Archive)
    wire = {"role": "user", "content": "The release is on 14 May.", "name": "ann"}
    taken = span(read_one(wire, WireFormat.CHAT), index=3)
    receipt = run(archive.keep([taken, span("Lunch is at noon.")]))
    assert receipt.kept == (taken.handle, handle_of(user_message("Lunch is at noon.")))
    expanded = run(archive.expand(taken.handle))
    assert (expanded.role, expanded.text, expanded.wire) == ("user", "The release is on 14 May.", wire)
    assert expanded.at == around.clock.now()
    hit = run(archive.recall("when is the release?"))[0]
    assert hit.entry.source == f"archive/{taken.handle}"
    assert (hit.entry.category, hit.entry.session, hit.entry.position) == (Category.EPISODE, "s-1", 3)
    plain = run(recall(around, ALICE, query_of("when is the release?")))[0]
    assert plain.entry == hit.entry


def test_c52_it_survives_a_restart(context: MakeContext) -> None:
    first = StoreArchive(context(), ALICE, SESSION, max_entries=2)
    run(first.keep([span(f"note {number}") for number in range(3)]))
    again = StoreArchive(context(), ALICE, SESSION, max_entries=2)
    assert run(again.expand(handle_of(user_message("note 2")))).text == "note 2"
    usage = run(again.usage())
    assert (usage.entries, usage.capacity, usage.evicted_entries, usage.near_cap) == (2, 2, 1, True)


def test_one_that_is_there_is_not_kept_twice(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    one, other = span("first"), span("second")
    run(archive.keep([one]))
    before = run(archive.expand(one.handle))
    around.clock.advance(timedelta(minutes=1))  # type: ignore[attr-defined]  # a FrozenClock
    receipt = run(archive.keep([one, other, other]))
    assert (receipt.kept, receipt.known, receipt.evicted) == ((other.handle,), (one.handle,), ())
    assert run(archive.expand(one.handle)) == before
    assert [entry.memory for entry in entries(around)] == ["first", "second"]
    assert run(archive.keep([])).kept == ()


def test_s4_49_the_oldest_go_for_new_ones(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION, max_entries=3)
    spans = [span(f"note {number}") for number in range(5)]
    assert run(archive.keep(spans[:3])).evicted == ()
    receipt = run(archive.keep(spans[3:]))
    assert receipt.evicted == (spans[0].handle, spans[1].handle)
    assert [entry.memory for entry in entries(around)] == ["note 2", "note 3", "note 4"]
    with pytest.raises(HandleNotFound, match="evicted"):
        run(archive.expand(spans[0].handle))
    assert run(archive.usage()).evicted_entries == 2


def test_s4_49_a_batch_longer_than_the_cap_keeps_its_newest(context: MakeContext) -> None:
    archive = StoreArchive(context(), ALICE, SESSION, max_entries=2)
    spans = [span(f"note {number}") for number in range(5)]
    receipt = run(archive.keep(spans))
    assert receipt.kept == (spans[3].handle, spans[4].handle)
    assert receipt.evicted == tuple(one.handle for one in spans[:3])
    assert run(archive.usage()).evicted_entries == 3


def test_c34_a_validated_entry_outlives_its_span(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION, max_entries=1)
    run(archive.keep([span("the port is 8080")]))
    (entry,) = entries(around)
    run(around.store.store(ALICE, entry.as_validated()))
    run(archive.keep([span("lunch is at noon")]))
    assert [entry.memory for entry in entries(around)] == ["the port is 8080", "lunch is at noon"]


def test_s4_49_too_large_is_refused_with_the_whole_batch(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION, max_entry_characters=500)
    with pytest.raises(InvalidInput, match="at most 500, and nothing of the batch was kept"):
        run(archive.keep([span("small"), span("x" * 501)]))
    assert entries(around) == []
    assert run(archive.usage()).entries == 0
    assert run(archive.keep([span("small")])).kept


@pytest.mark.parametrize("bound", [0, -1, True, 2.5])
@pytest.mark.parametrize("name", ["max_entries", "max_entry_characters"])
def test_s4_49_a_bound_that_is_none_is_refused(context: MakeContext, name: str, bound: Any) -> None:
    with pytest.raises(InvalidInput, match=name):
        StoreArchive(context(), ALICE, SESSION, **{name: bound})


def test_s4_49_recall_of_no_hits_is_an_error(context: MakeContext) -> None:
    archive = StoreArchive(context(), ALICE, SESSION)
    for limit in (0, -3):
        with pytest.raises(InvalidEntry, match="limit"):
            run(archive.recall("anything", limit=limit))


def test_recall_answers_from_this_session_alone(context: MakeContext) -> None:
    """S4.51: sessions that share an id, and entries of the host, stay out; the limit holds."""
    around = context()
    archives = [
        StoreArchive(around, scope, session)
        for scope in (ALICE, Scope("acme/bob"))
        for session in (SESSION, SessionKey("s-1", agent="critic"), SessionKey("s-1", slot="2"), SessionKey("s-2"))
    ]
    for number, archive in enumerate(archives):
        run(archive.keep([span(f"the cluster is number {number}"), span(f"cluster {number} is blue")]))
    run(around.store.store(ALICE, MemoryEntry(Category.EPISODE, "the cluster is the host's", session="s-1")))
    for number, archive in enumerate(archives):
        hits = run(archive.recall("which cluster?"))
        assert {hit.entry.memory for hit in hits} == {f"the cluster is number {number}", f"cluster {number} is blue"}
        assert len(run(archive.recall("which cluster?", limit=1))) == 1
        assert run(archive.usage()).entries == 2
    with pytest.raises(HandleNotFound):
        run(archives[0].expand(handle_of(user_message("the cluster is number 1"))))


def test_secrets_are_masked_in_entries_and_spans(context: MakeContext) -> None:
    """S1.27: texts, arguments and names of fields; with `redact` off they stay."""
    secret = "AKIAIOSFODNN7EXAMPLE"
    said = Message(
        Role.ASSISTANT,
        (TextPart(f"the key is {secret}"), CallPart("c1", "login", json.dumps({"key": secret, secret: 1}))),
    )
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    run(archive.keep([span(said)]))
    expanded = run(archive.expand(handle_of(said)))
    assert "[REDACTED]" in expanded.text
    assert secret not in repr(expanded)
    assert secret not in repr(entries(around))
    plain = context(redact=False)
    elsewhere = StoreArchive(plain, Scope("acme/bob"), SESSION)
    run(elsewhere.keep([span(said)]))
    assert secret in run(elsewhere.expand(handle_of(said))).text


def test_a_secret_at_the_end_of_a_passage_is_masked(context: MakeContext) -> None:
    """S1.27: the text is masked before it is divided."""
    around = context()
    text = "x" * (MAX_PASSAGE - 10) + " AKIAIOSFODNN7EXAMPLE " + "y" * 50
    run(StoreArchive(around, ALICE, SESSION).keep([span(text)]))
    assert len(entries(around)) == 2
    assert not any("AKIA" in entry.memory or "EXAMPLE" in entry.memory for entry in entries(around))


def test_media_are_kept_and_never_read_as_text(context: MakeContext) -> None:
    """Case B05: the picture comes back whole; recall sees what it is, not its data."""
    data = "QUJD" * 3000
    picture = Message(Role.USER, (MediaPart("image", "image/png", data), TextPart("the new logo")))
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    run(archive.keep([span(picture)]))
    (entry,) = entries(around)
    assert "the new logo" in entry.memory
    assert len(entry.memory) < 60
    assert data in json.dumps(run(archive.expand(handle_of(picture))).wire)


@pytest.mark.parametrize(
    ("message", "origin", "role", "speaker"),
    [
        (system_message("be brief"), Origin.HOST, "system", None),
        (user_message("be brief"), Origin.USER, "user", None),
        (Message(Role.ASSISTANT, (TextPart("be brief"),)), Origin.MODEL, "assistant", "critic"),
        (Message(Role.TOOL, (ResultPart("c", (TextPart("be brief"),)),)), Origin.TOOL, "tool", None),
        (Message(Role.USER, (ResultPart("c", (TextPart("be brief"),)),)), Origin.TOOL, "tool", None),
    ],
)
def test_an_entry_is_trusted_as_far_as_who_said_it(
    context: MakeContext, message: Message, origin: Origin, role: str, speaker: str | None
) -> None:
    """Design D10, case P08: results of tools that travel in a user's message are no user's words."""
    around = context()
    run(StoreArchive(around, ALICE, SessionKey("s-1", agent="critic")).keep([span(message)]))
    (entry,) = entries(around)
    assert (entry.origin, entry.metadata, entry.speaker) == (origin, {"role": role}, speaker)


def test_the_message_that_has_the_words_comes_before_those_beside_it(context: MakeContext) -> None:
    """D13: whoever said it; the hit's source names it to `expand`."""
    around = context()
    archive = StoreArchive(around, ALICE, SessionKey("s-1"))
    said = ["why does it fail?", "The cause is certificate XK-77 that ran out.", "Thanks a lot.", "needle-4711", "q"]
    roles = [Role.USER, Role.ASSISTANT, Role.USER, Role.ASSISTANT, Role.USER]
    run(archive.keep([span(Message(role, (TextPart(text),))) for role, text in zip(roles, said, strict=True)]))
    for query, text in (("certificate XK-77", said[1]), ("needle-4711", said[3])):
        (hit,) = run(archive.recall(query, limit=1))
        assert hit.entry.memory == text
        assert run(archive.expand(hit.entry.source or "")).text == text


def test_what_says_nothing_is_kept_without_an_entry(context: MakeContext) -> None:
    """A thought, an empty message, and a summary of ours, which says what is archived already (case M07)."""
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    thought = span(Message(Role.ASSISTANT, (ThinkingPart("hm", {"type": "thinking", "thinking": "hm"}),)))
    summary = span("Summary: the port is 8080", index=None)
    run(archive.keep([thought, span(""), summary]))
    assert entries(around) == []
    assert run(archive.expand(summary.handle)).text == "Summary: the port is 8080"
    assert run(archive.expand(thought.handle)).role == "assistant"
    assert run(archive.usage()).entries == 3


def test_a_part_is_written_in_the_format_that_its_message_came_in(context: MakeContext) -> None:
    """What a strategy cleared is a message of its own, whose format is told by its wire object, or by the host."""
    blocks = [{"type": "tool_result", "tool_use_id": "t", "content": "found"}, {"type": "text", "text": "go on"}]
    message = read_one({"role": "user", "content": blocks}, WireFormat.ANTHROPIC)
    part = alone(message, 0)
    around = context()
    for number, format in enumerate((None, WireFormat.ANTHROPIC)):
        archive = StoreArchive(around, ALICE, SessionKey(f"s-{number}"), format=format)
        run(archive.keep([span(part)]))
        assert run(archive.expand(handle_of(part))).wire == {"role": "user", "content": blocks[:1]}


def test_a_long_text_is_found_by_passages_and_read_whole(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    text = "\n".join(f"line {number} of the log" for number in range(20_000)) + "\nthe zebra crossed"
    taken = span(Message(Role.TOOL, (ResultPart("c", (TextPart(text),)),)))
    run(archive.keep([taken]))
    found = entries(around)
    assert len(found) == MAX_PASSAGES
    assert all(len(entry.memory) <= MAX_PASSAGE for entry in found)
    (hit, *_) = run(archive.recall("line 777", limit=1))
    assert "line 777 of" in hit.entry.memory
    assert run(archive.expand(taken.handle)).text == text


@given(st.text(max_size=50).flatmap(lambda text: st.integers(0, 400).map(lambda times: text * times)))
def test_passages_lose_nothing_but_blanks(text: str) -> None:
    found = list(passages(text))
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(passage.strip() == passage and 0 < len(passage) <= MAX_PASSAGE for passage in found)


@pytest.mark.parametrize("handle", ["", "  ", "nothing", "listing", "\ud800", "x" * 5000, None, 7])
def test_a_handle_of_nothing_is_not_found(context: MakeContext, handle: Any) -> None:
    archive = StoreArchive(context(), ALICE, SESSION)
    run(archive.keep([span("hello")]))
    with pytest.raises(HandleNotFound):
        run(archive.expand(handle))


def test_d16_erasing_an_entry_erases_its_span(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    gone, kept = span("the zebra password"), span("lunch is at noon")
    run(archive.keep([gone, kept]))
    receipt = run(erase(around, ALICE, entries(around)[0].id))
    assert (receipt.counts.documents, receipt.verified) == (1, "yes")
    with pytest.raises(HandleNotFound):
        run(archive.expand(gone.handle))
    assert run(archive.expand(kept.handle)).text == "lunch is at noon"
    assert run(archive.keep([gone])).kept == (gone.handle,)
    assert run(archive.usage()).entries == 2


def test_d16_erasing_the_scope_erases_the_archive(context: MakeContext) -> None:
    around = context()
    archive = StoreArchive(around, ALICE, SESSION)
    run(archive.keep([span("hello")]))
    run(erase_scope(around, ALICE, confirm="acme/alice"))
    usage = run(archive.usage())
    assert (usage.entries, usage.characters, usage.evicted_entries) == (0, 0, 0)


def test_m08_the_bound_of_the_scope_holds(context: MakeContext) -> None:
    """Case M08: older entries go for passages; where all are validated nothing is kept."""
    around = context(max_entries=3)
    archive = StoreArchive(around, ALICE, SESSION)
    run(archive.keep([span(f"note {number}") for number in range(3)]))
    run(archive.keep([span("note 3")]))
    assert [entry.memory for entry in entries(around)] == ["note 1", "note 2", "note 3"]
    for entry in entries(around):
        run(around.store.store(ALICE, entry.as_validated()))
    with pytest.raises(CapacityReached):
        run(archive.keep([span("note 4")]))
    assert run(archive.usage()).entries == 4


def test_a_store_without_documents_is_refused() -> None:
    with pytest.raises(Unsupported, match="DocumentReader"):
        StoreArchive(Context(store=FourVerbs()), ALICE, SESSION)
