"""Generated scopes and ids over every verb of a memory: nothing crosses (design D4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda.errors import EntryNotFound, MemorandaError
from memoranda.runtime.sync import Memory, Scope
from memoranda.stores.in_memory.store import InMemoryStore

SEGMENTS = st.one_of(
    st.sampled_from(
        ["a", "A", "a_", "a%", "..", ".", "%2e", "*", "'", '"', " a", "a ", "\u00e4", "a\u0308", "\U0001f680"]
    ),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=4),
)
PATHS = st.lists(SEGMENTS, min_size=1, max_size=3).map("/".join).filter(str.strip)
SCOPES = st.lists(PATHS, min_size=2, max_size=4, unique=True)
# (whose scope is asked, whose id is used, which verb)
STEPS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 9)), min_size=1, max_size=25)

VERBS: tuple[Callable[[Scope, str, str], Any], ...] = (
    lambda scope, id, mark: scope.remember(f"cluster {mark}", key="k", session="s", idempotency_key="once"),
    lambda scope, id, mark: scope.remember(f"cluster {mark}", tags=["t"]),
    lambda scope, id, mark: scope.get(id),
    lambda scope, id, mark: scope.update(id, f"cluster {mark} anew"),
    lambda scope, id, mark: scope.retract(id),
    lambda scope, id, mark: scope.restore(id),
    lambda scope, id, mark: scope.revisions(id),
    lambda scope, id, mark: scope.list(superseded=True, limit=1000),
    lambda scope, id, mark: list(scope.recall("cluster", limit=1000)) + list(scope.recall("", limit=1000)),
    lambda scope, id, mark: scope.list(after=id, limit=1000),
)
BY_ID = (3, 4, 5, 6, 9)


@pytest.mark.parametrize("store", ["sqlite", "in memory"])
@settings(max_examples=60)
@given(paths=SCOPES, steps=STEPS)
def test_nothing_crosses(store: str, paths: list[str], steps: list[tuple[int, int, int]]) -> None:
    with Memory(":memory:") if store == "sqlite" else Memory(store=InMemoryStore()) as memory:
        ids = {path: [_id(memory.scope(path).remember(f"cluster mark{n}"))] for n, path in enumerate(paths)}
        for asked, owner, verb in steps:
            mine, theirs = asked % len(paths), owner % len(paths)
            foreign = mine != theirs
            marks = {f"mark{n}" for n in range(len(paths))} - {f"mark{mine}"}
            id = ids[paths[theirs]][-1]
            try:
                answer = VERBS[verb](memory.scope(paths[mine]), id, f"mark{mine}")
            except MemorandaError as error:
                answer = error
            if foreign and verb in BY_ID:
                assert isinstance(answer, EntryNotFound), answer
            if foreign and verb == 2:
                assert answer is None
            assert not [mark for mark in marks if mark in repr(answer)]
            if entry := getattr(answer, "entry", None):
                ids[paths[mine]].append(entry.id)
        for n, path in enumerate(paths):
            kept = memory.scope(path).list(superseded=True, limit=1000)
            assert {entry.id for entry in kept} == set(ids[path])
            assert all(f"mark{n}" in entry.memory for entry in kept)
        assert memory.scopes() == sorted(paths)
        for path in paths:
            below = [other for other in sorted(paths) if other == path or other.startswith(path + "/")]
            assert memory.scopes(path) == below


def _id(receipt: Any) -> str:
    return str(receipt.entry.id)
