from __future__ import annotations

from pathlib import Path

import pytest

from scripts import check_docs


def page(root: Path, text: str, name: str = "README.md") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_links_to_nothing_are_named(tmp_path: Path) -> None:
    page(tmp_path, "# The other page, here\n", "docs/other.md")
    page(tmp_path, "[a](docs/other.md#the-other-page-here) [b](docs) [c](https://example.org/x) [d](#top)\n\n# Top\n")
    assert check_docs.check(tmp_path) == []
    page(tmp_path, "[a](docs/absent.md) ![b](absent.png) [c](docs/other.md#absent)\n")
    assert [problem.split(" leads ")[1] for problem in check_docs.check(tmp_path)] == [
        "to no file",
        "to no file",
        "to no heading of other.md",
    ]


def test_links_in_code_are_not_links(tmp_path: Path) -> None:
    page(tmp_path, "`[a](absent.md)`\n\n```text\n[b](absent.md)\n```\n")
    assert check_docs.check(tmp_path) == []


def test_python_blocks_share_names_and_an_empty_folder(tmp_path: Path) -> None:
    first = "```python\nfrom pathlib import Path\nfound = list(Path().iterdir())\n```\n"
    page(tmp_path, first + "text\n\n* item\n\n  ```python\n  assert found == []\n  ```\n")
    assert check_docs.check(tmp_path) == []


def test_a_failing_block_is_named_with_its_line(tmp_path: Path) -> None:
    page(tmp_path, "one\n\n```python\nx = 1\nassert x == 2\n```\n")
    (problem,) = check_docs.check(tmp_path)
    assert 'File "README.md", line 5' in problem
    assert "AssertionError" in problem


def test_a_block_is_left_out_only_with_a_reason(tmp_path: Path) -> None:
    page(tmp_path, "```python no-run: needs a model key\nraise SystemExit(9)\n```\n")
    assert check_docs.check(tmp_path) == []
    page(tmp_path, "```python no-run\nraise SystemExit(9)\n```\n")
    (problem,) = check_docs.check(tmp_path)
    assert "README.md:1: say why it cannot run" in problem


def test_pages_outside_docs_are_not_run(tmp_path: Path) -> None:
    page(tmp_path, "```python\nraise SystemExit(9)\n```\n", "CONTRIBUTING.md")
    assert check_docs.check(tmp_path) == []


SAY = 'memoranda() { echo "$@"; }; '


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"$ {SAY} memoranda one\none\n", None),
        (f"$ {SAY} memoranda one 7f3a   two\none   ... two\n", None),
        (f"$ {SAY} echo 1 | memoranda one; exit 3 # exit 3\n", None),
        ("$ cd memoranda && make demo\nnot run at all\n", None),
        (f"$ {SAY} memoranda one; false\n", "ended with 1, expected was 0"),
        (f"$ {SAY} memoranda b; echo a\na\nb\n", "did not print, in this order: b"),
    ],
)
def test_console_blocks_are_run_and_compared(tmp_path: Path, text: str, said: str | None) -> None:
    page(tmp_path, f"```console\n{text}```\n")
    problems = check_docs.check(tmp_path)
    assert problems == [] if said is None else said in problems[0]
