"""What an entry was before each change is kept (design D9)."""

from __future__ import annotations

from dataclasses import replace

from memoranda.protocols.plan import Plan
from memoranda.records.revision import Change, Revision
from memoranda.testing.check import Group
from memoranda.testing.demand import same
from memoranda.testing.ground import NOW, MakeStore, fact, ground

GROUP = Group("revisions")


@GROUP.check
async def check_revisions_come_back_exactly(make: MakeStore) -> None:
    """Every field, for every kind of change, oldest first, to readers and decisions alike."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entry = fact("now", tags=("a", "\U0001f680"), metadata={"k": [1, None]}, confidence=1 / 3)
        other = fact("other")
        kept = [
            Revision(
                number=number, change=change, at=NOW, entry=replace(entry, memory=f"was {number} \0"), because="why"
            )
            for number, change in enumerate(Change, 1)
        ]
        for revision in reversed(kept):
            await here.write(scope, Plan(result=None, puts=(entry, other), revisions=(revision,)))
        same(await reader.revisions(scope, entry.id), kept, "revisions")
        same(await here.look(scope, lambda s: Plan(result=list(s.revisions(entry.id)))), kept, "seen by a decision")
        same(await reader.revisions(scope, other.id), [], "revisions of an entry that was not changed")


@GROUP.check
async def check_a_revision_of_the_same_number_is_replaced(make: MakeStore) -> None:
    """So a change can be marked as undone."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entry = fact("now")
        first = Revision(number=1, change=Change.FOLD, at=NOW, entry=entry, because="b")
        await here.write(scope, Plan(result=None, puts=(entry,), revisions=(first,)))
        version = (await reader.changes(scope, 0)).version
        await here.write(scope, Plan(result=None, revisions=(replace(first, undone=True),)))
        same(await reader.revisions(scope, entry.id), [replace(first, undone=True)], "revisions")
        same((await reader.changes(scope, 0)).version > version, True, "whether the version grew")


@GROUP.check
async def check_forgotten_revisions_go_alone(make: MakeStore) -> None:
    """Only the numbers named go; unknown ones are no error."""
    async with ground(make) as here:
        reader, scope = here.reader, here.scope()
        entry = fact("now")
        kept = tuple(
            Revision(number=number, change=Change.FOLD, at=NOW, entry=entry, because="b") for number in (1, 2, 3)
        )
        await here.write(scope, Plan(result=None, puts=(entry,), revisions=kept))
        await here.write(scope, Plan(result=None, forgotten_revisions=((entry.id, 2), (entry.id, 9), ("x", 1))))
        numbers = [revision.number for revision in await reader.revisions(scope, entry.id)]
        same(numbers, [1, 3], "numbers that are left")
        same(await reader.get(scope, entry.id), entry, "the entry itself")
