"""Finds the one value in which two claims about the same thing differ: the port is 8080, the port is 9090."""

from typing import Final

from memoranda.text.claims import Claim, Word
from memoranda.text.word_lists import word_set

_LONGEST_VALUE: Final = 3
_HAVE_ONE: Final = word_set(
    "equal live work prefer cost start end run go close open expire belong report weigh measure last listen point"
    " default require retire wohnt lebt arbeitet bevorzugt heißt heisst kostet läuft laeuft beginnt endet gehört"
    " gehoert dauert liegt lautet geht vive trabaja prefiere cuesta empieza termina pertenece dura llama va coûte"
    " coute habite préfère prefere 住 叫"
)
"""Verbs of which one thing is true at a time: who lives in Porto does not live in Gdansk. One may like much."""


def one_value_differs(a: Claim, b: Claim) -> bool:
    """Returns whether two claims have the same subject and verb and one other value behind it."""
    first, second = a.words, b.words
    start, end = 0, 0
    while start < min(len(first), len(second)) and first[start].key == second[start].key:
        start += 1
    rest = min(len(first), len(second)) - start
    while end < rest and first[-1 - end].key == second[-1 - end].key:
        end += 1
    values = first[start : len(first) - end], second[start : len(second) - end]
    if not all(1 <= len(value) <= _LONGEST_VALUE and not _says_more(value) for value in values):
        return False
    if any(place <= start and place > 0 for place in a.copulas & b.copulas):
        return not _may_both_be(first[:start], values)
    return any(word.key in _HAVE_ONE for word in first[:start])


def _says_more(value: tuple[Word, ...]) -> bool:
    return any(word.kind in ("negation", "preposition") for word in value)


def _may_both_be(subject: tuple[Word, ...], values: tuple[tuple[Word, ...], tuple[Word, ...]]) -> bool:
    """A person may be a nurse and a mother, tall and kind."""
    return all(word.name for word in subject) and all(word.kind == "word" for value in values for word in value)
