"""Tokenizers of other libraries, and functions, as counters of tokens."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from memoranda.errors import InvalidInput
from memoranda.models.extras import advice


class FunctionTokenizer:
    """Counts with a function of the host's.

    Args:
        function: a text in, the number of its tokens out. It is called from several threads.
        name: what reports call it.
        exact: whether it is what the model reads.
    """

    def __init__(self, function: Callable[[str], int], name: str, exact: bool = True) -> None:
        self.name = name
        self.exact = exact
        self._function = function

    def count(self, text: str) -> int:
        """Returns what the function returns; 0 for an empty text, and for a lone surrogate what it says of `?`."""
        if not text:
            return 0
        try:
            return self._function(text)
        except (TypeError, ValueError):  # what libraries in Rust and C raise for a lone surrogate
            whole = text.encode(errors="replace").decode()
            if whole == text:
                raise
            return self._function(whole)


class HuggingFaceTokenizer(FunctionTokenizer):
    """Counts with a tokenizer of the `tokenizers` library, as most open models have one.

    ```python
    HuggingFaceTokenizer("models/qwen3/tokenizer.json")
    HuggingFaceTokenizer(AutoTokenizer.from_pretrained("Qwen/Qwen3-8B").backend_tokenizer, name="qwen3")
    ```

    Marks that the tokenizer puts around a text are not counted, and special tokens in a text count as the tokenizer
    reads them. Nothing is downloaded: a tokenizer from a hub is loaded by the host and passed here.

    Args:
        source: the path of a `tokenizer.json`, or of the folder that holds it; or a loaded `tokenizers.Tokenizer`.
        name: what reports call it; the path when not given.

    Raises:
        InvalidInput: there is no such file, it is no tokenizer, or the package is missing; the message says which.
    """

    def __init__(self, source: str | PathLike[str] | Any, name: str | None = None) -> None:
        loaded = _loaded(Path(fspath(source))) if isinstance(source, (str, PathLike)) else source
        if not callable(getattr(loaded, "encode", None)):
            raise InvalidInput(f"{source!r} is no tokenizer: pass a path, or a `tokenizers.Tokenizer`")
        if getattr(loaded, "truncation", None) is not None or getattr(loaded, "padding", None) is not None:
            loaded = _unbounded(loaded)
        called = name or (fspath(source) if isinstance(source, (str, PathLike)) else type(loaded).__name__)
        super().__init__(lambda text: len(loaded.encode(text, add_special_tokens=False).ids), called)


class TiktokenTokenizer(FunctionTokenizer):
    """Counts with tiktoken, where the host has it and the files of its encodings.

    tiktoken downloads an encoding at its first use; without a network it fails then. The extra `tokens` counts the same
    encodings without one (`memoranda.text.encodings.tokenizer`), so this is for the others, such as `p50k_base`.

    Args:
        name: an encoding, or a model.

    Raises:
        InvalidInput: tiktoken is missing, does not know the name, or cannot get the encoding.
    """

    def __init__(self, name: str) -> None:
        tiktoken = _package("tiktoken", "run `pip install tiktoken`")
        try:
            known = name in tiktoken.list_encoding_names()
            encoding = tiktoken.get_encoding(name) if known else tiktoken.encoding_for_model(name)
        except (KeyError, ValueError, OSError) as error:  # requests' errors are OSErrors
            raise InvalidInput(
                f"tiktoken has no encoding for {name!r} here ({error}); name another, or fill its cache first"
            ) from error
        super().__init__(lambda text: len(encoding.encode_ordinary(text)), encoding.name)


def _loaded(path: Path) -> Any:
    file = path / "tokenizer.json" if path.is_dir() else path
    if not file.is_file():
        raise InvalidInput(f"there is no tokenizer file {file}; give the path of a `tokenizer.json`")
    package = _package("tokenizers", advice("embed"))
    try:
        return package.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises nothing narrower
        raise InvalidInput(f"{file} is no file of the `tokenizers` library: {error}") from error


def _unbounded(loaded: Any) -> Any:
    """Returns a copy that neither cuts nor fills up, so that what it counts is the text."""
    copy = type(loaded).from_str(loaded.to_str())
    copy.no_truncation()
    copy.no_padding()
    return copy


def _package(name: str, what_to_do: str) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        raise InvalidInput(f"{name} cannot be imported ({error}): {what_to_do}") from error
