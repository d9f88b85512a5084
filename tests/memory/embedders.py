"""Embedders that do as they are told, and a look at the vectors that they leave in a store."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memoranda import Recalled
from memoranda.bridge.drive import Stepper
from memoranda.protocols.embedder import Embedder, EmbedderIdentity, Kind
from memoranda.protocols.store import DurableStore
from memoranda.records.quantized import QuantizedVector
from memoranda.records.scope import Scope
from memoranda.testing.embedder import HashingEmbedder

run = Stepper().run
PLACE = "acme/alice"

Step = Exception | Callable[[list[list[float]]], Any] | None
"""What one call does: it raises, it answers with something else than the vectors, or it answers with them."""


class Scripted:
    """Takes one step of its script at each call, and answers soundly after the last one.

    Args:
        steps: the script.
        dimensions: numbers in a vector.
        name: what its vectors are stored under.
        floor: the cosine under which an entry is no answer.

    Attributes:
        calls: what it was asked, call by call.
    """

    never_suspends = True

    def __init__(self, *steps: Step, dimensions: int = 64, name: str = "scripted", floor: float = 0.25) -> None:
        self._sound = HashingEmbedder(dimensions, name=name, floor=floor)
        self._steps = list(steps)
        self.calls: list[tuple[Kind, list[str]]] = []

    @property
    def identity(self) -> EmbedderIdentity:
        return self._sound.identity

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Any:
        self.calls.append((kind, list(texts)))
        step = self._steps.pop(0) if self._steps else None
        if isinstance(step, Exception):
            raise step
        vectors = [list(vector) for vector in await self._sound.embed(texts, kind=kind)]
        return vectors if step is None else step(vectors)

    def asked(self, kind: Kind) -> list[str]:
        """Returns every text that it was asked to embed as this kind."""
        return [text for of_kind, texts in self.calls if of_kind == kind for text in texts]


class Table:
    """Gives each text the vector that stands in a table, zeros for any other.

    Args:
        vectors: the table; all of one width.
        floor: the cosine under which an entry is no answer.
    """

    never_suspends = True

    def __init__(self, vectors: dict[str, tuple[float, ...]], *, floor: float = 0.25, name: str = "table") -> None:
        self._vectors = vectors
        self._width = len(next(iter(vectors.values())))
        self.identity = EmbedderIdentity(name=name, dimensions=self._width, floor=floor)

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> list[tuple[float, ...]]:
        return [self._vectors.get(text, (0.0,) * self._width) for text in texts]


def texts(found: Recalled) -> list[str]:
    """Returns the texts of the hits, best first."""
    return [hit.entry.memory for hit in found]


def kept(store: DurableStore, embedder: Embedder, scope: str = PLACE) -> dict[str, QuantizedVector]:
    """Returns the vectors of an embedder that a store holds, by the entry's id."""
    return dict(run(store.changes(Scope(scope), 0, embedder.identity.key)).vectors)


def waiting(store: DurableStore, embedder: Embedder, scope: str = PLACE) -> int:
    """Returns how many entries have no vector of an embedder."""
    return len(run(store.unembedded(Scope(scope), embedder.identity.key, 10_000)))
