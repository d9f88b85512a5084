from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from memoranda.errors import InvalidInput
from memoranda.records.settings import Settings
from memoranda.service.settings import configure, find_file

OTHERS = {"durability": "relaxed", "redact": False, "language": "german", "max_entries": 7}


@pytest.mark.parametrize("name", [part.name for part in fields(Settings)])
def test_every_setting_can_be_given_in_every_way(name: str, tmp_path: Path) -> None:
    default = getattr(Settings(), name)
    other = OTHERS.get(name, 7 if isinstance(default, int) else 7.5)
    file = tmp_path / "memoranda.toml"
    file.write_text(f"[settings]\n{name} = {repr(other).lower()}\n", "utf-8")
    for given in (
        configure(flags={name: str(other)}, environ={}, file=None),
        configure(flags={}, environ={f"MEMORANDA_{name.upper()}": str(other)}, file=None),
        configure(flags={}, environ={}, file=file),
    ):
        assert getattr(given.settings, name) == other
        assert type(getattr(given.settings, name)) is type(other if default is None else default)


def test_a_whole_number_is_a_number_too(tmp_path: Path) -> None:
    file = tmp_path / "memoranda.toml"
    file.write_text("[settings]\nbusy_timeout = 3\n", "utf-8")
    assert configure(flags={}, environ={}, file=file).settings.busy_timeout == 3.0


def test_true_is_no_number(tmp_path: Path) -> None:
    file = tmp_path / "memoranda.toml"
    file.write_text("[settings]\nreaders = true\n", "utf-8")
    with pytest.raises(InvalidInput, match="readers"):
        configure(flags={}, environ={}, file=file)


@pytest.mark.parametrize("store", [":memory:", "postgresql://host/name", "/abs/x.db"])
def test_a_store_that_is_no_relative_path_stays_as_it_is(store: str, tmp_path: Path) -> None:
    file = tmp_path / "memoranda.toml"
    file.write_text(f'store = "{store}"\n', "utf-8")
    assert configure(flags={}, environ={}, file=file).store == store


def test_the_file_that_is_named_wins_over_the_one_here(tmp_path: Path) -> None:
    here = tmp_path / "memoranda.toml"
    here.write_text("", "utf-8")
    assert find_file(None, tmp_path) == here
    assert find_file("x.toml", tmp_path) == Path("x.toml")


def test_the_users_own_file_comes_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    assert find_file(None, tmp_path) is None
