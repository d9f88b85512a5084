"""The command line as a process of its own: what only a real process shows."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

CALL = [sys.executable, "-c", "from memoranda.cli import main; main(prog_name='memoranda')"]


def environment(folder: Path, **more: str) -> dict[str, str]:
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MEMORANDA_", "PYTHONUNBUFFERED"))
    }
    own = {"MEMORANDA_STORE": str(folder / "memory.db"), "MEMORANDA_MODELS": str(folder / "models"), "PYTHONUTF8": "1"}
    return kept | own | more


def run(folder: Path, *args: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*CALL, *args], env=environment(folder, **more), cwd=folder, capture_output=True, timeout=60)


def test_stdout_holds_one_document_in_utf8_and_nothing_else(tmp_path: Path) -> None:
    done = run(tmp_path, "remember", "测试 ü", "--json")
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout.decode("utf-8"))["entry"]["memory"] == "测试 ü"


def test_a_narrow_encoding_never_fails(tmp_path: Path) -> None:
    narrow = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    assert run(tmp_path, "remember", "测试 ü", **narrow).returncode == 0
    assert run(tmp_path, "list", **narrow).stdout.isascii()
    done = run(tmp_path, "list", "--json", **narrow)
    assert json.loads(done.stdout.decode("ascii"))["entries"][0]["memory"] == "测试 ü"


@pytest.mark.parametrize("args", [("list", "--json"), ("list",)])
def test_a_reader_that_goes_away_is_no_error(tmp_path: Path, args: tuple[str, ...]) -> None:
    (tmp_path / "many.txt").write_text("\n\n".join(f"line {i} {'x' * 300}" for i in range(600)), "utf-8")
    assert run(tmp_path, "import", "many.txt").returncode == 0
    command = [*CALL, *args, "--limit", "600"]
    with subprocess.Popen(
        command, env=environment(tmp_path), cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read()
        assert process.wait(60) == 141
    assert b"Traceback" not in said
    assert b"rror" not in said


@pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent in another way there")
def test_ctrl_c_ends_quietly_with_130(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, memoranda.cli.options as options\n"
        "from memoranda.cli import main\n"
        "class Stdin:\n"
        "    @property\n"
        "    def buffer(self): os.kill(os.getpid(), signal.SIGINT); return sys.__stdin__.buffer\n"
        "sys.stdin = Stdin()\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a background job inherits that it is ignored
        "main(['remember', '-'], prog_name='memoranda')\n"
    )
    assert signal.getsignal(signal.SIGINT) is not None
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(tmp_path), cwd=tmp_path, capture_output=True, timeout=60
    )
    assert done.returncode == 130
    assert done.stderr.strip() == b""


def test_help_loads_neither_rich_nor_a_store(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from memoranda.cli import main\n"
        "main(['--help'], prog_name='memoranda', standalone_mode=False)\n"
        "heavy = {'rich', 'apsw', 'anyio', 'asyncio', 'platformdirs'} & set(sys.modules)\n"
        "sys.exit(f'loaded: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], env=environment(tmp_path), capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, b"")
