"""Calls of the command line in this process, each test with a store, a home and a current folder of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import platformdirs
import pytest
from click.testing import CliRunner

from memoranda.cli import main
from memoranda.models.onnx import OnnxEmbedder


@dataclass(frozen=True)
class Answer:
    """What one call gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one document on stdout."""
        return json.loads(self.out)


Call = Callable[..., Answer]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `memoranda` on a fresh store: `call("list", "--json")`; `input` is stdin, `env` more environment."""
    for name in ("CONFIG", "EMBEDDER", "SCOPE", "STORE"):
        monkeypatch.delenv(f"MEMORANDA_{name}", raising=False)
    monkeypatch.setenv("MEMORANDA_STORE", str(tmp_path / "memory.db"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.chdir(tmp_path)

    def run(*args: str, input: str | bytes | None = None, env: Mapping[str, str] | None = None) -> Answer:
        result = CliRunner().invoke(main, args, prog_name="memoranda", input=input, env=env)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def remember(call: Call) -> Callable[..., str]:
    """Remembers a text and returns the id of its entry."""

    def run(text: str, *args: str) -> str:
        answer = call("remember", text, "--json", *args)
        assert answer.code == 0, answer.err
        return str(answer.json["entry"]["id"])

    return run


@pytest.fixture
def with_weights(call: Call, monkeypatch: pytest.MonkeyPatch) -> Call:
    """Calls `memoranda` with the default model of this machine; skips where it or its packages are not here."""
    own = platformdirs.user_cache_path("memoranda") / "models"
    monkeypatch.setenv("MEMORANDA_MODELS", os.environ.get("MEMORANDA_TEST_MODELS") or str(own))
    reason = OnnxEmbedder().missing()
    if reason is not None:
        pytest.skip(reason)
    return call
