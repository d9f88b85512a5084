"""The ways in which the data sets write dates. None of them names a zone; all are read as UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime

_MONTHS = (
    "january february march april may june july august september october november december".split()  # noqa: SIM905
)
_WEEKDAY = re.compile(r"\s*\(\w+\)\s*|\s+周\w\s+")


def spoken(text: str) -> datetime:
    """Returns the moment of a LoCoMo session: `1:56 pm on 8 May, 2023`.

    Raises:
        ValueError: the text is no such date.
    """
    found = re.fullmatch(r"(0?[1-9]|1[0-2]):(\d{2}) (am|pm) on (\d{1,2}) (\w+), (\d{4})", text.strip(), re.IGNORECASE)
    if found is None:
        raise ValueError(f"{text!r} is no date such as '1:56 pm on 8 May, 2023'")
    hour, minute, half, day, month, year = found.groups()
    hours = int(hour) % 12 + (12 if half.lower() == "pm" else 0)
    return datetime(int(year), _month(month), int(day), hours, int(minute), tzinfo=UTC)


def numeric(text: str) -> datetime:
    """Returns the moment of a LongMemEval session or a MemDaily message.

    They write `2023/05/20 (Sat) 00:43` and `2024年04月01日 周一 08:15`.

    Raises:
        ValueError: the text is no such date.
    """
    plain = _WEEKDAY.sub(" ", text.strip()).translate({ord("年"): "/", ord("月"): "/", ord("日"): None})
    return datetime.strptime(plain, "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def anchor(text: str) -> datetime:
    """Returns the midnight that begins the day of a BEAM time anchor: `March-15-2024`.

    Raises:
        ValueError: the text is no such date.
    """
    month, day, year = text.strip().split("-")
    return datetime(int(year), _month(month), int(day), tzinfo=UTC)


def _month(name: str) -> int:
    """Returns the number of a month by its English name; `strptime` would follow the machine's language."""
    return _MONTHS.index(name.lower()) + 1
