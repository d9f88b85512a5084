"""Nothing crosses from one scope to another, whatever their names (design D4; cases X02, X04, X06, X07)."""

from __future__ import annotations

from memoranda.errors import EntryNotFound
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.protocols.store import EntryFilter
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.revision import Change, Revision
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, raising, same
from memoranda.testing.ground import EVERYTHING, FUTURE, NOW, PAST, MakeStore, fact, ground

GROUP = Group("isolation")

NAMES = (
    "user_1", "userA1", "user_10", "user_", "user%", "user", "USER_1",
    "tenant/acme", "tenant/acme-corp", "tenant/acme/alice", "tenant", "tenant/acm", "tenant/acme0", "tenant/acme.",
    "../../etc/x", "/memories/..", "a/../b", "..", ".", "con", "C:\\x", "%2e%2e%2f", "a:b", "a%b", "a_b", "a*b", "a?b",
    "v1..2 notes", "tab\tname", "line\nname", " lead", "lead", "lead ", "'quote\"", "[x]", "-- ;", "0", "00",
    "na\u00efve \U0001f680", "nai\u0308ve \U0001f680", "\u202eflip", "stra\u00dfe", "strasse", "\uff41", "s" * 900,
)  # fmt: skip


@GROUP.check
async def check_odd_names_are_scopes_of_their_own(make: MakeStore) -> None:
    """Names that differ in any character are different scopes (cases X04, X07)."""
    async with ground(make) as here:
        scopes = [here.scope(name) for name in NAMES]
        for scope in scopes:
            await here.store.store(scope, fact(f"cluster of {scope.path}"))
        for scope in scopes:
            wanted = [f"cluster of {scope.path}"]
            same(await here.store.count(scope), 1, f"count of {scope.path!r}")
            for query in ("cluster", ""):
                found = await here.store.retrieve(scope, query, 50)
                same([entry.memory for entry in found], wanted, f"retrieve {query!r} from {scope.path!r}")


@GROUP.check
async def check_what_stands_below_or_above_is_another_scope(make: MakeStore) -> None:
    """A parent does not show its children's entries, nor they its (case X04)."""
    async with ground(make) as here:
        for name in ("p/q", "p/q/r", "p/q-r"):
            await here.store.store(here.scope(name), fact(f"cluster {name}"))
        for name in ("p", "p/", "p/q/", "p/_", "p/%", "P/Q", "p/q/r/s"):
            same(await here.store.count(here.scope(name)), 0, f"count of {name!r}")
            same(await here.store.retrieve(here.scope(name), "cluster", 5), [], f"retrieve from {name!r}")


@GROUP.check
async def check_recall_by_any_word_stays_inside(make: MakeStore) -> None:
    """Another scope's words, tags and newest entries are not found (case X06)."""
    async with ground(make) as here:
        ana, bob = here.scope("ana"), here.scope("bob")
        secret = fact("Ana's salary is 5", tags=("salary",), key="salary", session="s")
        await here.store.store(ana, secret)
        await here.store.store(bob, fact("weather fact"))
        for query in ("salary", "Ana's salary is 5", "", secret.id, here.root):
            texts = [entry.memory for entry in await here.store.retrieve(bob, query, 50)]
            holds(secret.memory not in texts, f"bob's query {query!r} showed ana's entry")


@GROUP.check
async def check_consolidate_keeps_to_its_scope(make: MakeStore) -> None:
    """Tidying one scope removes nothing from another (case X02)."""
    async with ground(make) as here:
        ana, bob = here.scope("ana"), here.scope("ana/bob")
        for scope in (ana, bob):
            await here.store.store(scope, fact("expired cluster", expires_at=PAST))
            await here.store.store(scope, fact("live cluster"))
        await here.store.consolidate(ana)
        same(await here.store.count(bob), 1, "live entries of the other scope")
        stats = await here.store.consolidate(bob)
        same(stats.pruned, 1, "expired entries that the other scope still had")


@GROUP.check
async def check_another_scopes_id_is_not_found(make: MakeStore) -> None:
    """By-id reads answer as for an id that does not exist."""
    async with ground(make) as here:
        reader, ana, bob = here.reader, here.scope("ana"), here.scope("bob")
        await here.store.store(ana, entry := fact("ana's", superseded_by="00000000-0000-4000-8000-000000000001"))
        await here.store.store(bob, fact("bob's"))
        same(await reader.get(bob, entry.id), None, "get of another scope's id")
        same(await reader.revisions(bob, entry.id), [], "revisions of another scope's id")
        same(await reader.predecessors(bob, str(entry.superseded_by)), [], "predecessors in another scope")
        with raising(EntryNotFound, "a page after another scope's id"):
            await reader.page(bob, EntryFilter(now=NOW), 5, after=entry.id)
        same([found.memory for found in (await reader.changes(bob, 0)).entries], ["bob's"], "changes")
        same((await reader.changes(here.scope("nobody"), 0)).version, 0, "version of a scope that was never written")


@GROUP.check
async def check_a_decision_sees_its_scope_alone(make: MakeStore) -> None:
    """No reading verb of a snapshot shows another scope's rows."""
    async with ground(make) as here:
        ana, bob = here.scope("ana"), here.scope("bob")
        entry = fact("ana's", key="k", expires_at=PAST)
        said = Acknowledgement(key="i", fingerprint="f", at=NOW, outcome=Outcome.ADDED, entry_id=entry.id, because="b")
        past = Revision(number=1, change=Change.FOLD, at=NOW, entry=entry, because="b")
        await here.write(ana, Plan(result=None, puts=(entry,), revisions=(past,), acknowledgements=(said,)))

        def look(snapshot: Snapshot) -> Plan[list[object]]:
            seen = [snapshot.entry(entry.id), snapshot.acknowledged("i"), snapshot.live(PAST)]
            lists = [snapshot.with_key("k"), snapshot.predecessors(entry.id), snapshot.revisions(entry.id)]
            return Plan(result=[*seen, *map(len, lists), len(snapshot.expired(FUTURE))])

        same(await here.look(bob, look), [None, None, 0, 0, 0, 0, 0], "what bob's decision sees")
        same(await here.look(ana, look), [entry, said, 0, 1, 0, 1, 1], "what ana's decision sees")


@GROUP.check
async def check_a_plan_changes_its_scope_alone(make: MakeStore) -> None:
    """The same id in two scopes is two entries; removing or changing one leaves the other."""
    async with ground(make) as here:
        reader, ana, bob = here.reader, here.scope("ana"), here.scope("bob")
        entry = fact("the first")
        past = Revision(number=1, change=Change.FOLD, at=NOW, entry=entry, because="b")
        for scope in (ana, bob):
            await here.write(scope, Plan(result=None, puts=(entry,), revisions=(past,)))
        before = await reader.changes(ana, 0)
        other = fact("changed", id=entry.id)
        await here.write(bob, Plan(result=None, puts=(other,), forgotten_revisions=((entry.id, 1),)))
        await here.write(bob, Plan(result=None, removals=(entry.id,)))
        same(await reader.get(ana, entry.id), entry, "the entry of the other scope")
        same(await reader.revisions(ana, entry.id), [past], "the revisions of the other scope")
        same(await reader.changes(ana, 0), before, "the version and entries of the other scope")
        same(await reader.page(bob, EntryFilter(now=NOW, superseded=True), EVERYTHING), [], "what the plan removed")
