"""The command line: each command parses what it is given, makes one call, and shows the answer."""

from memoranda.cli.program import main

__all__ = ["main"]
