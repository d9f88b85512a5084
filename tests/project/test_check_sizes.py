from __future__ import annotations

from pathlib import Path

from scripts import check_sizes


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_within_the_budget_nothing_is_said(tmp_path: Path) -> None:
    write(tmp_path, "src/a.py", "x = 1\n" * 400)
    write(tmp_path, "tests/test_a.py", "x = 1\n" * 600)
    assert check_sizes.check(tmp_path) == []


def test_long_files_are_named_with_their_limit(tmp_path: Path) -> None:
    write(tmp_path, "src/a.py", "x = 1\n" * 401)
    write(tmp_path, "tests/test_a.py", "x = 1\n" * 601)
    source, test = check_sizes.check(tmp_path)
    assert source.startswith(f"{Path('src/a.py')}: 401 lines, allowed are 400")
    assert test.startswith(f"{Path('tests/test_a.py')}: 601 lines, allowed are 600")


def test_a_docstring_does_not_count_towards_its_function(tmp_path: Path) -> None:
    docstring = '    """One.\n' + "    more\n" * 50 + '    """\n'
    write(tmp_path, "src/a.py", "def f() -> None:\n" + docstring + "    x = 1\n" * 59)
    assert check_sizes.check(tmp_path) == []
    write(tmp_path, "src/a.py", "def f() -> None:\n" + docstring + "    x = 1\n" * 60)
    (problem,) = check_sizes.check(tmp_path)
    assert "f has 61 lines, allowed are 60" in problem
