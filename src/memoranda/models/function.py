"""A user's own function as an embedder."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Sequence

from memoranda.bridge.offload import offload
from memoranda.protocols.embedder import EmbedderIdentity, Kind, Vector

EmbedFunction = Callable[[list[str]], Sequence[Vector] | Awaitable[Sequence[Vector]]]
"""Texts in, a vector for each out, in order; a plain function or a coroutine function."""


class FunctionEmbedder:
    """An embedder made of a function; see `from_function`."""

    def __init__(self, identity: EmbedderIdentity, documents: EmbedFunction, queries: EmbedFunction) -> None:
        self._identity = identity
        self._functions = {"document": documents, "query": queries}
        self.never_suspends = not any(map(inspect.iscoroutinefunction, self._functions.values()))

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns what it was made with."""
        return self._identity

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        """Returns what the function returns. A plain one runs off the event loop (case L05)."""
        function, given = self._functions[kind], list(texts)
        answer = function(given) if inspect.iscoroutinefunction(function) else await offload(lambda: function(given))
        return await answer if inspect.isawaitable(answer) else answer


def from_function(
    name: str,
    dimensions: int,
    function: EmbedFunction,
    *,
    floor: float,
    version: str = "1",
    queries: EmbedFunction | None = None,
) -> FunctionEmbedder:
    """Makes an embedder of a function.

    Args:
        name: what its vectors are stored under; with another model take another name.
        dimensions: numbers in a vector.
        function: texts in, vectors out. It may block: it does not run on the event loop. It may be a coroutine
            function. Any sequence of sequences of floats will do, a list of numpy rows too.
        floor: the cosine under which an entry is no answer; it differs from model to model, so measure it on a
            hundred questions with texts that do not answer them (docs/howto/embedders.md).
        version: raise it when the function gives other vectors under the same name.
        queries: the function for queries, where the model reads them differently.
    """
    identity = EmbedderIdentity(name=name, version=version, dimensions=dimensions, floor=floor)
    return FunctionEmbedder(identity, function, queries or function)
