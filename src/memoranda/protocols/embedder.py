"""What turns texts into vectors: an embedder, what names it, and what more it may be able to do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from memoranda.errors import InvalidInput

Kind = Literal["document", "query"]
"""What a text is embedded as. Some models read a question differently from the text that answers it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderIdentity:
    """What a vector must say about its embedder: only vectors of one identity may be compared (design D14, C30).

    Attributes:
        name: the model, such as `bge-small-en-v1.5`.
        version: raised whenever the same weights give other vectors: another prefix, pooling or window.
        weights: the first twelve hexadecimal digits of the SHA-256 of the weights; empty where they cannot be seen.
        dimensions: numbers in a vector.
        floor: the cosine under which an entry is no answer to a query. It belongs to the model: the wrong answers of
            one model reach 0.3, those of another 0.6.
    """

    name: str
    version: str = "1"
    weights: str = ""
    dimensions: int
    floor: float

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidInput("an embedder needs a name, which is stored with each of its vectors")
        if self.dimensions < 1:
            raise InvalidInput(f"an embedder's vectors hold at least one number, not {self.dimensions}")
        if not -1 <= self.floor <= 1:
            raise InvalidInput(f"an embedder's floor is a cosine from -1 to 1, not {self.floor}")

    @property
    def key(self) -> str:
        """Returns the text that is stored with a vector: `name/version/weights/dimensions`. The floor may change."""
        return f"{self.name}/{self.version}/{self.weights or '-'}/{self.dimensions}"


class Vector(Protocol):
    """A row of numbers: a list, a tuple, an `array.array` or a row of numpy will do."""

    def __len__(self) -> int:
        """Returns how many numbers it holds."""
        ...

    def __iter__(self) -> Iterator[float]:
        """Goes through its numbers."""
        ...


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors, such that texts of like meaning have a high cosine.

    What a memory is given is wrapped in `memoranda.models.checked.CheckedEmbedder`, so an embedder need neither cache
    nor check nor normalise. An embedder whose `embed` never suspends outside an event loop may say so with an
    attribute `never_suspends = True`; the synchronous facade then runs it in the caller's own thread (design D1).
    """

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns what its vectors are stored under. It does not change while the embedder lives."""
        ...

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        """Returns a vector for each text, in order. Work that blocks goes off the event loop.

        Raises:
            EmbedderError: it cannot embed now; the entries are kept and found by their words.
        """
        ...


@runtime_checkable
class ScriptReader(Protocol):
    """The power to tell how well an embedder reads a text, so that a query in another script does not mislead it."""

    def coverage(self, text: str) -> float:
        """Returns 0 for a text that the embedder cannot read at all, up to 1 for one like those it was trained on.

        Recall weighs the meaning channel by it (S1.13, design D7). It may block for a moment at its first call.
        """
        ...


@runtime_checkable
class Windowed(Protocol):
    """The power to tell whether a text is read to its end."""

    def truncated(self, text: str) -> bool:
        """Tells whether the text is longer than the model's window: its tail is not in its vector (case V05)."""
        ...
