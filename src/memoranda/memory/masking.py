"""Making what is given fit to be stored: secrets masked, text that is no Unicode mended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

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
        whole = storable(text)
        if not self._on:
            return whole
        masked = redact(whole)
        self._kinds |= dict.fromkeys(masked.kinds)
        return masked.text

    def values(self, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
        """Returns metadata with every text in it masked, whatever depth it stands at."""
        return {self.text(name): self._value(value) for name, value in values.items()}

    def _value(self, value: JsonValue) -> JsonValue:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, list):
            return [self._value(part) for part in value]
        if isinstance(value, Mapping):
            return self.values(value)
        return value
