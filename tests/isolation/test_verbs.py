"""Nothing crosses from one scope to another: no entry, no id, no key, no count, by whatever verb (design D4)."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoranda import EntryNotFound, InMemoryStore, MemorandaError, Memory, SqliteStore
from memoranda.protocols.store import DurableStore
from memoranda.runtime.sync import Scope
from memoranda.testing import FrozenClock

ODD = [
    "a",
    "a/b",
    "a%",
    "a_",
    "aX",
    "A",
    "a ",
    "a/",
    "a//b",
    "..",
    "a/..",
    "/a",
    "é",
    "e\u0301",
    "a:b",
    "🚀",
    "'",
    '"',
    "a\n",
]
UNKNOWN = "00000000-0000-4000-8000-0000000000ff"
STORES: dict[str, Callable[[], DurableStore]] = {
    "sqlite": lambda: SqliteStore(":memory:"),
    "in_memory": InMemoryStore,
}

segments = st.sampled_from(ODD) | st.text(min_size=1, max_size=6).filter(lambda t: bool(t.strip()) and "\0" not in t)
pairs = st.one_of(
    st.tuples(segments, segments),
    st.tuples(segments, segments).map(lambda two: (two[0], two[0] + two[1])),
    st.tuples(segments, segments).map(lambda two: (two[0], f"{two[0]}/{two[1]}")),
).filter(lambda two: two[0] != two[1])
"""Two scopes that differ: any two names, or one the begin or the parent of the other."""


def _seen(memory: Memory, path: str) -> list[Any]:
    """All that one scope shows by every reading verb."""
    scope = memory.scope(path)
    entries = scope.list(superseded=True)
    with tempfile.TemporaryDirectory() as folder:
        scope.dump(Path(folder, "dump"))
        dumped = Path(folder, "dump").read_bytes()
    return [
        entries,
        scope.count(),
        [scope.get(entry.id) for entry in entries],
        [scope.revisions(entry.id) for entry in entries],
        scope.recall("secret word port", limit=100),
        scope.recall("", limit=100),
        scope.recall("word", session="s1", categories=["fact"], tags=["t"]),
        dumped,
    ]


def _work(scope: Scope) -> None:
    """Every writing verb once."""
    first = scope.remember("word one", key="port", session="s1", tags=["t"], idempotency_key="r1").entry
    scope.remember_many([{"text": "word two", "key": "port"}, "word three"])
    assert first is not None
    scope.restore(first.id)
    other = scope.remember("word four").entry
    assert other is not None
    scope.retract(scope.update(other.id, "word five").entry.id)  # type: ignore[union-attr]  # an update has one
    scope.consolidate()


@pytest.mark.parametrize("kind", sorted(STORES))
@given(pair=pairs)
@settings(max_examples=40)
def test_work_in_one_scope_changes_nothing_in_another(kind: str, pair: tuple[str, str]) -> None:
    """Cases X04, X06: all verbs, with scopes that are alike."""
    mine, theirs = pair
    with Memory(store=STORES[kind](), embedder=None, clock=FrozenClock()) as memory:
        memory.scope(mine).remember("my hushed word", key="port", session="s1", tags=["t"], idempotency_key="r1")
        before = _seen(memory, mine)
        _work(memory.scope(theirs))
        assert _seen(memory, mine) == before
        assert all("hushed" not in repr(part) for part in _seen(memory, theirs))
        assert memory.scopes() == sorted(pair)


def _told(verb: Callable[[], object], id: str) -> tuple[type, str]:
    """What a call with an id answers, with the id left out."""
    try:
        return type(None), repr(verb())
    except MemorandaError as error:
        return type(error), str(error).replace(id, "<id>")


@pytest.mark.parametrize("kind", sorted(STORES))
@given(pair=pairs, unknown=st.uuids(version=4).map(str))
@settings(max_examples=40)
def test_an_id_of_another_scope_reads_like_an_unknown_one(kind: str, pair: tuple[str, str], unknown: str) -> None:
    """Case X06, S1.29: the same error in the same words, so that nobody learns that it exists."""
    with Memory(store=STORES[kind](), embedder=None, clock=FrozenClock()) as memory:
        theirs, mine = memory.scope(pair[0]), memory.scope(pair[1])
        live = theirs.remember("secret", key="k").entry
        gone = theirs.remember("secret too").entry
        assert live is not None
        assert gone is not None
        theirs.retract(gone.id)
        mine.remember("mine")
        before = (_seen(memory, pair[0]), _seen(memory, pair[1]))
        for id in (live.id, gone.id):
            verbs: list[Callable[[str], object]] = [
                mine.get,
                mine.retract,
                mine.restore,
                mine.revisions,
                lambda id: mine.update(id, "x"),
                lambda id: mine.list(after=id),
            ]
            for verb in verbs:
                assert _told(lambda v=verb, i=id: v(i), id) == _told(lambda v=verb: v(unknown), unknown)  # type: ignore[misc]
        assert (_seen(memory, pair[0]), _seen(memory, pair[1])) == before


@pytest.mark.parametrize("kind", sorted(STORES))
def test_the_same_ids_in_two_scopes_stay_apart(kind: str, tmp_path: Path) -> None:
    """A dump that was loaded into another scope has the same ids there; each works on its own."""
    with Memory(store=STORES[kind](), embedder=None) as memory:
        one, other = memory.scope("a"), memory.scope("a/b")
        entry = one.remember("word", key="k", idempotency_key="r").entry
        assert entry is not None
        one.dump(tmp_path / "dump")
        other.load(tmp_path / "dump")
        other.update(entry.id, "another word")
        assert [found.memory for found in one.list(superseded=True)] == ["word"]
        one.retract(entry.id)
        assert [found.memory for found in other.list()] == ["another word"]
        assert not other.remember("word", key="k", idempotency_key="r").repeated


@pytest.mark.parametrize("kind", sorted(STORES))
@given(paths=st.lists(st.lists(segments, min_size=1, max_size=3).map("/".join), min_size=1, max_size=8, unique=True))
@settings(max_examples=60)
def test_prefix_means_whole_segments(kind: str, paths: list[str]) -> None:
    """Case X04: `tenant/acme` lists `tenant/acme/x` and never `tenant/acme-corp`; wildcards mean nothing (Q07)."""
    with Memory(store=STORES[kind](), embedder=None) as memory:
        for path in paths:
            memory.scope(path).remember("x")
        assert memory.scopes() == sorted(paths)
        for prefix in {*paths, *(path.split("/")[0] for path in paths if path.split("/")[0].strip()), "a", "a%", "_"}:
            assert memory.scopes(prefix) == sorted(p for p in paths if p == prefix or p.startswith(prefix + "/"))


def test_not_found_names_the_id_only() -> None:
    error = EntryNotFound(UNKNOWN)
    assert error.id == UNKNOWN
    assert str(error).count(UNKNOWN) == 1
