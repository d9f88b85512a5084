"""The store contract on `InMemoryStore`."""

import pytest

from memoranda.stores.in_memory.store import InMemoryStore
from memoranda.testing import Check, contract_checks


@pytest.mark.anyio
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract(check: Check) -> None:
    await check(InMemoryStore)
