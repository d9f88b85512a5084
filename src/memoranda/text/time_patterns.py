"""The patterns of expressions of time over folded text in lower case, each with the function that reads its matches."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from memoranda.text import moments
from memoranda.text import time_words as words
from memoranda.text.moments import Found, Read
from memoranda.text.time_words import any_of

_YEAR: Final = r"(?P<year>(?:19|20|21)\d\d)(?!\d)"
_NO_NUMBER_BEFORE: Final = r"(?<![\w.:/-])"
_NO_NUMBER_AFTER: Final = r"(?!\w|[/-]|\.\d)"
_DAY: Final = rf"{_NO_NUMBER_BEFORE}(?P<day>\d{{1,2}})(?:st|nd|rd|th|\.|º)?"
_DAY_MONTH: Final = r"(?P<first>\d{1,2})(?P<mark>[./-])(?P<second>\d{1,2})(?P=mark)"
_MONTH_DAY: Final = r"(?P<mark>[-/.])(?P<month>0?[1-9]|1[0-2])(?P=mark)(?P<day>\d{1,2})"
_MONTH: Final = rf"(?P<month>{any_of({**words.MONTHS, **words.SHORT_MONTHS})})\b\.?"
_OF: Final = r"(?:\s?,\s?|\s(?:(?:of|del?)\s)?)"
_WHICH: Final = rf"\b(?:(?P<which>{any_of(words.WHICH)})\s)?"
_AFTER: Final = rf"\b(?:\s(?P<after>{any_of(words.WHICH_AFTER)})\b)?"
_COUNT: Final = rf"(?P<count>\d{{1,3}}|{any_of(words.NUMBERS)})"
_UNIT: Final = rf"(?P<unit>{any_of(words.UNITS)})\b"
_WEEKEND: Final = "(?P<unit>weekend|wochenende|fin de semana)"
_ORDINAL: Final = rf"(?P<quarter>{any_of(words.QUARTERS)}|[1-4])(?:st|nd|rd|th|\.)?"
# "Morgen" is tomorrow, but the morning in "heute Morgen"; so is "mañana" in "por la mañana".
_NO_MORNING: Final = r"(?<!la )(?<!am )(?<!heute )(?<!gestern )(?<!guten )(?<!jeden )"

_HAN_YEAR: Final = rf"(?:(?:{_YEAR}|(?P<han_year>[去今前明]))年的?\s?)"
_HAN_MONTH: Final = "(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月份?"
_HAN_DAY: Final = "(?P<day>[0-3]?[0-9]|[一二三四五六七八九十]{1,3})[日号號]"
_HAN_COUNT: Final = "(?P<count>[0-9]{1,3}|[一二两兩三四五六七八九十]{1,3})"
_HAN_UNIT: Final = f"[个個]?(?P<unit>{any_of(words.HAN_SPANS)})"
_NO_HAN_NUMBER_BEFORE: Final = "(?<![0-9〇零一二两三四五六七八九十百每])"
_HAN_WHICH: Final = "(?P<which>[上下这這本])一?[个個]?"
_HAN_WEEKDAY: Final = "(?:周|週|星期|礼拜)(?P<han_day>[一二三四五六日天])"

_RULES: Final[tuple[tuple[str, Read], ...]] = (
    (rf"{_NO_NUMBER_BEFORE}{_DAY_MONTH}{_YEAR}{_NO_NUMBER_AFTER}", moments.read_numeric),
    (rf"{_NO_NUMBER_BEFORE}{_YEAR}{_MONTH_DAY}(?!\d|[-/]|\.\d)", moments.read_named),
    (rf"{_NO_NUMBER_BEFORE}{_YEAR}[-/](?P<month>0[1-9]|1[0-2])(?!\w|[-/.]\d)", moments.read_named),
    (rf"{_DAY}\s?(?:(?:of|de)\s)?{_MONTH}(?:{_OF}{_YEAR})?", moments.read_named),
    (rf"\b{_MONTH}\s(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?!\w|[:.]\d|%)(?:{_OF}{_YEAR})?", moments.read_named),
    (rf"\b{_MONTH}{_OF}{_YEAR}", moments.read_named),
    (rf"{_WHICH}(?P<month>{any_of(words.MONTHS)}){_AFTER}", moments.read_named),
    (rf"(?<![\w.:/]){_YEAR}(?!\w|[:/.]\d|-(?!\d{{4}}\b))", moments.read_year),
    (rf"{_WHICH}(?P<weekday>{any_of(words.WEEKDAYS)}){_AFTER}", moments.read_weekday),
    (rf"(?<![a-z]){_NO_MORNING}(?P<relative>{any_of(words.DAYS)})(?![a-z])", moments.read_relative_day),
    (rf"\b(?P<which>{any_of(words.WHICH)})\s{_UNIT}", moments.read_unit),
    (rf"\b{_UNIT}\s(?P<after>{any_of(words.WHICH_AFTER)})\b", moments.read_unit),
    (rf"\b{_WEEKEND}\b", moments.read_unit),
    (rf"(?<![\w.]){_COUNT}\s{_UNIT}\s(?:ago|earlier)\b", moments.read_ago),
    (rf"\b(?:vor|hace)\s{_COUNT}\s{_UNIT}", moments.read_ago),
    (rf"\b(?:last|past|previous|letzten?|vergangenen?|ultim[oa]s)\s{_COUNT}\s{_UNIT}", moments.read_past),
    (rf"\bpast\s{_UNIT}", moments.read_past),
    (rf"\bq(?P<quarter>[1-4])\b(?:(?:{_OF}|[/-]){_YEAR})?", moments.read_part_of_year),
    (rf"(?<!\w){_YEAR}[\s/-]?q(?P<quarter>[1-4])\b", moments.read_part_of_year),
    (rf"\b{_ORDINAL}\s(?:quarter|quartal)\b(?:{_OF}{_YEAR})?", moments.read_part_of_year),
    (rf"{_WHICH}(?P<season>{any_of(words.SEASONS)}){_AFTER}(?:{_OF}{_YEAR})?", moments.read_part_of_year),
    (rf"{_NO_HAN_NUMBER_BEFORE}{_HAN_YEAR}?{_HAN_MONTH}(?:{_HAN_DAY})?", moments.read_named),
    (rf"{_YEAR}年", moments.read_year),
    (rf"{_NO_HAN_NUMBER_BEFORE}(?:{_HAN_WHICH})?{_HAN_WEEKDAY}", moments.read_weekday),
    (rf"{_HAN_WHICH}(?P<unit>周|週|星期|礼拜|月|季度)", moments.read_unit),
    (r"(?P<which>[去今前明本])(?P<unit>年)", moments.read_unit),
    (rf"(?:{_HAN_WHICH})?(?P<unit>[周週]末)", moments.read_unit),
    (rf"{_HAN_COUNT}{_HAN_UNIT}(?:之前|以前|前)", moments.read_ago),
    (rf"(?:过去|最近|近){_HAN_COUNT}{_HAN_UNIT}", moments.read_past),
    (rf"{_HAN_YEAR}?第(?P<quarter>[一二三四1-4])季度", moments.read_part_of_year),
    (rf"{_HAN_YEAR}(?P<season>[春夏秋冬])[天季]", moments.read_part_of_year),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression of time: what was matched, and the function that reads it."""

    found: Found
    read: Read

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self.found.start()

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.found.end()

    @property
    def needs_lead(self) -> bool:
        """Whether it may mean something else, so that it counts only after a word such as *in* (a year, *may*)."""
        text = self.found.group()
        return text in words.NEEDS_LEAD or text.isdecimal()


@cache
def _compiled() -> tuple[tuple[re.Pattern[str], Read], ...]:
    return tuple((re.compile(pattern), read) for pattern, read in _RULES)


def expressions(text: str) -> list[Expression]:
    """Returns the expressions of a folded text that do not overlap: each time the first, and of those the longest."""
    found = [Expression(match, read) for pattern, read in _compiled() for match in pattern.finditer(text)]
    chosen: list[Expression] = []
    for expression in sorted(found, key=lambda each: (each.start, -each.end)):
        if not chosen or expression.start >= chosen[-1].end:
            chosen.append(expression)
    return chosen
