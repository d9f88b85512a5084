"""The adapters of sentence-transformers and fastembed, with objects that answer as a loaded model of each does."""

from collections.abc import Iterator
from typing import Any

import pytest

from memoranda.bridge.drive import Stepper
from memoranda.errors import EmbedderUnavailable
from memoranda.models.extras import absent, require
from memoranda.models.fastembed import from_fastembed
from memoranda.models.function import FunctionEmbedder
from memoranda.models.sentence_transformers import from_sentence_transformer
from memoranda.protocols.embedder import Kind


class OldTransformer:
    """Has one way to encode, as sentence-transformers before release 5."""

    def encode(self, texts: list[str], *, show_progress_bar: bool) -> list[list[float]]:
        assert not show_progress_bar
        return [[1.0, 0.0, 0.0] for _ in texts]


class NewTransformer(OldTransformer):
    """Reads queries and documents apart."""

    def encode_document(self, texts: list[str], *, show_progress_bar: bool) -> list[list[float]]:
        return [[0.0, 1.0, 0.0] for _ in texts]

    def encode_query(self, texts: list[str], *, show_progress_bar: bool) -> list[list[float]]:
        return [[0.0, 0.0, 1.0] for _ in texts]


class TextEmbedding:
    """Gives vectors one by one, as fastembed does."""

    def passage_embed(self, texts: list[str]) -> Iterator[list[float]]:
        yield from ([0.0, 1.0] for _ in texts)

    def query_embed(self, texts: list[str]) -> Iterator[list[float]]:
        yield from ([1.0, 0.0] for _ in texts)


def embed(embedder: FunctionEmbedder, kind: Kind) -> Any:
    return Stepper().run(embedder.embed(["a", "b"], kind=kind))


@pytest.mark.parametrize(
    ("embedder", "dimensions", "document", "query"),
    [
        (from_sentence_transformer(OldTransformer(), name="m", floor=0.3), 3, [1, 0, 0], [1, 0, 0]),
        (from_sentence_transformer(NewTransformer(), name="m", floor=0.3), 3, [0, 1, 0], [0, 0, 1]),
        (from_fastembed(TextEmbedding(), name="m", floor=0.3), 2, [0, 1], [1, 0]),
    ],
)
def test_a_loaded_model_is_an_embedder(
    embedder: FunctionEmbedder, dimensions: int, document: list[float], query: list[float]
) -> None:
    assert embedder.identity.key == f"m/1/-/{dimensions}"
    assert embed(embedder, "document") == [document, document]
    assert embed(embedder, "query") == [query, query]


def test_a_missing_package_is_told_with_the_extra_that_brings_it() -> None:
    with pytest.raises(EmbedderUnavailable, match=r"pip install 'memoranda\[embed\]'"):
        require("no_such_package_anywhere", "embed")
    assert absent(("json", "no_such_package_anywhere")) == ["no_such_package_anywhere"]
