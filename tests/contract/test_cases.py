"""The cases from the field that are about scopes, limits and odd texts, over every verb of a memory on each store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memoranda.errors import EntryNotFound, InvalidInput, InvalidScope
from memoranda.records.entry import MemoryEntry
from memoranda.runtime.sync import Memory, Scope
from memoranda.stores.in_memory.store import InMemoryStore

Case = Callable[[str], dict[str, Any]]


@pytest.fixture(params=["file", "database in memory", "memory"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    made = {
        "file": lambda: Memory(tmp_path / "memory.db"),
        "database in memory": lambda: Memory(":memory:"),
        "memory": lambda: Memory(store=InMemoryStore()),
    }[request.param]()
    with made:
        yield made


def texts(scope: Scope, query: str = "", limit: int = 50) -> list[str]:
    return [hit.entry.memory for hit in scope.recall(query, limit=limit)]


def test_a_sibling_is_not_below_a_scope(memory: Memory, case: Case) -> None:
    """Case X04."""
    steps = case("X04")["input"]["steps"]
    for step in steps:
        if step["op"] == "store":
            memory.scope(step["scope"]).remember(step["text"])
    assert texts(memory.scope("tenant/acme")) == ["acme note"]
    assert memory.scopes("tenant/acme") == ["tenant/acme"]
    assert texts(memory.scope("user_1")) == ["x"]
    assert texts(memory.scope("user_")) == texts(memory.scope("user%")) == []
    assert memory.scopes("user_") == memory.scopes("user%") == memory.scopes("tenant/ac") == []
    assert memory.scopes() == sorted(step["scope"] for step in steps if step["op"] == "store")


def test_no_path_forgets_the_scope(memory: Memory, case: Case) -> None:
    """Case X06: every verb with another scope's id answers as for an id that does not exist."""
    stored = [step for step in case("X06")["input"]["steps"] if step["op"] == "store"]
    ana, bob = memory.scope("ana"), memory.scope("bob")
    hers = ana.remember(stored[0]["text"], tags=["salary"], key="pay", session="s", idempotency_key="once").entry
    bob.remember(stored[1]["text"])
    assert isinstance(hers, MemoryEntry)
    unknown = "00000000-0000-4000-8000-00000000dead"
    for query in ("salary", "", hers.id, "Ana's salary is 5", "pay"):
        assert not [text for text in texts(bob, query) if "salary" in text]
    assert bob.get(hers.id) is None
    assert [entry.memory for entry in bob.list(limit=100, superseded=True)] == ["weather fact"]
    for verb in (
        lambda id: bob.update(id, "x"),
        lambda id: bob.retract(id),
        lambda id: bob.restore(id),
        lambda id: bob.revisions(id),
        lambda id: bob.list(after=id),
    ):
        said = []
        for id in (hers.id, unknown):
            with pytest.raises(EntryNotFound) as caught:
                verb(id)
            said.append(str(caught.value).replace(id, "ID"))
        assert said[0] == said[1]
    receipt = bob.remember("bob's own pay", key="pay", idempotency_key="once")
    assert (receipt.outcome, receipt.previous, receipt.repeated) == ("added", None, False)
    bob.consolidate()
    assert ana.list() == [hers]
    assert ana.count() == 1


def test_odd_names_are_names(memory: Memory, case: Case, tmp_path: Path) -> None:
    """Case X07: each name is a scope of its own or is refused; nothing is written beside the store."""
    before = {path.name for path in tmp_path.parent.rglob("*")}
    accepted = []
    for name in case("X07")["input"]["scopes"]:
        try:
            memory.scope(name).remember(f"note of {name[:50]!r}")
            accepted.append(name)
        except InvalidScope:
            assert not name.strip() or "\0" in name or len(name.encode()) > 1024
    assert len(accepted) == len(case("X07")["input"]["scopes"]) - 4
    for name in accepted:
        assert texts(memory.scope(name)) == texts(memory.scope(name), "note") == [f"note of {name[:50]!r}"]
    assert memory.scopes() == sorted(accepted)
    for name in (None, 5, b"x"):
        with pytest.raises(InvalidScope):
            memory.scope(name)  # type: ignore[arg-type]
    made = {path.name for path in tmp_path.parent.rglob("*")} - before
    assert made <= {"memory.db", "memory.db-wal", "memory.db-shm"}


def test_limits_never_mean_everything(memory: Memory, case: Case) -> None:
    """Case Q10: 0 and below give nothing, huge ones all, what is no whole number is refused."""
    given = case("Q10")["input"]
    scope = memory.scope("u1")
    scope.remember_many([f"note {number}" for number in range(given["store_n"])])
    for limit in given["limits"]:
        verbs: list[Callable[..., Any]] = [
            lambda limit: scope.recall("note", limit=limit),
            lambda limit: scope.list(limit=limit),
        ]
        for verb in verbs:
            if limit is None:
                continue
            if isinstance(limit, bool) or not isinstance(limit, int):
                with pytest.raises(InvalidInput):
                    verb(limit)
            else:
                assert len(verb(limit)) == max(0, min(limit, given["store_n"]))
    assert len(scope.recall("note", limit=None)) == 8


def test_nul_and_control_characters_come_back(memory: Memory, case: Case) -> None:
    """Case T02."""
    for step in case("T02")["input"]["steps"]:
        if step["op"] == "store":
            receipt = memory.scope("u1").remember(step["text"])
            assert receipt.entry is not None
            assert receipt.entry.memory == step["text"]
        elif step["op"] == "retrieve":
            assert "x\0y after nul" in texts(memory.scope("u1"), step["query"], step["limit"])
    assert texts(memory.scope("u1"), "red")[0] == "bell\x07 and \x1b[31mred\x1b[0m"


def test_the_scope_of_nobody_is_refused(memory: Memory, case: Case) -> None:
    """Case X02: without a scope no verb runs, so nothing of others is touched."""
    for step in case("X02")["input"]["steps"]:
        if step["op"] == "store":
            memory.scope(step["scope"]).remember(step["text"])
        if not step["scope"]:
            with pytest.raises(InvalidScope):
                memory.scope(step["scope"])
    assert memory.scope("userB").count() == 1
