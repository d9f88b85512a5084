"""Guards against folding two texts that read alike but say different things (C6, C33, C35, design D9).

Likeness of words is blind to what matters most: "does lose" and "does not lose" share nearly all of theirs. So two
texts are one claim only where every word of the one is a word of the other, but for forms of the same word, function
words that say the same, and parts that may stand anywhere. What is not known to be the same is different: a false
alarm costs an entry too many, a miss the truth. What was measured: docs/decisions/0006-folding.md.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from memoranda.text.claim_reader import read_claim
from memoranda.text.claim_tokens import plain
from memoranda.text.claims import Claim, Word
from memoranda.text.folding import fold
from memoranda.text.function_words import PARTICIPLES, language_of
from memoranda.text.polarity import WEAK, opposites
from memoranda.text.quantities import DAY_OF_WEEK
from memoranda.text.values import one_value_differs
from memoranda.text.word_order import same_order

Verdict = Literal["same", "different", "contradiction"]

MAX_COMPARED_CHARS: Final = 4_096
"""Texts of which one is longer are the same only when they are equal but for blanks."""

_SHOWN: Final = 5
_MANY_ACCENTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What one text says to another.

    Attributes:
        verdict: ``same``: it restates it. ``contradiction``: both cannot be true. ``different``: neither is sure.
        reasons: why it is not the same, in words; empty when it is.
        only_words: whether , day, negation, form or order.
    """

    verdict: Verdict
    reasons: tuple[str, ...] = ()
    only_words: bool = False


_SAME: Final = Comparison(verdict="same")


def compare(a: str, b: str) -> Comparison:
    """Returns whether two texts that are near in wording restate, differ from or contradict each other (D9).

    - ``same``: only word order, articles, case, punctuation, spelling, number formats, inflection (not tense) and
      function words differ.
    - ``contradiction``: the one has a negation more, or an opposite in the place of a word (open and closed), or
      another value after the same subject and verb ("the port is 8080", "the port is 9090").
    - ``different``: all else, so also another order number, date, unit or name, and anything said by one alone.

    English, German, Spanish, Chinese and some French are read; in other languages every word must be equal. Any text
    is accepted; for texts that have nothing to do with each other it is ``different``. Symmetric.
    """
    if a == b:
        return _SAME
    if max(len(a), len(b)) > MAX_COMPARED_CHARS:
        return _SAME if a.split() == b.split() else _different("too long to be compared closely, and not equal")
    first, second = plain(a), plain(b)
    if first == second:
        return _SAME
    if _typed_without_accents(first, second):
        first, second = fold(first), fold(second)
    language = language_of((first, second))
    mine, yours = read_claim(first, language), read_claim(second, language)
    if not mine.words or not yours.words:
        return Comparison(verdict="different", reasons=("one has no words to compare",), only_words=True)
    if same_order(mine, yours):
        reason = _forms_differ(mine, yours)
        return _different(reason) if reason else _SAME
    return _judged(mine, yours)


def differs(a: str, b: str) -> str | None:
    """Returns why two near-identical texts must not become one, in words, or None where nothing speaks against it.

    This is the weaker guard, of a merge by likeness (S0.46, S1.10): a contradiction is a reason, and another number,
    date, day, name, negation or order of these; other plain words are none. A fold asks for more: `compare`.
    """
    found = compare(a, b)
    if found.verdict == "same" or (found.verdict == "different" and found.only_words):
        return None
    return "; ".join(found.reasons)


def _typed_without_accents(a: str, b: str) -> bool:
    """One text has plain letters only where the other has accents in many words: somebody's keyboard (S1.11)."""
    if a.isascii() == b.isascii():
        return False
    accented = [word for word in (b if a.isascii() else a).split() if not word.isascii()]
    return len(accented) >= _MANY_ACCENTS and fold(a).casefold() == fold(b).casefold()


def _different(reason: str) -> Comparison:
    return Comparison(verdict="different", reasons=(reason,))


