"""Checks the Markdown pages: links lead somewhere, and what a reader can copy works.

Links: each relative link and image of every page names a file or folder that exists and, after `#`, one of its
headings.

Blocks: README.md and the pages below docs/ are run, each page in an empty folder of its own, its blocks in order:

* a `python` block is executed; the blocks of one page share their names;
* `python no-run: REASON` is not executed; without a reason it is refused;
* in a `console` block the lines that start with `$ ` and call `memoranda` are given to the shell; others, such as
  `$ make demo`, are not. A command must exit with 0, or with N where it ends in `# exit N`. Lines below it are its
  expected output, compared loosely: each must be found, in this order; runs of blanks count as one; `...` stands for
  anything within a line. Without such lines only the exit status counts.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).resolve().parent.parent
NO_PAGES = ("src", "tests", "build", "dist")
PAGE_SECONDS = 120
CALL = re.compile(r"(^|[|&;(]\s*)memoranda(\s|$)")  # as a command, not as the name of a folder
MARKDOWN = MarkdownIt("commonmark").enable("table")


class CheckFailedError(Exception):
    """A page does not do what it shows; the message names the place and the reason."""


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: its info string, its text, and the line of its first line of text (from 1)."""

    info: str
    text: str
    line: int


def pages(root: Path) -> list[Path]:
    """Lists the Markdown files that people read; hidden folders, package data and test data are left out."""
    found = [path.relative_to(root) for path in root.rglob("*.md")]
    return sorted(p for p in found if p.parts[0] not in NO_PAGES and not any(part.startswith(".") for part in p.parts))


def runs(page: Path) -> bool:
    """Says whether the blocks of the page are run."""
    return page == Path("README.md") or page.parts[0] == "docs"


def tokens_of(path: Path) -> Iterator[Token]:
    """Yields the page's tokens, those within a line of text too."""
    for token in MARKDOWN.parse(path.read_text(encoding="utf-8")):
        yield token
        yield from token.children or ()


def blocks_of(path: Path) -> list[Block]:
    """Returns the fenced blocks of the page in order."""
    return [
        Block(info=token.info.strip(), text=token.content, line=token.map[0] + 2)
        for token in tokens_of(path)
        if token.type == "fence" and token.map
    ]


def runnable(block: Block) -> bool:
    """Says whether the block is in a language that is run."""
    return bool(re.match(r"(python|console)\b", block.info))


def anchors_of(path: Path) -> set[str]:
    """Returns the anchors of the page's headings as code hosts derive them: lower case, hyphens, no punctuation."""
    tokens = list(MARKDOWN.parse(path.read_text(encoding="utf-8")))
    titles = [after.content for before, after in itertools.pairwise(tokens) if before.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(root: Path, page: Path) -> Iterator[str]:
    """Yields one line for each relative link or image of the page that leads nowhere."""
    for token in tokens_of(root / page):
        link = str(token.attrGet("href") or token.attrGet("src") or "")
        if not link or re.match(r"[a-z][a-z0-9+.-]*:|//", link):
            continue
        name, _, anchor = link.partition("#")
        target = (root / page).parent / name if name else root / page
        if not target.exists():
            yield f"{page}: the link {link} leads to no file"
        elif anchor and target.suffix == ".md" and anchor not in anchors_of(target):
            yield f"{page}: the link {link} leads to no heading of {target.name}"


def run_python(page: Path, block: Block, names: dict[str, Any]) -> None:
    """Executes a block; a traceback names the page and its line."""
    if block.info.startswith("python no-run"):
        if not re.fullmatch(r"python no-run: \S.*", block.info):
            raise CheckFailedError(f"{page}:{block.line - 1}: say why it cannot run: ```python no-run: REASON")
        return
    exec(compile("\n" * (block.line - 1) + block.text, str(page), "exec", dont_inherit=True), names)


def commands_of(block: Block) -> list[tuple[str, list[str]]]:
    """Splits a console block into commands, each with the lines of output shown below it."""
    commands: list[tuple[str, list[str]]] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            commands.append((line[2:], []))
        elif commands and line.strip():
            commands[-1][1].append(line)
    return commands


def missing_line(shown: list[str], output: str) -> str | None:
    """Returns the first shown line that the output does not hold after the lines found before it, or None."""
    rest = iter([" ".join(line.split()) for line in output.splitlines()])
    for line in shown:
        pattern = ".*".join(re.escape(part) for part in " ".join(line.split()).split("..."))
        if not any(re.fullmatch(pattern, candidate) for candidate in rest):
            return line
    return None


def run_console(page: Path, block: Block) -> None:
    """Gives the block's calls of memoranda to the shell and compares what they do with what is shown."""
    for command, shown in commands_of(block):
        if not CALL.search(command):
            continue
        status = re.search(r"# exit (\d+)\s*$", command)
        expected = int(status[1]) if status else 0
        done = subprocess.run(command, shell=True, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL)
        output = done.stdout + done.stderr
        place = f"{page}:{block.line}: $ {command}"
        if done.returncode != expected:
            raise CheckFailedError(f"{place}\nended with {done.returncode}, expected was {expected}. Output:\n{output}")
        missing = missing_line(shown, output)
        if missing is not None:
            raise CheckFailedError(f"{place}\ndid not print, in this order: {missing}\nOutput:\n{output}")


def run_page(page: Path, blocks: list[Block]) -> None:
    """Runs the blocks of one page in order, in the current folder."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks:
        if block.info.startswith("console"):
            run_console(page, block)
        elif runnable(block):
            run_python(page, block, names)


def page_environment(folder: str) -> dict[str, str]:
    """Returns an environment without the caller's settings, whose home is the folder and which finds our command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MEMORANDA_", "XDG_"))}
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return kept | {"HOME": folder, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1", "PYTHONUTF8": "1"}


def failure_of(root: Path, page: Path) -> str | None:
    """Runs one page in a process and an empty folder of its own; returns what went wrong, or None."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-W", "error", str(Path(__file__).resolve()), "--page", str(root), str(page)]
        environment = page_environment(folder)
        try:
            done = subprocess.run(
                command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", timeout=PAGE_SECONDS
            )
        except subprocess.TimeoutExpired:
            return f"{page}: not done after {PAGE_SECONDS} seconds"
    return None if done.returncode == 0 else f"{page} failed:\n{done.stdout}{done.stderr}"


def check(root: Path) -> list[str]:
    """Returns the problems of all pages below the root."""
    found = pages(root)
    links = [problem for page in found for problem in broken_links(root, page)]
    failures = [failure_of(root, page) for page in found if runs(page) and any(map(runnable, blocks_of(root / page)))]
    return links + [failure for failure in failures if failure]


def main(arguments: list[str]) -> int:
    """Checks everything, or runs one page (`--page ROOT PAGE`, how `check` calls itself); returns the exit status."""
    if arguments[:1] == ["--page"]:
        root, page = Path(arguments[1]), Path(arguments[2])
        try:
            run_page(page, blocks_of(root / page))
        except CheckFailedError as failure:
            print(failure)
            return 1
        return 0
    problems = check(ROOT)
    print("\n".join(problems) if problems else "docs: every link leads somewhere and every block runs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
