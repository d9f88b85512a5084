"""Requests that were carried out are remembered with their keys."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from memoranda.protocols.plan import Plan
from memoranda.records.receipt import Acknowledgement, Outcome
from memoranda.records.scope import Scope
from memoranda.testing.check import Group
from memoranda.testing.demand import same
from memoranda.testing.ground import NOW, Ground, MakeStore, ground

GROUP = Group("idempotency")

SAID = Acknowledgement(
    key="k", fingerprint="f" * 64, at=NOW, outcome=Outcome.FOLDED,
    entry_id="00000000-0000-4000-8000-00000000beef", because="it said the same",
)  # fmt: skip


async def _known(here: Ground, scope: Scope, key: str) -> Acknowledgement | None:
    return await here.look(scope, lambda snapshot: Plan(result=snapshot.acknowledged(key)))


@GROUP.check
async def check_acknowledgements_come_back_exactly(make: MakeStore) -> None:
    """By their exact key, with every field and for every outcome."""
    async with ground(make) as here:
        scope = here.scope()
        keys = ("k", "K", "k ", "%", "k_", "\U0001f680", "a'b\"c", "\0", "k" * 1000)
        said = [
            replace(SAID, key=key, outcome=outcome) for key, outcome in zip(keys, [*Outcome, *Outcome], strict=False)
        ]
        await here.write(scope, Plan(result=None, acknowledgements=tuple(said)))
        for one in said:
            same(await _known(here, scope, one.key), one, "an acknowledgement")
        for key in ("", "kk", "_", "x"):
            same(await _known(here, scope, key), None, f"the acknowledgement of {key!r}")


@GROUP.check
async def check_a_key_said_again_is_replaced(make: MakeStore) -> None:
    """The newest acknowledgement of a key counts."""
    async with ground(make) as here:
        scope, again = here.scope(), replace(SAID, because="anew", fingerprint="g")
        await here.write(scope, Plan(result=None, acknowledgements=(SAID,)))
        await here.write(scope, Plan(result=None, acknowledgements=(again,)))
        same(await _known(here, scope, "k"), again, "the acknowledgement")


@GROUP.check
async def check_old_acknowledgements_are_forgotten(make: MakeStore) -> None:
    """Those older than the moment given go, in that scope only, with or without other changes."""
    async with ground(make) as here:
        scope, other = here.scope(), here.scope("b")
        old = replace(SAID, key="old", at=NOW - timedelta(microseconds=1))
        for place in (scope, other):
            await here.write(place, Plan(result=None, acknowledgements=(old, SAID)))
        await here.write(scope, Plan(result=None, acknowledged_before=NOW))
        same((await _known(here, scope, "old"), await _known(here, scope, "k")), (None, SAID), "what is remembered")
        same(await _known(here, other, "old"), old, "what another scope remembers")
