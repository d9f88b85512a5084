"""What a text says, as a value: its words in order, each in the one form that stands for all its spellings."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

Kind = Literal["word", "name", "number", "day", "negation", "preposition"]


class Word(NamedTuple):
    """A word of a claim.

    Attributes:
        key: what stands for all its forms; two words say the same when their keys are equal.
        exact: as it is written, in lower case.
        kind: what it is.
        name: whether it is written as a name: with a capital letter, not at the beginning of a sentence.
        adverbial: whether it is a time that tells when, so that it may stand anywhere.
    """

    key: str
    exact: str
    kind: Kind
    name: bool = False
    adverbial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a text says.

    Attributes:
        words: its words, in order.
        breaks: before which of the words a sentence ends (".") or a comma stands.
        copulas: before which of the words "is" or "=" was left out.
        cases: for nouns that follow a German article, the case that it shows.
        quoted: what stands in quotation marks, as written.
        counted: whether "a" or "an" says that there is one of something.
        determined: the words behind "the", "my" and their like, of which one is not many.
    """

    words: tuple[Word, ...]
    breaks: tuple[tuple[int, str], ...]
    copulas: frozenset[int]
    cases: tuple[tuple[str, int], ...]
    quoted: tuple[str, ...]
    counted: bool
    determined: frozenset[str]

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of its words, in order."""
        return tuple(word.key for word in self.words)
