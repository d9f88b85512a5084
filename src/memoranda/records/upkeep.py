"""What looking after a store reports: what was verified, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.records.entry import JsonValue


@dataclass(frozen=True, slots=True, kw_only=True)
class Verified:
    """One thing that was verified.

    Attributes:
        what: what should be so, in words.
        ok: whether it is so.
        found: what was looked at or found, in words.
    """

    what: str
    ok: bool
    found: str

    def __str__(self) -> str:
        return f"{'ok ' if self.ok else 'BAD'} {self.what}: {self.found}"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyReport:
    """What verifying a store found. Nothing was changed by it.

    Attributes:
        parts: what was verified, in order.
    """

    parts: tuple[Verified, ...]

    @property
    def ok(self) -> bool:
        """Whether everything is as it should be."""
        return all(part.ok for part in self.parts)

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object."""
        parts: list[JsonValue] = [{"what": part.what, "ok": part.ok, "found": part.found} for part in self.parts]
        return {"ok": self.ok, "parts": parts}

    def __str__(self) -> str:
        return "\n".join(map(str, self.parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong, or that could be better.

    Attributes:
        kind: its name, such as `orphan_vectors`; it does not change between versions.
        count: how many there are.
        what: what it is, in words.
        advice: what `fix=True` does about it, or what else to do.
        mendable: whether `fix=True` does something about it.
        done: what was done about it; empty when nothing was.
    """

    kind: str
    count: int
    what: str
    advice: str
    mendable: bool = True
    done: str = ""

    def __str__(self) -> str:
        return f"{self.kind} ({self.count}): {self.what}; {self.done or self.advice}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorReport:
    """What is wrong with a store, and what was done about it.

    Attributes:
        findings: what was found, in order.
        backup: the copy that was made before anything was mended; None when nothing had to be.
    """

    findings: tuple[Finding, ...]
    backup: str | None = None

    @property
    def healthy(self) -> bool:
        """Whether nothing is left to do."""
        return all(finding.done for finding in self.findings)

    def to_json(self) -> dict[str, JsonValue]:
        """Returns the report as a JSON object."""
        findings: list[JsonValue] = [
            {
                "kind": one.kind,
                "count": one.count,
                "what": one.what,
                "advice": one.advice,
                "mendable": one.mendable,
                "done": one.done,
            }
            for one in self.findings
        ]
        return {"healthy": self.healthy, "findings": findings, "backup": self.backup}

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or "nothing is wrong"
