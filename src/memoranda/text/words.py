"""The analysis of text into terms: the same for what is stored and for what is asked.

A word is a run of letters, digits and combining marks, and its term is its stem. Names are kept whole and in parts
(``docs/plan.md`` gives ``docs/plan.md``, ``docs``, ``plan.md``, ``plan``, ``md``), the whole as it is written, the
parts stemmed. Scripts without spaces are cut into short overlapping pieces (Han and kana: one and two characters,
Thai and its neighbours: three, and shorter ones where they could be a word). A symbol is a term where it can be what
somebody looks for: percent, currency signs, and pictures such as emoji. Other punctuation gives no term, so a query of
punctuation alone has none.

Germanic languages write compounds in one word, so where a text shows their letters the ends of its long words are
terms too (``Hauptstraße`` is found by ``Straße``, case Q05).

No part of a text is read as a query language. What was measured of all this: docs/decisions/0004-analysis.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from typing import TYPE_CHECKING, Final

from memoranda.text.folding import fold
from memoranda.text.names import MAX_NAME_CHARS, MAX_TERM_CHARS, words_of
from memoranda.text.scripts import ASCII_TOKEN, TERMINAL_SEQUENCE, any_token
from memoranda.text.stemming import Stem, stemmer
from memoranda.text.stop_words import without_stop_words

MAX_QUERY_CHARS: Final = 16_384
"""A query is read up to this many characters, so that a pasted log costs no more than a page (case Q09)."""
MAX_QUERY_TERMS: Final = 256
DEFAULT_LANGUAGE: Final = "english"

_CACHED_WORDS: Final = 16_384

# Letters of German, Dutch and the Nordic languages, decomposed.
_COMPOUNDING: Final = re.compile("[ßẞæøÆØ]|[aouAOU][\u0308\u030a]")
_MIN_HEAD_CHARS: Final = 5
_MAX_HEAD_CHARS: Final = 12
_MIN_MODIFIER_CHARS: Final = 3

# A noun of one syllable with a particle; longer nouns are found by their pairs of syllables.
_PARTICLE: Final = re.compile(
    "(.)(?:[은는이가을를에도의와과로만]|에서|에게|까지|부터|으로|하고|한테|처럼|보다|이랑|이나)"
)
# What can be a word of one or two characters: no mark and no Thai or Lao vowel that follows its consonant comes first,
# no vowel that is written before the next consonant comes last.
_SHORT_WORD: Final = re.compile("(?![ะาำๅๆະາຳໆ])\\w[^เ-ไເ-ໄ]?")

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper

    _CachedWords = _lru_cache_wrapper[tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerms:
    """The terms of a query.

    Attributes:
        terms: every term once, in the order of its first appearance.
        informative: those that are no stop words; all of them where every term is one.
        written: for each of ``terms`` the word as it was asked, folded but not stemmed, to be shown to people.
        cut: whether the query was longer than it is read (characters or terms).
    """

    terms: tuple[str, ...] = ()
    informative: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Analyser:
    """Reads texts and queries into terms. Texts and queries must be read in the same language to meet.

    Attributes:
        language: how words in Latin script are stemmed: a language of Snowball, or ``none`` for no stemming at all.
            Other scripts have their own (`memoranda.text.stemming.stemmer`).

    Raises:
        ValueError: if there is no stemmer for the language.
    """

    language: str = DEFAULT_LANGUAGE

    def __post_init__(self) -> None:
        stemmer(self.language)

    def terms(self, text: str) -> list[str]:
        """Returns the terms of a text, in order and with repeats.

        Terms are folded (NFKC, case, accents), so two spellings of one text give equal terms. Any text is accepted,
        control characters and lone surrogates included. A text without terms gives an empty list.
        """
        text = _without_terminal_sequences(text)
        if text.isascii():
            return _plain_terms(text, _words_in(self.language))
        germanic = _COMPOUNDING.search(unicodedata.normalize("NFD", text))
        words = _words_in(self.language, heads=True) if germanic else _words_in(self.language)
        return _terms(fold(text), words, _all_pieces)

    def query(self, text: str, *, max_terms: int = MAX_QUERY_TERMS) -> QueryTerms:
        """Returns the distinct terms of a query, and which of them are informative.

        At most ``MAX_QUERY_CHARS`` characters are read and ``max_terms`` terms are kept, the first ones, so the
        work is bounded whatever is pasted. Empty text and pure punctuation give no terms. A query has no terms for
        parts that its longer terms cover: neither ends of compounds nor short pieces of long Thai runs.
        """
        read = _head(text)
        folded = fold(_without_terminal_sequences(read))
        written = _terms(folded, _words_in("none"), _longest_pieces)
        stemmed = _terms(folded, _words_in(self.language), _longest_pieces)
        word_of: dict[str, str] = {}
        for word, term in zip(written, stemmed, strict=True):
            word_of.setdefault(term, word)
        terms = tuple(word_of)[: max(max_terms, 0)]
        telling_words = frozenset(without_stop_words(tuple(dict.fromkeys(written))))
        telling = {term for word, term in zip(written, stemmed, strict=True) if word in telling_words}
        informative = tuple(term for term in terms if term in telling)
        return QueryTerms(
            terms=terms,
            informative=informative or terms,
            written=tuple(word_of.values())[: len(terms)],
            cut=len(read) < len(text) or len(terms) < len(word_of),
        )


_DEFAULT: Final = Analyser()


def analyse(text: str) -> list[str]:
    """Returns the terms of a text in the default language; see `Analyser.terms`."""
    return _DEFAULT.terms(text)


def query_terms(text: str, *, max_terms: int = MAX_QUERY_TERMS) -> QueryTerms:
    """Returns the terms of a query in the default language; see `Analyser.query`."""
    return _DEFAULT.query(text, max_terms=max_terms)


def _head(text: str) -> str:
    """Returns the part of a query that is read, cut between words where it has any."""
    if len(text) <= MAX_QUERY_CHARS:
        return text
    read = text[:MAX_QUERY_CHARS]
    whole_words = read.rsplit(None, 1)
    return whole_words[0] if len(whole_words) == 2 else read


def _without_terminal_sequences(text: str) -> str:
    return TERMINAL_SEQUENCE.sub(" ", text) if "\x1b" in text else text


@cache
def _words_in(language: str, *, heads: bool = False) -> _CachedWords:
    """Returns the function from a word to its terms in a language; it keeps what it was asked lately.

    Callers pass long words to its ``__wrapped__``: they are data that hardly comes twice, and they would fill it.
    """
    return lru_cache(maxsize=_CACHED_WORDS)(partial(_word, stem=stemmer(language), heads=heads))


def _plain_terms(text: str, words: _CachedWords) -> list[str]:
    terms: list[str] = []
    for token in ASCII_TOKEN.findall(text):
        terms.extend(words(token) if len(token) <= MAX_NAME_CHARS else words.__wrapped__(token))
    return terms


def _terms(folded: str, words: _CachedWords, spaceless: Callable[[str], Iterator[str]]) -> list[str]:
    if folded.isascii():
        return _plain_terms(folded, words)
    terms: list[str] = []
    for match in any_token().finditer(folded):
        token = match.group()
        match match.lastgroup:
            case "word":
                terms.extend(words(token) if len(token) <= MAX_NAME_CHARS else words.__wrapped__(token))
            case "han":
                terms.extend(_one_and_two(token))
            case "hangul":
                terms.extend(_hangul(token))
            case "spaceless":
                terms.extend(spaceless(token))
            case _:
                terms.append(token)
    return terms


def _word(token: str, stem: Stem, heads: bool) -> tuple[str, ...]:
    """Returns the terms of a word or compound: the whole, then its segments and their parts."""
    if token in ("%", "$"):
        return (token,)
    terms: list[str] = []
    for word, is_name in words_of(token):
        terms.append(word if is_name else stem(word))
        if heads and word.isascii() and word.isalpha():
            terms.extend(stem(end) for end in _ends(word))
    return tuple(terms)


def _ends(word: str) -> Iterator[str]:
    """Gives the ends of a long word, one of which is the head of the compound that it may be."""
    for length in range(_MIN_HEAD_CHARS, min(len(word) - _MIN_MODIFIER_CHARS, _MAX_HEAD_CHARS) + 1):
        yield word[-length:]


def _one_and_two(run: str) -> Iterator[str]:
    for start, character in enumerate(run):
        yield character
        if start + 1 < len(run):
            yield run[start : start + 2]


def _hangul(run: str) -> Iterator[str]:
    yield run[:MAX_TERM_CHARS]
    if len(run) > 2:
        yield from _pieces(run, 2)
    if noun := _PARTICLE.fullmatch(run):
        yield noun[1]


def _all_pieces(run: str) -> Iterator[str]:
    """Gives the pieces of three characters and, once each, the shorter ones that could be a word."""
    yield from _longest_pieces(run)
    for size in range(1, min(len(run), 3)):
        yield from dict.fromkeys(filter(_SHORT_WORD.fullmatch, _pieces(run, size)))


def _longest_pieces(run: str) -> Iterator[str]:
    return _pieces(run, min(len(run), 3))


def _pieces(run: str, size: int) -> Iterator[str]:
    for start in range(len(run) - size + 1):
        yield run[start : start + size]
