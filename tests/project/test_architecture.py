"""The house of ARCHITECTURE.md: what may import what, checked on the code as it stands."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "memoranda"


def test_import_contracts_hold() -> None:
    # In a process of its own: it configures logging for the whole process that it runs in.
    code = "from importlinter.cli import lint_imports; raise SystemExit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout


def test_importing_the_library_brings_no_terminal() -> None:
    code = "import sys, memoranda; print([m for m in ('click', 'rich') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == "[]"


def test_records_do_without_any() -> None:
    for path in sorted((SOURCE / "records").glob("*.py")):
        names = {node.id for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Name)}
        assert "Any" not in names, f"{path.name}: a record says exactly what it holds; `Any` says nothing"


def test_every_room_says_what_it_is_for() -> None:
    rooms = [
        path for path in SOURCE.rglob("__init__.py") if ast.get_docstring(ast.parse(path.read_text("utf-8"))) is None
    ]
    assert rooms == []
