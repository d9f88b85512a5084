"""Running a piece of code in a process of its own, and talking to it line by line."""

from __future__ import annotations

import subprocess
import sys

PATIENCE = 60.0
"""Seconds after which a child that should take less than one is called stuck."""

PREAMBLE = """
import os, sys
from memoranda.protocols.plan import Plan
from memoranda.protocols.store import EntryFilter
from memoranda.records.entry import MemoryEntry
from memoranda.records.scope import Scope
from memoranda.bridge.drive import Stepper
from memoranda.stores.sqlite.store import SqliteStore
run = Stepper().run

def give_up_root():
    '''Permissions do not bind root. What is imported lazily is imported before: only root may read it.'''
    import urllib.parse
    warm = SqliteStore(":memory:")
    run(warm.store("warm", MemoryEntry("fact", "warm up")))
    run(warm.retrieve("warm", "warm", 5))
    warm.close()
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

def attempt(work):
    '''Prints what came of it on one line.'''
    try:
        print(run(work()), flush=True)
    except Exception as error:
        print(type(error).__name__, error, flush=True)

def say(line):
    print(line, flush=True)

def hear():
    return sys.stdin.readline().strip()
"""


def start(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Starts a process that runs `code` after `PREAMBLE`; `sys.argv[1:]` are the arguments."""
    command = [sys.executable, "-c", PREAMBLE + code, *map(str, arguments)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")


def lines_of(code: str, *arguments: object) -> list[str]:
    """Runs `code` to its end and returns what it printed.

    Raises:
        AssertionError: it ended with an error of its own; it stands in this process's output.
    """
    with start(code, *arguments) as child:
        out, _ = child.communicate(timeout=PATIENCE)
        assert child.returncode == 0
    return out.splitlines()


def hear(child: subprocess.Popen[str]) -> str:
    """Returns the child's next line; it is killed at the end of the test if it never comes."""
    assert child.stdout is not None
    return child.stdout.readline().strip()


def say(child: subprocess.Popen[str], line: str = "") -> None:
    """Sends the child a line."""
    assert child.stdin is not None
    child.stdin.write(line + "\n")
    child.stdin.flush()
