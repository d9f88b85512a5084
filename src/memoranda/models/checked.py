"""What stands between a memory and any embedder: cleaning, batches, a cache, and no vector that cannot be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from memoranda.errors import EmbedderError, InvalidInput
from memoranda.models.batches import batches
from memoranda.models.cache import VectorCache
from memoranda.models.unit import FloatView, unit, view, zero
from memoranda.protocols.embedder import Embedder, EmbedderIdentity, Kind, ScriptReader, Vector, Windowed
from memoranda.text.clean import storable

CACHE_BYTES: Final = 16 * 2**20
"""Default bound of the cache: about 9,700 vectors of 384 numbers (design, section 5)."""
BATCH_CHARS: Final = 65_536
"""Most characters of one call to the embedder, padding included: about 16,000 tokens of English."""
BATCH_TEXTS: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderGauges:
    """How an embedder has been used since it was wrapped.

    Attributes:
        hits: texts whose vector was in the cache.
        misses: texts that were not.
        cached: vectors in the cache.
        cached_bytes: memory that they take.
        calls: calls to the embedder.
        failures: calls that failed or answered with what cannot be used.
    """

    hits: int
    misses: int
    cached: int
    cached_bytes: int
    calls: int
    failures: int


class CheckedEmbedder:
    """An embedder that gives a sound vector of length 1 for each text, or raises `EmbedderError`; never NaN.

    Texts are cleaned of lone surrogates. Blank ones get a vector of zeros, which is similar to nothing, without a
    call. The same text is embedded once: what is in the cache, or twice in one call, is not sent again. Where a
    call of several batches fails, the batches before it are in the cache, so that a retry begins where it failed.

    Args:
        embedder: any embedder.
        cache_bytes: most memory of the cache; 0 for none.
        batch_texts: most texts of one call to the embedder.
        batch_chars: most characters of one call to it, padding included.
    """

    def __init__(
        self,
        embedder: Embedder,
        *,
        cache_bytes: int = CACHE_BYTES,
        batch_texts: int = BATCH_TEXTS,
        batch_chars: int = BATCH_CHARS,
    ) -> None:
        self._embedder = embedder
        self._cache = VectorCache(cache_bytes)
        self._batch_texts = batch_texts
        self._batch_chars = batch_chars
        self._calls = 0
        self._failures = 0

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns the embedder's own identity."""
        return self._embedder.identity

    @property
    def never_suspends(self) -> bool:
        """Tells whether the embedder says that it never suspends outside an event loop."""
        return bool(getattr(self._embedder, "never_suspends", False))

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> list[FloatView]:
        """Returns a read-only float32 view of length 1 (or zeros) for each text, in order.

        Raises:
            EmbedderError: the embedder failed, or answered with too few vectors, a wrong width, NaN or an infinity.
        """
        clean = [storable(text) for text in texts]
        found: dict[str, bytes] = {}
        wanted: list[str] = []
        for text in dict.fromkeys(clean):
            kept = self._cache.get(text, kind) if text.strip() else bytes(zero(self.identity.dimensions))
            if kept is None:
                wanted.append(text)
            else:
                found[text] = kept
        lengths = [len(text) for text in wanted]
        for group in batches(lengths, budget=self._batch_chars, most=self._batch_texts):
            batch = [wanted[position] for position in group]
            for text, vector in zip(batch, await self._called(batch, kind), strict=True):
                found[text] = bytes(vector)
                self._cache.put(text, kind, found[text])
        return [view(found[text]) for text in clean]

    def coverage(self, text: str) -> float:
        """Returns how well the embedder reads the text; 1 where it cannot tell."""
        return self._embedder.coverage(text) if isinstance(self._embedder, ScriptReader) else 1.0

    def truncated(self, text: str) -> bool:
        """Tells whether the embedder reads only the start of the text; False where it cannot tell."""
        return isinstance(self._embedder, Windowed) and self._embedder.truncated(text)

    def gauges(self) -> EmbedderGauges:
        """Returns how it has been used."""
        hits, misses, cached, cached_bytes = self._cache.gauges()
        return EmbedderGauges(
            hits=hits,
            misses=misses,
            cached=cached,
            cached_bytes=cached_bytes,
            calls=self._calls,
            failures=self._failures,
        )

    async def _called(self, batch: list[str], kind: Kind) -> list[FloatView]:
        self._calls += 1
        try:
            return self._sound(await self._embedder.embed(batch, kind=kind), len(batch))
        except EmbedderError:
            self._failures += 1
            raise
        except Exception as error:
            # Whatever a stranger's embedder raises must not lose the entry that was to be embedded (case V06).
            self._failures += 1
            raise EmbedderError(f"{self.identity.name}: {type(error).__name__}: {error}") from error

    def _sound(self, vectors: Sequence[Vector], expected: int) -> list[FloatView]:
        name, dimensions = self.identity.name, self.identity.dimensions
        if len(vectors) != expected:
            raise EmbedderError(f"{name} gave {len(vectors)} vectors for {expected} texts, so none can be trusted")
        checked = []
        for vector in vectors:
            if len(vector) != dimensions:
                raise EmbedderError(
                    f"{name} gave a vector of {len(vector)} numbers and says that its vectors hold {dimensions}; "
                    "set its dimensions to what it gives"
                )
            try:
                checked.append(unit(vector))
            except InvalidInput as error:
                raise EmbedderError(f"{name} gave a vector that cannot be used: {error}") from error
        return checked
