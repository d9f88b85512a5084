from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from memoranda.bench.embedding import CachedEmbedder, embedder_of
from memoranda.errors import InvalidInput
from memoranda.protocols.embedder import Embedder, Kind, ScriptReader, Vector, Windowed
from memoranda.testing.embedder import HashingEmbedder

pytestmark = pytest.mark.anyio


class Counting(HashingEmbedder):
    """Notes what it is asked for."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        self.asked += texts
        return await super().embed(texts, kind=kind)


async def test_a_text_is_embedded_once_for_all_runs(tmp_path: Path) -> None:
    first, second = Counting(), Counting()
    made = await CachedEmbedder(first, tmp_path / "new").embed(["a b", "c", "a b"], kind="document")
    again = await CachedEmbedder(second, tmp_path / "new").embed(["c", "d", "a b"], kind="document")
    assert (first.asked, second.asked) == (["a b", "c"], ["d"])
    assert [list(vector) for vector in made[:2]] == [list(again[2]), list(again[0])]
    exact = await HashingEmbedder(16).embed(["a b"], kind="document")
    assert list(made[0]) == pytest.approx(list(exact[0]), abs=1e-6)


async def test_queries_and_documents_are_kept_apart(tmp_path: Path) -> None:
    counting = Counting()
    cached = CachedEmbedder(counting, tmp_path)
    await cached.embed(["a"], kind="document")
    await cached.embed(["a"], kind="query")
    assert counting.asked == ["a", "a"]


async def test_it_is_an_embedder_with_the_powers_of_one(tmp_path: Path) -> None:
    cached = CachedEmbedder(Counting(), tmp_path)
    assert isinstance(cached, Embedder)
    assert isinstance(cached, ScriptReader)
    assert isinstance(cached, Windowed)
    assert cached.never_suspends
    assert (cached.coverage("a"), cached.truncated("a")) == (1.0, False)


async def test_names(tmp_path: Path) -> None:
    assert embedder_of("none") is None
    assert embedder_of("none", tmp_path) is None
    assert embedder_of("default") is None  # no weights are there: words only
    assert isinstance(embedder_of("memoranda.testing.embedder:HashingEmbedder"), HashingEmbedder)
    assert isinstance(embedder_of("memoranda.testing.embedder:HashingEmbedder", tmp_path), CachedEmbedder)


@pytest.mark.parametrize(
    "name", ["nothing", "no.such.module:X", "memoranda.errors:Nothing", "datetime:datetime", "builtins:dict"]
)
async def test_what_is_no_embedder_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match=name.split(":")[0].split(".")[0]):
        embedder_of(name)
