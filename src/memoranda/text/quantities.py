"""Numbers with their units, dates and times of day, each in one form however it is written.

1,000 and 1000 and 1k, 3 pm and 15:00 and 15 Uhr, 50% and 50 percent, zwei and 2, 1 May 2024 and 2024-05-01. What can
be read in two ways (03/04/2024, 3 o'clock) stays as it is written, and differs from all else.
"""

import re
from decimal import Decimal
from typing import Final

from memoranda.text.folding import fold
from memoranda.text.time_words import MONTHS, SHORT_MONTHS, WEEKDAYS

_ONES: Final = {
    "en": (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
        " seventeen eighteen nineteen"
    ),
    "de": (
        "null eins zwei drei vier fünf/fuenf sechs sieben acht neun zehn elf zwölf/zwoelf dreizehn vierzehn fünfzehn"
        " sechzehn siebzehn achtzehn neunzehn"
    ),
    "es": (
        "cero - dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete"
        " dieciocho diecinueve"
    ),
    "fr": "zéro - deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
}
_TENS: Final = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "fr": "vingt trente quarante cinquante soixante",
}
_NUMBER_WORDS: Final = {
    language: {
        word: str(number)
        for listed, first, step in ((_ONES[language], 0, 1), (_TENS[language], 20, 10))
        for number, words in enumerate(listed.split())
        for number in (first + number * step,)
        for word in words.split("/")
        if word != "-"
    }
    for language in _ONES
}
SCALES: Final = {
    word: factor
    for factor, words in {
        100: "hundred hundert cien cent",
        1_000: "k thousand tausend mil mille",
        1_000_000: "million millions millionen mio mn millón millones",
        1_000_000_000: "billion bn milliarde milliarden mrd milliard milliards",
    }.items()
    for word in words.split()
}
_UNITS: Final = {
    word: unit
    for unit, words in {
        "%": "% percent pct prozent porciento",
        "USD": "$ usd dollar dollars dólares dólar",
        "EUR": "€ eur euro euros 欧元",
        "GBP": "£ gbp",
        "CNY": "cny rmb yuan 元 块 人民币",
        "ms": "ms millisecond milliseconds millisekunden milisegundos 毫秒",
        "s": "s sec secs second seconds sek sekunde sekunden segundo segundos 秒",
        "min": "min mins minute minutes minuten minuto minutos 分钟",
        "h": "h hr hrs hour hours std stunde stunden hora horas heure heures 小时",
        "day": "day days tag tage tagen día días jour jours 天",
        "week": "week weeks woche wochen semana semanas semaine semaines 周 星期",
        "month": "month months monat monate monaten mes meses mois 月",
        "year": "year years yr yrs jahr jahre jahren año años an ans 年",
        "mm": "mm millimeter millimeters 毫米",
        "cm": "cm centimeter centimeters centimetre centimetres zentimeter centímetros 厘米",
        "m": "m meter meters metre metres metro metros 米",
        "km": "km kilometer kilometers kilometre kilometres kilómetros 公里 千米",
        "mi": "mi mile miles meile meilen millas 英里",
        "g": "g gram grams gramm gramos 克",
        "kg": "kg kilo kilos kilogram kilograms kilogramm kilogramos 公斤 千克",
        "lb": "lb lbs pound pounds",
        "l": "l liter liters litre litres litro litros 升",
        "°C": "°c celsius 摄氏度",
        "°F": "°f fahrenheit",
    }.items()
    for word in words.split()
}
_CASED_UNITS: Final = frozenset(
    f"{scale}{kind}" for scale in ("", "K", "M", "G", "T", "P") for kind in ("B", "b", "iB")
)
_CURRENCIES: Final = frozenset("$€£¥")

