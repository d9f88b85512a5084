"""What running a contract found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from textwrap import indent

from memoranda.records.entry import JsonValue


class Verdict(StrEnum):
    """What came of a check."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_OFFERED = "not offered"


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """What came of one check.

    Attributes:
        capability: what the check belongs to.
        name: the promise, in words.
        verdict: whether it holds.
        because: why it failed or is not offered; empty when it passed.
    """

    capability: str
    name: str
    verdict: Verdict
    because: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractReport:
    """What came of a whole contract; `str` gives it as a table.

    Attributes:
        store: what was checked.
        results: one for each check, in order.
    """

    store: str
    results: tuple[CheckResult, ...]

    @property
    def ok(self) -> bool:
        """Whether every check passed or is not offered."""
        return self.count(Verdict.FAILED) == 0

    def count(self, verdict: Verdict) -> int:
        """Returns how many checks have that verdict."""
        return sum(1 for result in self.results if result.verdict is verdict)

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object."""
        return {
            "store": self.store,
            "ok": self.ok,
            **{verdict.name.lower(): self.count(verdict) for verdict in Verdict},
            "results": [
                {
                    "capability": result.capability,
                    "name": result.name,
                    "verdict": result.verdict.value,
                    "because": result.because,
                }
                for result in self.results
            ],
        }

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        yield f"contract of {self.store}"
        first = max((len(result.capability) for result in self.results), default=0)
        second = max((len(result.name) for result in self.results), default=0)
        for result in self.results:
            yield f"{result.capability:<{first}}  {result.name:<{second}}  {result.verdict}"
            if result.verdict is Verdict.FAILED:
                yield indent(result.because, "    ")
        reasons = {r.because: None for r in self.results if r.verdict is Verdict.NOT_OFFERED}
        for reason in reasons:
            yield f"not offered: {reason}"
        yield ", ".join(f"{self.count(verdict)} {verdict}" for verdict in Verdict)
