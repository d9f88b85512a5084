"""Where the development parts of the data sets lie in the shared material."""

from __future__ import annotations

import lzma
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

FILES = {
    "locomo": "data/locomo/locomo-dev5.json",
    "longmemeval": "data/longmemeval_s/longmemeval-s-dev50.jsonl.xz",
    "beam": "data/beam_100k/beam-100k-dev8.jsonl.xz",
    "memdaily": "data/memdaily/06_noisy_roles.json",
    "xquad": "data/xquad/xquad.hi.json.gz",
}


def data_file(shared: Path, suite: str) -> Path:
    """Returns the development file of a suite; skips where it is not there."""
    path = shared / FILES[suite]
    if not path.is_file():
        pytest.skip(f"the shared material holds no {FILES[suite]}")
    return path


def first_lines(path: Path, folder: Path, lines: int) -> Path:
    """Returns a copy of the first lines of a file of many, which is quicker to work on; another file as it is."""
    if not path.name.endswith(".jsonl.xz"):
        return path
    short = folder / path.name.removesuffix(".xz")
    with lzma.open(path, "rt", encoding="utf-8", newline="\n") as file:
        short.write_text("".join(islice(file, lines)), encoding="utf-8", newline="\n")
    return short


def score(shared: Path, *arguments: str) -> str:
    """Runs the scorer that the project does not own and returns its output."""
    program = shared / "bench" / "score.py"
    if not program.is_file():
        pytest.skip("the shared material holds no bench/score.py")
    done = subprocess.run([sys.executable, str(program), *arguments], capture_output=True, encoding="utf-8", check=True)
    return done.stdout