MONTH_OF: Final = {word: month for names in (MONTHS, SHORT_MONTHS) for word, month in names.items()}
_MONTH: Final = "(?:" + "|".join(sorted([*MONTH_OF, "märz", "jänner"], key=len, reverse=True)) + r")(?![^\W\d_])\.?"
TIME: Final = re.compile(
    rf"""(?ix)
    (?=\d)(?:
        (?P<iso>(?<![\w-])(?P<y1>\d{{4}})-(?P<m1>\d{{1,2}})-(?P<d1>\d{{1,2}})(?![\w-]))
        | (?P<dotted>(?<![\w.])(?P<d2>\d{{1,2}})\.(?P<m2>\d{{1,2}})\.(?P<y2>\d{{4}})(?!\w))
        | (?P<han>(?:(?P<y3>\d{{4}})年)?(?P<m3>\d{{1,2}})月(?P<d3>\d{{1,2}})[日号號])
        | (?P<dayfirst>(?<![\w.,/-])(?P<d4>\d{{1,2}})(?:st|nd|rd|th|\.)?\s?(?:of\s|de\s)?(?P<m4>{_MONTH})
            (?:,?\s(?:de\s)?(?P<y4>\d{{4}})(?!\w))?)
        | (?P<clock>(?<![\w.,:/-])(?P<hour>\d{{1,2}})(?::(?P<minute>\d\d))?(?::(?P<second>\d\d))?
            (?:\s?(?P<half>[ap])\.?m(?:\.|(?!\w))|\s?(?P<uhr>uhr)(?:\s(?P<uhrmin>\d\d)(?!\w))?)?(?![\w:]))
    )
    | (?=[\d上早凌下晚傍])
        (?P<hanclock>(?P<part>上午|早上|凌晨|下午|晚上|傍晚)?(?P<hh>\d{{1,2}})[点點](?:(?P<hm>\d{{1,2}})分|(?P<hhalf>半))?)
    | (?=[星礼周])(?P<handay>(?<!\d)(?:星期|礼拜|周)(?P<weekday>[1-6一二三四五六日天])(?!\d))
    | (?<!\w)(?=[jfmasondeä])(?:
        (?P<monthfirst>(?P<m5>{_MONTH})\s(?:the\s)?(?P<d5>\d{{1,2}})(?:st|nd|rd|th)?
            (?![\w:%]|[.,]\d|\s?[ap]\.?m\b)(?:,?\s(?P<y5>\d{{4}})(?!\w))?)
        | (?P<noon>(?:noon|midnight)(?!\w)))
    """
)
"""A date, a time of day or, in Chinese, a day of the week; `time_key` reads a match."""
DAY_OF_WEEK: Final = "weekday "
WEEKDAY_OF: Final = {word + plural: day for word, day in WEEKDAYS.items() for plural in ("", "s")} | {
    "miércoles": 3,
    "sábado": 6,
    "sábados": 6,
}

_THOUSANDS: Final = {",": re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?"), ".": re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")}
_PLAIN: Final = re.compile(r"(?:0|[1-9]\d*)(?:[.,]\d+)?")
_MOST_DIGITS: Final = 40


def time_key(found: re.Match[str]) -> str | None:
    """Returns a date as ``2024-05-01`` (``-05-01`` without a year), a time as ``15:00``; None where it is neither."""
    kind = next(kind for kind in _KINDS if found[kind] is not None)
    if kind in _DATES:
        suffix = _DATES[kind]
        month, year = found["m" + suffix], found["y" + suffix] or ""
        number = int(month) if month.isdecimal() else MONTH_OF[fold(month.rstrip(".")).casefold()]
        return f"{year}-{number:02}-{int(found['d' + suffix]):02}"
    if kind == "handay":
        day = "一二三四五六日".find(found["weekday"].replace("天", "日")) + 1
        return f"{DAY_OF_WEEK}{day or found['weekday']}"
    if kind == "noon":
        return "12:00" if found["noon"].casefold() == "noon" else "00:00"
    return _han_clock(found) if kind == "hanclock" else _clock(found)


_DATES: Final = {"iso": "1", "dotted": "2", "han": "3", "dayfirst": "4", "monthfirst": "5"}
_KINDS: Final = (*_DATES, "clock", "hanclock", "handay", "noon")


def _clock(found: re.Match[str]) -> str | None:
    half = (found["half"] or "").casefold()
    if not (half or found["uhr"] or found["minute"]):
        return None
    hour = int(found["hour"])
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    seconds = f":{found['second']}" if found["second"] else ""
    return f"{hour:02}:{found['minute'] or found['uhrmin'] or '00'}{seconds}"