def _forms_differ(a: Claim, b: Claim) -> str | None:
    """Tells where two claims of the same words differ in a form that says something."""
    mine, yours = Counter(word.exact for word in a.words), Counter(word.exact for word in b.words)
    only_a = [word for word in a.words if word.exact not in yours]
    only_b = [word for word in b.words if word.exact not in mine]
    named = {word.key for word in only_a if word.name} & {word.key for word in only_b if word.name}
    if named and any(word.key in named and word.kind in ("word", "name") for word in only_a):
        return _reason("names", only_a, only_b)
    if any(word.key in a.determined | b.determined and word.kind == "word" for word in (*only_a, *only_b)):
        return _reason("one or many", only_a, only_b)
    if _one_is_passive(a, b):
        return "in one something is done to the subject"
    if a.counted != b.counted and any(word.kind == "word" and word.exact != word.key for word in (*only_a, *only_b)):
        return _reason("one or many", only_a, only_b)
    for noun in {noun for noun, _ in a.cases} & {noun for noun, _ in b.cases}:
        if {case for each, case in a.cases if each == noun} != {case for each, case in b.cases if each == noun}:
            return f"{noun} stands in another case"
    if a.quoted != b.quoted and sorted(map(str.casefold, a.quoted)) == sorted(map(str.casefold, b.quoted)):
        return f"quoted otherwise: {', '.join(a.quoted)} against {', '.join(b.quoted)}"
    return None


def _one_is_passive(a: Claim, b: Claim) -> bool:
    """Ana is fired: she did not fire."""
    first, *rest = a.words
    done = bool(rest) and (rest[0].exact.endswith("ed") or rest[0].exact in PARTICIPLES)
    return done and first.name and b.words[0].name and (1 in a.copulas) != (1 in b.copulas)


def _judged(a: Claim, b: Claim) -> Comparison:
    mine, yours = Counter(a.keys), Counter(b.keys)
    only_a, only_b = _beyond(a.words, mine - yours), _beyond(b.words, yours - mine)
    if not only_a and not only_b:
        plain_words = not any(word.name or word.kind in ("number", "day") for word in a.words)
        return Comparison(
            verdict="different", reasons=("the same words stand in another order",), only_words=plain_words
        )
    reasons = _reasons(only_a, only_b)
    if _opposite_polarity(only_a, only_b) or _antonyms(only_a, only_b) or one_value_differs(a, b):
        return Comparison(verdict="contradiction", reasons=reasons)
    return Comparison(verdict="different", reasons=reasons, only_words=_only_words(only_a, only_b))


def _only_words(a: Sequence[Word], b: Sequence[Word]) -> bool:
    if any(word.kind in ("number", "negation") or (word.kind == "day" and not _habit(word)) for word in (*a, *b)):
        return False
    return not all(any(word.kind in ("name", "day") for word in words) for words in (a, b))


def _habit(word: Word) -> bool:
    """On Fridays: said of what happens again and again, not of one day."""
    return word.key.startswith(DAY_OF_WEEK) and word.key.endswith("s")


def _beyond(words: Sequence[Word], more: Counter[str]) -> list[Word]:
    left, found = more.copy(), []
    for word in words:
        if left[word.key] > 0:
            left[word.key] -= 1
            found.append(word)
    return found


def _opposite_polarity(a: Sequence[Word], b: Sequence[Word]) -> bool:
    counts = [sum(word.kind == "negation" for word in words) for words in (a, b)]
    return counts[0] % 2 != counts[1] % 2 and all(word.kind == "negation" or word.key in WEAK for word in (*a, *b))


def _antonyms(a: Sequence[Word], b: Sequence[Word]) -> bool:
    if len(a) != 1 or len(b) != 1:
        return False
    return opposites(a[0].key, b[0].key) or opposites(a[0].exact, b[0].exact)


def _reasons(a: Sequence[Word], b: Sequence[Word]) -> tuple[str, ...]:
    found = []
    for name, kinds in (
        ("numbers", ("number",)),
        ("days", ("day",)),
        ("names", ("name",)),
        ("words", ("word", "preposition")),
    ):
        mine, yours = ([word for word in words if word.kind in kinds] for words in (a, b))
        if mine or yours:
            found.append(_reason(name, mine, yours))
    counts = [sum(word.kind == "negation" for word in words) for words in (a, b)]
    if any(counts):
        found.insert(0, f"one says the opposite: {counts[0]} against {counts[1]} negations")
    return tuple(found)


def _reason(name: str, a: Sequence[Word], b: Sequence[Word]) -> str:
    return f"{name} differ: {_listed(a)} against {_listed(b)}"


def _listed(words: Sequence[Word]) -> str:
    if not words:
        return "none"
    more = f" and {len(words) - _SHOWN} more" if len(words) > _SHOWN else ""
    return ", ".join(word.exact for word in words[:_SHOWN]) + more
