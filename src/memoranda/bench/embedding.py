"""The embedder of a benchmark: by name, and with its vectors kept on disk so that a second run is quick."""

from __future__ import annotations

import hashlib
import sqlite3
from array import array
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from pathlib import Path

from memoranda.errors import InvalidInput
from memoranda.models.default import default_embedder
from memoranda.models.onnx import OnnxEmbedder
from memoranda.protocols.embedder import Embedder, EmbedderIdentity, Kind, ScriptReader, Windowed

_Known = dict[str, "array[float]"]


def embedder_of(name: str, cache: Path | None = None) -> object:
    """Returns what `Memory(embedder=...)` is given: an embedder, or None for words only.

    Args:
        name: `none`, `default`, a model of the catalogue, or `package.module:name` of a class or function that makes
            an embedder without arguments.
        cache: a folder in which the vectors are kept from run to run.

    Raises:
        InvalidInput: nothing that can be used is found under the name; the message says what to do.
    """
    if name == "none":
        return None
    if name == "default" and cache is None:
        # Found once: a memory for each of many corpora would load the model each time. None recalls by words.
        return default_embedder().embedder
    found = _made(name) if ":" in name else _of_catalogue(name)
    return found if cache is None else CachedEmbedder(found, cache)


def _of_catalogue(name: str) -> Embedder:
    if name == "default":
        default = default_embedder()
        if default.embedder is None:
            raise InvalidInput(f"an embedding cache needs an embedder, and {default.reason}")
        return default.embedder
    embedder = OnnxEmbedder(name)
    missing = embedder.missing()
    if missing is not None:
        raise InvalidInput(missing)
    return embedder


def _made(name: str) -> Embedder:
    module, _, attribute = name.partition(":")
    try:
        made = getattr(import_module(module), attribute)()
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise InvalidInput(f"the embedder {name!r} cannot be made: {error}") from error
    if not isinstance(made, Embedder):
        raise InvalidInput(f"{name!r} makes a {type(made).__name__}, which is no embedder: it lacks identity or embed")
    return made


class CachedEmbedder:
    """An embedder that keeps the vector of each text in a file, by a hash of the text, as 32-bit floats.

    Args:
        inner: is asked for what is not kept yet.
        folder: where the file is; made when it is not there. Each identity has a file of its own.
    """

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._path = folder / f"{hashlib.sha256(inner.identity.key.encode()).hexdigest()[:16]}.sqlite"
        self.never_suspends = bool(getattr(inner, "never_suspends", False))
        with self._opened() as database:
            database.execute("CREATE TABLE IF NOT EXISTS vectors (hash BLOB PRIMARY KEY, vector BLOB) WITHOUT ROWID")

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns the inner embedder's identity: its vectors are the same."""
        return self._inner.identity

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[array[float]]:
        """Returns a vector for each text, in order; the inner embedder makes only those that are not kept."""
        known = self._kept(texts, kind)
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            vectors = await self._inner.embed(missing, kind=kind)
            made = {text: array("f", vector) for text, vector in zip(missing, vectors, strict=True)}
            self._keep(made, kind)
            known |= made
        return [known[text] for text in texts]

    def coverage(self, text: str) -> float:
        """Returns how well the inner embedder reads the text; 1 where it cannot tell."""
        return self._inner.coverage(text) if isinstance(self._inner, ScriptReader) else 1.0

    def truncated(self, text: str) -> bool:
        """Tells whether the inner embedder reads only the start of the text; False where it cannot tell."""
        return self._inner.truncated(text) if isinstance(self._inner, Windowed) else False

    def _keep(self, made: _Known, kind: Kind) -> None:
        with self._opened() as database:
            rows = [(_key(text, kind), vector.tobytes()) for text, vector in made.items()]
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)

    def _kept(self, texts: Iterable[str], kind: Kind) -> _Known:
        found: _Known = {}
        with self._opened() as database:
            for text in dict.fromkeys(texts):
                row = database.execute("SELECT vector FROM vectors WHERE hash = ?", (_key(text, kind),)).fetchone()
                if row is not None:
                    found[text] = array("f", row[0])
        return found

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Opens the file for one call, so that several processes and threads may use it."""
        with closing(sqlite3.connect(self._path, timeout=60)) as database, database:
            yield database


def _key(text: str, kind: Kind) -> bytes:
    return hashlib.sha256(f"{kind}\n{text}".encode()).digest()
