import pytest

from memoranda.errors import InvalidInput
from memoranda.models.floor import measure_floor
from memoranda.models.function import from_function

pytestmark = pytest.mark.anyio

# A text "7" has the cosine .07 with any question.
embedder = from_function(
    "numbered",
    2,
    lambda texts: [[int(text) / 100, (1 - (int(text) / 100) ** 2) ** 0.5] for text in texts],
    queries=lambda texts: [[1.0, 0.0]] * len(texts),
    floor=0.0,
)


async def test_the_floor_is_the_line_under_which_the_share_stays() -> None:
    texts = [str(number) for number in range(100)]
    assert await measure_floor(embedder, ["q"], texts) == pytest.approx(0.99, abs=1e-6)
    assert await measure_floor(embedder, ["q", "r"], texts, share=0.5) == pytest.approx(0.5, abs=1e-6)
    assert await measure_floor(embedder, ["q"], texts, share=1) == pytest.approx(0.99, abs=1e-6)


async def test_too_few_pairs_and_no_share_are_refused() -> None:
    with pytest.raises(InvalidInput, match="9 pairs"):
        await measure_floor(embedder, ["q"] * 3, ["1"] * 3)
    with pytest.raises(InvalidInput, match="share"):
        await measure_floor(embedder, ["q"] * 10, ["1"] * 10, share=99)
