"""One remembered thing, and the words that describe it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar
from uuid import uuid4

from memoranda.errors import InvalidEntry

JsonValue = str | int | float | bool | None | list["JsonValue"] | dict[str, "JsonValue"]
"""What metadata may hold."""

DEFAULT_CONFIDENCE = 0.7
"""Confidence of what nobody rated: what a person or a model states (seed 1, confidence table)."""

_Kind = TypeVar("_Kind", bound=StrEnum)


class Category(StrEnum):
    """What kind of thing an entry is (S0.27 and C11).

    `fact`, `preference`, `instruction`, `strategy`, `insight`, `learning` and `error_pattern` are knowledge and may
    fold. `episode` (a message) and `trajectory` (a tool call) are append only. `working` is scratch of one session.
    """

    FACT = "fact"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    STRATEGY = "strategy"
    INSIGHT = "insight"
    LEARNING = "learning"
    ERROR_PATTERN = "error_pattern"
    EPISODE = "episode"
    TRAJECTORY = "trajectory"
    WORKING = "working"


class Origin(StrEnum):
    """Who said it, which is how far it is trusted (design D10). From most to least trusted."""

    HOST = "host"
    USER = "user"
    IMPORT = "import"
    MODEL = "model"
    TOOL = "tool"
    WEB = "web"

    @property
    def trust(self) -> int:
        """Rank of trust: 5 for the host down to 0 for the web."""
        return len(Origin) - 1 - list(Origin).index(self)


def _now() -> datetime:
    return datetime.now(UTC)


def _new_id() -> str:
    return str(uuid4())


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One remembered thing: its text, where it comes from, when it held, and its scores.

    `MemoryEntry(category, memory)` is the seed's `new`: relevance 1.0, no tags, not validated, a fresh random
    id and the time of now (S0.22 to S0.24). The verbs of a scope pass id and times from the injected clock instead.

    Attributes:
        category: what kind of thing it is.
        memory: the text. At most `check.MAX_TEXT` characters.
        id: a random UUID (version 4) as text, minted at construction and never used again.
        tags: short labels, in the order given, without repeats.
        created_at: when memoranda recorded it (the `recorded_at` of design D15).
        relevance: how important it is, 0 to 1.
        access_count: how often it was found by a store that counts that.
        validated: confirmed by a person or the host; never pruned nor evicted (C34).
        confidence: how sure the one who said it was, 0 to 1. 0.7 by default (S1: what a model or user states).
        origin: who said it.
        source: where it stands: a URI, a file and line, a message id.
        speaker: who spoke the words, for a message.
        session: the conversation that it comes from.
        position: its place in that conversation, counted from 0.
        key: the slot that it fills, such as `staging.port`. A newer entry of the same key takes its place.
        occurred_at: when it happened, if that is not when it was recorded.
        valid_from: since when it holds. `occurred_at`, else `created_at`, when not given.
        valid_to: until when it held; None while it still does.
        expires_at: from when it is no longer shown; None for never.
        last_accessed: when it was last found, by a store that notes that (S0.42).
        last_decayed: when its relevance was last decayed (S0.42).
        seen_count: how often it was said, folds included.
        last_seen: when it was last said. `created_at` when not given.
        superseded_by: the id of the entry that took its place; its own id when it was retracted (S1.28); else None.
        contested_with: the ids of live entries that cannot be true together with this one.
        metadata: further facts of the host's, as JSON values.

    Times must be aware and are kept in UTC; a naive one is refused, since it could mean several moments.
    Numbers are not checked here: a store must stand a relevance of NaN (S0.34). `check_entry` holds the rules
    that everything stored durably obeys.

    Raises:
        InvalidEntry: a category, an origin or a time that cannot be read as one.
    """

    category: Category
    memory: str
    id: str = field(default_factory=_new_id, kw_only=True)
    tags: tuple[str, ...] = field(default=(), kw_only=True)
    created_at: datetime = field(default_factory=_now, kw_only=True)
    relevance: float = field(default=1.0, kw_only=True)
    access_count: int = field(default=0, kw_only=True)
    validated: bool = field(default=False, kw_only=True)
    confidence: float = field(default=DEFAULT_CONFIDENCE, kw_only=True)
    origin: Origin = field(default=Origin.USER, kw_only=True)
    source: str | None = field(default=None, kw_only=True)
    speaker: str | None = field(default=None, kw_only=True)
    session: str | None = field(default=None, kw_only=True)
    position: int | None = field(default=None, kw_only=True)
    key: str | None = field(default=None, kw_only=True)
    occurred_at: datetime | None = field(default=None, kw_only=True)
    valid_from: datetime | None = field(default=None, kw_only=True)
    valid_to: datetime | None = field(default=None, kw_only=True)
    expires_at: datetime | None = field(default=None, kw_only=True)
    last_accessed: datetime | None = field(default=None, kw_only=True)
    last_decayed: datetime | None = field(default=None, kw_only=True)
    seen_count: int = field(default=1, kw_only=True)
    last_seen: datetime | None = field(default=None, kw_only=True)
    superseded_by: str | None = field(default=None, kw_only=True)
    contested_with: tuple[str, ...] = field(default=(), kw_only=True)
    metadata: Mapping[str, JsonValue] = field(default_factory=dict, kw_only=True, hash=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if type(self.category) is not Category:
            put(self, "category", member(Category, self.category, "category"))
        if type(self.origin) is not Origin:
            put(self, "origin", member(Origin, self.origin, "origin"))
        if self.tags != ():
            put(self, "tags", _distinct(self.tags))
        for name in _TIMES:
            moment = getattr(self, name)
            if moment is not None:
                put(self, name, as_utc(moment, name))
        if self.valid_from is None:
            put(self, "valid_from", self.occurred_at or self.created_at)
        if self.last_seen is None:
            put(self, "last_seen", self.created_at)

    @classmethod
    def default(cls) -> MemoryEntry:
        """Returns an empty scratch entry: category `working`, relevance 0.5, a fresh id (S0.25)."""
        return cls(Category.WORKING, "", relevance=0.5)

    def with_tag(self, tag: str) -> MemoryEntry:
        """Returns the same entry with one more tag (S0.26); one that it has already is not repeated."""
        return replace(self, tags=(*self.tags, tag))

    def as_validated(self) -> MemoryEntry:
        """Returns the same entry, marked as confirmed (S0.26)."""
        return replace(self, validated=True)

    def is_live(self, now: datetime) -> bool:
        """Tells whether the entry is shown at `now`: neither superseded, nor retracted, nor expired."""
        return self.superseded_by is None and not self.is_expired(now)

    def is_expired(self, now: datetime) -> bool:
        """Tells whether `expires_at` has come by `now`."""
        return self.expires_at is not None and self.expires_at <= now

    def held_at(self, moment: datetime) -> bool:
        """Tells whether the entry held at `moment`: from `valid_from` on, up to but not including `valid_to`."""
        started = self.valid_from is None or self.valid_from <= moment
        return started and (self.valid_to is None or moment < self.valid_to)

    @property
    def is_retracted(self) -> bool:
        """Whether it was taken back without a successor: it points at itself (S1.28)."""
        return self.superseded_by == self.id


_TIMES = (
    "created_at",
    "occurred_at",
    "valid_from",
    "valid_to",
    "expires_at",
    "last_accessed",
    "last_decayed",
    "last_seen",
)


def as_utc(moment: datetime, name: str = "time") -> datetime:
    """Returns `moment` in UTC.

    Raises:
        InvalidEntry: it is not an aware `datetime`; `name` says which field it was meant for.
    """
    if not isinstance(moment, datetime):
        raise InvalidEntry(f"`{name}` must be a datetime, not {type(moment).__name__}")
    if moment.tzinfo is UTC:
        return moment
    if moment.tzinfo is None or moment.utcoffset() is None:
        raise InvalidEntry(f"`{name}` has no time zone; give an aware datetime such as datetime.now(UTC)")
    return moment.astimezone(UTC)


def member(kind: type[_Kind], value: object, name: str) -> _Kind:
    """Returns the category or origin of that name.

    Raises:
        InvalidEntry: there is none; the message lists those that there are, and `name` says which field it was for.
    """
    try:
        return kind(value)  # type: ignore[arg-type]  # anything may be given; what is no name of it is refused
    except ValueError as error:
        raise InvalidEntry(f"`{name}` is {value!r}; it must be one of {', '.join(kind)}") from error


def _distinct(tags: Iterable[str]) -> tuple[str, ...]:
    if isinstance(tags, str):
        raise InvalidEntry(f"`tags` takes several tags: write [{tags!r}]")
    try:
        return tuple(dict.fromkeys(tags))
    except TypeError as error:
        raise InvalidEntry(f"`tags` must be a list of texts, not {tags!r}") from error
