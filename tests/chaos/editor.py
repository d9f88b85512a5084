"""A process that edits what others edit, too: `python -m tests.chaos.editor FILE NAME BLOCKS NODES`.

It appends `NAME-0 ` and so on to one core block, BLOCKS times, and puts NODES nodes into one working graph. It says a
line when it has opened the file, and begins when it is told one, so that several begin at one time.
"""

from __future__ import annotations

import sys

from memoranda.runtime.session import Session
from memoranda.runtime.sync import Memory

LABEL = "log"


def session_of(memory: Memory) -> Session:
    """Returns the session that all edit."""
    return memory.scope("acme/alice").session("s-1")


def main(path: str, name: str, blocks: str, nodes: str) -> None:
    """Opens the file, waits, and edits."""
    with Memory(path, embedder=None) as memory:
        session = session_of(memory)
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        sys.stdin.readline()
        for number in range(int(blocks)):
            session.core.append_block(LABEL, f"{name}-{number} ")
        for number in range(int(nodes)):
            session.graph.upsert_node(f"{name}-{number}")


if __name__ == "__main__":
    main(*sys.argv[1:])
