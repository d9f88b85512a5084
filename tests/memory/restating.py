"""One process of several that remember the same: `python -m tests.memory.restating FILE COUNT BATCH`."""

from __future__ import annotations

import sys

from memoranda import Memory

NOUNS = ("kettle", "ladder", "anchor", "cello", "lantern", "wagon", "violin", "compass", "hammer", "teapot")
PLACES = ("attic", "harbour", "garage", "library", "cellar", "kitchen", "bakery", "stable", "museum", "garden")
COLOURS = ("red", "blue", "green", "yellow", "purple", "orange", "brown", "silver", "golden", "grey")


def texts(count: int) -> list[str]:
    """Returns so many different texts, at most 1,000: no two of them restate each other."""
    every = [f"The {colour} {noun} is in the {place}" for place in PLACES for noun in NOUNS for colour in COLOURS]
    return every[:count]


def main(path: str, count: str, batch: str) -> None:
    """Opens the file, waits for a line on stdin, and remembers."""
    given, size = texts(int(count)), int(batch)
    with Memory(path, embedder=None) as memory:
        scope = memory.scope("shared")
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        for start in range(0, len(given), size):
            if size == 1:
                scope.remember(given[start])
            else:
                scope.remember_many(given[start : start + size])


if __name__ == "__main__":
    main(*sys.argv[1:])
