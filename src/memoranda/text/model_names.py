"""Recognising a model by its name, whoever serves it and whatever its date."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

_FINE_TUNED: Final = re.compile(r"^ft:")
_VENDORS: Final = re.compile(
    r"^(?:[a-z]{2,6}(?:-gov)?\.)?"
    r"(?:ai21|amazon|anthropic|cohere|deepseek|google|meta|minimax|mistral|moonshot(?:ai)?|nvidia|openai|qwen|xai|zai)\."
)
"""What Amazon Bedrock puts before a name: a region and a vendor, as in `us.anthropic.claude-...`."""
_SEPARATORS: Final = re.compile(r"[._\s]+")
_ANOTHER_VERSION: Final = re.compile(r"-\d{1,2}(?![\da-z])")


def plain_name(model: str) -> str:
    """Returns a model's name in small letters, without who serves it, and with `-` for every separator.

    >>> plain_name("us.anthropic.claude-opus-4-6-v1:0"), plain_name("models/gemini-2.5-pro")
    ('claude-opus-4-6-v1:0', 'gemini-2-5-pro')
    """
    name = _FINE_TUNED.sub("", model.strip().lower()).rpartition("/")[2]
    return _SEPARATORS.sub("-", _VENDORS.sub("", name))


def family_of(model: str, families: Iterable[str]) -> str | None:
    """Returns the longest of the families whose name begins the model's name; None where none does.

    A family ends where a word of the name ends, and not before a further number of its version: `claude-opus-4` is
    the family of `claude-opus-4-20250514` and of `claude-opus-4@20250514`, but not of `claude-opus-4-9`, nor is `gpt-5`
    that of `gpt-5.7`: of a version that nobody has told us of we know nothing. A family that is written with a `-` at
    its end, such as `gemini-`, holds every version.

    Args:
        model: a name as hosts write it: with a provider before a slash, Bedrock's prefixes, a date, `:free`.
        families: names as `plain_name` returns them.
    """
    name = plain_name(model)
    found = [family for family in families if name.startswith(family) and _ends(family, name)]
    return max(found, key=len, default=None)


def _ends(family: str, name: str) -> bool:
    rest = name[len(family) :]
    return not rest or family.endswith("-") or (rest[0] in "-:@" and _ANOTHER_VERSION.match(rest) is None)
