"""Reads a text as a claim, less the words that add nothing.

What is not known is kept as it is, so that a word that these pages have never seen always counts.
"""

import re
from functools import lru_cache
from typing import Final

from memoranda.text import function_words as function
from memoranda.text import han_words as han
from memoranda.text import quantities
from memoranda.text.claim_tokens import CASED, IDENTIFIER, QUOTED, Token, tokens_of
from memoranda.text.claims import Claim, Kind, Word
from memoranda.text.inflection import form, without_ing
from memoranda.text.polarity import NEGATIONS, STRENGTHENED
from memoranda.text.word_lists import word_set

_TAKEN_AS_SAID: Final = word_set(
    "like prefer want use live work need have speak love hate enjoy own drink eat know dislike avoid drive play study"
    " mag liebt bevorzugt wohnt nutzt arbeitet lebt hasst trinkt isst spricht will prefiere quiere usa vive trabaja"
    " bebe come odia ama habla tiene necesita"
)
"""After these a missing subject is the user, of whom a memory speaks: "Prefers tea"."""
_ABBREVIATED: Final = word_set("US IT WHO")
"""Names that are other words in lower case."""
_ANSWERS: Final = word_set("no nein yes ja sí non oui")
_AND: Final = frozenset(("and", "und", "y", "et"))
_HAN_UNIT: Final = re.compile(
    "毫秒|秒|分钟|个?小时|天|个?星期|周|个月|年|毫米|厘米|公里|千米|米|公斤|千克|克|升|元|块|人民币|欧元"
    f"|{'|'.join(sorted(han.MEASURES))}"
)
_SUBJECTS: Final = word_set(
    "i you he she it we they this that these those there the my your his her er sie es wir ihr ich der die das"
)
_RELATIVE_DAYS: Final = word_set("today tomorrow yesterday tonight heute gestern hoy mañana ayer hier demain")
_AUXILIARIES: Final = {"en": ("do", "does"), "fr": ("ne", "n")}
_OTHER_WORK: Final = frozenset((*NEGATIONS, *quantities.WEEKDAY_OF, *_RELATIVE_DAYS, *function.PREPOSITIONS, *_AND))
_OTHER_WORK_IN: Final = {
    language: frozenset().union(
        *(table[language] for table in (function.ARTICLES, function.COPULAS, function.NOW, function.FILLERS)),
        _AUXILIARIES.get(language, ()),
    )
    for language in function.ARTICLES
}


@lru_cache(maxsize=4_096)
def read_claim(text: str, language: str) -> Claim:
    """Returns what a text says, read as one of a language (``en``, ``de``, ``es``, ``fr``).

    Args:
        text: a text as `plain` gives it.
        language: whose function words may be missing; negations of all languages are known.
    """
    return _Reader(text, language).claim()


@lru_cache(maxsize=16_384)
def _content(text: str, language: str, initial: bool) -> Word | None:
    """Returns what a word says that has no other work in a sentence than to say something; None for the others."""
    lower = text.casefold()
    if lower in _OTHER_WORK or lower in _OTHER_WORK_IN[language] or quantities.number_word(lower, language) is not None:
        return None
    if IDENTIFIER.search(text):
        return Word(text if CASED.match(text) else lower, lower, "name", name=True)
    named = text[:1].isupper() and not initial
    key = text if text in _ABBREVIATED else form(lower, language, name=named)
    kind: Kind = "name" if named and language != "de" else "word"
    return Word(key, form(lower, language, name=True), kind, name=text[:1].isupper())


