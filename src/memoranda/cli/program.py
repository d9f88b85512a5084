"""The program `memoranda`: its list of commands, which are loaded when they are needed, and its exits."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from memoranda import __version__
from memoranda.cli import failures
from memoranda.cli.command import shared_options, write_options
from memoranda.cli.state import State

_SECTIONS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    ("Start", (("demo", "demonstrating"),)),
    (
        "Write",
        (
            ("remember", "writing"),
            ("update", "writing"),
            ("retract", "writing"),
            ("restore", "writing"),
            ("erase", "erasing"),
        ),
    ),
    (
        "Read",
        (
            ("recall", "reading"),
            ("list", "reading"),
            ("get", "reading"),
            ("revisions", "reading"),
            ("contested", "contesting"),
            ("count", "reading"),
            ("scopes", "keeping"),
        ),
    ),
    ("Context", (("core", "core"), ("graph", "graph"))),
    ("Files", (("import", "moving"), ("compact", "compacting"), ("dump", "moving"), ("load", "moving"))),
    (
        "Upkeep",
        (
            ("stats", "keeping"),
            ("consolidate", "upkeep"),
            ("backup", "upkeep"),
            ("verify", "upkeep"),
            ("doctor", "upkeep"),
            ("finish-erasures", "erasing"),
            ("reembed", "embedding"),
            ("models", "models"),
            ("check-store", "keeping"),
            ("bench", "bench"),
            ("settings", "setting"),
            ("completion", "setting"),
        ),
    ),
)
"""The commands by section, each with the module that holds it as `<name>_command`."""

ALIASES = {"forget": "retract", "export": "dump"}
"""Other names of commands."""

_HOMES = {name: module for _, commands in _SECTIONS for name, module in commands}


class Program(click.Group):
    """The group of all commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Returns the names of the commands, without aliases, in the order of the help."""
        return list(_HOMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Loads a command by its name or alias."""
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in _HOMES:
            return None
        command = getattr(import_module(f"memoranda.cli.{_HOMES[name]}"), f"{name.replace('-', '_')}_command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Finds the command; a name that is not known is told with those that are like it."""
        if args and args[0] not in _HOMES and args[0] not in ALIASES and not args[0].startswith("-"):
            from difflib import get_close_matches

            like = get_close_matches(args[0], [*_HOMES, *ALIASES])
            if like:
                raise click.UsageError(f"there is no command {args[0]!r}; did you mean {' or '.join(like)}?")
            raise click.UsageError(f"there is no command {args[0]!r}", ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the options, then the commands by section."""
        self.format_commands(ctx, formatter)
        write_options(self, ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes the commands by section, the aliases last."""
        widest = max(map(len, _HOMES))
        for title, commands in _SECTIONS:
            with formatter.section(title):
                formatter.write_dl([(f"{name:{widest}}", self._short_help(ctx, name)) for name, _ in commands])
        with formatter.section("Aliases"):
            formatter.write_dl([(f"{alias:{widest}}", f"The same as `{name}`.") for alias, name in ALIASES.items()])

    def _short_help(self, ctx: click.Context, name: str) -> str:
        command = self.get_command(ctx, name)
        return "" if command is None else command.get_short_help_str(limit=100)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Writes exit codes and examples."""
        with formatter.section("Exit codes"):
            formatter.write_dl([(f"{code:<3}", meaning) for code, meaning in failures.EXIT_CODES])
        with formatter.section("Examples"):
            for example in ("demo", 'remember "Deploys go to the blue cluster"', 'recall "which cluster?" --json'):
                formatter.write(f"  memoranda {example}\n")

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Runs the program. Stand-alone it ends the process, with an exit code that says how it went."""
        given = list(sys.argv[1:] if args is None else args)
        if not standalone_mode:
            return super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        as_json = "--json" in given[: given.index("--")] if "--" in given else "--json" in given
        _tolerate_narrow_encodings()
        try:
            code = super().main(given, prog_name, complete_var, standalone_mode=False, **extra)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(failures.OK)
        except click.ClickException as error:
            failures.show_error(error, as_json=as_json)
            sys.exit(failures.exit_code_of(error))
        except click.Abort:
            sys.exit(failures.INTERRUPTED)
        sys.exit(code if isinstance(code, int) else failures.OK)

    def invoke(self, ctx: click.Context) -> Any:
        """Runs the command. What it may raise ends as one line on stderr and an exit code."""
        from memoranda.errors import MemorandaError

        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except OSError as error:
            if failures.is_closed_pipe(error):
                failures.silence_output()
                ctx.exit(failures.CLOSED_PIPE)
            _fail(ctx, error)
        except MemorandaError as error:
            _fail(ctx, error)
        return result


def _fail(ctx: click.Context, error: Exception) -> NoReturn:
    failures.show_error(error, as_json=ctx.ensure_object(State).json)
    ctx.exit(failures.exit_code_of(error))


def _tolerate_narrow_encodings() -> None:
    """Lets a terminal that cannot show a character show its escape, instead of failing on it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


@click.group(cls=Program, context_settings={"help_option_names": ["-h", "--help"]}, invoke_without_command=True)
@shared_options
@click.version_option(__version__, "-V", "--version", prog_name="memoranda", message="%(prog)s %(version)s")
@click.pass_context
def main(ctx: click.Context) -> None:
    """Keeps the memory of an LLM agent: what it was told stays in one file and is found again by a question."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
