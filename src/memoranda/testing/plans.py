"""Read, decide, write in one transaction (design D3)."""

from __future__ import annotations

from memoranda.protocols.plan import Plan, Snapshot
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.revision import Change, Revision
from memoranda.testing.check import Group
from memoranda.testing.demand import holds, raising, same
from memoranda.testing.ground import FUTURE, NOW, PAST, MakeStore, fact, ground

GROUP = Group("plans")


class _Refusal(Exception):
    """What a decision of these checks raises."""


@GROUP.check
async def check_a_write_answers_its_plans_result(make: MakeStore) -> None:
    """The result comes back as the very object that the decision gave."""
    async with ground(make) as here:
        result = object()
        holds(await here.write(here.scope(), Plan(result=result)) is result, "the result is another object")
        holds(await here.write(here.scope(), Plan(result=result, puts=(fact("x"),))) is result, "another object")


@GROUP.check
async def check_a_write_is_read_at_once(make: MakeStore) -> None:
    """What was acknowledged is seen by every verb and by the next decision."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        for number in range(5):
            entry = fact(f"cluster {number}", key="k")
            await here.put(scope, entry)
            same(await here.store.count(scope), number + 1, "count after a write")
            same(await reader.get(scope, entry.id), entry, "get after a write")
            holds(entry in await here.store.retrieve(scope, "cluster", 50), "retrieve does not find what was written")
            seen = await here.look(scope, lambda s, id=entry.id: Plan(result=(s.entry(id), len(s.with_key("k")))))  # type: ignore[misc]
            same(seen, (entry, number + 1), "what the next decision sees")


@GROUP.check
async def check_a_decision_that_raises_changes_nothing(make: MakeStore) -> None:
    """Its error comes out as it is; entries, version and later writes are untouched."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.put(scope, fact("before"))
        before = await reader.changes(scope, 0)

        def refuse(snapshot: Snapshot) -> Plan[None]:
            snapshot.live(NOW)
            raise _Refusal

        for place in (scope, here.scope("new")):
            with raising(_Refusal, "a decision that raises"):
                await here.writer.write(place, refuse)
        same(await reader.changes(scope, 0), before, "the scope after a decision that raised")
        same((await reader.changes(here.scope("new"), 0)).version, 0, "the version of a scope without a write")
        await here.put(scope, fact("after"))
        same(await here.page(scope), ["before", "after"], "entries after the next write")


@GROUP.check
async def check_a_plan_without_changes_leaves_the_version(make: MakeStore) -> None:
    """Readers are not told of a write that they cannot see."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        await here.put(scope, entry := fact("x"))
        before = (await reader.changes(scope, 0)).version
        said = Acknowledgement(key="i", fingerprint="f", at=NOW, outcome=Outcome.ADDED, entry_id=entry.id, because="b")
        await here.write(scope, Plan(result=None))
        await here.write(scope, Plan(result=None, acknowledgements=(said,)))
        same((await reader.changes(scope, 0)).version, before, "the version after plans that change no entry")


@GROUP.check
async def check_a_put_takes_the_place_of_its_id(make: MakeStore) -> None:
    """An entry of the same id is changed where it stands."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        first, second = fact("first", tags=("a",), key="k"), fact("second")
        await here.put(scope, first, second)
        await here.put(scope, changed := fact("changed", id=first.id))
        same(await reader.get(scope, first.id), changed, "the entry of that id")
        same(await here.page(scope), ["changed", "second"], "entries in order")
        same(await here.look(scope, lambda s: Plan(result=list(s.with_key("k")))), [], "entries of the key it had")


@GROUP.check
async def check_removals_take_entry_and_revisions(make: MakeStore) -> None:
    """They come first in a plan, so that one may put an entry of the same id anew; unknown ids are no error."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        first, second = fact("first"), fact("second")
        past = Revision(number=1, change=Change.FOLD, at=NOW, entry=first, because="b")
        await here.write(scope, Plan(result=None, puts=(first, second), revisions=(past,)))
        await here.write(scope, Plan(result=None, removals=(first.id, "00000000-0000-4000-8000-00000000dead", "x")))
        same(await reader.get(scope, first.id), None, "a removed entry")
        same(await reader.revisions(scope, first.id), [], "the revisions of a removed entry")
        same(await here.page(scope), ["second"], "what is left")
        same([e.memory for e in await here.store.retrieve(scope, "", 5)], ["second"], "what is retrieved")
        await here.write(scope, Plan(result=None, removals=(second.id,), puts=(anew := fact("anew", id=second.id),)))
        same(await reader.get(scope, second.id), anew, "an entry that was removed and put in one plan")


@GROUP.check
async def check_snapshots_tell_keys_expiry_and_number(make: MakeStore) -> None:
    """`with_key` leaves out superseded entries only, oldest first; `expired` and `live` go by the moment given."""
    async with ground(make) as here:
        scope = here.scope()
        old = fact("old", key="k")
        gone, past = (
            fact("gone", key="k", expires_at=PAST),
            fact("past", key="k", superseded_by=old.id, expires_at=PAST),
        )
        edge = fact("edge", key="K", expires_at=NOW)
        await here.put(scope, old, gone, past, edge, fact("late", expires_at=FUTURE))

        def look(snapshot: Snapshot) -> Plan[list[object]]:
            keyed = [entry.memory for entry in snapshot.with_key("k")]
            expired = [entry.memory for entry in snapshot.expired(NOW)]
            lives = [snapshot.live(moment) for moment in (PAST, NOW, FUTURE)]
            return Plan(result=[keyed, sorted(expired), lives])

        wanted = [["old", "gone"], ["edge", "gone", "past"], [3, 2, 1]]
        same(await here.look(scope, look), wanted, "keys, expired, live before, at and after")
