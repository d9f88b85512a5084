"""The steps of the demo in which what is known changes: restated, contradicted, replaced, restored, erased."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from memoranda.records.entry import JsonValue, MemoryEntry
from memoranda.runtime.sync import Memory, Scope
from memoranda.service.demo_notes import Notes

PORT = "which port does staging use?"
MARCH = datetime(2026, 3, 20, tzinfo=UTC)

_PORT_KEY = "ferry.staging.port"
_RESTATED = "Ferry staging is running on the green cluster."
_CONTRADICTED, _RELEASE_DAY = "The release day is Wednesday", "what is our release day?"
_PRIVATE, _PRIVATE_AGAIN = "Petra plans a surprise party for Jonas", "Petra is planning a surprise party for Jonas!"
_PRIVATE_WORDS = "surprise party"


def restate(scope: Scope, notes: Notes) -> None:
    """Says in other words what is known: it joins the entry that says it."""
    before = scope.count()
    receipt = scope.remember(_RESTATED)
    entry, previous = receipt.entry, receipt.previous
    notes.expect(receipt.outcome == "folded" and entry is not None, f"the restatement was {receipt.outcome}")
    notes.expect(scope.count() == before, f"there are {scope.count()} live entries instead of {before}")
    notes.lines.append(f"remember {_RESTATED!r}: {receipt.outcome}; {receipt.because}")
    if entry is not None and previous is not None:
        notes.expect(entry.seen_count == 2, f"it was seen {entry.seen_count} times instead of 2")
        notes.lines.append(f"  it was {previous.memory!r}; seen {entry.seen_count} times now, live entries: {before}")
    notes.result = {"outcome": receipt.outcome.value, "seen_count": entry.seen_count if entry else 0, "live": before}


def contradict(scope: Scope, notes: Notes) -> None:
    """Says what cannot be true together with what is known: both are shown, with their dates, until one goes."""
    receipt = scope.remember(_CONTRADICTED)
    pairs = [pair for pair in scope.contested() if receipt.entry is not None and receipt.entry.id == pair[1].id]
    notes.expect(receipt.outcome == "contested" and len(pairs) == 1, f"the contradiction was {receipt.outcome}")
    notes.lines.append(f"remember {_CONTRADICTED!r}: {receipt.outcome}")
    notes.lines += [f"  {_day(entry)}  {entry.memory}; said by {entry.origin}" for pair in pairs for entry in pair]
    shown = {hit.entry.id for hit in scope.recall(_RELEASE_DAY) if "contested" in hit.because}
    notes.expect(all(entry.id in shown for pair in pairs for entry in pair), "recall does not show both as contested")
    if receipt.entry is not None:
        scope.retract(receipt.entry.id, because="it was heard wrongly")
    left = len(scope.contested())
    notes.expect(left == 0, f"{left} pairs are contested after one was taken back")
    notes.lines.append(f"recall shows both, marked as contested; the wrong one is taken back, contested pairs: {left}")
    notes.result = {"outcome": receipt.outcome.value, "pairs": len(pairs), "pairs_after": left}


def replace(scope: Scope, notes: Notes) -> None:
    """Says something new under a key: it takes the place of what the key held."""
    receipt = scope.remember("The staging port of Ferry is 9443", key=_PORT_KEY, tags=["infra", "staging"])
    notes.expect(receipt.outcome == "replaced" and receipt.entry is not None, f"the fact was {receipt.outcome}")
    notes.lines.append(f"remember 9443 under {_PORT_KEY}: {receipt.outcome}")
    revisions = scope.revisions(receipt.entry.id) if receipt.entry else []
    notes.lines += [f"  {_day(one.entry)}  {one.entry.memory}; then: {one.change}" for one in revisions]
    notes.expect(len(revisions) == 2, f"{len(revisions)} revisions are kept instead of 2")
    answer = first_fact(scope, PORT)
    notes.expect("9443" in answer, f"recall answers {answer!r}")
    notes.lines.append(f"{PORT} -> {answer}")
    notes.result = {"outcome": receipt.outcome.value, "revisions": len(revisions), "answer": answer}


def restore(scope: Scope, notes: Notes) -> None:
    """Takes the replacement back."""
    mistaken = scope.list(tags=["staging"], limit=1)[0]
    receipt = scope.restore(mistaken.id)
    answer = first_fact(scope, PORT)
    notes.expect("9090" in answer, f"after restore recall answers {answer!r}")
    notes.lines += [f"restore: {receipt.because}", f"{PORT} -> {answer}"]
    notes.result = {"outcome": receipt.outcome.value, "answer": answer}


def as_of(scope: Scope, notes: Notes) -> None:
    """Asks what held on a day in March."""
    answers: dict[str, JsonValue] = {}
    for question, expected in ((PORT, "8080"), (_RELEASE_DAY, "Thursday")):
        answer = first_fact(scope, question, as_of=MARCH)
        notes.expect(expected in answer, f"{question} as of March was answered with {answer!r}")
        notes.lines.append(f"{question} -> {answer}")
        answers[question] = answer
    notes.result = {"as_of": MARCH.isoformat(), "answers": answers}


def erase(open_memory: Callable[[], Memory], path: str, folder: Path, notes: Notes) -> None:
    """Erases something that was said twice, and looks for it in the bytes of the closed files, before and after."""
    with open_memory() as memory:
        scope = memory.scope(path)
        before = scope.count()
        receipts = scope.remember_many([_PRIVATE, _PRIVATE_AGAIN])
    found = _in_files(folder)
    with open_memory() as memory:
        scope = memory.scope(path)
        entry = receipts[-1].entry
        receipt = scope.erase(entry.id if entry else "")
        live = scope.count()
    left = _in_files(folder)
    notes.expect(bool(found), f"{_PRIVATE_WORDS!r} was not in the files before")
    notes.expect(receipt.verified == "yes", f"the erasure is {receipt.verified}: {receipt.because}")
    notes.expect(not left, f"{_PRIVATE_WORDS!r} is still in {', '.join(left)}")
    notes.expect(live == before, f"there are {live} live entries instead of {before}")
    counts = receipt.counts
    gone = f"entries {counts.entries}, revisions {counts.revisions}, vectors {counts.vectors}"
    notes.lines += [
        f"{_PRIVATE!r}, said twice; {_PRIVATE_WORDS!r} is in the bytes of {', '.join(found)}",
        f"erase: {gone}; verified: {receipt.verified}",
        f"  {receipt.because}",
        f"{_PRIVATE_WORDS!r} in the bytes of the files now: {', '.join(left) or 'not found'}",
    ]
    notes.result = {"receipt": receipt.to_json(), "in_files_before": len(found), "in_files_after": len(left)}


def first_fact(scope: Scope, question: str, as_of: datetime | None = None) -> str:
    """Returns the text of the first hit that is a fact; nothing where there is none."""
    hits = scope.recall(question, limit=1, categories=["fact"], as_of=as_of)
    return hits[0].entry.memory if len(hits) else ""


def _day(entry: MemoryEntry) -> str:
    return f"{entry.valid_from or entry.created_at:%Y-%m-%d}"


def _in_files(folder: Path) -> list[str]:
    """Returns the names of the store's files that hold the words. To be called while the store is closed."""
    words = _PRIVATE_WORDS.encode()
    return [path.name for path in sorted(folder.glob("demo.db*")) if words in path.read_bytes()]
