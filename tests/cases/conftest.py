"""The default model, where this machine has it."""

from __future__ import annotations

import os

import pytest

from memoranda.models.default import default_embedder
from memoranda.models.onnx import OnnxEmbedder


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> OnnxEmbedder:
    """Returns the default embedder with its weights; skips where this machine lacks them or its packages."""
    named = os.environ.get("MEMORANDA_TEST_MODELS", "")
    if named:
        monkeypatch.setenv("MEMORANDA_MODELS", named)
    else:
        monkeypatch.delenv("MEMORANDA_MODELS", raising=False)
    found = default_embedder()
    if found.embedder is None:
        pytest.skip(found.reason or "there is no default embedder")
    return found.embedder
