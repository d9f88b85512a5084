"""Sentence encoders in the ONNX format, run on this machine's processor by onnxruntime."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, Final

from memoranda.bridge.offload import offload
from memoranda.errors import EmbedderUnavailable, InvalidInput
from memoranda.models import weights
from memoranda.models.batches import batches
from memoranda.models.catalogue import CATALOGUE, DEFAULT, ModelCard
from memoranda.models.extras import absent, advice, require
from memoranda.models.pieces import Pieces
from memoranda.protocols.embedder import EmbedderIdentity, Kind, Vector

PACKAGES: Final = ("numpy", "onnxruntime", "tokenizers")
"""What it needs; the extra `embed` brings them."""

_MOST_TEXTS: Final = 64


class OnnxEmbedder:
    """An embedder of the catalogue: `OnnxEmbedder("bge-small")`.

    Making one loads nothing. The packages, the weights and their hash are loaded and checked at the first use, or
    by `load()`. A text is read up to the model's window; its tail is not embedded (case V05). Safe in several threads.

    Args:
        model: a name of the catalogue, or a card of one's own.
        threads: threads of one pass. One is the default: on a loaded machine two are slower than one.

    Raises:
        InvalidInput: the catalogue has no such model.
    """

    never_suspends = True

    def __init__(self, model: str | ModelCard = DEFAULT.name, *, threads: int = 1) -> None:
        self.card = card_of(model)
        self._threads = threads
        self._lock = threading.Lock()
        self._session: Any = None
        self._pieces: Pieces | None = None

    @property
    def identity(self) -> EmbedderIdentity:
        """Returns what its vectors are stored under; the hash of the weights is part of it."""
        card = self.card
        return EmbedderIdentity(
            name=card.model,
            version=card.version,
            weights=card.weights,
            dimensions=card.dimensions,
            floor=card.floor,
        )

    def missing(self) -> str | None:
        """Returns why it cannot be loaded here and what to do, or None. Cheap: it imports nothing and reads no file."""
        lacking = absent(PACKAGES)
        if lacking:
            return f"{', '.join(lacking)} not installed: {advice('embed')}"
        if weights.missing(self.card):
            name = self.card.name
            return f"the weights of {name!r} are not on this machine: run `memoranda models fetch {name}`"
        return None

    def load(self) -> None:
        """Loads the packages and the weights now: a quarter to half a second, and 100 to 250 MB of memory.

        Raises:
            EmbedderUnavailable: a package is missing; the weights are missing, damaged or not usable.
        """
        self._tokenizer()
        self._loaded_session()

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        """Returns a float32 row of length 1 for each text, in order.

        Raises:
            EmbedderUnavailable: as for `load`.
        """
        given = list(texts)
        return await offload(lambda: self._embed(given, kind))

    def coverage(self, text: str) -> float:
        """Returns how well the model reads the text, from 0 (another script) to 1."""
        return self._tokenizer().coverage(text)

    def truncated(self, text: str) -> bool:
        """Tells whether the text is longer than the model's window."""
        return self._tokenizer().truncated(text)

    def _embed(self, texts: Sequence[str], kind: Kind) -> list[Vector]:
        prefix = self.card.query_prefix if kind == "query" else ""
        pieces = self._tokenizer()
        tokens = [pieces.ids(prefix + text) for text in texts]
        most = _MOST_TEXTS if self.card.batch_tokens else 1
        rows: list[Any] = [None] * len(texts)
        for group in batches([len(ids) for ids in tokens], budget=self.card.batch_tokens, most=most):
            for position, row in zip(group, self._pass([tokens[position] for position in group]), strict=True):
                rows[position] = row
        return rows

    def _pass(self, tokens: Sequence[Sequence[int]]) -> Any:
        """Runs the model once and returns a matrix with a unit row for each text."""
        import numpy as np

        ids = np.zeros((len(tokens), max(map(len, tokens))), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, of_text in enumerate(tokens):
            ids[row, : len(of_text)] = of_text
            mask[row, : len(of_text)] = 1
        given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states = self._loaded_session().run(None, given)[0]
        if self.card.pooling == "cls":
            pooled = states[:, 0]
        else:
            pooled = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
        return (pooled / np.maximum(np.linalg.norm(pooled, axis=1, keepdims=True), 1e-12)).astype(np.float32)

    def _tokenizer(self) -> Pieces:
        with self._lock:
            if self._pieces is None:
                self._pieces = Pieces(self.card)
            return self._pieces

    def _loaded_session(self) -> Any:
        with self._lock:
            if self._session is None:
                self._session = _open_session(self.card, self._threads)
            return self._session


def card_of(model: str | ModelCard) -> ModelCard:
    """Returns the card of a model by its name in the catalogue.

    Raises:
        InvalidInput: the catalogue has no such model.
    """
    if isinstance(model, ModelCard):
        return model
    if model not in CATALOGUE:
        raise InvalidInput(f"there is no model {model!r}; `memoranda models list` shows {', '.join(CATALOGUE)}")
    return CATALOGUE[model]


def _open_session(card: ModelCard, threads: int) -> Any:
    require("numpy", "embed")
    runtime = require("onnxruntime", "embed")
    path = weights.located(card, card.model_file)
    options = runtime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3  # errors only; its warnings about a graph are of no use to our users
    try:
        return runtime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:
        # The errors of onnxruntime have no base but this one.
        raise EmbedderUnavailable(
            f"onnxruntime {runtime.__version__} cannot load {card.name!r}: {error}; upgrade onnxruntime"
        ) from error
