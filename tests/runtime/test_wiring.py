"""From a target to a store: paths, URLs, the user's own file, third-party stores, a store of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from memoranda import InMemoryStore, Memory, SqliteStore, StoreUnavailable, Unsupported
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.records.stats import ConsolidationStats

THIRD_PARTY = """
from memoranda import InMemoryStore

def open_store(url, settings):
    store = InMemoryStore()
    store.opened_with = (url, settings.max_revisions)
    return store

def broken(url, settings):
    raise OSError("no route to host")
"""


def test_a_path_is_taken_literally(tmp_path: Path) -> None:
    """Case X07: nothing in a file's name means anything special."""
    for name in ("a b.db", "100%.db", "what?.db", "a#b.db", "file:x.db", "é🚀.db", "%2e.db"):
        with Memory(tmp_path / name) as memory:
            memory.scope("a").remember(name)
        assert (tmp_path / name).is_file()
        with Memory(str(tmp_path / name)) as memory:
            assert [entry.memory for entry in memory.scope("a").list()] == [name]
    assert {file.name for file in tmp_path.iterdir()} == {
        "a b.db", "100%.db", "what?.db", "a#b.db", "file:x.db", "é🚀.db", "%2e.db",
    }  # fmt: skip


def test_sqlite_urls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for url, path in ((f"sqlite:///{tmp_path}/absolute.db", "absolute.db"), ("sqlite:///relative.db", "relative.db")):
        with Memory(url) as memory:
            memory.scope("a").remember("x")
        assert (tmp_path / path).is_file(), url
    with Memory("sqlite://") as memory:
        assert memory.scope("a").count() == 0
    assert {file.name for file in tmp_path.iterdir()} == {"absolute.db", "relative.db"}


def test_without_a_target_the_users_own_file_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    with Memory() as memory:
        memory.scope("a").remember("x")
    with Memory() as memory:
        assert memory.scope("a").count() == 1
    if sys.platform == "linux":
        assert (tmp_path / "data" / "memoranda" / "memory.db").is_file()


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_DATA_HOME is Linux's")
def test_a_data_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))
    with pytest.raises(StoreUnavailable, match="give `Memory` a path"):
        Memory()


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("{tmp}/missing/m.db", "its folder does not exist"),
        ("{tmp}", "it is a folder"),
        ("", "it is a folder"),
        ("gopher://host/db", "what can be opened: a path, :memory:, sqlite:///path"),
        ("://", "what can be opened"),
        ("{tmp}/\0.db", "NUL"),
    ],
    ids=ascii,
)
def test_a_bad_target_says_what_to_do(target: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match=why):
        Memory(target.format(tmp=tmp_path))


@pytest.fixture
def third_party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs a distribution with three entry points, as an installer would lay it out."""
    (tmp_path / "their_store.py").write_text(THIRD_PARTY, encoding="utf-8")
    info = tmp_path / "their_store-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-store\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(
        "[memoranda.stores]\n"
        "theirs = their_store:open_store\n"
        "broken = their_store:broken\n"
        "gone = module_that_is_not_there:open_store\n",
        encoding="utf-8",
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "their_store", raising=False)


@pytest.mark.usefixtures("third_party")
def test_a_third_party_store_is_found_by_its_entry_point() -> None:
    with Memory("theirs://host/db?x=1") as memory:
        assert memory.store.opened_with == ("theirs://host/db?x=1", 100)  # type: ignore[attr-defined]  # theirs
        memory.scope("a").remember("x")
        assert len(memory.scope("a").recall("x")) == 1
    with pytest.raises(StoreUnavailable, match="theirs://"):
        Memory("unknown://host")


@pytest.mark.usefixtures("third_party")
@pytest.mark.parametrize("target", ["gone://host", "broken://host"])
def test_a_third_party_store_that_fails_is_named(target: str) -> None:
    with pytest.raises((StoreUnavailable, OSError)) as caught:
        Memory(target)
    assert "host" in str(caught.value) or "gone" in str(caught.value)


class FourVerbs:
    """The least that a store can be (S0.1)."""

    def __init__(self) -> None:
        self.kept: dict[str, list[MemoryEntry]] = {}

    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        self.kept.setdefault(str(scope), []).append(entry)

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        return [entry for entry in self.kept.get(str(scope), []) if query in entry.memory][:limit]

    async def consolidate(self, scope: Scope | str) -> ConsolidationStats:
        count = await self.count(scope)
        return ConsolidationStats(entries_before=count, entries_after=count)

    async def count(self, scope: Scope | str) -> int:
        return len(self.kept.get(str(scope), []))


def test_a_store_with_the_four_verbs_remembers_recalls_and_counts(tmp_path: Path) -> None:
    """S0.1: that is all that it takes."""
    mine = FourVerbs()
    with Memory(store=mine) as memory:
        scope = memory.scope("acme/alice")
        receipt = scope.remember("port 8080", tags=["infra"])
        assert receipt.entry is not None
        assert mine.kept["acme/alice"] == [receipt.entry]
        assert len(scope.remember_many(["port a", "b"])) == 2
        assert [hit.entry.memory for hit in scope.recall("port", limit=5)] == ["port 8080", "port a"]
        assert [hit.entry.memory for hit in scope.recall("port", tags=["infra"])] == ["port 8080"]
        assert "by the store" in scope.recall("port")[0].because
        assert (scope.count(), scope.consolidate().entries_after, len(memory.scope("b").recall("port"))) == (3, 3, 0)
        assert len(scope.recall("port", limit=0)) == len(scope.recall("port", limit=-1)) == 0


def test_what_it_cannot_do_says_what_to_implement(tmp_path: Path) -> None:
    with Memory(store=FourVerbs()) as memory:
        scope = memory.scope("a")
        id = scope.remember("x").entry.id  # type: ignore[union-attr]  # it was added
        (tmp_path / "dump").write_text('{"format":"memoranda dump","version":1}\n', encoding="utf-8")
        wanted: dict[str, list[Callable[[], object]]] = {
            "EntryReader": [
                lambda: scope.get(id),
                scope.list,
                lambda: scope.revisions(id),
                lambda: scope.dump(tmp_path / "d"),
            ],
            "PlanWriter": [
                lambda: scope.update(id, "y"),
                lambda: scope.retract(id),
                lambda: scope.restore(id),
                lambda: scope.remember("y", key="k"),
                lambda: scope.remember("y", idempotency_key="k"),
                lambda: scope.load(tmp_path / "dump"),
            ],
            "ScopeLister": [memory.scopes, memory.stats],
        }
        for power, calls in wanted.items():
            for call in calls:
                with pytest.raises(Unsupported, match=rf"FourVerbs .*{power}"):
                    call()
        assert scope.count() == 1


def test_it_does_not_pretend_to_have_scored() -> None:
    """A least score asks for a number that such a store does not give."""
    with Memory(store=FourVerbs()) as memory:
        memory.scope("a").remember("x")
        with pytest.raises(Unsupported, match="min_score"):
            memory.scope("a").recall("x", min_score=0.5)


def test_a_store_of_ones_own_is_used_as_it_is(tmp_path: Path) -> None:
    for store in (InMemoryStore(), SqliteStore(tmp_path / "m.db")):
        with Memory(store=store) as memory:
            assert memory.store is store
