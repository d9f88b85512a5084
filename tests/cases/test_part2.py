"""Cases from the field: languages, embedders that change and fail, vectors, times, budgets, many scopes."""

from __future__ import annotations

import logging
import math
import os
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoranda import Category, Memory, MemoryEntry, Settings, SqliteStore
from memoranda.bridge.drive import Stepper
from memoranda.models.checked import CheckedEmbedder
from memoranda.models.function import from_function
from memoranda.models.onnx import OnnxEmbedder
from memoranda.protocols.store import DurableStore
from memoranda.records.budget import Budget
from memoranda.records.scope import Scope as ScopePath
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock
from memoranda.testing.embedder import HashingEmbedder
from tests.conftest import Case
from tests.memory.embedders import Scripted, Table

CaseOf = Callable[[str], Case]
run = Stepper().run


def _found(scope: Scope, query: str, **filters: Any) -> list[str]:
    return [hit.entry.memory for hit in scope.recall(query, **filters)]


def _answers(steps: Sequence[Case], embedder: Any = None) -> dict[str, list[str]]:
    """Carries out the steps of a case and returns what each query found."""
    with Memory(":memory:", embedder=embedder) as memory:
        scope = memory.scope("u1")
        for step in steps:
            if step["op"] == "store":
                scope.remember(step["text"])
        asked = [step for step in steps if step["op"] == "retrieve"]
        return {step["query"]: _found(scope, step["query"], limit=step["limit"]) for step in asked}


EMBEDDERS = pytest.mark.parametrize("embedder", [None, HashingEmbedder(64)], ids=["words", "with vectors"])


@EMBEDDERS
def test_case_Q01(case: CaseOf, embedder: Any) -> None:  # noqa: N802
    """Japanese, Thai and Korean words are found in sentences without spaces."""
    steps = case("Q01")["input"]["steps"]
    japanese, thai, korean = (step["text"] for step in steps if step["op"] == "store")
    found = _answers(steps, embedder)
    assert {query: texts[0] for query, texts in found.items()} == {"金曜日": japanese, "กาแฟ": thai, "회의": korean}


@EMBEDDERS
def test_case_Q03(case: CaseOf, embedder: Any) -> None:  # noqa: N802
    """An identifier that is glued to Han is found, whole and in parts."""
    steps = case("Q03")["input"]["steps"]
    assert _answers(steps, embedder) == {"itgc": [steps[0]["text"]], "gen-itgc": [steps[0]["text"]]}


@EMBEDDERS
def test_case_Q04(case: CaseOf, embedder: Any) -> None:  # noqa: N802
    """Both spellings of accents are found by both, and by none; what is stored stays as it was written."""
    steps = case("Q04")["input"]["steps"]
    texts = [step["text"] for step in steps if step["op"] == "store"]
    with Memory(":memory:", embedder=embedder) as memory:
        scope = memory.scope("u1")
        for text in texts[:2]:
            scope.remember(text)
        for step in steps:
            if step["op"] == "retrieve":
                wanted = texts[1] if "sum" in step["query"] else texts[0]
                assert _found(scope, step["query"])[0] == wanted, step["query"]
        assert sorted(entry.memory for entry in scope.list()) == sorted(texts[:2])


@EMBEDDERS
def test_case_Q05(case: CaseOf, embedder: Any) -> None:  # noqa: N802
    """Arabic and Hebrew without marks, German without ß, Turkish without a dot."""
    steps = case("Q05")["input"]["steps"]
    stored = [step["text"] for step in steps if step["op"] == "store"]
    found = _answers(steps, embedder)
    assert [texts[0] for texts in found.values()] == stored


