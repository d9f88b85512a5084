"""A model of the `sentence-transformers` library, loaded by the host, as an embedder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memoranda.models.function import FunctionEmbedder, from_function
from memoranda.protocols.embedder import Vector


def from_sentence_transformer(model: Any, *, name: str, floor: float, version: str = "1") -> FunctionEmbedder:
    """Makes an embedder of a `SentenceTransformer`, which the host has loaded from its hub or folder.

    Its own prompts for queries and documents are used where the library has them (release 5 and later).

    Args:
        model: the loaded model. One text is embedded at once, to learn its width.
        name: what its vectors are stored under, such as `all-mpnet-base-v2`.
        floor: the cosine under which an entry is no answer; measure it for the model.
        version: raise it when the model changes under the same name.
    """

    def by(method: str) -> Callable[[list[str]], list[Vector]]:
        encode = getattr(model, method, model.encode)
        return lambda texts: list(encode(texts, show_progress_bar=False))

    documents = by("encode_document")
    dimensions = len(documents(["width"])[0])
    return from_function(name, dimensions, documents, floor=floor, version=version, queries=by("encode_query"))
