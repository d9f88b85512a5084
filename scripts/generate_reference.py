"""Writes docs/reference/ from the code: the public Python names of each door, and the commands.

`--check` writes nothing and fails when a page is stale. Signatures are read from the source, not from the running
interpreter, so that every supported Python version writes the same pages.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

import click

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Written by scripts/generate_reference.py from the code (`make fmt`). Do not edit. -->"
HELP_WIDTH = 100
PACKAGE = "memoranda"  # methods that other packages' base classes define are not described
DOORS = {
    "memoranda": "python.md",
    "memoranda.compaction": "compaction.md",
    "memoranda.graph": "graph.md",
    "memoranda.testing": "testing.md",
}
"""Modules whose `__all__` is public, each with its page."""
LISTS = ("Args", "Attributes", "Raises")
EXAMPLES = ("Example", "Examples")
SECTION = re.compile(r"(Args|Attributes|Example|Examples|Note|Raises|Returns|Yields):$")
Function = ast.FunctionDef | ast.AsyncFunctionDef
ITEM = re.compile(r"(\*{0,2}[\w.]+)(?: \([^)]*\))?: *(.*)")


def section_of(title: str, body: list[str]) -> Iterator[str]:
    """Yields one docstring section as Markdown."""
    text = textwrap.dedent("\n".join(body)).strip("\n")
    yield f"**{title}**"
    yield ""
    if title in EXAMPLES:
        yield from ("```pycon" if ">>>" in text else "```text", *text.splitlines(), "```")
        return
    for line in text.splitlines():
        item = ITEM.match(line) if title in LISTS else None
        yield f"- `{item[1]}`: {item[2]}" if item else (f"  {line.strip()}" if title in LISTS else line)


def markdown_of(docstring: str) -> list[str]:
    """Turns a Google style docstring into Markdown lines."""
    lines: list[str] = []
    rest = inspect.cleandoc(docstring).splitlines()
    while rest:
        line = rest.pop(0)
        title = SECTION.match(line)
        if title is None:
            lines.append("```py" if line == "```python" else line)  # an example in passing, which does not stand alone
            continue
        body = []
        while rest and (not rest[0].strip() or rest[0].startswith(" ")):
            body.append(rest.pop(0))
        lines += ["", *section_of(title[1], body), ""]
    return lines


def definition_of(value: object) -> ast.stmt:
    """Parses the source of a class or function and returns its definition."""
    assert isinstance(value, type) or callable(value)
    return ast.parse(textwrap.dedent(inspect.getsource(value))).body[0]


def parameters_of(arguments: ast.arguments) -> list[str]:
    """Lists the parameters as they stand in the source, without `self` or `cls`."""
    plain = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(plain) - len(arguments.defaults)) + list(arguments.defaults)
    named = [parameter(argument, default) for argument, default in zip(plain, defaults, strict=True)]
    if arguments.posonlyargs:
        named.insert(len(arguments.posonlyargs), "/")
    if plain and plain[0].arg in ("self", "cls"):
        named.pop(0)
    if arguments.vararg:
        named.append("*" + parameter(arguments.vararg, None))
    elif arguments.kwonlyargs:
        named.append("*")
    named += [parameter(a, default) for a, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return named + (["**" + parameter(arguments.kwarg, None)] if arguments.kwarg else [])


def parameter(argument: ast.arg, default: ast.expr | None) -> str:
    """Writes one parameter with its annotation and default."""
    if default is None:
        return ast.unparse(argument)
    return f"{ast.unparse(argument)}{' = ' if argument.annotation else '='}{ast.unparse(default)}"


def signature_of(name: str, node: Function) -> str:
    """Writes the signature: on one line, or where that is too long with a line for each parameter."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    result = ast.unparse(node.returns) if node.returns else ""
    if any(decorator.endswith("property") for decorator in decorators):
        return f"{name}: {result}"
    head = f"{'async ' if isinstance(node, ast.AsyncFunctionDef) else ''}{name}"
    tail = f" -> {result}" if result else ""
    parameters = parameters_of(node.args)
    line = f"{head}({', '.join(parameters)}){tail}"
    if len(line) <= HELP_WIDTH:
        return line
    return "\n".join([f"{head}(", *(f"    {each}," for each in parameters), f"){tail}"])


def entry_of(heading: str, code: str, docstring: str | None) -> list[str]:
    """Formats one heading, its code and its docstring."""
    return [heading, "", "```text", code, "```", "", *markdown_of(docstring or ""), ""]


def fields_of(node: ast.ClassDef) -> list[str]:
    """Lists the public fields of a class body, or the members of an enumeration, as they stand in the source."""
    annotated = [s for s in node.body if isinstance(s, ast.AnnAssign) and not ast.unparse(s.target).startswith("_")]
    members = [s for s in node.body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)]
    return [ast.unparse(statement) for statement in annotated or members]


