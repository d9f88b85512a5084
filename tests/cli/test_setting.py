"""Settings by flag, environment and file (issue part 1, point 7)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


def values(answer: Any) -> dict[str, tuple[object, str]]:
    return {one["name"]: (one["value"], one["source"]) for one in answer.json["values"]}


def test_a_flag_wins_over_the_environment_that_over_the_file_that_over_the_default(call: Call, tmp_path: Path) -> None:
    assert values(call("settings", "--json"))["readers"] == (4, "default")
    (tmp_path / "memoranda.toml").write_text("[settings]\nreaders = 5\nredact = false\n", "utf-8")
    assert values(call("settings", "--json"))["readers"] == (5, str(tmp_path / "memoranda.toml"))
    env = {"MEMORANDA_READERS": "6"}
    assert values(call("settings", "--json", env=env))["readers"] == (6, "MEMORANDA_READERS")
    assert values(call("settings", "--json", "--set", "readers=7", env=env))["readers"] == (7, "--set readers")
    assert values(call("--set", "readers=7", "settings", "--json", "--set", "redact=on"))["redact"][0] is True


def test_store_and_scope_have_sources_too(call: Call, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    file = folder / "own.toml"
    file.write_text('store = "memory.db"\nscope = "acme/alice"\n', "utf-8")
    env = {"MEMORANDA_STORE": "", "MEMORANDA_CONFIG": str(file)}
    found = values(call("settings", "--json", env=env))
    assert found["store"] == (str(folder / "memory.db"), str(file))
    assert found["scope"] == ("acme/alice", str(file))
    found = values(call("--scope", "first", "settings", "--scope", "last", "--json", "--config", str(file)))
    assert found["scope"] == ("last", "--scope")
    assert found["store"][1] == "MEMORANDA_STORE"


def test_the_default_store_is_the_users_own_file(call: Call, tmp_path: Path) -> None:
    env = {"MEMORANDA_STORE": ""}
    assert "the user's own file" in call("settings", env=env).out
    assert call("remember", "x", env=env).code == 0
    assert list(tmp_path.glob("data/memoranda/*.db"))


def test_settings_take_effect(call: Call) -> None:
    secret = "password=hunter2-Zq81LmPx9"
    assert "hunter2" not in call("remember", secret).out
    assert "hunter2" in call("remember", secret, "--set", "redact=false").out


@pytest.mark.parametrize(
    ("args", "env", "file", "says"),
    [
        (("--set", "reader=5"), {}, "", ["--set reader", "'reader'", "readers"]),
        (("--set", "readers"), {}, "", ["NAME=VALUE"]),
        (("--set", "store=x"), {}, "", ["NAME=VALUE"]),
        (("--set", "readers=many"), {}, "", ["--set readers", "a whole number"]),
        (("--set", "durability=none"), {}, "", ["--set durability", "'full' or 'relaxed'"]),
        ((), {"MEMORANDA_REDACT": "maybe"}, "", ["MEMORANDA_REDACT", "true or false"]),
        ((), {"MEMORANDA_BUSY_TIMEOUT": "-1"}, "", ["MEMORANDA_BUSY_TIMEOUT", "above 0"]),
        ((), {"MEMORANDA_BUSY_TIMEOT": "1"}, "", ["MEMORANDA_BUSY_TIMEOT", "MEMORANDA_BUSY_TIMEOUT"]),
        ((), {"MEMORANDA_CONFIG": "none.toml"}, "", ["none.toml"]),
        ((), {}, "readers = 5", ["memoranda.toml", "[settings]"]),
        ((), {}, "[settings]\nreaders = '5'", ["memoranda.toml", "a whole number"]),
        ((), {}, "[settings]\nfoo = 1", ["memoranda.toml", "'foo'"]),
        ((), {}, "scope = 5", ["memoranda.toml", "scope", "text"]),
        ((), {}, "[settings", ["memoranda.toml", "TOML"]),
        ((), {}, "settings = 1", ["memoranda.toml", "[settings]"]),
    ],
)
def test_a_wrong_setting_is_told_with_its_place(
    call: Call, tmp_path: Path, args: tuple[str, ...], env: dict[str, str], file: str, says: list[str]
) -> None:
    if file:
        (tmp_path / "memoranda.toml").write_text(file, "utf-8")
    answer = call("count", *args, env=env)
    assert (answer.code, answer.out) == (2, "")
    assert not [part for part in says if part not in answer.err]


def test_other_variables_of_the_environment_are_none_of_ours(call: Call) -> None:
    assert call("count", env={"MEMORANDA_SERVICE_HOST": "10.0.0.1", "MEMORANDA_PORT": "x"}).code == 0


def test_the_embedder_is_told_with_its_place_and_the_reason(call: Call) -> None:
    found = call("settings", "--json")
    assert values(found)["embedder"] == ("default", "default")
    assert found.json["embedder"]["used"] is None
    assert "run `" in found.json["embedder"]["because"]
    env = {"MEMORANDA_EMBEDDER": "none"}
    assert values(call("settings", "--json", env=env))["embedder"] == ("none", "MEMORANDA_EMBEDDER")
    assert values(call("settings", "--json", "--embedder", "default", env=env))["embedder"] == ("default", "--embedder")
    assert call("settings", env=env).out.splitlines()[-1].endswith("MEMORANDA_EMBEDDER says so")


def test_weights_that_are_here_are_used(with_weights: Call) -> None:
    found = with_weights("settings", "--json").json["embedder"]
    assert found["used"].startswith("bge-small")
    assert "meaning and words" in found["because"]


def test_an_embedder_that_cannot_be_chosen(call: Call) -> None:
    assert "default or none" in call("count", env={"MEMORANDA_EMBEDDER": "word2vec"}).err
    assert call("count", "--embedder", "word2vec").code == 2


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(call: Call, shell: str) -> None:
    assert "_MEMORANDA_COMPLETE" in call("completion", shell).out
    assert call("completion", shell, "--json").json["shell"] == shell


def test_completion_of_another_shell(call: Call) -> None:
    assert call("completion", "cmd").code == 2
