"""What a host gives to be remembered."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime

from memoranda.errors import InvalidEntry
from memoranda.records.entry import Category, JsonValue, Origin


@dataclass(frozen=True, slots=True)
class NewEntry:
    """Something to remember, as `Scope.remember` takes it.

    Attributes:
        text: the text.
        category: what kind of thing it is; see `Category`.
        tags: short labels.
        key: the slot that it fills; a newer entry of the same key takes its place.
        origin: who said it; see `Origin`.
        source: where it stands: a URI, a file and line, a message id.
        speaker: who spoke the words.
        session: the conversation that it comes from. Required for `working`, which is not recalled elsewhere.
        position: its place in that conversation.
        occurred_at: when it happened, if that is not now.
        expires_at: from when it is no longer shown.
        confidence: how sure the one who said it was, 0 to 1; 0.7 when not given.
        validated: confirmed by a person or the host.
        idempotency_key: the caller's name for this request. Given again within `Settings.idempotency_days` it is
            answered with the same receipt and not carried out again.
        metadata: further facts of the host's, as JSON values.
        emitted: hashes of what recall put in front of the model (`RenderedBlock.hashes`); one of these texts is not
            stored again.
    """

    text: str
    category: Category | str = field(default=Category.FACT, kw_only=True)
    tags: Sequence[str] = field(default=(), kw_only=True)
    key: str | None = field(default=None, kw_only=True)
    origin: Origin | str = field(default=Origin.USER, kw_only=True)
    source: str | None = field(default=None, kw_only=True)
    speaker: str | None = field(default=None, kw_only=True)
    session: str | None = field(default=None, kw_only=True)
    position: int | None = field(default=None, kw_only=True)
    occurred_at: datetime | None = field(default=None, kw_only=True)
    expires_at: datetime | None = field(default=None, kw_only=True)
    confidence: float | None = field(default=None, kw_only=True)
    validated: bool = field(default=False, kw_only=True)
    idempotency_key: str | None = field(default=None, kw_only=True)
    metadata: Mapping[str, JsonValue] | None = field(default=None, kw_only=True, hash=False)
    emitted: Collection[str] = field(default=(), kw_only=True)

    @classmethod
    def of(cls, value: NewEntry | str | Mapping[str, object]) -> NewEntry:
        """Returns an item of `remember_many` as a `NewEntry`: a text, or a mapping of `remember`'s arguments.

        Raises:
            InvalidEntry: the mapping lacks `text` or holds a name that `remember` does not take.
        """
        if isinstance(value, NewEntry):
            return value
        if isinstance(value, str):
            return cls(value)
        if not isinstance(value, Mapping):
            raise InvalidEntry(f"an item to remember is a text, a mapping or a NewEntry, not {type(value).__name__}")
        unknown = sorted(str(name) for name in value if name not in _FIELDS)
        if unknown or "text" not in value:
            wrong = f"unknown field {unknown[0]!r}" if unknown else "the field 'text' is missing"
            raise InvalidEntry(f"an item to remember cannot be read: {wrong}; it takes {', '.join(_FIELDS)}")
        return cls(**value)  # type: ignore[arg-type]  # types are checked when the entry is made

    @classmethod
    def each_of(cls, values: Iterable[NewEntry | str | Mapping[str, object]]) -> list[NewEntry]:
        """Returns the items of `remember_many`, each as a `NewEntry`.

        Raises:
            InvalidEntry: one item was given where several are meant, or one of them cannot be read.
        """
        if isinstance(values, str | Mapping | NewEntry):
            raise InvalidEntry("`remember_many` takes several items: write [item], or call `remember`")
        return [cls.of(value) for value in values]

    def fingerprint(self) -> str:
        """Returns a hash of the request, equal for equal requests. The idempotency key is no part of it."""
        values = {name: getattr(self, name) for name in _FIELDS if name not in ("idempotency_key", "emitted")}
        values["tags"] = list(self.tags)
        return hashlib.sha256(json.dumps(values, sort_keys=True, default=_written).encode()).hexdigest()


def _written(value: object) -> str:
    return value.astimezone(UTC).isoformat() if isinstance(value, datetime) else str(value)


_FIELDS = tuple(part.name for part in fields(NewEntry))
