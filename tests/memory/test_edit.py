"""Update, retract and restore as verbs: what is taken over, what is masked, what is refused."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from memoranda import Category, EntryNotFound, InvalidEntry, MemoryEntry, Origin, Outcome
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from tests.memory.test_remember import KEY, SECRET


def _kept(alice: Scope, clock: FrozenClock) -> MemoryEntry:
    entry = alice.remember(
        "port 8080",
        category="preference",
        tags=["infra"],
        key="port",
        source="a.md",
        speaker="Ana",
        session="s1",
        position=3,
        confidence=0.9,
        validated=True,
        expires_at=clock.now() + timedelta(days=9),
        metadata={"a": 1},
    ).entry
    assert entry is not None
    return entry


def test_what_is_not_given_is_taken_over(alice: Scope, clock: FrozenClock) -> None:
    old = _kept(alice, clock)
    now = clock.advance(timedelta(minutes=1))
    receipt = alice.update(old.id, "port 9090")
    new = receipt.entry
    assert new is not None
    assert (receipt.outcome, new.memory, new.created_at) == (Outcome.REPLACED, "port 9090", now)
    for name in ("category", "tags", "key", "source", "speaker", "session", "position", "confidence", "validated"):
        assert getattr(new, name) == getattr(old, name), name
    assert (new.expires_at, new.metadata, new.occurred_at) == (old.expires_at, {"a": 1}, None)
    assert (new.access_count, new.seen_count, new.superseded_by, new.valid_to) == (0, 1, None, None)


def test_what_is_given_is_put_in_its_place(alice: Scope, clock: FrozenClock) -> None:
    old = _kept(alice, clock)
    new = alice.update(
        old.id,
        "port 9090",
        category="instruction",
        tags=[],
        origin="host",
        source="b.md",
        confidence=0.0,
        validated=False,
        occurred_at=clock.now(),
        metadata={},
    ).entry
    assert new is not None
    assert (new.category, new.tags, new.origin, new.source) == (Category.INSTRUCTION, (), Origin.HOST, "b.md")
    assert (new.confidence, new.validated, new.metadata, new.occurred_at) == (0.0, False, {}, clock.now())


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": None},
        {"tags": "infra"},
        {"tags": 5},
        {"category": "rumour"},
        {"origin": "devil"},
        {"confidence": 2},
        {"validated": "no"},
        {"metadata": "text"},
        {"expires_at": "soon"},
    ],
    ids=ascii,
)
def test_bad_update_is_one_clear_error_and_the_old_one_stays(
    alice: Scope, clock: FrozenClock, wrong: dict[str, Any]
) -> None:
    """S1.30."""
    old = _kept(alice, clock)
    with pytest.raises(InvalidEntry):
        alice.update(old.id, **{"text": "new", **wrong})
    assert alice.list(superseded=True) == [old]


def test_scratch_cannot_be_made_without_a_session(alice: Scope) -> None:
    """C47: an entry of no session cannot become scratch, which would then be recalled everywhere."""
    old = alice.remember("x").entry
    assert old is not None
    with pytest.raises(InvalidEntry, match="`session`"):
        alice.update(old.id, "y", category="working")
    assert alice.list(superseded=True) == [old]


@pytest.mark.parametrize("values", [{"text": KEY}, {"source": KEY}, {"metadata": {"x": [KEY]}}, {"tags": [KEY]}])
def test_secret_is_masked_in_an_update(alice: Scope, values: dict[str, Any]) -> None:
    """Case R03."""
    old = alice.remember("x").entry
    assert old is not None
    receipt = alice.update(old.id, **{"text": "y", **values})
    assert receipt.redacted
    assert SECRET not in repr(receipt)
    assert SECRET not in repr(alice.list())


def test_secret_is_masked_in_a_reason(alice: Scope) -> None:
    """Case R03: the reason of a retraction is kept with its revision."""
    old = alice.remember("x").entry
    assert old is not None
    receipt = alice.retract(old.id, because=f"it leaked {KEY}")
    assert SECRET not in repr(receipt)
    assert SECRET not in repr(alice.revisions(old.id))
    assert "[REDACTED]" in alice.revisions(old.id)[0].because


@pytest.mark.parametrize("wrong", ["", None, 5, "r" * 100_000])
def test_a_reason_is_a_short_text(alice: Scope, wrong: object) -> None:
    old = alice.remember("x").entry
    assert old is not None
    with pytest.raises(InvalidEntry, match="`because`"):
        alice.retract(old.id, because=wrong)  # type: ignore[arg-type]  # what a caller may get wrong
    assert alice.list() == [old]


def test_a_reason_that_is_no_unicode_is_mended(alice: Scope) -> None:
    old = alice.remember("x").entry
    assert old is not None
    alice.retract(old.id, because="cut \ud83d")
    assert alice.revisions(old.id)[0].because == "cut \ufffd"


@pytest.mark.parametrize("id", ["", "x", "\ud800", "00000000-0000-4000-8000-ffffffffffff", None, 5, b"x"])
def test_what_is_no_id_is_not_found(alice: Scope, id: Any) -> None:
    """S1.29, case W08."""
    assert alice.get(id) is None
    verbs: list[Callable[[], object]] = [
        lambda: alice.update(id, "y"),
        lambda: alice.retract(id),
        lambda: alice.restore(id),
    ]
    for verb in verbs:
        with pytest.raises(EntryNotFound):
            verb()
    with pytest.raises(EntryNotFound):
        alice.revisions(id)
    with pytest.raises(EntryNotFound):
        alice.list(after=id if id is not None else "none")


def test_revisions_are_those_of_an_entry_and_all_that_it_replaced(alice: Scope, clock: FrozenClock) -> None:
    first = alice.remember("a", key="k").entry
    clock.advance(timedelta(minutes=1))
    alice.remember("b", key="k")
    clock.advance(timedelta(minutes=1))
    last = alice.remember("c", key="k").entry
    assert first is not None
    assert last is not None
    assert [(revision.entry.memory, str(revision.change)) for revision in alice.revisions(last.id)] == [
        ("a", "replace"),
        ("b", "replace"),
    ]
    assert [revision.entry.memory for revision in alice.revisions(first.id)] == ["a"]
    alice.restore(last.id)
    assert [revision.undone for revision in alice.revisions(first.id)] == [False]
