"""Fails when a file or a function has outgrown its budget.

A source file may have 400 lines, a test file 600, and a function 60 lines without its docstring.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

FILE_LIMITS = {"src": 400, "scripts": 400, "benchmarks": 400, "tests": 600}
FUNCTION_LIMIT = 60
ADVICE = "Split it where its parts change for different reasons."


def function_length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Counts the lines from `def` to the end of the body, less those of the docstring."""
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if ast.get_docstring(node, clean=False) is not None:
        length -= (first.end_lineno or first.lineno) - first.lineno + 1
    return length


def problems_of(path: Path, source: str, file_limit: int) -> Iterator[str]:
    """Yields one line for each budget that the source exceeds."""
    lines = len(source.splitlines())
    if lines > file_limit:
        yield f"{path}: {lines} lines, allowed are {file_limit}. {ADVICE}"
    for node in ast.walk(ast.parse(source, filename=str(path))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = function_length(node)
            if length > FUNCTION_LIMIT:
                yield f"{path}:{node.lineno}: {node.name} has {length} lines, allowed are {FUNCTION_LIMIT}. {ADVICE}"


def check(root: Path) -> list[str]:
    """Returns the problems of all Python files in the folders that have a limit, in order of path."""
    return [
        problem
        for folder, limit in FILE_LIMITS.items()
        for path in sorted((root / folder).rglob("*.py"))
        for problem in problems_of(path.relative_to(root), path.read_text(encoding="utf-8"), limit)
    ]


def main() -> int:
    """Prints the problems and returns the exit status: 0 without any, else 1."""
    problems = check(Path(__file__).resolve().parent.parent)
    print("\n".join(problems) if problems else "sizes: every file and function is within its budget")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
