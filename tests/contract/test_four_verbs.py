"""The store contract on a store that has the four verbs and nothing else."""

from __future__ import annotations

import pytest

from memoranda.testing import Check, Verdict, contract_checks, run_contract
from tests.contract.four_verbs import FourVerbs


@pytest.mark.anyio
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract(check: Check) -> None:
    await check(FourVerbs)


@pytest.mark.anyio
async def test_what_it_lacks_is_reported_not_skipped() -> None:
    report = await run_contract(FourVerbs)
    assert report.ok
    assert len(report.results) == len(contract_checks())
    assert {result.verdict for result in report.results if result.capability == "verbs"} == {Verdict.PASSED}
    lacking = [result for result in report.results if result.verdict is Verdict.NOT_OFFERED]
    assert {result.capability for result in lacking} >= {"reading", "plans", "revisions", "scopes", "durability"}
    assert all("not supported over it" in r.because or "not `" in r.because or "maker" in r.because for r in lacking)
