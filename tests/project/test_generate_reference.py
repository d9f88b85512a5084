from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import click
import pytest

from scripts import generate_reference


def greet(name: str, *, times: int = 1) -> str:
    """Greets somebody.

    Args:
        name: Who is greeted,
            by first name.
        times: How often.

    Returns:
        The greeting.
    """
    return name * times


async def walk(self: object, by: int) -> None:
    """Walks on."""


@dataclass(frozen=True)
class Point:
    """A place on a line."""

    x: int = 0
    _hidden: int = 1

    @property
    def mirrored(self) -> int:
        """The place on the other side."""
        return -self.x

    def moved(self, by: int) -> Point:
        """Returns a place further on."""
        return Point(self.x + by)


class Face:
    """The same without awaiting."""

    moved = functools.wraps(walk)(lambda *_: None)


@click.group()
def program() -> None:
    """A program."""


@program.command()
@click.option("--loud", is_flag=True, help="Shout.")
def say(loud: bool) -> None:
    """Says something."""


def test_python_names_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_reference, "PACKAGE", __name__)
    module = ModuleType("example")
    vars(module).update(__all__=["greet", "Point", "LIMIT", "__version__"], greet=greet, Point=Point, LIMIT=3)
    text = generate_reference.python_page(module)
    assert "greet(name: str, *, times: int = 1) -> str" in text
    assert "**Args**\n\n- `name`: Who is greeted,\n  by first name.\n- `times`: How often.\n" in text
    assert "class Point\n    x: int = 0\n```" in text
    assert "### Point.mirrored\n\n```text\nmirrored: int\n" in text
    assert "moved(by: int) -> Point" in text
    assert "## LIMIT\n\nA constant of type `int`." in text
    assert "_hidden" not in text
    assert "__version__" not in text


def test_every_door_has_a_page_that_leads_to_the_others() -> None:
    pages = {path.name: text for path, text in generate_reference.rendered().items()}
    assert set(pages) == {*generate_reference.DOORS.values(), "cli.md"}
    assert "imported from `memoranda.graph`" in pages["graph.md"]
    assert "[`memoranda.compaction`](compaction.md)" in pages["graph.md"]


def test_an_example_in_passing_is_shown_and_not_run() -> None:
    lines = generate_reference.markdown_of("Tells.\n\n```python\nwindow(name)\n```")
    assert lines == ["Tells.", "", "```py", "window(name)", "```"]


def test_wrapped_methods_are_described_without_awaiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(generate_reference, "PACKAGE", __name__)
    text = "\n".join(generate_reference.class_entry("Face", Face))
    assert "### Face.moved\n\n```text\nmoved(by: int) -> None\n" in text
    assert "Walks on." in text


def test_commands_are_described_with_their_subcommands() -> None:
    text = generate_reference.cli_page(program)
    assert "## memoranda\n" in text
    assert "## memoranda say\n" in text
    assert "Usage: memoranda say [OPTIONS]" in text
    assert "Shout." in text


def test_a_stale_page_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "docs" / "page.md"
    monkeypatch.setattr(generate_reference, "ROOT", tmp_path)
    monkeypatch.setattr(generate_reference, "rendered", lambda: {page: "new\n"})
    assert generate_reference.main(["--check"]) == 1
    assert f"stale: {Path('docs/page.md')}" in capsys.readouterr().out
    assert generate_reference.main([]) == 0
    assert page.read_text(encoding="utf-8") == "new\n"
    assert generate_reference.main(["--check"]) == 0
