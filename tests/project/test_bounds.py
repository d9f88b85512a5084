"""The pages of bounds, settings, errors, exit codes and columns say what the code says, and leave nothing out.

D17, S4.47, S4.48.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from inspect import signature
from pathlib import Path

import pytest

from memoranda import Settings, errors
from memoranda.cli.failures import EXIT_CODES

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
BOUNDS = DOCS / "reference" / "bounds.md"
SOURCE = ROOT / "src" / "memoranda"
BY_LANGUAGE = frozenset({"text.stemming.stemmer", "text.words._words_in"})
"""Functions that are cached for each language: there are some thirty, and an unknown one is refused, not cached."""


def rows(page: Path = BOUNDS) -> list[list[str]]:
    """The rows of every table of a page, as cells; headings and rules left out."""
    lines = page.read_text(encoding="utf-8").splitlines()
    found: list[list[str]] = []
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("|") and not set(line) <= set("|-: ") and not below.startswith("|---"):
            found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def told() -> dict[str, str]:
    """What the page says, by the name that sets it: a setting, a constant with its module, or what a class takes."""
    named = [(row[0], row[1]) if row[0].startswith("`Settings.") else (row[-1], row[1]) for row in rows()]
    return {match[1]: value for name, value in named if (match := re.match(r"`([\w.]+)`", name))}


def value_of(name: str) -> object:
    """The value in the code of a name of the page: a constant of a module, or the default of what a class takes."""
    place, _, attribute = name.rpartition(".")
    module, _, owner = place.rpartition(".")
    if not owner[0].isupper():
        return getattr(import_module(f"memoranda.{place}"), attribute)
    taker = Settings if place == "Settings" else getattr(import_module(f"memoranda.{module}"), owner)
    return signature(taker).parameters[attribute].default


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Every module of the package by its name without `memoranda`; those that test and measure are left out."""
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[0] not in ("testing", "bench"):
            yield ".".join(part for part in parts if part != "__init__"), ast.parse(path.read_text(encoding="utf-8"))


def constants() -> Iterator[str]:
    """Every public constant MAX_... that a module of the package defines."""
    for module, tree in modules():
        for statement in tree.body:
            targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
            names = [target.id for target in targets if isinstance(target, ast.Name)]
            yield from (f"{module}.{name}" for name in names if name.startswith("MAX_"))


def same(shown: str, value: object) -> bool:
    """Whether a cell shows a value: a number at its start, else the word."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        number = re.match(r"[\d,]+(?:\.\d+)?", shown)
        return number is not None and float(number[0].replace(",", "")) == value
    return shown.strip("`") == str(value).lower()


@pytest.mark.parametrize("name", sorted(told()))
def test_the_page_tells_the_number_of_the_code(name: str) -> None:
    assert same(told()[name], value_of(name)), f"{name}: the page says {told()[name]!r}, the code {value_of(name)!r}"


def test_the_page_leaves_no_setting_out() -> None:
    assert {f"Settings.{part.name}" for part in fields(Settings)} <= set(told())


def test_the_page_of_settings_tells_each_default() -> None:
    shown = {row[0].strip("`"): row[1] for row in rows(DOCS / "howto" / "settings.md")}
    assert set(shown) == {part.name for part in fields(Settings)}
    wrong = [name for name, cell in shown.items() if not same(cell, getattr(Settings(), name))]
    assert wrong == []


def test_the_page_of_scripting_tells_each_exit_code() -> None:
    shown = {int(row[0]) for row in rows(DOCS / "howto" / "scripting.md") if row[0].isdigit()}
    assert shown == {code for code, _ in EXIT_CODES}


def test_the_page_leaves_no_bound_of_the_code_out() -> None:
    assert set(constants()) <= set(told())


def test_every_row_says_what_happens_and_how_to_see_it() -> None:
    bounds = [row for row in rows() if not row[0].startswith("`Settings.")]
    assert bounds
    for row in bounds:
        assert len(row) == 5, f"a cell is missing or one too many: {row}"
        assert all(row), f"an empty cell: {row}"
        assert row[1].startswith("none") or (row[2] != "-" and row[4] != "-"), row


def test_no_cache_grows_with_what_it_is_given() -> None:
    for module, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef) and any(is_unbounded(mark) for mark in node.decorator_list):
                taken = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                few = f"{module}.{node.name}" in BY_LANGUAGE
                assert few or not taken, f"{module}.{node.name} is cached for every argument; give `lru_cache` a size"


def is_unbounded(decorator: ast.expr) -> bool:
    """Whether a decorator keeps every result: `cache`, or `lru_cache(maxsize=None)`."""
    text = ast.unparse(decorator)
    return text in ("cache", "functools.cache") or "maxsize=None" in text or "lru_cache(None" in text


def test_the_page_of_errors_draws_the_tree_of_the_code() -> None:
    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    drawn = re.search(r"```\n(.*?)```", errors.__doc__ or "", re.DOTALL)
    assert drawn is not None
    assert drawn[1] in page


def test_the_page_of_the_file_names_every_table_and_column() -> None:
    page = (DOCS / "reference" / "store-format.md").read_text(encoding="utf-8")
    words = set(re.findall(r"`(\w+)`", page)) | set(re.findall(r"^### (\w+)$", page, re.MULTILINE))
    for step in sorted((SOURCE / "stores" / "sqlite" / "schema").glob("*.sql")):
        statements = re.sub(r"--.*", "", step.read_text(encoding="utf-8"))
        for table, columns in re.findall(r"CREATE TABLE (\w+) \((.*?)\)\s*STRICT", statements, re.DOTALL):
            named = {line.split()[0] for line in columns.splitlines() if line.strip()} - {"PRIMARY"}
            assert {table} | named <= words, f"{step.name}: {table}"
