"""Running the contract: reports, what a URL names, and stores that break a promise."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import anyio
import anyio.lowlevel
import pytest

from memoranda.bridge.drive import Stepper
from memoranda.errors import ForeignFile, StoreUnavailable
from memoranda.protocols.plan import Decide, Plan, Snapshot
from memoranda.protocols.store import Changes, EntryFilter
from memoranda.records.document import Document, DocumentKind
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.stores.sqlite.store import SqliteStore
from memoranda.testing import CheckResult, ContractReport, MakeStore, Verdict, check_url, contract_checks, run_contract
from memoranda.testing.ground import fact
from tests.contract.four_verbs import FourVerbs

T = TypeVar("T")
run = Stepper().run


def failures(make: MakeStore) -> set[str]:
    report = anyio.run(run_contract, make)
    return {result.capability for result in report.results if result.verdict is Verdict.FAILED}


class CutsAtNul(FourVerbs):
    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        kept = MemoryEntry(entry.category, entry.memory.partition("\0")[0], id=entry.id, tags=entry.tags)
        await super().store(scope, kept)


class FoldsNames(FourVerbs):
    async def store(self, scope: Scope | str, entry: MemoryEntry) -> None:
        await super().store(str(scope).casefold(), entry)

    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        return await super().retrieve(str(scope).casefold(), query, limit)


class ShowsPrefixes(FourVerbs):
    def live(self, scope: Scope | str) -> list[MemoryEntry]:
        return [
            entry for path in self.kept if path.startswith(str(scope)) for entry in super(type(self), self).live(path)
        ]


class ShowsExpired(FourVerbs):
    def live(self, scope: Scope | str) -> list[MemoryEntry]:
        return list(self.kept.get(str(scope), []))


class ForgetsTheLimit(FourVerbs):
    async def retrieve(self, scope: Scope | str, query: str, limit: int) -> list[MemoryEntry]:
        return await super().retrieve(scope, query, 1000)


class DecidesOutside(InMemoryStore):
    """Decides on a state that is old by the time it writes."""

    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        plan = await super().write(scope, lambda snapshot: Plan(result=decide(snapshot)))
        await anyio.lowlevel.checkpoint()
        return await super().write(scope, lambda snapshot: plan)


class HidesRemovals(InMemoryStore):
    async def changes(self, scope: Scope, since: int, embedder: str | None = None) -> Changes:
        found = await super().changes(scope, since)
        return Changes(version=found.version, entries=found.entries, complete=since == 0)


class FindsForeignIds(InMemoryStore):
    async def get(self, scope: Scope, id: str) -> MemoryEntry | None:
        for path in await self.scopes():
            if entry := await super().get(Scope(path), id):
                return entry
        return None


class MatchesPrefixes(InMemoryStore):
    async def scopes(self, prefix: str = "", limit: int | None = None, after: str | None = None) -> list[str]:
        found = [path for path in await super().scopes("", None, after) if path.startswith(prefix)]
        return found if limit is None else found[: max(limit, 0)]


class Reverses(InMemoryStore):
    async def page(
        self, scope: Scope, matching: EntryFilter, limit: int, after: str | None = None, oldest_first: bool = False
    ) -> list[MemoryEntry]:
        return await super().page(scope, matching, limit, after, not oldest_first)


class MixesSessions(InMemoryStore):
    async def documents(self, scope: Scope, kind: DocumentKind, session: str | None = None) -> list[Document]:
        return await super().documents(scope, kind)


class KeepsErasedDocuments(InMemoryStore):
    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        return await super().write(scope, lambda snapshot: replace(decide(snapshot), erased_documents=()))


class MovesOverwrittenDocuments(InMemoryStore):
    async def write(self, scope: Scope, decide: Decide[T]) -> T:
        def moving(snapshot: Snapshot) -> Plan[T]:
            plan = decide(snapshot)
            return replace(plan, dropped=(*plan.dropped, *(document.key for document in plan.documents)))

        return await super().write(scope, moving)


class Crashes(FourVerbs):
    async def count(self, scope: Scope | str) -> int:
        raise RuntimeError("the wire is down")


@pytest.mark.parametrize(
    ("broken", "noticed_by"),
    [
        (CutsAtNul, "text"),
        (FoldsNames, "isolation"),
        (ShowsPrefixes, "isolation"),
        (ShowsExpired, "expiry"),
        (ForgetsTheLimit, "limits"),
        (DecidesOutside, "concurrency"),
        (HidesRemovals, "reading"),
        (FindsForeignIds, "isolation"),
        (MatchesPrefixes, "scopes"),
        (Reverses, "paging"),
        (MixesSessions, "documents"),
        (MovesOverwrittenDocuments, "documents"),
        (KeepsErasedDocuments, "erasure"),
        (DecidesOutside, "documents"),
        (Crashes, "verbs"),
    ],
)
def test_a_broken_promise_is_noticed(broken: MakeStore, noticed_by: str) -> None:
    assert noticed_by in failures(broken)


def test_a_failure_says_what_happened() -> None:
    report = anyio.run(run_contract, Crashes)
    assert not report.ok
    reasons = {result.because for result in report.results if result.verdict is Verdict.FAILED}
    assert "RuntimeError: the wire is down" in reasons
    assert "    RuntimeError: the wire is down" in str(report).splitlines()
    assert report.store == "Crashes"


def test_a_report_is_a_table_and_json() -> None:
    results = (
        CheckResult(capability="verbs", name="it counts", verdict=Verdict.PASSED),
        CheckResult(capability="text", name="it keeps NUL", verdict=Verdict.FAILED, because="found 'x'\nwanted 'y'"),
        CheckResult(capability="scopes", name="they are listed", verdict=Verdict.NOT_OFFERED, because="no lister"),
    )
    report = ContractReport(store="mine", results=results)
    assert str(report).splitlines() == [
        "contract of mine",
        "verbs   it counts        passed",
        "text    it keeps NUL     failed",
        "    found 'x'",
        "    wanted 'y'",
        "scopes  they are listed  not offered",
        "not offered: no lister",
        "1 passed, 1 failed, 1 not offered",
    ]
    shown = json.loads(json.dumps(report.to_json()))
    assert (shown["ok"], shown["passed"], shown["failed"], shown["not_offered"]) == (False, 1, 1, 1)
    assert shown["results"][1] == {
        "capability": "text", "name": "it keeps NUL", "verdict": "failed", "because": "found 'x'\nwanted 'y'"
    }  # fmt: skip


def test_checks_have_names_of_their_own() -> None:
    names = [str(check) for check in contract_checks()]
    assert len(set(names)) == len(names) > 40
    assert all(check.run.__doc__ for check in contract_checks())


def test_a_url_in_memory_is_checked_whole() -> None:
    report = anyio.run(check_url, ":memory:")
    assert report.ok, str(report)
    assert {r.capability for r in report.results if r.verdict is Verdict.NOT_OFFERED} == {"durability"}


def test_a_file_is_checked_whole_and_what_it_held_is_neither_seen_nor_changed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(SqliteStore(path)) as store:
        for name in ("u1", "memoranda-check", "a"):
            run(store.store(name, fact("cluster", session="s")))
            run(store.store(name, fact("expired", expires_at=fact("x").created_at)))
        before = [run(store.changes(Scope(name), 0)) for name in ("u1", "memoranda-check", "a")]
    report = anyio.run(check_url, f"sqlite:///{path}")
    assert report.ok, str(report)
    assert report.count(Verdict.NOT_OFFERED) == 0
    with closing(SqliteStore(path)) as store:
        assert [run(store.changes(Scope(name), 0)) for name in ("u1", "memoranda-check", "a")] == before
        assert run(store.scopes()) == ["a", "memoranda-check", "u1"]


def test_a_url_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable):
        anyio.run(check_url, "unknown://x")
    with pytest.raises(StoreUnavailable):
        anyio.run(check_url, str(tmp_path / "missing" / "x.db"))
    with closing(sqlite3.connect(tmp_path / "theirs.db")) as theirs:
        theirs.execute("CREATE TABLE notes (text)")
    with pytest.raises(ForeignFile):
        anyio.run(check_url, str(tmp_path / "theirs.db"))
