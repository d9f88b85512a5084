"""The embedder that a memory has when nothing else was said."""

from __future__ import annotations

from dataclasses import dataclass

from memoranda.models.onnx import OnnxEmbedder


@dataclass(frozen=True, slots=True)
class DefaultEmbedder:
    """The default embedder, or why there is none.

    Attributes:
        embedder: it; its weights are loaded at the first use. None for words only.
        reason: why there is none and what to do, to be said once; None when there is one.
    """

    embedder: OnnxEmbedder | None
    reason: str | None


def default_embedder() -> DefaultEmbedder:
    """Finds the catalogue's default model where its packages and its weights are on this machine. Fetches nothing.

    It imports no package and reads no file, so that it costs nothing where vectors are never needed. A damaged file
    is found when it is loaded: `embed` then raises `EmbedderUnavailable`, which says how to put it right.
    """
    embedder = OnnxEmbedder()
    missing = embedder.missing()
    if missing is not None:
        return DefaultEmbedder(None, f"recall works with words only: {missing}")
    return DefaultEmbedder(embedder, None)
