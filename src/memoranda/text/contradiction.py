"""Guards against folding two texts that read alike but say different things (C6, C33).

Likeness of words is blind to what matters most: "does lose" and "does not lose" share nearly all of theirs. So a
differing value or polarity means two entries, never one. A false alarm costs an entry too many, a miss the truth.
"""

import re
from typing import Final

from memoranda.text.folding import fold

_UNIT: Final = (
    r"%|percent|pct|prozent|por ciento|pour cent|ns|us|ms|s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?"
    r"|months?|years?|bytes?|[kmgtp]i?b|mm|cm|m|km|miles?|mi|feet|ft|inch|mg|g|kg|tons?|lbs?|oz|ml|l|°?c|°?f|k|a\.?m\.?"
    r"|p\.?m\.?|usd|eur|gbp|dollars?|euros?|[€$£¥]|tage?|stunden?|wochen?|monate?|jahre?n?|dias?|horas?|jours?|heures?"
)
_NUMBER: Final = re.compile(
    rf"(?P<currency>[€$£¥]\s?)?(?P<sign>(?<![\w)])[-+])?(?P<digits>[0-9]+(?:[.,:/-][0-9]+)*)(?:\s?(?P<unit>{_UNIT})(?![a-z]))?"
    r"|(?P<written>\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
    r"|[〇零一二两兩三四五六七八九十百千万萬億亿]+)"
)
_THOUSANDS: Final = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_SAME_UNIT: Final = {"percent": "%", "pct": "%", "prozent": "%", "por ciento": "%", "pour cent": "%"}
_DAY: Final = re.compile(
    r"\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|yesterday|january|february|march|april|june|july"
    r"|august|september|october|november|december|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|heute"
    r"|morgen|gestern|lunes|martes|miercoles|jueves|viernes|sabado|domingo|hoy|manana|ayer|lundi|mardi|mercredi|jeudi"
    r"|vendredi|samedi|dimanche|demain|hier)\b|(?:星期|周|週)[一二三四五六日天]|今天|明天|昨天"
)
_NEGATION: Final = re.compile(
    # One negation in two words (French, Spanish) counts once, so that leaving out the weaker word changes nothing.
    r"\bn(?:e |')(?:\S+ ){1,3}?(?:pas|jamais|rien|plus|aucune?|personne)\b"
    r"|\bno (?:\S+ ){1,2}?(?:nada|nadie|nunca|jamas|ningun[oa]?)\b"
    r"|n't\b|\b(?:dont|doesnt|didnt|isnt|wasnt|arent|cant|wont|shouldnt|couldnt|wouldnt|hasnt|havent)\b"
    r"|\b(?:not|no|never|cannot|without|none|nobody|nothing|nowhere|neither|nor"
    r"|nicht|kein(?:e|en|em|er|es)?|nie|niemals|nichts|niemand|ohne|weder"
    r"|nunca|jamas|nadie|nada|ningun[oa]?|sin|tampoco|pas|jamais|rien|aucune?|sans)\b"
    r"|[不没沒無无未非勿]|(?<!特)(?<!区)(?<!區)(?<!分)(?<!性)[别別]"
)


def differs(a: str, b: str) -> str | None:
    """Returns why two near-identical texts must not become one, in words, or None where nothing speaks against it.

    Compared are numbers (with units, versions, times, dates), days and months, and polarity: negation words of
    English, German, Spanish, French and Chinese. Spelling, case and accents do not matter. The texts are taken to
    be close already; for unrelated texts the answer means nothing. Symmetric up to the order in the sentence.
    """
    first, second = _plain(a), _plain(b)
    return _numbers_differ(first, second) or _days_differ(first, second) or _polarity_differs(first, second)


def _plain(text: str) -> str:
    folded = fold(text).casefold()
    return _THOUSANDS.sub("", " ".join(folded.split()))


def _numbers(text: str) -> list[str]:
    return [_value(match) for match in _NUMBER.finditer(text)]


def _value(match: re.Match[str]) -> str:
    if match["written"]:
        return match["written"]
    unit = (match["unit"] or match["currency"] or "").strip().replace(".", "")
    unit = _SAME_UNIT.get(unit, unit.rstrip("s") if len(unit) > 2 else unit)
    return f"{match['sign'] or ''}{match['digits']} {unit}".strip()


def _numbers_differ(a: str, b: str) -> str | None:
    mine, yours = _numbers(a), _numbers(b)
    if sorted(mine) != sorted(yours):
        return f"numbers differ: {_listed(mine, yours)} against {_listed(yours, mine)}"
    # The same numbers in other places of the same sentence: from 3 to 5, from 5 to 3.
    if mine != yours and _NUMBER.sub("0", a) == _NUMBER.sub("0", b):
        return f"numbers stand in another order: {', '.join(mine)} against {', '.join(yours)}"
    return None


def _days_differ(a: str, b: str) -> str | None:
    mine, yours = _DAY.findall(a), _DAY.findall(b)
    if sorted(set(mine)) == sorted(set(yours)):
        return None
    return f"days differ: {_listed(mine, yours)} against {_listed(yours, mine)}"


def _polarity_differs(a: str, b: str) -> str | None:
    mine, yours = len(_NEGATION.findall(a)), len(_NEGATION.findall(b))
    if mine % 2 == yours % 2 and (mine > 0) == (yours > 0):
        return None
    return f"one says the opposite: {mine} against {yours} negations"


def _listed(values: list[str], others: list[str]) -> str:
    """Names the values that the other text lacks, or all where only their counts differ."""
    only = [value for value in values if value not in others]
    return ", ".join(only or values) or "none"
