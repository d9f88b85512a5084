"""Entries and revisions as JSON objects, for dumps and for what is kept of earlier states.

Fields that have their default are left out, so a dump is short and stays readable when fields are added later.
Times are ISO 8601 in UTC. The same entry always gives the same object, in the order of the record's fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import cast

from memoranda.errors import InvalidEntry
from memoranda.records.check import ENTRY_FIELDS, MAX_COUNT, check_entry, check_unicode, encode_metadata
from memoranda.records.entry import JsonValue, MemoryEntry
from memoranda.records.revision import Change, Revision

_TIMES = frozenset(
    ("created_at", "occurred_at", "valid_from", "valid_to", "expires_at", "last_accessed", "last_decayed", "last_seen")
)
_KINDS: dict[str, tuple[type, ...]] = {
    "memory": (str,),
    "id": (str,),
    "tags": (list,),
    "contested_with": (list,),
    "relevance": (int, float),
    "confidence": (int, float),
    "access_count": (int,),
    "seen_count": (int,),
    "position": (int,),
    "validated": (bool,),
    "metadata": (dict,),
}
_SHARES = ("relevance", "confidence")
_ALWAYS = ("id", "category", "memory", "created_at")


def entry_to_json(entry: MemoryEntry) -> dict[str, JsonValue]:
    """Returns an entry as a JSON object."""
    plain = MemoryEntry(entry.category, "", created_at=entry.created_at, occurred_at=entry.occurred_at)
    found: dict[str, JsonValue] = {name: _to_json(getattr(entry, name)) for name in _ALWAYS}
    for name in ENTRY_FIELDS:
        value = getattr(entry, name)
        default = None if name == "occurred_at" else getattr(plain, name)  # `plain` has it, for what follows from it
        if name not in _ALWAYS and value != default:
            found[name] = float(value) if name in _SHARES else _to_json(value)
    return found


def entry_from_json(found: Mapping[str, JsonValue]) -> MemoryEntry:
    """Returns the entry of a JSON object.

    Raises:
        InvalidEntry: a field is missing, unknown, of another type or not allowed; the message names it.
    """
    unknown = [name for name in found if name not in ENTRY_FIELDS]
    if unknown:
        raise InvalidEntry(f"unknown field {unknown[0]!r}; a newer memoranda may have written it")
    missing = [name for name in _ALWAYS if name not in found]
    if missing:
        raise InvalidEntry(f"the field {missing[0]!r} is missing")
    values = {name: _from_json(name, value) for name, value in found.items() if value is not None}
    entry = MemoryEntry(**values)  # type: ignore[arg-type]  # every value was brought to its field's type above
    check_entry(entry)
    return entry


def revision_to_json(revision: Revision) -> dict[str, JsonValue]:
    """Returns a revision as a JSON object."""
    return {
        "number": revision.number,
        "change": revision.change.value,
        "at": _to_json(revision.at),
        "because": revision.because,
        "undone": revision.undone,
        "entry": entry_to_json(revision.entry),
    }


def revision_from_json(found: Mapping[str, JsonValue]) -> Revision:
    """Returns the revision of a JSON object.

    Raises:
        InvalidEntry: a field is missing or not allowed.
    """
    try:
        number, because, entry = found["number"], found["because"], found["entry"]
        change, at, undone = Change(str(found["change"])), found["at"], found["undone"]
    except (KeyError, ValueError) as error:
        raise InvalidEntry(f"a revision lacks a field or has an unknown change: {error}") from error
    if not isinstance(number, int) or not isinstance(because, str) or not isinstance(entry, dict):
        raise InvalidEntry("a revision has a field of another type than it must have")
    if isinstance(number, bool) or not 1 <= number <= MAX_COUNT:
        raise InvalidEntry(f"the number of a revision is {number!r}; they are counted from 1")
    check_unicode(because, "because")
    moment = cast("datetime", _from_json("created_at", at))
    return Revision(
        number=number, change=change, at=moment, because=because, undone=undone is True, entry=entry_from_json(entry)
    )


def _to_json(value: object) -> JsonValue:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    if isinstance(value, tuple):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    return cast("JsonValue", value)


def _from_json(name: str, value: JsonValue) -> object:
    if name in _TIMES:
        return _moment(name, value)
    kinds = _KINDS.get(name, (str,))
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise InvalidEntry(f"`{name}` is {value!r}, which is of another type than the field has")
    if name in ("tags", "contested_with"):
        return tuple(cast("list[str]", value))
    if name == "metadata":
        encode_metadata(cast("dict[str, JsonValue]", value))
    return value


def _moment(name: str, value: JsonValue) -> datetime:
    try:
        moment = datetime.fromisoformat(cast("str", value))
    except (TypeError, ValueError) as error:
        raise InvalidEntry(f"`{name}` is {value!r}; it must be a time such as '2026-03-01T10:00:00Z'") from error
    return moment
