"""Whose memory a row is: a path of names, chosen by the host and never by a model."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.errors import InvalidScope

MAX_SCOPE_BYTES = 1024
"""Longest scope path, in bytes of UTF-8. Below the key size that every planned store can index."""


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """A path such as `acme/alice` that owns entries.

    Names are data: `%`, `..`, `:`, dots, spaces and emoji mean nothing special. Two paths that differ in
    any character are two scopes; nothing is normalised. `/` separates segments, and only whole segments
    count when scopes are listed by prefix (case X04).

    Attributes:
        path: the whole path.

    Raises:
        InvalidScope: the path is empty, blank, longer than `MAX_SCOPE_BYTES`, or holds NUL or a lone surrogate.
    """

    path: str

    def __post_init__(self) -> None:
        if not isinstance(self.path, str):
            raise InvalidScope(f"a scope is a text such as 'acme/alice', not {type(self.path).__name__}")
        if not self.path.strip():
            raise InvalidScope("a scope cannot be empty or blank; pass a path such as 'acme/alice'")
        if "\0" in self.path:
            raise InvalidScope("a scope cannot hold the character NUL")
        try:
            size = len(self.path.encode())
        except UnicodeEncodeError as error:
            raise InvalidScope("a scope cannot hold a lone surrogate; it is not valid Unicode text") from error
        if size > MAX_SCOPE_BYTES:
            raise InvalidScope(f"a scope has at most {MAX_SCOPE_BYTES} bytes of UTF-8; this one has {size}")

    @classmethod
    def of(cls, value: Scope | str) -> Scope:
        """Returns `value` as a scope, whether it is one already or a path."""
        return value if isinstance(value, Scope) else cls(value)

    def __str__(self) -> str:
        return self.path
