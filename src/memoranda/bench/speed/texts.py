"""Made-up texts whose words are as common and as rare as those of a language; the same in every run."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, count
from random import Random

CHARACTERS = 100
"""Length of a text, in characters: that of a short remembered sentence, and what bytes per entry are told for."""

_WORDS = 20_000
_SYLLABLES = tuple(a + b for a in "bcdfghjklmnprstvwz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "or"))
_FLATTENING = 2.7
"""Mandelbrot's addition to the rank, which makes the few commonest words less common: `1 / (rank + 2.7)`."""
_COMMON = 100
"""Words that queries leave out: as common as those that a language's analysis drops from a question."""


class Language:
    """Words and their frequencies, drawn from one seed.

    Args:
        seed: another seed makes another language.
    """

    def __init__(self, seed: int = 7) -> None:
        self._seed = seed
        random = Random(seed)
        words: dict[str, None] = {}
        while len(words) < _WORDS:
            words["".join(random.choices(_SYLLABLES, k=random.choice((1, 2, 2, 3, 3, 4))))] = None
        self._words = list(words)
        self._weights = list(accumulate(1 / (rank + _FLATTENING) for rank in range(1, _WORDS + 1)))

    def texts(self, name: str) -> Iterator[str]:
        """Yields texts of `CHARACTERS` characters without end, the same for the same name."""
        random = Random(f"{self._seed}/{name}")
        while True:
            text = " ".join(random.choices(self._words, cum_weights=self._weights, k=CHARACTERS // 3))
            yield text[: CHARACTERS - 1].rstrip().ljust(CHARACTERS - 1, "x") + "."

    def queries(self, name: str) -> Iterator[str]:
        """Yields questions of three to six distinct words without end, none of them among the commonest."""
        random = Random(f"{self._seed}/{name}/queries")
        common = set(self._words[:_COMMON])
        for number in count():
            wanted, chosen = 3 + number % 4, dict[str, None]()
            while len(chosen) < wanted:
                word = random.choices(self._words, cum_weights=self._weights)[0]
                if word not in common:
                    chosen[word] = None
            yield " ".join(chosen)
