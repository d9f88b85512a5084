"""Times that a query names, as ranges on a given clock: yesterday, last Tuesday, in May 2023, 三天前.

Words of English, German, Spanish and Chinese are read. Days, weeks (from Monday), months and years are those of the
given zone's calendar, also where its clocks change. The rules where language is loose:

- What lacks a year or a week is the latest such time that has begun: in December "in May" is this year's May, on a
  Friday "on Friday" is today. "Last" leaves out the present one; "next" is the first to come.
- "Two weeks ago" is one week long, with that day in its middle; so for every unit, but days are calendar days.
- "Last month" is the calendar month, "the past month" and "the last 30 days" end with today.
- Dots are day first (05.03.2024). Of slashes and hyphens, 03/04/2024 gives both readings as two ranges.
- Seasons are those of the north, of three whole months; a winter has the year in which it begins.
- A bare year, and words such as *may*, count only after a word such as *in* or *since*.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Final

from memoranda.text.folding import fold
from memoranda.text.moments import Clock, Span
from memoranda.text.time_patterns import Expression, expressions

FIRST: Final = datetime(1900, 1, 1, tzinfo=UTC)
"""Where ranges without a beginning begin; nothing earlier is read."""
LAST: Final = datetime(2200, 1, 1, tzinfo=UTC)
"""Where ranges end that begin after now; nothing later is read."""
MAX_CHARS: Final = 4_096
"""A text is read up to this many characters."""

_LEAD_CHARS: Final = 40  # enough for the longest words that may stand before a time
_LEAD: Final = re.compile(
    r"\b(?:in|during|since|before|after|until|till|by|from|of|around|between|im|seit|vor|nach|bis|von|zwischen|ab|en"
    r"|desde|antes del?|despues del?|hasta|durante|entre|del)"
    r"(?: (?:the|early|mid|late|year|jahr|des jahres|el|ano))*\s*$"
)
_ARTICLE: Final = r"(?:\s(?:the|dem|der|el|la))?\s*"
# What opens or bounds a time, before it and, in Chinese, after it.
_CONNECTIVES: Final = (
    (
        "since",
        re.compile(rf"(?:\bsince|\bseit|\bab|\bdesde|\bever since|自从?|从){_ARTICLE}$"),
        re.compile(r"\s*(?:以来|以來|至今|起)"),
    ),
    (
        "before",
        re.compile(rf"(?:\bbefore|\bprior to|\bvor|\bantes del?){_ARTICLE}$"),
        re.compile(r"\s*(?:之前|以前|前)"),
    ),
    ("after", re.compile(rf"(?:\bafter|\bnach|\bdespues del?){_ARTICLE}$"), re.compile(r"\s*(?:之后|以后|之後|以後)")),
    ("until", re.compile(rf"(?:\buntil|\btill|\bby|\bbis(?: zum?)?|\bhasta|截至|直到){_ARTICLE}$"), re.compile("(?!)")),
)
_OPENING: Final = re.compile(rf"(?:\bbetween|\bfrom|\bzwischen|\bvo[nm]|\bentre|\bdesde|\bdel?|从|在){_ARTICLE}$")
_AND: Final = re.compile(r"\s*(?:\b(?:and|und|y|e)\b|和|与)\s*(?:(?:the|dem|der|el|la)\s+)?")
_TO: Final = re.compile(
    r"\s*(?:\b(?:to|until|till|through|bis(?: zum)?|al?|hasta)\b|-|到|至)\s*(?:(?:the|dem|der|el|la)\s+)?"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeRange:
    """A time that a text names.

    Attributes:
        start: its first moment, in UTC.
        end: the moment after its last, in UTC; always after ``start``.
        text: the words that name it, folded and in lower case.
    """

    start: datetime
    end: datetime
    text: str


def time_ranges(text: str, now: datetime, zone: tzinfo = UTC) -> tuple[TimeRange, ...]:
    """Returns the times that a text names, in its order, each once.

    Since and after reach to the end of today, before and until back to `FIRST`. A date that does not exist names
    no time, nor does one outside of `FIRST` to `LAST`; apart from that any text is accepted.

    Args:
        text: a query; its first `MAX_CHARS` characters are read.
        now: the present moment.
        zone: whose calendar its days are of (``zoneinfo.ZoneInfo("Europe/Warsaw")``).

    Raises:
        ValueError: if ``now`` has no zone.
    """
    if now.tzinfo is None:
        raise ValueError("now has no time zone: pass an aware datetime, such as datetime.now(UTC)")
    if not FIRST <= now < LAST:
        return ()
    local = now.astimezone(zone)
    clock = Clock(now=local, latest=local.date())
    found = _ranges(" ".join(fold(text[:MAX_CHARS]).casefold().split()), clock)
    return tuple(dict.fromkeys(each for each in found if FIRST <= each.start < each.end <= LAST))


def _ranges(text: str, clock: Clock) -> Iterator[TimeRange]:
    found = _counting(text)
    place = 0
    while place < len(found):
        first = found[place]
        following = found[place + 1] if place + 1 < len(found) else None
        before = text[max(found[place - 1].end if place else 0, first.start - _LEAD_CHARS) : first.start]
        if following and (opening := _joined(text, before, first, following)) is not None:
            yield from _between(text, first.start - opening, first, following, clock)
            place += 2
        else:
            yield from _open(text, before, first, clock)
            place += 1


def _counting(text: str) -> list[Expression]:
    """Returns the expressions without those that need a word before them and have none."""
    kept: list[Expression] = []
    for each in expressions(text):
        gap = text[kept[-1].end : each.start] if kept else ""
        if (
            not each.needs_lead
            or _LEAD.search(text[max(each.start - _LEAD_CHARS, 0) : each.start])
            or _AND.fullmatch(gap)
            or _TO.fullmatch(gap)
        ):
            kept.append(each)
    return kept


def _joined(text: str, before: str, first: Expression, second: Expression) -> int | None:
    """Returns the length of the word that opens a range from one expression to the other; None where they are two."""
    gap = text[first.end : second.start]
    opening = _OPENING.search(before)
    if _TO.fullmatch(gap) or (opening and _AND.fullmatch(gap)):
        return len(opening.group()) if opening else 0
    return None


def _between(text: str, start: int, first: Expression, second: Expression, clock: Clock) -> Iterator[TimeRange]:
    ends = _spans(second, clock)
    if not ends:
        return
    # "Between May and July 2023" means May 2023: the latest that is not after the second.
    until = Clock(
        now=clock.now, latest=max(end for _, end in ends).astimezone(clock.now.tzinfo).date() - timedelta(days=1)
    )
    begins = _spans(first, until)
    if begins:
        moments = [moment for span in (*begins, *ends) for moment in span]
        yield TimeRange(start=min(moments), end=max(moments), text=text[start : second.end])


def _open(text: str, before: str, expression: Expression, clock: Clock) -> Iterator[TimeRange]:
    """Gives what an expression means with the word before or after it: since, until, 之前."""
    begin, finish, kind = expression.start, expression.end, ""
    for name, leading, trailing in _CONNECTIVES:
        lead, tail = leading.search(before), trailing.match(text, expression.end)
        if lead or tail:
            begin -= len(lead.group()) if lead else 0
            finish, kind = tail.end() if tail else finish, name
            break
    today = clock.span(clock.today, clock.today + timedelta(days=1))[1]
    for start, end in _spans(expression, clock):
        match kind:
            case "since" | "after":
                start = start if kind == "since" else end
                end = today if start < today else LAST
            case "before" | "until":
                start, end = FIRST, start if kind == "before" else end
        yield TimeRange(start=start, end=end, text=text[begin:finish])


def _spans(expression: Expression, clock: Clock) -> list[Span]:
    try:
        return list(expression.read(expression.found, clock))
    except (ValueError, OverflowError):  # a time before the year 1 or after 9999
        return []
