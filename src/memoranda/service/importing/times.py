"""Reads the times that stand in imported files."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_time(value: object, name: str) -> datetime | None:
    """Returns the moment that `value` means, in UTC; None for None.

    Args:
        value: seconds since 1970-01-01 UTC, or text as in ISO 8601 with an offset.
        name: the field that it stands in, for the message.

    Raises:
        ValueError: it is neither, or it lies outside the years 1 to 9999. A time without an offset could mean
            several moments and is refused (design D15).
    """
    if value is None:
        return None
    if isinstance(value, str):
        return _from_text(value, name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"`{name}` must be a time as text or a number of seconds, not {type(value).__name__}")
    try:
        return _EPOCH + timedelta(seconds=value)
    except (OverflowError, ValueError) as error:
        raise ValueError(f"`{name}` is outside the years 1 to 9999; give seconds, not milliseconds") from error


def _from_text(value: str, name: str) -> datetime:
    try:
        moment = datetime.fromisoformat(value.strip())
    except ValueError as error:
        raise ValueError(f"`{name}` is {value[:40]!r}; write it as 2026-03-04T10:00:00+01:00") from error
    if moment.utcoffset() is None:
        raise ValueError(f"`{name}` is {value[:40]!r}, with no offset from UTC; write 2026-03-04T10:00:00+01:00")
    try:
        return moment.astimezone(UTC)
    except OverflowError as error:
        raise ValueError(f"`{name}` lies outside the years 1 to 9999") from error
