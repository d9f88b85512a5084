from typing import Any

import pytest

from memoranda.errors import InvalidInput
from memoranda.protocols.embedder import Embedder, EmbedderIdentity, ScriptReader, Windowed
from memoranda.testing.embedder import HashingEmbedder


def test_c30_the_key_tells_models_weights_and_widths_apart() -> None:
    given: dict[str, Any] = {"name": "m", "version": "1", "weights": "abc", "dimensions": 384, "floor": 0.3}
    keys = {EmbedderIdentity(**given).key}
    for change in ({"name": "n"}, {"version": "2"}, {"weights": "abd"}, {"dimensions": 768}):
        keys.add(EmbedderIdentity(**{**given, **change}).key)
    assert len(keys) == 5
    assert EmbedderIdentity(**given).key == "m/1/abc/384"


def test_another_floor_is_no_other_embedder() -> None:
    one = EmbedderIdentity(name="m", dimensions=2, floor=0.3)
    assert one.key == EmbedderIdentity(name="m", dimensions=2, floor=0.4).key == "m/1/-/2"


@pytest.mark.parametrize("wrong", [{"name": " "}, {"dimensions": 0}, {"floor": 1.5}, {"floor": float("nan")}])
def test_an_impossible_identity_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        EmbedderIdentity(**{"name": "m", "dimensions": 2, "floor": 0.3, **wrong})


def test_powers_beyond_embedding_are_optional() -> None:
    embedder = HashingEmbedder()
    assert isinstance(embedder, Embedder)
    assert not isinstance(embedder, ScriptReader)
    assert not isinstance(embedder, Windowed)