def _han_clock(found: re.Match[str]) -> str:
    hour, part = int(found["hh"]), found["part"] or ""
    minute = 30 if found["hhalf"] else int(found["hm"] or 0)
    if hour == 12 or (hour < 12 and not part):  # which half of the day is meant is not said
        return f"{part}{hour:02}:{minute:02}?"
    if part in ("下午", "晚上", "傍晚") and hour < 12:
        hour += 12
    return f"{hour:02}:{minute:02}"


def weekday(word: str) -> int | None:
    """Returns 1 for Monday to 7 for Sunday, of a word in lower case in English, German or Spanish; else None."""
    return WEEKDAY_OF.get(word)


def number_word(word: str, language: str) -> str | None:
    """Returns the digits of a small number that is written as a word in lower case; None for another word."""
    return _NUMBER_WORDS.get(language, _NUMBER_WORDS["en"]).get(word)


def number_key(digits: str, language: str) -> str:
    """Returns a number without separators of thousands and with a decimal point; as it is where that is not sure.

    "1.10" stays "1.10": it may be a version. "007" stays, "1.2.3" stays.
    """
    sign, digits = ("-", digits[1:]) if digits[:1] == "-" else ("", digits.removeprefix("+"))
    mark = "." if language in ("de", "es", "fr") else ","
    if _THOUSANDS[mark].fullmatch(digits):
        digits = digits.replace(mark, "")
    if _PLAIN.fullmatch(digits):
        digits = digits.replace(",", ".")
    return sign + digits


def scaled(digits: str, factor: int) -> str:
    """Returns a number times a factor; the number with the factor behind it where it is none."""
    if len(digits) > _MOST_DIGITS or not re.fullmatch(r"-?[0-9]+(?:\.[0-9]+)?", digits):
        return f"{digits}*{factor}"
    return _trimmed(Decimal(digits) * factor)


def unit_of(word: str) -> str | None:
    """Returns the unit that a word or symbol stands for, None where it is none. Bits and bytes tell by their case."""
    if word in _CASED_UNITS and len(word) > 1:
        return word
    lower = word.casefold()
    if len(word) == 2 and lower[1] == "b" and word in (lower, word.upper()) and word.upper() in _CASED_UNITS:
        return word.upper()
    if len(word) == 1 and word.isalpha() and word != lower:
        return None
    return _UNITS.get(lower)


def with_unit(digits: str, unit: str) -> str:
    """Returns a quantity: of a measured number, zeros at the end say nothing."""
    if len(digits) <= _MOST_DIGITS and re.fullmatch(r"-?[0-9]+\.[0-9]+", digits):
        digits = _trimmed(Decimal(digits))
    return f"{digits} {unit}"


def is_currency(symbol: str) -> bool:
    """Returns whether a symbol stands before the number that it belongs to."""
    return symbol in _CURRENCIES


def _trimmed(value: Decimal) -> str:
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


_HAN_DIGITS: Final = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "两": 2, "兩": 2}
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1_000, "万": 10_000, "萬": 10_000, "亿": 10**8, "億": 10**8}
_HAN_RUN: Final = re.compile(f"[{''.join((*_HAN_DIGITS, *_HAN_SCALES))}]+")
_HAN_SCALED: Final = re.compile("([0-9]+(?:[.][0-9]+)?)([百千万萬亿億])")


def with_digits(text: str) -> str:
    """Returns a text with its Chinese numbers in digits: 三十二 is 32, 二〇二四 is 2024, 10万 is 100000.

    Two digits side by side stay as they are: 三五 is "three to five".
    """
    text = _HAN_RUN.sub(lambda found: _han_number(found.group()), text)
    return _HAN_SCALED.sub(lambda found: scaled(found[1], _HAN_SCALES[found[2]]), text)


def _han_number(numeral: str) -> str:
    if not set(numeral) & set(_HAN_SCALES):
        return numeral if len(numeral) == 2 else "".join(str(_HAN_DIGITS[c]) for c in numeral)
    if numeral[0] in "百千万萬亿億":  # the number before it is in digits already, or it is a word: 万一
        return numeral
    total = section = digit = 0
    for character in numeral:
        if character in _HAN_DIGITS:
            digit = _HAN_DIGITS[character]
            continue
        scale = _HAN_SCALES[character]
        if scale >= 10_000:
            total += (section + digit or 1) * scale
            section = digit = 0
        else:
            section += (digit or 1) * scale
            digit = 0
    return str(total + section + digit)
