"""Tells whether two claims have the same words in an order that says the same.

A sentence without its order is not enough: who reports to whom? Only what carries its role with it may stand elsewhere:
a time (on Monday), a phrase with its preposition at the front or the end, two names joined by "and".
"""

from collections import Counter
from typing import Final

from memoranda.text.claims import Claim, Word
from memoranda.text.word_lists import word_set

_Words = tuple[Word, ...]

_CUT: Final = word_set("re un non in a no not pre de dis an ab over under out i")
"""Beginnings that make another word of the one behind them: re-sign is not resign."""
_MOST_MOVED: Final = 60


def same_order(a: Claim, b: Claim) -> bool:
    """Returns whether two claims say the same, word for word or with movable parts elsewhere."""
    if a.keys == b.keys:
        return True
    if Counter(a.keys) != Counter(b.keys):
        return _joined(a.words, b.words)
    if len(a.words) > _MOST_MOVED or not _in_one_sentence(a) or not _in_one_sentence(b):
        return False
    return _moved(a.words, b.words)


def _in_one_sentence(claim: Claim) -> bool:
    return all(mark == "," for _, mark in claim.breaks) and len(claim.breaks) <= 1


def _core(a: _Words, b: _Words) -> tuple[int, int]:
    """Returns how many words at the beginning and at the end are the same."""
    most, start, end = min(len(a), len(b)), 0, 0
    while start < most and a[start].key == b[start].key:
        start += 1
    while end < most - start and a[-1 - end].key == b[-1 - end].key:
        end += 1
    return start, end


def _joined(a: _Words, b: _Words) -> bool:
    """Tells whether one difference is a blank or hyphen within a word: back end, backend."""
    start, end = _core(a, b)
    mine, yours = a[start : len(a) - end], b[start : len(b) - end]
    if not mine or not yours or len(mine) + len(yours) > 3:
        return False
    if any(word.kind != "word" for word in (*mine, *yours)) or any(word.exact in _CUT for word in (*mine, *yours)):
        return False
    return "".join(word.key for word in mine) == "".join(word.key for word in yours)


def _moved(a: _Words, b: _Words) -> bool:
    same_rest = _without_times(a) == _without_times(b) or _inverted(a, b) or _inverted(b, a)
    if same_rest and _times_are_free(a) and _times_are_free(b):
        return True
    start, end = _core(a, b)
    mine, yours = a[start : len(a) - end], b[start : len(b) - end]
    after = a[len(a) - end] if end else None
    return (
        not any(word.kind == "negation" for word in mine)
        and (after is None or after.kind in ("preposition", "day"))
        and _may_have_swapped(mine, yours, start)
    )


def _without_times(words: _Words) -> list[str]:
    return [word.key for word in words if word.kind != "day"]


def _inverted(fronted: _Words, plain: _Words) -> bool:
    """Tells whether the verb stands behind a time at the front, as in German: am Montag trifft Anna das Team."""
    if fronted[0].kind != "day" or len(fronted) < 3 or fronted[1].kind != "word":
        return False
    verb, *rest = _without_times(fronted)
    other = _without_times(plain)
    return verb in other[1:] and rest == other[: other.index(verb)] + other[other.index(verb) + 1 :]


def _times_are_free(words: _Words) -> bool:
    """One time, or a day and a time of day side by side, said of the whole."""
    places = [place for place, word in enumerate(words) if word.kind == "day"]
    return 0 < len(places) <= 2 and all(words[place].adverbial for place in places[:1]) and places[-1] - places[0] <= 1


def _may_have_swapped(a: _Words, b: _Words, start: int) -> bool:
    """Tells whether two blocks changed places: phrases side by side, or one with the rest of the sentence.

    One word, such as a German verb, may stand between a phrase at the front and the rest, but not between two phrases:
    "back up on Monday, restore on Tuesday" is another plan the other way round.
    """
    keys, swapped = [word.key for word in a], [word.key for word in b]
    for cut in range(1, len(a)):
        phrases = _is_phrase(a[:cut]) + _is_phrase(a[cut:])
        if keys[cut:] + keys[:cut] == swapped and (phrases == 2 or (phrases == 1 and start == 0)):
            return True
        around = keys[cut + 1 :] + keys[cut : cut + 1] + keys[:cut]
        if around == swapped and start == 0 and _is_phrase(a[:cut]) + _is_phrase(a[cut + 1 :]) == 1:
            return True
    return False


def _is_phrase(words: _Words) -> bool:
    """A preposition with what belongs to it, or a time."""
    if not words:
        return False
    if words[0].kind == "day":
        return len(words) == 1 and words[0].adverbial
    return words[0].kind == "preposition" and len(words) > 1 and words[-1].kind != "preposition"
