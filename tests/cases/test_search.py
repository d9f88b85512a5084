"""Cases from the field: search syntax, limits, odd texts, times."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memoranda import InvalidEntry, Memory
from memoranda.runtime.sync import Scope
from memoranda.text.clean import printable
from tests.conftest import Case

CaseOf = Callable[[str], Case]


def _found(scope: Scope, query: str, **filters: Any) -> list[str]:
    return [hit.entry.memory for hit in scope.recall(query, **filters)]


def test_case_Q06(case: CaseOf) -> None:  # noqa: N802
    """A query is text, whatever it looks like."""
    given = case("Q06")["input"]
    first = {
        "don't": 0, "multi-agent": 0, "GB/s": 1, "docs/plan.md": 2, "NOT": 3, "key:value": 4,
    }  # fmt: skip
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        scope.remember_many(given["store"])
        for query in given["queries"]:
            found = _found(scope, query)
            if query in first:
                assert found[0] == given["store"][first[query]], query
            if not any(character.isalnum() for character in query):
                assert found == [], query


def test_case_Q07(case: CaseOf) -> None:  # noqa: N802
    steps = case("Q07")["input"]["steps"]
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        scope.remember_many([step["text"] for step in steps if step["op"] == "store"])
        seen = {step["query"]: _found(scope, step["query"], limit=5) for step in steps if step["op"] == "retrieve"}
        assert seen["%"] == seen["100%"] == ["100% sure"]
        assert seen["FM_"] == ["FM_alpha"]
        assert len(seen["_"]) < 3


def test_case_Q08(case: CaseOf) -> None:  # noqa: N802
    steps = case("Q08")["input"]["steps"]
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        scope.remember_many([step["text"] for step in steps if step["op"] == "store"])
        queries = [step["query"] for step in steps if step["op"] == "retrieve"]
        assert _found(scope, queries[0], limit=5)[0] == steps[0]["text"]
        assert _found(scope, queries[1], limit=5) == []


def test_case_Q09(case: CaseOf) -> None:  # noqa: N802
    """Blank queries give the newest; an enormous one is answered within bounds."""
    given = case("Q09")["input"]
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        scope.remember_many(given["store"])
        for query in given["queries"]:
            began = time.process_time()
            found = _found(scope, query)
            assert time.process_time() - began < 1.0
            assert len(found) == (0 if query.strip() else 2), query[:20]


def test_case_Q10(case: CaseOf) -> None:  # noqa: N802
    """0 and negative: nothing. Huge: all. None: the default of 8. What is no whole number is refused."""
    given = case("Q10")["input"]
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        scope.remember_many([f"text {number}" for number in range(given["store_n"])])
        for limit in given["limits"]:
            for query in ("text", ""):
                if limit is None:
                    assert len(scope.recall(query, limit=limit)) == 8
                elif isinstance(limit, int) and not isinstance(limit, bool):
                    assert len(scope.recall(query, limit=limit)) == max(0, min(limit, 50)), limit
                    assert len(scope.list(limit=limit)) == max(0, min(limit, 50)), limit
                else:
                    with pytest.raises(InvalidEntry, match="`limit`"):
                        scope.recall(query, limit=limit)


def test_case_T02(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """NUL and control characters are kept whole and shown so that a terminal acts on nothing."""
    texts = [step["text"] for step in case("T02")["input"]["steps"] if step["op"] == "store"]
    with Memory(tmp_path / "m.db") as memory:
        memory.scope("u1").remember_many(texts)
    with Memory(tmp_path / "m.db") as memory:
        scope = memory.scope("u1")
        assert _found(scope, "after", limit=5) == [texts[0]]
        assert _found(scope, "red") == [texts[1]]
        scope.dump(tmp_path / "dump")
        memory.scope("u2").load(tmp_path / "dump")
        assert [entry.memory for entry in memory.scope("u2").list()] == list(reversed(texts))
    assert not {"\0", "\a", "\x1b"} & set("".join(printable(text) for text in texts))


def test_case_T03(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """Long texts of every script are stored whole: nothing is cut before it must be shown."""
    texts = case("T03")["input"]["texts"]
    with Memory(tmp_path / "m.db") as memory:
        memory.scope("u1").remember_many(texts)
    with Memory(tmp_path / "m.db") as memory:
        assert [entry.memory for entry in memory.scope("u1").list()] == list(reversed(texts))


def test_case_T04(case: CaseOf) -> None:  # noqa: N802
    """The part that there is: a text that holds delimiters is a text like any other, in every field."""
    odd = case("T04")["input"]["steps"][1]["tool"]
    with Memory(":memory:") as memory:
        scope = memory.scope("u1")
        entry = scope.remember(odd, source=odd, tags=[odd], key=odd, category="trajectory", origin="tool").entry
        assert entry is not None
        assert scope.get(entry.id) == entry
        assert (entry.memory, entry.tags, entry.key) == (odd, (odd,), odd)


def test_case_H01(case: CaseOf, tmp_path: Path) -> None:  # noqa: N802
    """A naive time is refused; aware ones are compared as moments and come back aware after reopening."""
    steps = [step for step in case("H01")["input"]["steps"] if step["op"] == "store"]
    with Memory(tmp_path / "m.db") as memory:
        scope = memory.scope("u1")
        for step in steps:
            moment = datetime.fromisoformat(step["at"])
            if moment.tzinfo is None:
                with pytest.raises(InvalidEntry, match="`occurred_at` has no time zone"):
                    scope.remember(step["text"], occurred_at=moment)
            else:
                scope.remember(step["text"], occurred_at=moment)
    with Memory(tmp_path / "m.db") as memory:
        entries = memory.scope("u1").list()
        assert len(memory.scope("u1").recall("a b c", limit=5)) == 2
        moments = {entry.memory: entry.occurred_at for entry in entries}
        assert moments == {"b": datetime(2026, 3, 1, 8, tzinfo=UTC), "c": datetime(2026, 3, 1, 10, tzinfo=UTC)}
        assert all(moment is not None and moment.tzinfo is UTC for moment in moments.values())
