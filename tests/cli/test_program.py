from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import click
import pytest

from memoranda import __version__
from memoranda.cli import main
from memoranda.cli.command import Verb
from memoranda.cli.program import ALIASES

Call = Callable[..., Any]
COMMANDS = main.list_commands(click.Context(main))


def test_help_lists_commands_aliases_and_exit_codes(call: Call) -> None:
    answer = call("--help")
    assert answer.code == 0
    for name in (*COMMANDS, *ALIASES, "--store", "--scope", "--json", "--config", "--set"):
        assert f"  {name} " in answer.out
    assert "The same as `retract`." in answer.out
    assert "Exit codes:" in answer.out
    assert call().out == answer.out


def paths() -> list[str]:
    """Every command, and below the groups every command of theirs: `models`, `models list`."""
    found = list[str]()
    for name in COMMANDS:
        command = main.get_command(click.Context(main), name)
        below = command.list_commands(click.Context(command)) if isinstance(command, click.Group) else []
        found += [name, *(f"{name} {each}" for each in below)]
    return found


@pytest.mark.parametrize("path", paths())
def test_help_of_each_command_ends_with_an_example(call: Call, path: str) -> None:
    answer = call(*path.split(), "--help")
    assert answer.code == 0
    assert answer.out.splitlines()[-1].startswith(f"  memoranda {path}")
    assert "--store TARGET" in answer.out
    command: click.Command | None = main
    for name in path.split():
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert isinstance(command, Verb | click.Group)
    assert command.help
    assert command.short_help is None


def test_a_group_alone_shows_its_help(call: Call) -> None:
    answer = call("models")
    assert (answer.code, answer.err) == (0, "")
    assert answer.out.rstrip("\n") == call("models", "--help").out.rstrip("\n")
    assert call("models", "lst").code == 2


def test_quiet_leaves_remarks_out_but_no_error(call: Call) -> None:
    assert call("list").err == "no entries\n"
    assert call("list", "--quiet").err == call("-q", "list").err == ""
    assert call("get", "x", "-q").err.startswith("error: ")


def test_aliases_are_told_in_the_help_of_their_command(call: Call) -> None:
    for alias, name in ALIASES.items():
        assert f"Alias:\n  memoranda {alias}\n" in call(name, "--help").out
        assert call(alias, "--help").out.splitlines()[-1].startswith(f"  memoranda {name}")


def test_version(call: Call) -> None:
    assert call("--version").out == f"memoranda {__version__}\n"


def test_shared_options_stand_before_or_after_the_command(call: Call, remember: Callable[..., str]) -> None:
    remember("x", "--scope", "a")
    assert call("--scope", "a", "--json", "count").json == call("count", "--json", "--scope", "a").json
    assert call("--scope", "b", "count", "--scope", "a").out == "1\n"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("recal", "x"), "did you mean recall"),
        (("frobnicate",), "no command 'frobnicate'"),
        (("--frobnicate",), "--frobnicate"),
        (("list", "--frobnicate"), "`memoranda list --help`"),
    ],
)
def test_wrong_usage_ends_with_2(call: Call, args: tuple[str, ...], says: str) -> None:
    answer = call(*args)
    assert (answer.code, answer.out) == (2, "")
    assert says in answer.err
    assert answer.err.count("\n") == 1
    as_json = call(*args, "--json")
    assert as_json.out == ""
    assert json.loads(as_json.err)["error"]["type"] == "UsageError"


def test_errors_as_json_go_to_stderr(call: Call) -> None:
    answer = call("get", "nobody", "--json")
    assert (answer.code, answer.out) == (3, "")
    assert json.loads(answer.err)["error"]["type"] == "EntryNotFound"


def test_an_error_shows_no_control_characters(call: Call) -> None:
    answer = call("get", "\x1b[31mred\x07")
    assert answer.code == 3
    assert "\x1b" not in answer.err
    assert "\x07" not in answer.err
