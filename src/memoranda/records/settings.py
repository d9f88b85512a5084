"""What a host may set. Every bound has a default that suits one machine."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal

from memoranda.errors import InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Settings of a `Memory`. All have defaults; `memoranda --help` shows how the command line sets them.

    Attributes:
        durability: `full` acknowledges a write after it was synced to disk; `relaxed` after it was written, so that
            a power cut may lose the last writes but never the file's soundness.
        busy_timeout: how long a write waits for other processes, in seconds, before `StoreBusy`.
        readers: most reader connections kept open for one file.
        redact: whether secrets are masked before storing (S1.27).
        max_entries: most live entries of a scope; at the bound the least valuable that is not validated is evicted
            (`curation.capacity`). None for no bound.
        max_revisions: most revisions kept of one entry or core block; at the bound the oldest but the first goes.
        max_blocks: most core blocks of a scope, and of each of its sessions; a further one is refused.
        max_block_characters: most characters of all core blocks of a scope, and of each of its sessions; what would
            pass it is refused.
        max_archived: most spans that compaction may archive of one session; at the bound the oldest go.
        idempotency_days: how long an idempotency key is remembered, in days.
        fold_days: how many days after it was last said an entry is still joined by a restatement.
        index_entries: entries whose recall index is kept in memory, over all scopes; least used scopes go first.
        language: how words in Latin script are stemmed: a language of Snowball such as `german`, or `none`.
        recency_half_life_days: after how many days the recency share of a hit has halved.

    Raises:
        InvalidInput: a value out of its range; the message names the setting.
    """

    durability: Literal["full", "relaxed"] = "full"
    busy_timeout: float = 10.0
    readers: int = 4
    redact: bool = True
    max_entries: int | None = None
    max_revisions: int = 100
    max_blocks: int = 32
    max_block_characters: int = 100_000
    max_archived: int = 10_000
    idempotency_days: float = 7.0
    fold_days: float = 14.0
    index_entries: int = 500_000
    language: str = "english"
    recency_half_life_days: float = 30.0

    def __post_init__(self) -> None:
        if self.durability not in ("full", "relaxed"):
            raise InvalidInput(f"`durability` is {self.durability!r}; it must be 'full' or 'relaxed'")
        if not isinstance(self.redact, bool):
            raise InvalidInput(f"`redact` is {self.redact!r}; it must be True or False")
        for part in fields(self):
            value, kind = getattr(self, part.name), type(part.default)
            if kind not in (int, float):
                continue
            wanted = "a whole number" if kind is int else "a number"
            if isinstance(value, bool) or not isinstance(value, int if kind is int else int | float) or not value > 0:
                raise InvalidInput(f"`{part.name}` is {value!r}; it must be {wanted} above 0")
        most = self.max_entries
        if most is not None and (isinstance(most, bool) or not isinstance(most, int) or most < 1):
            raise InvalidInput(f"`max_entries` is {most!r}; it must be a whole number above 0, or None for no bound")
        if self.max_revisions < 2:
            raise InvalidInput("`max_revisions` must be at least 2: the first revision and the newest are kept")
