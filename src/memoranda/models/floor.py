"""Measuring an embedder's floor: the cosine under which an entry is no answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from memoranda.errors import InvalidInput
from memoranda.models.checked import CheckedEmbedder
from memoranda.models.unit import cosine
from memoranda.protocols.embedder import Embedder

SHARE: Final = 0.99
_FEWEST_PAIRS: Final = 100


async def measure_floor(
    embedder: Embedder, questions: Sequence[str], strangers: Sequence[str], *, share: float = SHARE
) -> float:
    """Returns the cosine that this share of the pairs of a question and a text that does not answer it stays under.

    The floors of the catalogue were found so, with 0.99 (docs/decisions/0003-embedders.md).

    Args:
        embedder: the embedder; the floor that it has now does not matter.
        questions: questions as your users ask them; fifty or more.
        strangers: texts of the kind that you store, none of which answers any of the questions; fifty or more.
        share: how many of such pairs the floor shall keep out, from 0 to 1.

    Raises:
        InvalidInput: there are fewer than 100 pairs, of which the 99th in a hundred says nothing.
        EmbedderError: the embedder failed.
    """
    pairs = len(questions) * len(strangers)
    if pairs < _FEWEST_PAIRS:
        raise InvalidInput(f"{pairs} pairs of a question and a text are too few: give {_FEWEST_PAIRS} or more")
    if not 0 <= share <= 1:
        raise InvalidInput(f"a share is a number from 0 to 1, not {share}")
    checked = CheckedEmbedder(embedder, cache_bytes=0)
    asked = await checked.embed(questions, kind="query")
    stored = await checked.embed(strangers, kind="document")
    cosines = sorted(cosine(question, text) for question in asked for text in stored)
    return cosines[min(pairs - 1, int(share * pairs))]
