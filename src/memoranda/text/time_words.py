"""The words by which queries name times, in English, German, Spanish and Chinese, folded and in lower case."""

import re
from collections.abc import Iterable, Mapping
from typing import Final


def _numbered(*lists: str) -> dict[str, int]:
    """Numbers the words of each list from 1; a slash separates spellings of one."""
    return {word: n for listed in lists for n, words in enumerate(listed.split(), 1) for word in words.split("/")}


MONTHS: Final = _numbered(
    "january february march april may june july august september october november december",
    "januar/janner februar marz april mai juni juli august september oktober november dezember",
    "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
)
SHORT_MONTHS: Final = _numbered("jan/ene feb mar apr/abr may jun jul aug sep/sept oct/okt nov dec/dez/dic")
"""Read as months only beside a day or a year; *ago*, Spanish for August, is left to English."""
WEEKDAYS: Final = _numbered(
    "monday tuesday wednesday thursday friday saturday sunday",
    "montag dienstag mittwoch donnerstag freitag samstag/sonnabend sonntag",
    "lunes martes miercoles jueves viernes sabado domingo",
)
SEASONS: Final = _numbered(
    "spring/fruhling/fruhjahr/primavera summer/sommer/verano autumn/fall/herbst/otono winter/invierno"
)
QUARTERS: Final = _numbered(
    "first second third fourth", "erstes/ersten zweites/zweiten drittes/dritten viertes/vierten"
)
NUMBERS: Final = {
    **_numbered(
        "a/an/one two three four five six seven eight nine ten eleven twelve",
        "ein/eine/einem/einen/einer zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
        "un/una dos tres cuatro cinco seis siete ocho nueve diez once doce",
    ),
    "a couple of": 2,
}
UNITS: Final = {
    word: unit
    for unit, words in {
        "minute": "minute minutes minuten minuto minutos",
        "hour": "hour hours stunde stunden hora horas",
        "day": "day days tag tage tagen dia dias",
        "week": "week weeks woche wochen semana semanas",
        "month": "month months monat monate monaten mes meses",
        "quarter": "quarter quarters quartal quartale quartalen trimestre trimestres",
        "year": "year years jahr jahre jahren ano anos",
    }.items()
    for word in words.split()
} | {"weekend": "weekend", "wochenende": "weekend", "fin de semana": "weekend"}
DAYS: Final = {
    word: offset
    for offset, words in {
        0: "today|tonight|this morning|this afternoon|this evening|heute|hoy|esta manana|esta tarde|esta noche"
        "|今天|今日|今晚|今早",
        -1: "yesterday|last night|gestern|ayer|anoche|昨天|昨日|昨晚",
        -2: "the day before yesterday|vorgestern|anteayer|antier|前天",
        1: "tomorrow|morgen|manana|明天|明日",
        2: "the day after tomorrow|ubermorgen|pasado manana|后天",
    }.items()
    for word in words.split("|")
}
WHICH: Final = {  # before the noun
    word: offset
    for offset, words in {
        -1: "last previous letzte letzten letztes letzter letztem vorige voriges vorigen"
        " vergangene vergangenen vergangenes pasado pasada",
        0: "this diese dieses diesen diesem dieser este esta",
        1: "next nachste nachsten nachstes nachster kommende kommenden kommendes proximo proxima",
    }.items()
    for word in words.split()
}
WHICH_AFTER: Final = {"pasado": -1, "pasada": -1, "proximo": 1, "proxima": 1, "que viene": 1}
HAN_WHICH: Final = {"上": -1, "去": -1, "这": 0, "這": 0, "本": 0, "今": 0, "下": 1, "明": 1, "前": -2}
HAN_UNITS: Final = {
    "周": "week",
    "週": "week",
    "星期": "week",
    "礼拜": "week",
    "月": "month",
    "季度": "quarter",
    "年": "year",
}
HAN_SPANS: Final = {"分钟": "minute", "小时": "hour", "天": "day", "日": "day", **HAN_UNITS}
HAN_SEASONS: Final = {"春": 1, "夏": 2, "秋": 3, "冬": 4}

NEEDS_LEAD: Final = frozenset({"may", "march", "august", "mayo", *SEASONS})
"""Words that mean other things as well; a year in digits is of the same kind."""


def any_of(words: Iterable[str]) -> str:
    """Returns the inside of a pattern that matches one of the words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def number(written: str, words: Mapping[str, int] = NUMBERS) -> int:
    """Returns the number that digits, a number word or Chinese numerals up to 99 stand for.

    Raises:
        ValueError: if it is none of these.
    """
    if written in words:
        return words[written]
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.replace("两", "二").replace("兩", "二").rpartition("十")
    digits = "〇一二三四五六七八九"
    return (digits.index(tens) if tens else 1) * 10 * bool(ten) + (digits.index(ones) if ones else 0)
