"""The shipped contract, on the store in memory."""

from __future__ import annotations

import pytest

from memoranda.curation.decay import Decay
from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.testing import Check, FrozenClock, contract_checks


@pytest.mark.anyio
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract(check: Check) -> None:
    await check(InMemoryStore)


@pytest.mark.anyio
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract_with_decay(check: Check) -> None:
    await check(lambda: InMemoryStore(decay=Decay(), clock=FrozenClock()))
