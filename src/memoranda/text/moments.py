"""What single expressions of time mean on a clock: a date, a month, last Tuesday, three days ago."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, tzinfo

from memoranda.text import time_words as words
from memoranda.text.time_words import number

Span = tuple[datetime, datetime]
"""A first moment and the moment after the last, in UTC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """What a time is relative to.

    Attributes:
        now: the present moment, in its zone.
        latest: the day from which "the latest May" is looked for, backwards.
    """

    now: datetime
    latest: date

    @property
    def today(self) -> date:
        """The present day in the clock's zone."""
        return self.now.date()

    def span(self, start: date, end: date) -> Span:
        """Returns the span from the beginning of one day to the beginning of another."""
        return _midnight(start, self.now.tzinfo), _midnight(end, self.now.tzinfo)


def _midnight(of: date, zone: tzinfo | None) -> datetime:
    return datetime(of.year, of.month, of.day, tzinfo=zone).astimezone(UTC)


Found = re.Match[str]
Read = Callable[[Found, Clock], Iterator[Span]]
"""From a match of one of the patterns in `times` to what it means: no span where the calendar has no such day."""


def read_numeric(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads a date in digits with the year last."""
    first, second = int(found["first"]), int(found["second"])
    readings = [(second, first)] if found["mark"] == "." else [(first, second), (second, first)]
    for month, day in dict.fromkeys(readings):
        if 1 <= month <= 12 and 1 <= day <= 31:
            yield from _day(clock, int(found["year"]), month, day)


def read_named(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads a day of a month, or a month; of a year, of this or last year, or the latest one."""
    parts = found.groupdict()
    month = words.MONTHS.get(parts["month"]) or words.SHORT_MONTHS.get(parts["month"]) or number(parts["month"])
    year = int(parts["year"]) if parts.get("year") else None
    which = _which(parts)
    if parts.get("han_year"):
        year = clock.today.year + words.HAN_WHICH[parts["han_year"]]
    if parts.get("day"):
        yield from _day(clock, year, month, number(parts["day"]))
    elif year is not None:
        yield _months(clock, year, month, 1)
    else:
        this_year = clock.latest.year
        begun = date(this_year, month, 1) <= clock.latest
        latest = this_year if begun else this_year - 1
        if which == -1 and (latest, month) == (clock.today.year, clock.today.month):
            latest -= 1
        years: dict[int | None, int] = {0: clock.today.year, 1: latest + 1}
        yield _months(clock, years.get(which, latest), month, 1)


def _day(clock: Clock, year: int | None, month: int, day: int) -> Iterator[Span]:
    # Eight years back there is a 29 February even around 1900.
    for candidate in [year] if year is not None else range(clock.latest.year, clock.latest.year - 9, -1):
        try:
            start = date(candidate, month, day)
        except ValueError:
            continue
        if year is not None or start <= clock.latest:
            yield clock.span(start, start + timedelta(days=1))
            return


def _months(clock: Clock, year: int, month: int, count: int) -> Span:
    first = year * 12 + month - 1
    start, end = divmod(first, 12), divmod(first + count, 12)
    return clock.span(date(start[0], start[1] + 1, 1), date(end[0], end[1] + 1, 1))


def read_year(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads a year."""
    yield _months(clock, int(found["year"]), 1, 12)


def read_part_of_year(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads a quarter or a season; of a year, or the latest one."""
    parts = found.groupdict()
    if parts.get("season"):
        place = words.SEASONS.get(parts["season"]) or words.HAN_SEASONS[parts["season"]]
        offset = 2
    else:
        place, offset = words.QUARTERS.get(parts["quarter"]) or number(parts["quarter"]), 0
    month = place * 3 - 2 + offset
    if parts.get("year"):
        year = int(parts["year"])
    elif parts.get("han_year"):
        year = clock.today.year + words.HAN_WHICH[parts["han_year"]]
    else:
        year = clock.latest.year - (date(clock.latest.year, month, 1) > clock.latest)
        span = _months(clock, year, month, 3)
        which = _which(parts)
        year += 1 if which == 1 else -1 if which == -1 and span[0] <= clock.now < span[1] else 0
    yield _months(clock, year, month, 3)


def read_weekday(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads a day of the week, the latest unless another is asked for."""
    parts = found.groupdict()
    if parts.get("han_day"):
        place = "一二三四五六日".index(parts["han_day"].replace("天", "日"))
        if parts["which"]:
            monday = clock.today - timedelta(days=clock.today.weekday())
            start = monday + timedelta(days=7 * words.HAN_WHICH[parts["which"]] + place)
            yield clock.span(start, start + timedelta(days=1))
            return
    else:
        place = words.WEEKDAYS[parts["weekday"]] - 1
    which = _which(parts)
    start = clock.latest - timedelta(days=(clock.latest.weekday() - place) % 7)
    if which == 1:
        start = clock.today + timedelta(days=(place - clock.today.weekday() - 1) % 7 + 1)
    elif which == -1 and start == clock.today:
        start -= timedelta(days=7)
    yield clock.span(start, start + timedelta(days=1))


def read_relative_day(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads today, yesterday, tomorrow."""
    start = clock.today + timedelta(days=words.DAYS[found["relative"]])
    yield clock.span(start, start + timedelta(days=1))


def read_unit(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads last week, this month, next year; a weekend without such a word is the latest."""
    parts = found.groupdict()
    unit = words.UNITS.get(parts["unit"]) or words.HAN_UNITS.get(parts["unit"], "weekend")
    which = words.HAN_WHICH.get(parts.get("which") or "", _which(parts))
    if which is None:
        which = -1 if unit == "weekend" and clock.latest.weekday() < 5 else 0
    today = clock.today
    if unit in ("week", "weekend"):
        monday = today + timedelta(days=7 * which - today.weekday())
        yield clock.span(monday + timedelta(days=5 if unit == "weekend" else 0), monday + timedelta(days=7))
    elif unit in ("month", "quarter", "year"):
        size = {"month": 1, "quarter": 3, "year": 12}[unit]
        first = (today.month - 1) // size * size + 1 + size * which
        yield _months(clock, today.year, first, size)


def read_ago(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads three days ago, a calendar day; any other unit gives its own length with the named moment in the middle."""
    count, unit = number(found["count"]), _spanned(found["unit"])
    if unit == "day":
        start = clock.today - timedelta(days=count)
        yield clock.span(start, start + timedelta(days=1))
    elif unit in ("minute", "hour"):
        length = timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)
        middle = clock.now.astimezone(UTC) - count * length
        yield middle - length / 2, middle + length / 2
    else:
        days = {"week": 7, "month": 30, "quarter": 91, "year": 365}[unit]
        middle_day = _back(clock.today, count, unit)
        start = middle_day - timedelta(days=days // 2)
        yield clock.span(start, start + timedelta(days=days + (days + 1) % 2))


def read_past(found: Found, clock: Clock) -> Iterator[Span]:
    """Reads the last three days, the past month: up to the end of today, hours and minutes up to now."""
    count, unit = number(found.groupdict().get("count") or "1"), _spanned(found["unit"])
    if unit in ("minute", "hour"):
        now = clock.now.astimezone(UTC)
        yield now - count * (timedelta(minutes=1) if unit == "minute" else timedelta(hours=1)), now
    else:
        yield clock.span(_back(clock.today, count, unit), clock.today + timedelta(days=1))


def _spanned(unit: str) -> str:
    found = words.UNITS.get(unit) or words.HAN_SPANS[unit]
    return "week" if found == "weekend" else found


def _back(day: date, count: int, unit: str) -> date:
    """Returns the day that many units before; the last of its month where the month is too short."""
    if unit in ("day", "week"):
        return day - timedelta(days=count * (7 if unit == "week" else 1))
    month = day.year * 12 + day.month - 1 - count * {"month": 1, "quarter": 3, "year": 12}[unit]
    for last in (day.day, 30, 29, 28):
        try:
            return date(month // 12, month % 12 + 1, min(last, day.day))
        except ValueError:
            continue
    raise ValueError(f"no year {month // 12}")


def _which(parts: dict[str, str | None]) -> int | None:
    before, after = parts.get("which"), parts.get("after")
    return words.WHICH.get(before) if before else words.WHICH_AFTER.get(after) if after else None
