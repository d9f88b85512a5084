"""A model of the `fastembed` library, loaded by the host, as an embedder."""

from __future__ import annotations

from typing import Any

from memoranda.models.function import FunctionEmbedder, from_function


def from_fastembed(model: Any, *, name: str, floor: float, version: str = "1") -> FunctionEmbedder:
    """Makes an embedder of a `fastembed.TextEmbedding`, which the host has loaded from its hub or folder.

    Args:
        model: the loaded model. One text is embedded at once, to learn its width.
        name: what its vectors are stored under, such as `bge-base-en-v1.5`.
        floor: the cosine under which an entry is no answer; measure it for the model.
        version: raise it when the model changes under the same name.
    """
    dimensions = len(next(iter(model.passage_embed(["width"]))))
    return from_function(
        name,
        dimensions,
        lambda texts: list(model.passage_embed(texts)),
        floor=floor,
        version=version,
        queries=lambda texts: list(model.query_embed(texts)),
    )