class _Reader:
    """Reads one text; every step takes the list of what is read so far."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text
        self._language = language
        self._words: list[Word] = []
        self._breaks: list[tuple[int, str]] = []
        self._copulas: set[int] = set()
        self._cases: list[tuple[str, int]] = []
        self._case = 0
        self._counted = False
        self._determined: set[str] = set()
        self._tokens = tokens_of(text, language)
        self._negated = any(token.text.casefold() in NEGATIONS for token in self._tokens)

    def claim(self) -> Claim:
        place = 0
        while place < len(self._tokens):
            place += self._take(place)
        self._finish()
        quoted = tuple(sorted(first or second for first, second in QUOTED.findall(self._text)))
        return Claim(
            words=tuple(self._words),
            breaks=tuple(each for each in dict.fromkeys(self._breaks) if 0 < each[0] < len(self._words)),
            copulas=frozenset(self._copulas),
            cases=tuple(sorted(set(self._cases))),
            quoted=quoted,
            counted=self._counted,
            determined=frozenset(self._determined),
        )

    def _take(self, place: int) -> int:
        token = self._tokens[place]
        match token.kind:
            case "break":
                self._take_break(place)
            case "number":
                return self._take_number(place, quantities.number_key(token.text, self._language))
            case "time":
                self._take_time(token.text, token.text, free=self._beside_han(place))
            case "han":
                self._take_han(token.text)
            case "raw":
                self._add(token.text if "/" in token.text else token.text.casefold(), token.text, "name", name=True)
            case "symbol":
                return self._take_symbol(place)
            case _:
                return self._take_word(place)
        return 1

    def _add(self, key: str, exact: str, kind: Kind, *, name: bool = False) -> None:
        self._words.append(Word(key, exact.casefold(), kind, name))

    def _lower(self, place: int) -> str:
        return self._tokens[place].text.casefold() if 0 <= place < len(self._tokens) else ""

    def _take_break(self, place: int) -> None:
        mark = self._tokens[place].text
        if mark == ":" and self._words:
            self._copulas.add(len(self._words))
            return
        if len(self._words) == 1 and self._words[0].exact in _ANSWERS:
            self._words[0] = Word(f"{self._words[0].exact},", self._words[0].exact, "word")
        self._breaks.append((len(self._words), mark))

    def _take_number(self, place: int, key: str) -> int:
        """Reads a number with the scale and the unit behind it; returns how many tokens that were."""
        used = 1
        scale = quantities.SCALES.get(self._lower(place + 1))
        if scale:
            key = quantities.scaled(key, scale)
            used = 2
        for following in self._tokens[place + used : place + used + 1]:
            if following.kind == "han":
                return used + self._take_han_unit(place + used, key)
            unit = quantities.unit_of(following.text) if following.kind in ("word", "symbol") else None
            if unit:
                self._add(quantities.with_unit(key, unit), f"{key} {unit}", "number")
                return used + 1
        self._add(key, key, "number")
        return used

    def _take_han_unit(self, place: int, key: str) -> int:
        """Takes unit or measure word from the front of the run behind a number; returns 1 if nothing is left."""
        run = self._tokens[place].text
        found = _HAN_UNIT.match(run)
        unit = quantities.unit_of(found.group().removeprefix("个")) if found else None
        self._add(quantities.with_unit(key, unit) if unit else key, key, "number")
        rest = run[found.end() :] if found else run
        self._tokens[place] = Token(rest, "han")
        return 0 if rest else 1

    def _beside_han(self, place: int) -> bool:
        return any(token.kind == "han" for token in self._tokens[max(place - 1, 0) : place + 2])

    def _take_time(self, key: str, exact: str, *, free: bool = False) -> None:
        before = self._words[-1].key if self._words else ""
        leads = before == "在" or before in function.BEFORE_TIMES[self._language]
        if leads:
            self._words.pop()
        self._words.append(Word(key, exact, "day", adverbial=free or leads or not self._words))

    def _take_han(self, run: str) -> None:
        for word, may_be_missing in han.pieces(run):
            if word in han.COPULAS:
                self._copulas.add(len(self._words))
            if may_be_missing and not (self._negated and word in ("现在", "目前", "很", "非常", "真的", "也")):
                continue
            if word in han.TIMES:
                self._take_time(word, word, free=True)
            elif word in NEGATIONS or word == "没":
                self._add(NEGATIONS.get(word, word), word, "negation")
            else:
                self._add(word, word, "preposition" if word in function.PREPOSITIONS else "word")

    def _take_symbol(self, place: int) -> int:
        symbol = self._tokens[place].text
        following = self._tokens[place + 1] if place + 1 < len(self._tokens) else None
        if quantities.is_currency(symbol) and following and following.kind == "number":
            used = self._take_number(place + 1, quantities.number_key(following.text, self._language))
            unit = quantities.unit_of(symbol) or symbol
            last = self._words[-1]
            if last.key.endswith(f" {unit}"):
                return used + 1
            self._words[-1] = last._replace(key=quantities.with_unit(last.key, unit))
            return used + 1
        if symbol in ("=", "=="):
            self._copulas.add(len(self._words))
        elif symbol == "!=":
            self._add("not", symbol, "negation")
        elif symbol == "&":
            pass
        else:
            self._add(symbol, symbol, "word")
        return 1

    def _take_word(self, place: int) -> int:
        token = self._tokens[place]
        if word := _content(token.text, self._language, token.initial):
            self._take_content(place, word)
            return 1
        lower = token.text.casefold()
        number = quantities.number_word(lower, self._language)
        if number is not None:
            return self._take_written_number(place, number)
        if self._left_out(place, lower):
            return 1
        if lower in NEGATIONS:
            self._take_negation(lower)
        elif (day := quantities.weekday(lower)) is not None:
            self._take_time(f"{quantities.DAY_OF_WEEK}{day}{'s' if lower.endswith('days') else ''}", lower)
        elif lower in _RELATIVE_DAYS:
            self._take_time(lower, lower, free=True)
        else:
            self._add(lower, lower, "preposition")
        return 1

    def _take_written_number(self, place: int, number: str) -> int:
        """Reads a number in words; twenty-five is one number."""
        following = quantities.number_word(self._lower(place + 1), self._language)
        if following and len(number) == 2 and number[1] == "0" and len(following) == 1 and following != "0":
            return self._take_number(place + 1, number[0] + following) + 1
        return self._take_number(place, number)

    def _left_out(self, place: int, lower: str) -> bool:
        language = self._language
        if lower in function.ARTICLES[language]:
            self._case = function.CASES.get(lower, 0)
            self._counted = self._counted or lower in ("a", "an")
            return True
        if lower in function.COPULAS[language]:
            self._take_copula(place)
            return True
        if lower in function.NOW[language] or lower in function.FILLERS[language]:
            return not self._negated
        return lower in _AND or lower in _AUXILIARIES.get(language, ())

    def _take_copula(self, place: int) -> None:
        self._copulas.add(len(self._words))
        if self._language != "en":
            return
        following = self._lower(place + 1)
        verb_at = place + (2 if following in NEGATIONS or following in function.FILLERS["en"] else 1)
        verb = self._lower(verb_at)
        if verb.endswith("ing"):
            self._tokens[verb_at] = self._tokens[verb_at]._replace(text=without_ing(verb))
        elif verb.endswith("ed") or verb in function.PARTICIPLES:
            after = self._tokens[verb_at + 1 : verb_at + 2]
            if after and after[0].kind != "break" and after[0].text.casefold() not in function.PREPOSITIONS:
                self._add("be", "be", "word")  # "Anna is paid 500" is not "Anna paid 500"

    def _take_negation(self, lower: str) -> None:
        key = NEGATIONS[lower]
        if key in STRENGTHENED and self._words and self._language in ("es", "fr"):
            for place in range(len(self._words) - 1, max(len(self._words) - 5, -1), -1):
                if self._words[place].kind == "negation":
                    self._words[place] = Word(key, lower, "negation")
                    return
        self._add(key, lower, "negation")

    def _take_content(self, place: int, word: Word) -> None:
        if word.key == "anymore" and self._no_longer():
            return
        if place and self._lower(place - 1) in function.DETERMINERS:
            self._determined.add(word.key)
        if self._case:
            self._cases.append((word.key, self._case))
            self._case = 0
        self._words.append(word)

    def _no_longer(self) -> bool:
        """Writes "not ... anymore" as one negation, wherever its second word stands."""
        for place, word in enumerate(self._words):
            if word.key == "not":
                self._words[place] = word._replace(key="no longer")
                return True
        return False

    def _is_question(self) -> bool:
        """Tells a question without its mark by its first words: is it red, do you like tea."""
        if len(self._tokens) < 3 or self._lower(0) not in function.QUESTIONS.get(self._language, ()):
            return False
        second = self._tokens[1].text
        return second[:1].isupper() or second.casefold() in _SUBJECTS

    def _finish(self) -> None:
        if self._is_question() and not any(word.key == "?" for word in self._words):
            self._add("?", "?", "word")
        self._turn_possessives()
        words = self._words
        if words and words[-1].kind == "day" and not words[-1].adverbial:
            words[-1] = words[-1]._replace(adverbial=True)
        if len(words) > 1 and words[0].key in ("user", "usuario", "nutzer", "用户") and words[1].key in _TAKEN_AS_SAID:
            del words[0]
            self._copulas = {place - 1 for place in self._copulas}
            self._breaks = [(place - 1, mark) for place, mark in self._breaks]

    def _turn_possessives(self) -> None:
        """Writes "the server's port" as "port of server"."""
        for place in range(1, len(self._words) - 1):
            if self._words[place].key == "'s":
                owner, _, owned = self._words[place - 1 : place + 2]
                self._words[place - 1 : place + 2] = [owned, Word("of", "of", "preposition"), owner]
