import math
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.errors import EmbedderError
from memoranda.models.checked import CheckedEmbedder
from memoranda.models.function import from_function
from memoranda.protocols.embedder import Kind
from memoranda.testing.embedder import HashingEmbedder

pytestmark = pytest.mark.anyio

Vectors = Sequence[Sequence[float]]


class Recording(HashingEmbedder):
    """Remembers what it was asked, and can read only what holds no Han."""

    def __init__(self, dimensions: int = 16) -> None:
        super().__init__(dimensions)
        self.asked: list[tuple[Kind, list[str]]] = []

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Any:
        self.asked.append((kind, list(texts)))
        return await super().embed(texts, kind=kind)

    def coverage(self, text: str) -> float:
        return 0.0 if "部" in text else 1.0

    def truncated(self, text: str) -> bool:
        return len(text) > 100


def answering(answer: Callable[[list[str]], Vectors]) -> CheckedEmbedder:
    return CheckedEmbedder(from_function("made-up", 2, answer, floor=0.5))


async def test_each_text_gets_its_own_unit_vector_in_order() -> None:
    checked = answering(lambda texts: [[len(text), 0] if "x" in text else [0, len(text)] for text in texts])
    vectors = await checked.embed(["xx", "a", "x", "bbbb"], kind="document")
    assert [list(vector) for vector in vectors] == [[1, 0], [0, 1], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (lambda texts: [[1.0, 0.0]] * (len(texts) - 1), "gave 2 vectors for 3 texts"),
        (lambda texts: [[1.0]] * len(texts), "a vector of 1 numbers and says that its vectors hold 2"),
        (lambda texts: [[1.0, math.nan]] * len(texts), "NaN"),
        (lambda texts: [[math.inf, 1.0]] * len(texts), "infinity"),
    ],
)
async def test_v03_v06_what_cannot_be_trusted_is_refused(answer: Callable[[list[str]], Vectors], says: str) -> None:
    checked = answering(answer)
    with pytest.raises(EmbedderError, match=says):
        await checked.embed(["t2", "t3", "t4"], kind="document")
    assert checked.gauges().failures == 1
    assert checked.gauges().cached == 0


async def test_v06_whatever_an_embedder_raises_is_an_embedder_error() -> None:
    def fail(texts: list[str]) -> Vectors:
        raise TimeoutError("the model took too long")

    with pytest.raises(EmbedderError, match="made-up: TimeoutError: the model took too long"):
        await answering(fail).embed(["t1"], kind="document")


async def test_zero_vectors_are_allowed_and_stay_zero() -> None:
    (vector,) = await answering(lambda texts: [[0.0, 0.0]]).embed(["t"], kind="document")
    assert list(vector) == [0, 0]


async def test_blank_texts_are_zeros_without_a_call() -> None:
    inner = Recording()
    vectors = await CheckedEmbedder(inner).embed(["", " \n", "word"], kind="document")
    assert inner.asked == [("document", ["word"])]
    assert [any(vector) for vector in vectors] == [False, False, True]


async def test_lone_surrogates_are_replaced_before_the_embedder_sees_them() -> None:
    inner = Recording()
    await CheckedEmbedder(inner).embed(["a\ud800b"], kind="document")
    assert inner.asked == [("document", ["a\ufffdb"])]


async def test_the_same_text_is_embedded_once() -> None:
    inner = Recording()
    checked = CheckedEmbedder(inner)
    first = await checked.embed(["one", "two", "one"], kind="document")
    second = await checked.embed(["two", "three"], kind="document")
    await checked.embed(["one"], kind="query")
    assert inner.asked == [("document", ["one", "two"]), ("document", ["three"]), ("query", ["one"])]
    assert first[0] == first[2]
    assert first[1] == second[0]
    gauges = checked.gauges()
    assert (gauges.hits, gauges.misses, gauges.cached, gauges.calls, gauges.failures) == (1, 4, 4, 3, 0)


async def test_a_retry_begins_where_it_failed() -> None:
    asked: list[list[str]] = []

    def flaky(texts: list[str]) -> Vectors:
        asked.append(texts)
        if len(asked) == 2:
            raise ConnectionError
        return [[1.0, 0.0]] * len(texts)

    checked = CheckedEmbedder(from_function("made-up", 2, flaky, floor=0.5), batch_texts=2)
    with pytest.raises(EmbedderError):
        await checked.embed(["a", "bb", "ccc"], kind="document")
    await checked.embed(["a", "bb", "ccc"], kind="document")
    assert asked == [["a", "bb"], ["ccc"], ["ccc"]]


@given(st.lists(st.text(max_size=40), max_size=30))
def test_no_batch_is_larger_than_the_bounds(texts: list[str]) -> None:
    import anyio

    inner = Recording()
    vectors = anyio.run(lambda: CheckedEmbedder(inner, batch_texts=4, batch_chars=60).embed(texts, kind="document"))
    assert len(vectors) == len(texts)
    for _, batch in inner.asked:
        assert len(batch) == 1 or (len(batch) <= 4 and len(batch) * max(map(len, batch)) <= 60)


async def test_optional_powers_are_passed_on() -> None:
    able, plain = CheckedEmbedder(Recording()), CheckedEmbedder(HashingEmbedder())
    assert (able.coverage("部署"), able.coverage("deploy")) == (0, 1)
    assert (able.truncated("x" * 101), able.truncated("x")) == (True, False)
    assert (plain.coverage("部署"), plain.truncated("x" * 101)) == (1, False)
    assert able.never_suspends
    assert able.identity == Recording().identity


async def test_numpy_rows_are_taken_as_they_are() -> None:
    numpy = pytest.importorskip("numpy")
    checked = answering(lambda texts: list(numpy.eye(2, dtype=numpy.float32)))
    vectors = await checked.embed(["a", "b"], kind="document")
    assert numpy.asarray(vectors[1]).dtype == numpy.float32
    assert numpy.stack(vectors).tolist() == [[1, 0], [0, 1]]
