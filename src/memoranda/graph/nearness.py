"""Which nodes are near to a text: those that share informative words with it, rare words above all.

The words of every node are kept up to date as nodes are written, so asking costs only the nodes that have one of the
text's words. A word that n of N nodes have counts log(1 + N / n): the inverse document frequency of Spärck Jones
(1972), smoothed so that a word that all nodes have still counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from memoranda.records.graph import GraphNode
from memoranda.text.words import Analyser

Words = frozenset[str]
"""The distinct terms of a node."""

MAX_NODE_CHARS: Final = 2_000
"""So many characters of a node are read for its words; what is longer is a document, not a node."""
MAX_VISITED: Final = 5_000
"""So many nodes are looked at for one text, counted once a word; what is left out is the words that most nodes have."""

_ANALYSER: Final = Analyser()


class WordIndex:
    """The words of each node, and for each word the nodes that have it."""

    __slots__ = ("_having", "_words")

    def __init__(self) -> None:
        self._words: dict[str, Words] = {}
        self._having: dict[str, set[str]] = {}

    def of(self, id: str) -> Words:
        """Returns the words of a node that is there."""
        return self._words[id]

    def put(self, id: str, words: Words) -> None:
        """Sets the words of a node."""
        before = self._words.get(id, frozenset())
        self._words[id] = words
        if before != words:
            self._leave(id, before - words)
            for word in words - before:
                self._having.setdefault(word, set()).add(id)

    def drop(self, id: str) -> None:
        """Forgets a node that is there."""
        self._leave(id, self._words.pop(id))

    def near(self, text: str) -> dict[str, float]:
        """Returns how near to a text the nodes are that share an informative word with it; more is nearer.

        The rarest words are taken first, until `MAX_VISITED` nodes were looked at. The first one is always taken.
        """
        having = self._having
        shared = [word for word in _ANALYSER.query(text).informative if word in having]
        shared.sort(key=lambda word: (len(having[word]), word))
        scores: dict[str, float] = {}
        visited = 0
        for word in shared:
            visited += len(having[word])
            if scores and visited > MAX_VISITED:
                break
            weight = math.log1p(len(self._words) / len(having[word]))
            for id in having[word]:
                scores[id] = scores.get(id, 0.0) + weight
        return scores

    def _leave(self, id: str, words: Words) -> None:
        for word in words:
            having = self._having[word]
            having.discard(id)
            if not having:
                del self._having[word]


def words_of(node: GraphNode) -> Words:
    """Returns the words of a node: of its id, its labels, and the values of its properties."""
    return frozenset(_ANALYSER.terms(_text_of(node)))


def _text_of(node: GraphNode) -> str:
    pieces, room = [], MAX_NODE_CHARS
    for piece in (node.id, *node.labels, *_leaves(node.properties)):
        pieces.append(piece[:room])
        room -= len(piece) + 1
        if room <= 0:
            break
    return "\n".join(pieces)


def _leaves(properties: Mapping[str, Any]) -> Iterator[str]:
    """Gives the texts and numbers of properties, in the order of their keys; their nesting is bounded."""
    waiting: list[Any] = [properties]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting.extend(value[key] for key in sorted(value, reverse=True))
        elif isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield str(value)
