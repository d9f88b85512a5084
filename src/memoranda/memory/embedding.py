"""Vectors for what is written and asked. Their failure never fails a write or a recall: words find everything."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from memoranda.errors import EmbedderError
from memoranda.memory.context import Context
from memoranda.protocols.embedder import ScriptReader
from memoranda.protocols.plan import Plan, Snapshot
from memoranda.recall.columns import Floats
from memoranda.recall.quantize import as_floats, quantize
from memoranda.records.entry import MemoryEntry
from memoranda.records.quantized import EntryVector
from memoranda.records.scope import Scope
from memoranda.text.question import question_of

logger = logging.getLogger("memoranda")

BATCH = 256
"""Entries of one batch of `reembed`; each batch is kept when it is done, so that a job goes on where it stopped."""


@dataclass(frozen=True, slots=True)
class QueryVector:
    """A query as its embedder reads it.

    Attributes:
        vector: its vector, of length 1.
        floor: the embedder's cosine under which an entry is no answer.
        coverage: how well the embedder reads the query, 0 to 1.
    """

    vector: Floats
    floor: float
    coverage: float


async def vectors_of(context: Context, entries: Sequence[MemoryEntry]) -> tuple[EntryVector, ...]:
    """Returns the vectors of entries; none without an embedder, or when it fails: then it is logged.

    What has no vector is found by its words, and `reembed` gives it one later (S1.26).
    """
    embedder = context.embedder
    if embedder is None or not entries:
        return ()
    try:
        vectors = await embedder.embed([entry.memory for entry in entries], kind="document")
    except EmbedderError as error:
        logger.warning("%d entries are kept without a vector, `reembed` adds it later: %s", len(entries), error)
        return ()
    key = embedder.identity.key
    return tuple(
        EntryVector(id=entry.id, embedder=key, vector=quantize(list(vector)))
        for entry, vector in zip(entries, vectors, strict=True)
    )


async def vector_of_query(context: Context, text: str) -> QueryVector | None:
    """Returns the vector of a query; None without an embedder, for zeros, or when it fails: that is logged (S1.13).

    A pasted text is cut to its question first, since a model reads only the beginning of a long text.
    """
    embedder = context.embedder
    if embedder is None or not text.strip():
        return None
    question = question_of(text)
    try:
        vectors = await embedder.embed([question], kind="query")
    except EmbedderError as error:
        logger.warning("recall works with words only for this query: %s", error)
        return None
    vector = as_floats(list(vectors[0]))
    if not vector.any():
        return None  # zeros have no direction: the words answer (case V03)
    coverage = embedder.coverage(question) if isinstance(embedder, ScriptReader) else 1.0
    return QueryVector(vector, embedder.identity.floor, coverage)


async def reembed(context: Context, scope: Scope, on_progress: Callable[[int], None] | None = None) -> int:
    """Gives every live entry of a scope a vector of the present embedder, and returns how many got one.

    It may be stopped and started again at any time: each batch is kept when it is done. Words find everything
    meanwhile, and vectors of an earlier embedder are kept, so that switching back needs no work (design D14).

    Args:
        context: the surroundings.
        scope: the scope.
        on_progress: called with the number of entries done so far, after each batch.

    Raises:
        EmbedderError: there is no embedder, or it failed; what was done before is kept.
    """
    embedder = context.embedder
    if embedder is None:
        raise EmbedderError("no embedder is there to make vectors with; `memoranda models fetch` gets one")
    key, done, after = embedder.identity.key, 0, None
    while waiting := await context.reader().unembedded(scope, key, BATCH, after):
        vectors = await embedder.embed([entry.memory for entry in waiting], kind="document")
        made = [
            EntryVector(id=entry.id, embedder=key, vector=quantize(list(vector)))
            for entry, vector in zip(waiting, vectors, strict=True)
        ]
        await context.writer().write(scope, partial(_keep, waiting, made))
        done, after = done + len(waiting), waiting[-1].id
        if on_progress is not None:
            on_progress(done)
    return done


def _keep(entries: Sequence[MemoryEntry], vectors: Sequence[EntryVector], snapshot: Snapshot) -> Plan[None]:
    """Keeps the vectors of those entries whose text did not change while it was embedded."""
    now = {entry.id: snapshot.entry(entry.id) for entry in entries}
    same = {entry.id for entry in entries if (found := now[entry.id]) is not None and found.memory == entry.memory}
    return Plan(result=None, vectors=tuple(vector for vector in vectors if vector.id in same))
