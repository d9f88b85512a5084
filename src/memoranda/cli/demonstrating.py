"""The command `demo`: the main job on the sample."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from memoranda.cli import failures, render
from memoranda.cli.command import verb
from memoranda.cli.state import State

if TYPE_CHECKING:
    from memoranda.service.demo_notes import Step


@verb("demo", "demo --keep demo-files")
@click.option(
    "--keep",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Work in FOLDER, which is made if need be, and leave the files there.",
)
@click.pass_context
def demo_command(ctx: click.Context, state: State, keep: Path | None) -> None:
    """Shows the main job on a sample and checks the results.

    It imports, reopens, recalls with reasons, folds a restatement, shows a contradiction, changes a fact and takes
    that back, erases with proof, dumps, and shows core blocks and a working graph. It works in a folder of its own,
    never in the user's memory, and ends with 1 when a result is not as it must be.
    """
    from memoranda.service.demo import demo

    steps: list[Step] = []
    embedding = state.embedding()
    words_only = embedding.because if embedding.used is None else None
    with _folder(keep) as folder:
        for step in demo(folder, words_only=words_only):
            steps.append(step)
            if not state.json:
                _show(len(steps), step)
    problems = [problem for step in steps for problem in step.problems]
    if state.json:
        render.show_json(
            {
                "ok": not problems,
                "steps": [{"title": step.title, "problems": [*step.problems], **step.result} for step in steps],
            }
        )
    else:
        _show_end(problems, keep)
    if problems:
        ctx.exit(failures.FAILED)


@contextmanager
def _folder(keep: Path | None) -> Iterator[Path]:
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep
        return
    with TemporaryDirectory(prefix="memoranda-demo-") as folder:
        yield Path(folder)


def _show(number: int, step: Step) -> None:
    if number > 1:
        click.echo()
    click.secho(f"{number}. {step.title}", bold=True)
    render.show_lines(*(f"   {line}" for line in step.lines))
    render.show_lines(*(f"   WRONG: {problem}" for problem in step.problems))


def _show_end(problems: list[str], keep: Path | None) -> None:
    click.echo()
    if problems:
        render.show_lines(f"{len(problems)} results are not as they must be; see the lines with WRONG above.")
        return
    render.show_lines("Every result above was checked.")
    if keep is not None:
        render.show_lines(f"The files are in {keep}.")
    program = _program()
    click.echo()
    click.secho("The same with your own ChatGPT export (Settings, Data controls, Export data):", bold=True)
    render.show_lines(
        f"   {program} import conversations.json --store my.db      # the .zip as it came works too",
        f'   {program} recall "what did I decide about ...?" --store my.db',
        "Notes (.md, .txt) and JSON lines are imported in the same way; without --store it is your own memory file.",
        f"   {program} --help                                       # all commands",
    )


def _program() -> str:
    """Returns how this program is called here: by its name, or by its path where the name leads nowhere."""
    called = sys.argv[0]
    return called if Path(called).name == "memoranda" and shutil.which("memoranda") is None else "memoranda"