def test_case_V01(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Another embedder: nothing is lost, words find everything, going back needs no work."""
    found: dict[int, list[str]] = {}
    embedder: Any = None
    steps = case("V01")["input"]["steps"]
    for number, step in enumerate(steps):
        if step["op"] == "set_embedder":
            embedder = HashingEmbedder(step["dim"], name=step["name"])
            continue
        with Memory(tmp_path / "m.db", embedder=embedder) as memory:
            scope = memory.scope(step["scope"])
            if step["op"] == "store":
                scope.remember(step["text"])
            else:
                hits = scope.recall(step["query"], limit=step["limit"])
                found[number] = [hit.entry.memory for hit in hits]
                by_vector = [hit.entry.memory for hit in hits if "meaning 0.00" not in hit.because]
                assert by_vector == (
                    [] if embedder.identity.name == "e768" and step["query"] == "bread" else found[number]
                )
    assert list(found.values()) == [["likes rye bread"], ["likes tea"], ["likes rye bread"]]
    with Memory(tmp_path / "m.db", embedder=HashingEmbedder(768, name="e768")) as memory:
        store = memory.store
        assert isinstance(store, DurableStore)
        elsewhere = run(store.unembedded(ScopePath("u1"), "e768/1/-/768", 100))
        assert [entry.memory for entry in elsewhere] == ["likes rye bread"]
        assert memory.reembed("u1") == 1
        assert memory.scope("u1").count() == 2


def test_case_V03(case: CaseOf, caplog: pytest.LogCaptureFixture) -> None:  # noqa: N802
    """Zeros, NaN and infinities never head a ranking; they are refused or like nothing, and said once each."""
    given = case("V03")["input"]
    vectors = {name: tuple(map(float, numbers)) for name, numbers in given["vectors"].items()}
    embedder = Table(vectors | {"q": tuple(given["query"]), "good q": (math.nan, 0.0), "half q": (0.0, 0.0)})
    with Memory(":memory:", embedder=embedder) as memory, caplog.at_level(logging.WARNING, "memoranda"):
        scope = memory.scope("u1")
        for name in vectors:
            scope.remember(name)
        assert [record.message.count("NaN or an infinity") for record in caplog.records] == [1, 1]
        assert _found(scope, "q", limit=given["limit"]) == ["good", "half"]
        every = scope.recall("q", limit=100)
        assert [hit.entry.memory for hit in every] == ["good", "half"]
        assert all(math.isfinite(part) for hit in every for part in hit.parts.values())
        assert _found(scope, "good q") == ["good"]
        assert _found(scope, "half q") == ["half"]


def test_case_V04(case: CaseOf) -> None:  # noqa: N802
    """Scope and what is superseded are left out before the best are picked, by meaning alone."""
    steps = case("V04")["input"]["steps"]
    noise, target, old, asked = steps[0], steps[1], steps[2], steps[3]

    def embed(texts: list[str]) -> list[list[float]]:
        return [[0.8, 0.6] if text.startswith(("target", "more")) else [1.0, 0.05] for text in texts]

    with Memory(":memory:", embedder=from_function("near", 2, embed, floor=0.3)) as memory:
        memory.scope("big").remember_many([step["text"] for step in noise])
        small = memory.scope("small")
        small.remember(target["text"])
        for receipt in small.remember_many([step["text"] for step in old]):
            assert receipt.entry is not None
            small.retract(receipt.entry.id)
        assert _found(small, asked["query"], limit=asked["limit"]) == ["target"]
        small.remember_many([f"more {number}" for number in range(19)])
        assert len(_found(small, asked["query"], limit=20)) == 20


class FirstWords(HashingEmbedder):
    """Reads the beginning of a text only, as models do."""

    most = 256

    async def embed(self, texts: Sequence[str], *, kind: Any) -> Any:
        return await super().embed([" ".join(text.split()[: self.most]) for text in texts], kind=kind)

    def truncated(self, text: str) -> bool:
        return len(text.split()) > self.most


def test_case_V05(case: CaseOf) -> None:  # noqa: N802
    """A text beyond the model's window is stored whole, found by its last words, and known to be cut."""
    steps = case("V05")["input"]["steps"]
    embedder = FirstWords(64)
    with Memory(":memory:", embedder=embedder) as memory:
        scope = memory.scope("u1")
        assert scope.remember(steps[0]["text"]).outcome == "added"
        assert _found(scope, steps[1]["query"], limit=5) == [steps[0]["text"]]
    assert CheckedEmbedder(embedder).truncated(steps[0]["text"])
    assert not CheckedEmbedder(embedder).truncated(steps[1]["query"])


def test_case_V05_with_a_model(case: CaseOf, weights: OnnxEmbedder) -> None:  # noqa: N802
    steps = case("V05")["input"]["steps"]
    with Memory(":memory:", embedder=weights) as memory:
        scope = memory.scope("u1")
        scope.remember(steps[0]["text"])
        assert _found(scope, steps[1]["query"], limit=5) == [steps[0]["text"]]
    assert weights.truncated(steps[0]["text"])


def test_case_V06(case: CaseOf, caplog: pytest.LogCaptureFixture) -> None:  # noqa: N802
    """An embedder that fails, gives too few or of another width: no row is lost, none gets another's vector."""
    steps = case("V06")["input"]["steps"]
    embedder = Scripted(TimeoutError("30 s"), lambda vectors: vectors[:2], lambda vectors: [row[1:] for row in vectors])
    with Memory(":memory:", embedder=embedder) as memory:
        scope = memory.scope("u1")
        with caplog.at_level(logging.WARNING, "memoranda"):
            scope.remember(steps[0]["text"])
            scope.remember_many(steps[1]["texts"])
            scope.remember(steps[2]["text"])
        said = [record.getMessage().split(" are kept")[0] for record in caplog.records]
        assert said == ["1 entries", "3 entries", "1 entries"]
        for number in range(1, 6):
            assert _found(scope, f"t{number}", limit=5) == [f"t{number}"]
        assert memory.reembed("u1") == 5
        for number in range(1, 6):
            best = scope.recall(f"t{number}")[0]
            assert best.entry.memory == f"t{number}"
            assert "meaning 1.00" in best.because


ZONES = ("UTC", "Europe/Warsaw", "America/New_York", "Asia/Kathmandu")


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="this system has no time zone of a process")
def test_case_H02(case: CaseOf, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: N802
    """Ages are elapsed seconds, the two 02:30 keep their order, and the zone of the process changes nothing."""
    moments = [datetime.fromisoformat(at) for at, _ in case("H02")["input"]["clock"]]
    seen = []
    try:
        for zone in ZONES:
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            clock = FrozenClock(moments[0])
            with Memory(":memory:", embedder=None, clock=clock) as memory:
                scope = memory.scope("u1")
                found = []
                for number, moment in enumerate(moments):
                    clock.set(moment)
                    scope.remember(f"entry at clock {number}", category="episode")
                    found.append(_found(scope, "", limit=5))
                    hits = {hit.entry.memory: hit for hit in scope.recall("entry", limit=5)}
                    assert hits[f"entry at clock {number}"].parts["recency"] == 0
                ages = [(moments[-1] - entry.created_at).total_seconds() for entry in scope.list()]
                whole = [(hit.entry.memory, hit.score) for hit in scope.recall("entry", limit=5)]
            seen.append((found, ages, whole))
    finally:
        monkeypatch.undo()
        time.tzset()
    found, ages, whole = seen[0]
    assert found[-1] == [f"entry at clock {number}" for number in (3, 2, 1, 0)]
    assert ages[:2] == [0, 3600]
    assert ages[3] - ages[2] == 2
    assert [text for text, _ in whole] == found[-1]
    assert all(other == seen[0] for other in seen)


@EMBEDDERS
def test_case_H03(case: CaseOf, embedder: Any) -> None:  # noqa: N802
    """What was recorded in the future counts as new, and a clock that steps back breaks nothing."""
    steps = case("H03")["input"]["steps"]
    clock = FrozenClock(datetime(2026, 1, 1, tzinfo=UTC))
    store = SqliteStore(":memory:", clock=clock)
    firsts = []
    with Memory(store=store, embedder=embedder, clock=clock) as memory:
        scope = memory.scope("u1")
        for step in steps:
            match step:
                case {"op": "set_clock", "to": to}:
                    clock.set(datetime.fromisoformat(to))
                case {"op": "store", "text": text, "at": at}:
                    run(store.store("u1", MemoryEntry(Category.FACT, text, created_at=datetime.fromisoformat(at))))
                case {"op": "store", "text": text}:
                    scope.remember(text)
                case {"op": "retrieve", "query": query, "limit": limit}:
                    hits = list(scope.recall(query, limit=limit))
                    firsts.append(hits[0].entry.memory)
                    for hit in (*hits, *scope.recall("future", limit=5)):
                        assert math.isfinite(hit.score)
                        assert math.log(0.7) - 1e-4 <= hit.parts["recency"] <= 0
        assert firsts == ["now relevant match"] * 2
        assert [entry.memory for entry in scope.list()] == [
            "after step back", "now relevant match", "far future", "future",
        ]  # fmt: skip
        assert len({entry.id for entry in scope.list()}) == 4


def test_case_R04(case: CaseOf) -> None:  # noqa: N802
    """A block is within its bytes, heading included; one entry too long hides none after it."""
    given = case("R04")["input"]
    budget = Budget(bytes=given["maxRecallBlockBytes"], entry_bytes=given["maxRecallEntryBytes"])
    with Memory(":memory:", embedder=None, settings=Settings(redact=False)) as memory:
        scope = memory.scope("u1")
        for text in reversed(given["entries"]):
            scope.remember(text)
        recalled = scope.recall("", limit=10)
        block = recalled.rendered(budget)
        assert len(block.text.encode()) == block.bytes <= budget.bytes
        bullets = [line.removeprefix("- (fact) ") for line in block.text.split("\n") if line.startswith("- (")]
        assert all(len(bullet.encode()) <= budget.entry_bytes for bullet in bullets)
        assert {"b short", "d short"} <= set(bullets)
        assert {left.entry.memory[0] for left in block.dropped} <= {"漢", "e"}
        for other in given["also"]:
            if "maxRecallBlockBytes" in other:
                assert recalled.block(Budget(bytes=other["maxRecallBlockBytes"])) == ""
    with Memory(":memory:", embedder=None) as memory:
        assert memory.scope("u1").recall("").block(budget) == ""


def test_case_R05(case: CaseOf) -> None:  # noqa: N802
    """Nothing is recalled to fill the limit: neither orthogonal vectors nor those under the floor."""
    given = case("R05")["input"]
    facts: dict[str, tuple[float, ...]] = {text: (0.0, 1.0, 0.1 * place) for place, text in enumerate(given["store"])}
    weak: dict[str, tuple[float, ...]] = {"a text just under the floor": (0.2, 1.0, 0.0)}
    queries = dict.fromkeys(given["queries"], (1.0, 0.0, 0.0))
    for embedder in (Table(facts | weak | queries), None):
        with Memory(":memory:", embedder=embedder) as memory:
            scope = memory.scope("u1")
            scope.remember_many([*facts, *weak])
            for query in queries:
                recalled = scope.recall(query)
                assert (list(recalled), recalled.block()) == ([], ""), query
                if embedder is not None:
                    reasons = {left.entry.memory: left.reason for left in recalled.dropped}
                    assert "under the floor of 0.25" in reasons["a text just under the floor"]


def test_case_R05_with_a_model(case: CaseOf, weights: OnnxEmbedder) -> None:  # noqa: N802
    given = case("R05")["input"]
    with Memory(":memory:", embedder=weights) as memory:
        scope = memory.scope("u1")
        scope.remember_many(given["store"])
        for query in given["queries"]:
            assert _found(scope, query) == [], query
        assert _found(scope, "what is my pet's name?")[0] == "dog is called Rex"


def _visit(scopes: int, rows: int, path: Path) -> tuple[int, int]:
    """Stores in each scope and recalls once from each; returns the growth in open files and in bytes of memory."""
    with Memory(path, embedder=None, settings=Settings(durability="relaxed", index_entries=1000)) as memory:
        growth = []
        for second in (False, True):
            before = _open_files(), _resident()
            for number in range(scopes):
                scope = memory.scope(f"tenant/{number:05}")
                if not second:
                    scope.remember_many([f"row {row} of tenant{number}" for row in range(rows)])
                assert len(scope.recall(f"tenant{number}", limit=rows)) == rows
            growth.append((_open_files() - before[0], _resident() - before[1]))
        paths: list[str] = []
        while page := memory.scopes("tenant", limit=777, after=paths[-1] if paths else None):
            paths += page
        assert paths == [f"tenant/{number:05}" for number in range(scopes)]
        many = memory.scope("many")
        many.remember_many([f"entry {number}" for number in range(2 * scopes)])
        assert len(many.list(limit=2 * scopes)) == 2 * scopes
        assert growth[1][1] < max(growth[0][1], 16 * 2**20)
        return max(files for files, _ in growth), max(size for _, size in growth)


def _open_files() -> int:
    place = Path("/proc/self/fd")
    return len(os.listdir(place)) if place.is_dir() else 0


def _resident() -> int:
    """Returns the memory of this process in bytes; 0 where the system does not tell in a file."""
    place = Path("/proc/self/statm")
    return int(place.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") if place.is_file() else 0


def test_case_L08(tmp_path: Path) -> None:  # noqa: N802
    """Many scopes: no file for each, no memory that grows without end. The part that needs no worker."""
    files, memory = _visit(400, 3, tmp_path / "m.db")
    assert files <= 8
    assert memory < 200 * 2**20


@pytest.mark.slow
def test_case_L08_whole(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    given = case("L08")["input"]
    files, memory = _visit(given["scopes"], given["rows_each"], tmp_path / "m.db")
    assert files <= 8
    assert memory < 200 * 2**20