def methods_of(cls: type) -> dict[str, Function]:
    """Finds the public methods and properties that memoranda itself defines, those of base classes included."""
    found: dict[str, Function] = {}
    for base in cls.__mro__:
        if not base.__module__.startswith(PACKAGE):
            continue
        body = definition_of(base)
        assert isinstance(body, ast.ClassDef)
        for statement in body.body:
            for node in methods_in(statement, base):
                if not node.name.startswith("_"):
                    found.setdefault(node.name, node)
    return found


def methods_in(statement: ast.stmt, cls: type) -> Iterator[Function]:
    """Yields the method that a statement of a class body defines, be it by `def` or by wrapping an awaited one."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
        yield statement
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        name = statement.targets[0].id
        value = vars(cls).get(name)
        if callable(value) and hasattr(value, "__wrapped__"):
            awaited = definition_of(inspect.unwrap(value))
            yield ast.FunctionDef(**{**dict(ast.iter_fields(awaited)), "name": name})


def class_entry(name: str, cls: type) -> list[str]:
    """Describes a class: its bases, fields, construction and public methods."""
    node = definition_of(cls)
    assert isinstance(node, ast.ClassDef)
    bases = ", ".join(ast.unparse(base) for base in node.bases)
    created = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
    head = signature_of(f"class {name}", created) if created else f"class {name}" + (f"({bases})" if bases else "")
    code = "\n".join([head.removesuffix(" -> None"), *(f"    {field}" for field in fields_of(node))])
    lines = entry_of(f"## {name}", code, cls.__doc__)
    for method, definition in methods_of(cls).items():
        lines += entry_of(f"### {name}.{method}", signature_of(method, definition), ast.get_docstring(definition))
    return lines


def name_entry(name: str, value: object) -> list[str]:
    """Describes one public name."""
    if isinstance(value, type):
        return class_entry(name, value)
    if inspect.isfunction(value):
        node = definition_of(value)
        assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        return entry_of(f"## {name}", signature_of(name, node), value.__doc__)
    return [f"## {name}", "", f"A constant of type `{type(value).__name__}`.", ""]


def python_page(module: ModuleType) -> str:
    """Writes the page of the public Python names, in alphabetical order."""
    names = sorted((n for n in module.__all__ if not n.startswith("_")), key=lambda n: (n.lower(), n))
    index = [f"[`{name}`](#{name.lower()})" for name in names]
    others = [f"[`{door}`]({page})" for door, page in DOORS.items() if door != module.__name__]
    lines = [
        NOTE,
        "",
        f"# Python reference: {module.__name__}",
        "",
        f"Every name below is imported from `{module.__name__}`. Other pages: {', '.join(others)}.",
        "",
        " · ".join(index),
    ]
    for name in names:
        lines += ["", *name_entry(name, getattr(module, name))]
    return tidy(lines)


def commands_of(command: click.Command, context: click.Context) -> Iterator[list[str]]:
    """Yields the help of a command and, below it, of its subcommands."""
    yield [f"## {context.command_path}", "", "```text", command.get_help(context), "```", ""]
    if isinstance(command, click.Group):
        for name in sorted(command.list_commands(context)):
            child = command.get_command(context, name)
            if child is not None and not child.hidden:
                yield from commands_of(child, context_of(child, name, context))


def context_of(command: click.Command, name: str, parent: click.Context | None = None) -> click.Context:
    """Makes a context whose help has a fixed width."""
    return click.Context(
        command, info_name=name, parent=parent, terminal_width=HELP_WIDTH, max_content_width=HELP_WIDTH, color=False
    )


def cli_page(command: click.Command) -> str:
    """Writes the page of the commands: the help that each prints."""
    lines = [NOTE, "", "# Command reference", "", "What each command prints for `--help`.", ""]
    for part in commands_of(command, context_of(command, "memoranda")):
        lines += part
    return tidy(lines)


def tidy(lines: list[str]) -> str:
    """Joins the lines, without blanks at line ends and without more than one empty line in a row."""
    text = "\n".join(line.rstrip() for line in "\n".join(lines).splitlines())
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def rendered() -> dict[Path, str]:
    """Returns the text of each page under its path."""
    from memoranda.cli import main as command

    folder = ROOT / "docs" / "reference"
    pages = {folder / page: python_page(import_module(door)) for door, page in DOORS.items()}
    return pages | {folder / "cli.md": cli_page(command)}


def main(arguments: list[str]) -> int:
    """Writes the pages, or with `--check` compares them; returns the exit status."""
    pages = rendered()
    if "--check" in arguments:
        stale = [str(p.relative_to(ROOT)) for p, t in pages.items() if not p.exists() or p.read_text("utf-8") != t]
        print(f"reference: stale: {', '.join(stale)}. Run `make fmt`." if stale else "reference: up to date")
        return 1 if stale else 0
    for path, text in pages.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
