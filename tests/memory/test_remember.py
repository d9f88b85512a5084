"""Remembering: what the verb adds to the decision: masking, checking, idempotency, batches."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memoranda import Category, IdempotencyConflict, InvalidEntry, InvalidInput, NewEntry, Origin, Outcome
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock

KEY = "export API_TOKEN=sk-test-51HxQ9mZ2kL8vN3pR7tY4wB6"
SECRET = "sk-test-51HxQ9mZ2kL8vN3pR7tY4wB6"
CYCLE: dict[str, Any] = {}
CYCLE["again"] = CYCLE


def test_every_argument_is_kept(alice: Scope, clock: FrozenClock) -> None:
    now = clock.now()
    receipt = alice.remember(
        "Deploys go to the blue cluster",
        category="preference",
        tags=["infra", "deploy", "infra"],
        key="deploy.target",
        origin="host",
        source="file:///runbook.md#L3",
        speaker="Ana",
        session="s-1",
        position=4,
        occurred_at=now - timedelta(days=1),
        expires_at=now + timedelta(days=1),
        confidence=0.9,
        validated=True,
        metadata={"ticket": 7, "who": ["Ana", {"team": "ops"}]},
    )
    entry = receipt.entry
    assert (receipt.outcome, receipt.repeated, receipt.redacted) == (Outcome.ADDED, False, ())
    assert entry is not None
    assert alice.get(entry.id) == entry
    assert (entry.category, entry.tags, entry.key) == (Category.PREFERENCE, ("infra", "deploy"), "deploy.target")
    assert (entry.origin, entry.source, entry.speaker) == (Origin.HOST, "file:///runbook.md#L3", "Ana")
    assert (entry.session, entry.position, entry.created_at) == ("s-1", 4, now)
    assert (entry.occurred_at, entry.valid_from) == (now - timedelta(days=1), now - timedelta(days=1))
    assert (entry.expires_at, entry.confidence, entry.validated) == (now + timedelta(days=1), 0.9, True)
    assert entry.metadata == {"ticket": 7, "who": ["Ana", {"team": "ops"}]}


def test_batch_gives_a_receipt_each_in_order(alice: Scope) -> None:
    items: list[NewEntry | str | dict[str, object]] = [NewEntry("a", key="k"), "b", {"text": "c", "key": "k"}]
    receipts = alice.remember_many(iter(items))
    assert [(str(receipt.outcome), receipt.entry and receipt.entry.memory) for receipt in receipts] == [
        ("added", "a"),
        ("added", "b"),
        ("replaced", "c"),
    ]
    assert alice.remember_many([]) == []


def test_one_bad_item_leaves_nothing_of_the_batch_and_is_named(alice: Scope) -> None:
    with pytest.raises(InvalidEntry, match=r"^item 1: `memory` is empty or blank"):
        alice.remember_many(["good", " ", "good too"])
    assert (alice.count(), alice.list(superseded=True)) == (0, [])


@pytest.mark.parametrize("wrong", ["one text", {"text": "one mapping"}, NewEntry("one item")])
def test_several_items_are_wanted(alice: Scope, wrong: object) -> None:
    """One text must not be remembered letter by letter, nor one mapping name by name."""
    with pytest.raises(InvalidInput, match="several"):
        alice.remember_many(wrong)  # type: ignore[arg-type]  # what a caller may get wrong
    assert alice.count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": None},
        {"text": "\n"},
        {"category": "rumour"},
        {"category": "working"},
        {"tags": "infra"},
        {"tags": None},
        {"tags": [""]},
        {"key": " "},
        {"origin": "devil"},
        {"source": 5},
        {"session": ""},
        {"position": -1},
        {"position": True},
        {"occurred_at": "2026-03-01"},
        {"expires_at": datetime(2026, 3, 1)},  # noqa: DTZ001
        {"confidence": 1.5},
        {"confidence": "high"},
        {"validated": "yes"},
        {"idempotency_key": ""},
        {"idempotency_key": 5},
        {"idempotency_key": "\ud800"},
        {"idempotency_key": "k" * 1001},
        {"metadata": "text"},
        {"metadata": {"x": object()}},
        {"metadata": {"x": float("nan")}},
        {"metadata": CYCLE},
    ],
    ids=lambda change: f"{next(iter(change))}-{ascii(next(iter(change.values())))[:12].split('(')[0].split('<')[0]}",
)
def test_bad_input_is_one_clear_error_and_nothing_is_stored(alice: Scope, wrong: dict[str, Any]) -> None:
    arguments = {"text": "x", **wrong}
    with pytest.raises(InvalidEntry):
        alice.remember(**arguments)
    assert alice.count() == 0


def test_lone_surrogates_of_a_text_are_mended_not_refused(alice: Scope) -> None:
    """They come from cut UTF-16 and have no UTF-8 form; the rest of the text is worth keeping."""
    entry = alice.remember("half an emoji \ud83d here", source="\udc00", metadata={"\ud800": "\ud800"}).entry
    assert entry is not None
    assert (entry.memory, entry.source) == ("half an emoji \ufffd here", "\ufffd")
    assert alice.get(entry.id) == entry


def test_scratch_needs_its_session(alice: Scope) -> None:
    """C47."""
    with pytest.raises(InvalidEntry, match="give its `session`"):
        alice.remember("step 1", category="working")
    assert alice.remember("step 1", category="working", session="s1").entry is not None


def test_same_request_twice_is_carried_out_once(alice: Scope, clock: FrozenClock) -> None:
    first = alice.remember("x", key="k", tags=["a"], idempotency_key="r1")
    clock.advance(timedelta(days=6, hours=23))
    again = alice.remember("x", key="k", tags=("a",), idempotency_key="r1")
    assert (again.repeated, again.outcome, again.entry, again.because) == (
        True,
        first.outcome,
        first.entry,
        first.because,
    )
    assert len(alice.list(superseded=True)) == 1


def test_same_key_for_another_request_is_refused_and_nothing_is_stored(alice: Scope) -> None:
    alice.remember("x", idempotency_key="r1")
    with pytest.raises(IdempotencyConflict, match="'r1'"):
        alice.remember_many([{"text": "new"}, {"text": "y", "idempotency_key": "r1"}])
    assert [entry.memory for entry in alice.list()] == ["x"]


def test_the_moment_may_be_spelt_in_another_zone(alice: Scope) -> None:
    """A retry that reads its time from elsewhere is the same request."""
    utc = datetime(2026, 1, 1, 10, tzinfo=UTC)
    alice.remember("x", occurred_at=utc, idempotency_key="r1")
    east = datetime.fromisoformat("2026-01-01T12:00:00+02:00")
    assert alice.remember("x", occurred_at=east, idempotency_key="r1").repeated


def test_key_is_forgotten_after_seven_days(alice: Scope, clock: FrozenClock) -> None:
    """Design section 5."""
    alice.remember("x", idempotency_key="r1")
    clock.advance(timedelta(days=7))
    assert not alice.remember("y", idempotency_key="r1").repeated
    assert alice.count() == 2


def test_within_a_batch_too(alice: Scope) -> None:
    one, again = alice.remember_many([{"text": "x", "idempotency_key": "r1"}] * 2)
    assert (one.repeated, again.repeated, one.entry) == (False, True, again.entry)
    assert alice.count() == 1


def test_secrets_do_not_tell_requests_apart(alice: Scope) -> None:
    """Case R03: masking comes before hashing, so no hash of a secret is kept."""
    alice.remember(KEY, idempotency_key="r1")
    assert alice.remember(KEY.replace("51Hx", "99Zz"), idempotency_key="r1").repeated


@pytest.mark.parametrize("name", ["text", "source", "speaker", "session", "key", "tags", "metadata", "metadata name"])
def test_secret_is_masked_wherever_it_stands(alice: Scope, name: str) -> None:
    """S1.27, case R03."""
    values: dict[str, Any] = {name: KEY}
    if name == "tags":
        values = {"tags": [KEY]}
    if name == "metadata":
        values = {"metadata": {"deep": [{"x": KEY}]}}
    values = {"metadata": {KEY: 1}} if name == "metadata name" else values
    receipt = alice.remember(**{"text": "a text", **values})
    assert receipt.redacted
    assert SECRET not in repr(receipt)
    assert SECRET not in repr(alice.list())
    assert "[REDACTED]" in repr(alice.list())


def test_masking_can_be_turned_off(open_memory: Any) -> None:
    scope = open_memory(redact=False).scope("a")
    assert scope.remember(KEY).entry.memory == KEY


def test_the_receipt_names_the_kinds(alice: Scope) -> None:
    receipt = alice.remember(KEY, source="postgres://bob:hunter2@db:5432/x")
    assert set(receipt.redacted) == {"token", "url password"}
    assert receipt.entry is not None
    assert receipt.entry.source == "postgres://bob:[REDACTED]@db:5432/x"
