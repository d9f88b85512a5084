"""Tokenizers of other libraries, and functions, as counters of tokens."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from memoranda.errors import InvalidInput
from memoranda.models.extras import absent
from memoranda.models.tokenizers import FunctionTokenizer, HuggingFaceTokenizer, TiktokenTokenizer
from memoranda.protocols.tokenizer import Tokenizer
from tests.models.conftest import tokenizer_json

pytestmark = pytest.mark.skipif(bool(absent(("tokenizers",))), reason="the package tokenizers is not installed")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tokenizer.json").write_bytes(tokenizer_json())
    return tmp_path


def test_a_local_file_or_folder_is_a_tokenizer(folder: Path) -> None:
    counter: Tokenizer = HuggingFaceTokenizer(folder / "tokenizer.json", name="tiny")
    assert isinstance(counter, Tokenizer)
    assert (counter.name, counter.exact) == ("tiny", True)
    assert counter.count("the blue deploys") == 4
    assert HuggingFaceTokenizer(str(folder)).count("the blue deploys") == 4
    assert HuggingFaceTokenizer(folder).name == str(folder)


def test_the_marks_around_a_text_are_not_counted(folder: Path) -> None:
    assert HuggingFaceTokenizer(folder).count("") == 0
    assert HuggingFaceTokenizer(folder).count("the") == 1


def test_a_lone_surrogate_is_no_error(folder: Path) -> None:
    assert HuggingFaceTokenizer(folder).count("the \ud800") == HuggingFaceTokenizer(folder).count("the ?")


def test_a_tokenizer_that_cuts_or_fills_counts_the_whole_text(folder: Path) -> None:
    file = folder / "tokenizer.json"
    whole: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    whole["truncation"] = {"direction": "Right", "max_length": 4, "strategy": "LongestFirst", "stride": 0}
    file.write_text(json.dumps(whole), encoding="utf-8")
    assert HuggingFaceTokenizer(file).count("the " * 50) == 50


def test_a_loaded_tokenizer_is_taken_as_it_is(folder: Path) -> None:
    from tokenizers import Tokenizer as Loaded

    loaded = Loaded.from_file(str(folder / "tokenizer.json"))
    assert HuggingFaceTokenizer(loaded, name="mine").count("the blue deploys") == 4
    assert HuggingFaceTokenizer(loaded).name == "Tokenizer"


def test_what_is_no_tokenizer_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no tokenizer file"):
        HuggingFaceTokenizer(tmp_path)
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match="no file of the `tokenizers` library"):
        HuggingFaceTokenizer(tmp_path)
    with pytest.raises(InvalidInput, match="is no tokenizer"):
        HuggingFaceTokenizer(12)


def test_a_function_is_a_tokenizer() -> None:
    counter: Tokenizer = FunctionTokenizer(lambda text: len(text.encode()), "bytes", exact=False)
    assert isinstance(counter, Tokenizer)
    assert (counter.name, counter.exact, counter.count("é"), counter.count("")) == ("bytes", False, 2, 0)
    assert counter.count("a\ud800") == 2


def test_an_error_of_the_function_is_not_hidden() -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        FunctionTokenizer(int, "numbers").count("one")


class Bytes:
    """Answers as an encoding of tiktoken does."""

    name = "bytes"

    def encode_ordinary(self, text: str) -> list[int]:
        return list(text.encode())


class Tiktoken(ModuleType):
    """Answers as tiktoken does on a machine without a network: it has one encoding."""

    def list_encoding_names(self) -> list[str]:
        return ["bytes", "far_away"]

    def get_encoding(self, name: str) -> Bytes:
        if name == "far_away":
            raise ConnectionError("no network")
        return Bytes()

    def encoding_for_model(self, model: str) -> Bytes:
        if model != "gpt-bytes":
            raise KeyError(f"could not map {model} to an encoding")
        return Bytes()


def test_tiktoken_counts_special_tokens_as_text_b01(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", Tiktoken("tiktoken"))
    assert TiktokenTokenizer("bytes").count("<|endoftext|>") == 13
    assert TiktokenTokenizer("gpt-bytes").name == "bytes"
    assert TiktokenTokenizer("bytes").count("a\ud800") == 2
    for name in ("far_away", "unknown"):
        with pytest.raises(InvalidInput, match="no encoding for"):
            TiktokenTokenizer(name)


def test_a_missing_tiktoken_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(InvalidInput, match="pip install tiktoken"):
        TiktokenTokenizer("cl100k_base")
