"""Making what is given fit to be stored: secrets masked, text that is no Unicode mended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from memoranda.errors import InvalidEntry
from memoranda.records.entry import JsonValue
from memoranda.text.clean import storable
from memoranda.text.redact import redact

MaybeText = TypeVar("MaybeText", str, str | None)


class Masking:
    """Masks secrets and remembers which kinds there were (S1.27).

    Args:
        on: whether secrets are masked (`Settings.redact`). Lone surrogates become U+FFFD in any case.
    """

    def __init__(self, on: bool) -> None:
        self._on = on
        self._kinds: dict[str, None] = {}

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of secrets that were masked so far, in the order in which they were found."""
        return tuple(self._kinds)

    def text(self, text: MaybeText) -> MaybeText:
        """Returns a text as it may be stored. What is not text is returned as it is, for `check_entry` to refuse."""
        if not isinstance(text, str):
            return text
        return self.name(storable(text))

    def name(self, name: MaybeText) -> MaybeText:
        """Returns a name as it may be stored: masked, but not mended, since two names could become one."""
        if not isinstance(name, str) or not self._on:
            return name
        masked = redact(name)
        self._kinds |= dict.fromkeys(masked.kinds)
        return masked.text

    def values(self, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Returns metadata with every text in it masked, whatever depth it stands at."""
        if not isinstance(values, Mapping):
            raise InvalidEntry(f"`metadata` must be a mapping, not {type(values).__name__}")
        try:
            return self._values(values)
        except RecursionError as error:
            raise InvalidEntry("`metadata` is nested too deep, or holds itself") from error

    def tags(self, tags: Sequence[str]) -> Sequence[str]:
        """Returns tags with every text in it masked. What are no tags is returned for `MemoryEntry` to refuse."""
        return tuple(self.name(tag) for tag in tags) if isinstance(tags, list | tuple | set | frozenset) else tags

    def _values(self, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        return {self.text(name): self._value(value) for name, value in values.items()}

    def _value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._value(part) for part in value]
        if isinstance(value, Mapping):
            return self._values(value)
        return value
