"""What all commands have in common: the shared options, and help that ends with examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from memoranda.cli.state import EMBEDDERS, State

F = TypeVar("F", bound=Callable[..., Any])

SHARED_TITLE = "Shared options (before or after the command)"


class SharedOption(click.Option):
    """An option that every command takes, and the program before the command too."""


class VerbGroup(click.Group):
    """A group of commands. Its help lists the shared options apart, as each command's does, and ends with examples.

    Args:
        examples: command lines, without the program's name.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands, then the options."""
        self.format_commands(ctx, formatter)
        write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the examples."""
        _write_examples(self.examples, ctx, formatter)


class Verb(click.Command):
    """A command whose help lists the shared options apart and ends with examples.

    Args:
        examples: command lines, without the program's name.
        alias: another name of the command.
    """

    def __init__(self, *args: Any, examples: Sequence[str] = (), alias: str | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = tuple(examples)
        self.alias = alias

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the command's own options, then those that all share."""
        write_options(self, ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the alias and the examples."""
        if self.alias is not None:
            with formatter.section("Alias"):
                formatter.write_text(f"{ctx.find_root().info_name or 'memoranda'} {self.alias}")
        _write_examples(self.examples, ctx, formatter)


def _write_examples(examples: Sequence[str], ctx: click.Context, formatter: click.HelpFormatter) -> None:
    program = ctx.find_root().info_name or "memoranda"
    with formatter.section("Example" if len(examples) == 1 else "Examples"):
        for example in examples:
            formatter.write(f"{'':{formatter.current_indent}}{program} {example}\n")


def write_options(command: click.Command, ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Writes the options of a command in two sections."""
    own: list[tuple[str, str]] = []
    shared: list[tuple[str, str]] = []
    for parameter in command.get_params(ctx):
        record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
        if record is not None:
            (shared if isinstance(parameter, SharedOption) else own).append(record)
    for title, records in (("Options", own), (SHARED_TITLE, shared)):
        if records:
            with formatter.section(title):
                formatter.write_dl(records)


def verb(*examples: str, alias: str | None = None) -> Callable[[F], Verb]:
    """Makes a function `<name>_command` a command. Its docstring is the help; it is given the `State` first."""

    def decorate(function: F) -> Verb:
        shared = shared_options(click.pass_obj(function))
        name = function.__name__.removesuffix("_command").replace("_", "-")
        return click.command(name, cls=Verb, examples=examples, alias=alias)(shared)

    return decorate


def shared_options(function: F) -> F:
    """Adds the options that every command takes. They are kept in the `State`, not passed on.

    Where a command has an option of that name itself, its own stands.
    """
    own = {name for parameter in getattr(function, "__click_params__", ()) for name in parameter.opts}
    for names, settings in reversed(_SHARED):
        if own.isdisjoint(names):
            option = click.option(*names, cls=SharedOption, expose_value=False, callback=_keep, **settings)
            function = option(function)
    return function


def _keep(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    state = ctx.ensure_object(State)
    if parameter.name == "json":
        state.json = state.json or bool(value)
    elif parameter.name == "quiet":
        state.quiet = state.quiet or bool(value)
    elif parameter.name == "embedder":
        state.embedder = value or state.embedder
    elif parameter.name == "config":
        state.config = value or state.config
    elif parameter.name == "set":
        state.flags.update(_pair(ctx, parameter, text) for text in value)
    elif value is not None:
        state.flags[str(parameter.name)] = value
    return value


def _pair(ctx: click.Context, parameter: click.Parameter, text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or name.strip() in ("store", "scope"):
        raise click.BadParameter("write NAME=VALUE with the name of a setting", ctx=ctx, param=parameter)
    return name.strip(), value


_SHARED: tuple[tuple[tuple[str, ...], dict[str, Any]], ...] = (
    (
        ("--store",),
        {
            "metavar": "TARGET",
            "help": "Memory file, `:memory:` or URL; the user's own file by default [MEMORANDA_STORE].",
        },
    ),
    (
        ("--scope",),
        {"metavar": "PATH", "help": "Whose memory, such as acme/alice; `default` by default [MEMORANDA_SCOPE]."},
    ),
    (
        ("--embedder",),
        {
            "type": click.Choice(EMBEDDERS),
            "help": "Work with meaning and words, or with words only; `default` by default [MEMORANDA_EMBEDDER].",
        },
    ),
    (("--json",), {"is_flag": True, "help": "Answer with one JSON document on stdout; errors as JSON on stderr."}),
    (("--quiet", "-q"), {"is_flag": True, "help": "No remarks and no progress on stderr; errors are told."}),
    (
        ("--config",),
        {
            "metavar": "FILE",
            "help": "Configuration; memoranda.toml here, else in the user's folder [MEMORANDA_CONFIG].",
        },
    ),
    (
        ("--set",),
        {
            "metavar": "NAME=VALUE",
            "multiple": True,
            "help": "Set one setting [MEMORANDA_<NAME>]; `memoranda settings` shows them all.",
        },
    ),
)
