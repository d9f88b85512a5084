"""The rules that everything stored durably obeys. Truth is refused, never trimmed (design D11)."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import fields
from uuid import UUID

from memoranda.errors import InvalidEntry
from memoranda.records.entry import Category, JsonValue, MemoryEntry

MAX_TEXT = 1_000_000
"""Longest text of an entry, in characters. A longer one is a document, not a memory."""
MAX_NAME = 1_000
"""Longest tag, key, source, speaker or session, in characters."""
MAX_TAGS = 64
"""Most tags of one entry."""
MAX_METADATA = 65_536
"""Largest metadata of one entry, in characters of JSON."""
MAX_DEPTH = 100
"""Deepest nesting of metadata; how deep JSON can be written and read otherwise depends on the Python."""
MAX_COUNT = 2**53
"""Largest count or position: what JSON numbers carry without loss."""

_NAMES = ("source", "speaker", "session", "key")
_SHARES = ("relevance", "confidence")
_COUNTS = ("access_count", "seen_count", "position")


def check_entry(entry: MemoryEntry) -> None:
    """Refuses an entry that cannot be kept as it is.

    Raises:
        InvalidEntry: the id is no UUID in its usual form; the text is blank or longer than `MAX_TEXT`; a name or tag
            is blank, longer than `MAX_NAME` or not Unicode text; there are more than `MAX_TAGS` tags; a share is not
            within 0 to 1; a count is negative or not whole; `metadata` is not JSON or larger than `MAX_METADATA`.
    """
    if not is_id(entry.id):
        raise InvalidEntry(f"`id` is {entry.id!r}; it must be a UUID in lower case, such as str(uuid4()) gives")
    _check_text(entry.memory)
    for name in _NAMES:
        check_name(getattr(entry, name), name)
    if len(entry.tags) > MAX_TAGS:
        raise InvalidEntry(f"`tags` holds {len(entry.tags)} tags; an entry has at most {MAX_TAGS}")
    for tag in entry.tags:
        check_name(tag, "tags")
    for name in _SHARES:
        _check_share(getattr(entry, name), name)
    for name in _COUNTS:
        _check_count(getattr(entry, name), name)
    if not isinstance(entry.validated, bool):
        raise InvalidEntry(f"`validated` must be True or False, not {entry.validated!r}")
    _check_links(entry)
    if entry.metadata != {}:
        encode_metadata(entry.metadata)


def _check_links(entry: MemoryEntry) -> None:
    if entry.superseded_by is not None and not is_id(entry.superseded_by):
        raise InvalidEntry(f"`superseded_by` is {entry.superseded_by!r}; it must be the id of an entry")
    if not all(map(is_id, entry.contested_with)):
        raise InvalidEntry(f"`contested_with` holds {entry.contested_with!r}; it must hold ids of entries")


def check_scratch(entry: MemoryEntry) -> None:
    """Refuses scratch of no session, which would be recalled in all of them (C47).

    Raises:
        InvalidEntry: the category is `working` and there is no session.
    """
    if entry.category is Category.WORKING and entry.session is None:
        raise InvalidEntry("a `working` entry is scratch of one session; give its `session`")


def is_id(id: str) -> bool:
    """Tells whether `id` is a UUID in the form that entries have. Anything else names no entry."""
    try:
        return str(UUID(id)) == id
    except (ValueError, AttributeError, TypeError):
        return False


def encode_metadata(metadata: Mapping[str, JsonValue]) -> str:
    """Returns metadata as canonical JSON: sorted keys, no spaces, no NaN.

    Raises:
        InvalidEntry: it is not JSON, or larger than `MAX_METADATA`.
    """
    try:
        if not isinstance(metadata, Mapping):
            raise TypeError(f"it is a {type(metadata).__name__}, not a mapping")
        _check_depth(metadata)
        text = json.dumps(dict(metadata), ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
        text.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEntry(f"`metadata` cannot be written as JSON: {error}") from error
    if len(text) > MAX_METADATA:
        raise InvalidEntry(f"`metadata` has {len(text)} characters of JSON; at most {MAX_METADATA} are kept")
    return text


def _check_depth(metadata: Mapping[str, JsonValue]) -> None:
    """Refuses metadata that is nested too deep, or holds itself, without going deeper than `MAX_DEPTH`."""
    level: list[Mapping[str, JsonValue] | list[JsonValue]] = [metadata]
    for _ in range(MAX_DEPTH):
        inner = (value.values() if isinstance(value, Mapping) else value for value in level)
        # By identity, so that what holds itself twice does not double at each level.
        found = {id(part): part for values in inner for part in values if isinstance(part, Mapping | list)}
        level = list(found.values())
        if not level:
            return
    raise ValueError(f"it is nested deeper than {MAX_DEPTH} levels, or holds itself")


def check_limit(limit: int, name: str = "limit") -> int:
    """Returns a limit that was asked for, 0 for a negative one (case Q10: never everything).

    Raises:
        InvalidEntry: it is not a whole number; `True` and `2.5` are none.
    """
    if isinstance(limit, bool) or not isinstance(limit, int):
        raise InvalidEntry(f"`{name}` must be a whole number, not {limit!r}")
    return max(0, min(limit, MAX_COUNT))


def check_names(values: Iterable[str] | None, name: str) -> tuple[str, ...] | None:
    """Returns the values of a filter as a tuple, None for no filter.

    Raises:
        InvalidEntry: a single text was given where several are meant, or a value is not text.
    """
    if values is None:
        return None
    if isinstance(values, str):
        raise InvalidEntry(f"`{name}` takes several values: write [{values!r}]")
    found = tuple(values)
    for value in found:
        check_name(value, name)
    return found


def _check_text(memory: str) -> None:
    if not isinstance(memory, str):
        raise InvalidEntry(f"`memory` must be text, not {type(memory).__name__}")
    if not memory.strip():
        raise InvalidEntry("`memory` is empty or blank; there is nothing to remember")
    if len(memory) > MAX_TEXT:
        raise InvalidEntry(f"`memory` has {len(memory)} characters; an entry has at most {MAX_TEXT}: split the text")
    check_unicode(memory, "memory")


def check_name(value: str | None, name: str) -> None:
    """Refuses a name that is blank, longer than `MAX_NAME`, or not Unicode text; None stands for none.

    Raises:
        InvalidEntry: the message says which argument it was, by `name`.
    """
    if value is None:
        return
    if not isinstance(value, str):
        raise InvalidEntry(f"`{name}` must be text, not {type(value).__name__}")
    if not value.strip() or len(value) > MAX_NAME:
        raise InvalidEntry(f"`{name}` must have 1 to {MAX_NAME} characters and not be blank; this has {len(value)}")
    check_unicode(value, name)


def check_unicode(value: str, name: str) -> None:
    """Refuses a text with a lone surrogate, which no encoding can write.

    Raises:
        InvalidEntry: the message says which argument it was, by `name`, and where.
    """
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise InvalidEntry(
            f"`{name}` holds a lone surrogate at character {error.start}; it is not valid text"
        ) from error


def _check_share(value: float, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or not 0 <= value <= 1:
        raise InvalidEntry(f"`{name}` must be a number from 0 to 1, not {value!r}")


def _check_count(value: int | None, name: str) -> None:
    if value is None:
        return
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MAX_COUNT:
        raise InvalidEntry(f"`{name}` must be a whole number from 0 to {MAX_COUNT}, not {value!r}")


ENTRY_FIELDS = tuple(part.name for part in fields(MemoryEntry))
"""Names of an entry's fields, in the order of the record."""
