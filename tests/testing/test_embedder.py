import math

import pytest

from memoranda.models.unit import cosine, unit
from memoranda.testing.embedder import HashingEmbedder

pytestmark = pytest.mark.anyio


async def near(one: str, other: str) -> float:
    first, second = await HashingEmbedder().embed([one, other], kind="document")
    return cosine(unit(first), unit(second))


async def test_c51_vectors_are_the_same_in_every_release() -> None:
    (vector,) = await HashingEmbedder(8).embed(["Rye bread"], kind="query")
    assert [round(number, 4) for number in vector] == EXPECTED


EXPECTED = [0.2236, -0.2236, 0.0, -0.8944, 0.0, -0.2236, 0.0, -0.2236]


async def test_shared_words_make_texts_near_and_strangers_far() -> None:
    floor = HashingEmbedder().identity.floor
    assert await near("Deploys go to the blue cluster", "which cluster do we deploy to?") > floor
    assert await near("Deploys go to the blue cluster", "Anna likes rye bread") < floor


async def test_dimensions_can_be_chosen() -> None:
    for dimensions in (1, 2, 384, 768):
        embedder = HashingEmbedder(dimensions, name=f"e{dimensions}")
        (vector,) = await embedder.embed(["likes rye bread"], kind="document")
        assert len(vector) == embedder.identity.dimensions == dimensions


async def test_the_length_is_one_and_zero_without_a_word() -> None:
    some, none = await HashingEmbedder().embed(["blue", " ?! "], kind="document")
    assert math.fsum(number * number for number in some) == pytest.approx(1)
    assert not any(none)


async def test_lone_surrogates_are_no_failure() -> None:
    assert await HashingEmbedder().embed(["a\ud800b"], kind="document")
