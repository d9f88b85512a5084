"""What tests need: the contract of a store as checks that anyone can run, and fakes: a clock, ids, a summarizer.

A third party proves its own store in a few lines; `pytest` shows a check that needs a power which the store lacks
as skipped, with the reason:

```python
@pytest.mark.anyio
@pytest.mark.parametrize("check", contract_checks(), ids=str)
async def test_contract(check):
    await check(MyStore)
```
"""

from __future__ import annotations

from memoranda.testing.check import Check
from memoranda.testing.core import CoreCheck, core_checks
from memoranda.testing.fakes import CountingIds, FrozenClock
from memoranda.testing.ground import MakeStore, NotOffered, Reopening
from memoranda.testing.report import CheckResult, ContractReport, Verdict
from memoranda.testing.suite import check_url, contract_checks, run_contract
from memoranda.testing.summarizer import ScriptedSummarizer

__all__ = (
    "Check",
    "CheckResult",
    "ContractReport",
    "CoreCheck",
    "CountingIds",
    "FrozenClock",
    "MakeStore",
    "NotOffered",
    "Reopening",
    "ScriptedSummarizer",
    "Verdict",
    "check_url",
    "contract_checks",
    "core_checks",
    "run_contract",
)
